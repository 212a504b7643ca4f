package terminal

import "unicode/utf8"

// unfinishedRune is the head of a UTF-8 sequence.
type unfinishedRune struct {
	bytes  [utf8.UTFMax]byte
	n      int
	need   int
	lo, hi byte // bounds of the next byte
}

// begin takes the first byte of a sequence and reports whether it can be one.
func (u *unfinishedRune) begin(c byte) bool {
	*u = unfinishedRune{bytes: [utf8.UTFMax]byte{c}, n: 1, lo: 0x80, hi: 0xbf}
	switch {
	case c < 0xc2 || c > 0xf4:
		u.n = 0
		return false
	case c < 0xe0:
		u.need = 2
	case c < 0xf0:
		u.need = 3
	default:
		u.need = 4
	}
	switch c {
	case 0xe0:
		u.lo = 0xa0
	case 0xed:
		u.hi = 0x9f
	case 0xf0:
		u.lo = 0x90
	case 0xf4:
		u.hi = 0x8f
	}
	return true
}

// add takes a further byte. ok is false if it does not belong there; r is the
// character if this was the last byte, else -1.
func (u *unfinishedRune) add(c byte) (r rune, ok bool) {
	if c < u.lo || c > u.hi {
		u.n = 0
		return -1, false
	}
	u.bytes[u.n] = c
	u.n++
	u.lo, u.hi = 0x80, 0xbf
	if u.n < u.need {
		return -1, true
	}
	r, _ = utf8.DecodeRune(u.bytes[:u.n])
	u.n = 0
	return r, true
}

// continueRune takes the next byte of an unfinished character. One that cannot
// follow is left for another look; what came before it is one U+FFFD.
func (t *Terminal) continueRune(b []byte) []byte {
	r, ok := t.parser.char.add(b[0])
	if !ok {
		t.print(utf8.RuneError)
		return b
	}
	if r >= 0 {
		t.print(r)
	}
	return b[1:]
}

package ui

import (
	"bytes"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"
)

const esc = 0x1b

// Marks of a paste.
const (
	pasteStart = "\x1b[200~"
	pasteEnd   = "\x1b[201~"
)

// maxSequence is how long a control sequence may be that is waited for.
const maxSequence = 64

// keyFilter changes the input bytes that tcell 2.13 decodes to nothing, or to
// worse, into others for the same key: Alt with a character that begins a
// sequence, or that is not ASCII, Alt-Esc, and the keypad.
//
// ESC and a character are two keys' bytes in one: Alt with the character, or the
// beginning of a sequence. A terminal writes a sequence at once, so that they are
// Alt where a read ends with them, or where they cannot be a sequence. A read that
// filled its buffer may have cut a sequence, and so may a link; what it then cuts
// is put together, unless it cuts within the first two bytes. Strings are answers
// to others' questions: they begin with a digit after ESC ], with what answers
// begin with after ESC P, and with G after ESC _. They are thrown away up to their
// end, or to the next byte that cannot be part of one.
//
// Inside a paste ESC is thrown away, unless it is that of the end mark: nothing
// that was pasted is a sequence.
type keyFilter struct {
	out   []byte    // for tcell, which is to take it off
	had   int       // length of out before this read
	waits bool      // it ended with an ESC then: tcell waits for 50 ms for what follows
	paste bool      // between the marks of a paste
	text  bool      // within a string
	last  time.Time // of the last read
}

// add filters whole characters into out. It returns the end of p if that is cut;
// more says that more follows at once.
func (f *keyFilter) add(p []byte, more bool, now time.Time) (cut []byte) {
	if len(p) == 0 {
		return nil
	}
	if now.Sub(f.last) > pasteTick {
		f.paste, f.text = false, false // as the inbox has it
	}
	f.last, f.had = now, len(f.out)
	passed := f.waits
	if passed {
		p = append([]byte{esc}, p...)
	}
	for len(p) > 0 {
		n, whole := f.next(p, more, passed)
		if !whole {
			break
		}
		if n > 0 {
			p, passed = p[n:], false
		}
	}
	f.waits = f.waiting()
	if passed {
		p = p[1:]
	}
	return p
}

// waiting reports whether the last byte that was passed on is ESC.
func (f *keyFilter) waiting() bool {
	if len(f.out) == f.had {
		return f.waits
	}
	return f.out[len(f.out)-1] == esc
}

// next filters the first part of p and returns its length, which is 0 if only the
// state has changed. It is not whole if the rest is missing. If passed, its ESC is
// out already.
func (f *keyFilter) next(p []byte, more, passed bool) (n int, whole bool) {
	switch {
	case f.paste:
		return f.pasted(p)
	case f.text:
		return f.string(p)
	case p[0] == esc:
		return f.escape(p, more, passed)
	}
	n = bytes.IndexByte(p, esc)
	if n < 0 {
		n = len(p)
	}
	f.out = append(f.out, p[:n]...)
	return n, true
}

// pasted filters a paste.
func (f *keyFilter) pasted(p []byte) (n int, whole bool) {
	n = bytes.IndexByte(p, esc)
	switch {
	case n != 0:
		if n < 0 {
			n = len(p)
		}
		f.out = append(f.out, p[:n]...)
		return n, true
	case bytes.HasPrefix(p, []byte(pasteEnd)):
		f.paste = false
		f.out = append(f.out, pasteEnd...)
		return len(pasteEnd), true
	}
	return 1, !strings.HasPrefix(pasteEnd, string(p))
}

// string throws a string away.
func (f *keyFilter) string(p []byte) (n int, whole bool) {
	n = bytes.IndexFunc(p, func(r rune) bool { return r < ' ' })
	switch {
	case n < 0:
		return len(p), true
	case n > 0:
		return n, true
	case p[0] == esc && len(p) == 1:
		return 0, false
	}
	f.text = false
	switch {
	case p[0] == '\a':
		return 1, true
	case bytes.HasPrefix(p, []byte("\x1b\\")):
		return 2, true
	}
	return 0, true
}

// escape filters what begins with ESC.
func (f *keyFilter) escape(p []byte, more, passed bool) (n int, whole bool) {
	if len(p) == 1 {
		if !more {
			f.out = append(f.out, esc)
		}
		return 1, !more
	}
	r, size := utf8.DecodeRune(p[1:])
	var then byte // what follows, 0 if nothing does
	if len(p) > 1+size {
		then = p[1+size]
	} else if more && strings.ContainsRune("[O]P_\x1b", r) {
		return 0, false
	}
	switch {
	case r == '[' && then != esc && (then != 0 || passed):
		return f.control(p, passed)
	case r == 'O' && then != esc && (then != 0 || passed):
		return f.single(p, passed), true
	case r == ']' && digit(then), r == 'P' && (digit(then) || strings.IndexByte(">!$+", then) >= 0), r == '_' && then == 'G':
		if f.text = true; f.waiting() {
			f.out = append(f.out, "\x1b\\"...) // as in alt: tcell waits for what is thrown away
		}
		return 2, true
	case r == esc && (passed || then == '[' || then == 'O'):
		f.put(p[:1], passed)
		return 1, true
	case r == esc && then != 0:
		f.out = append(f.out, "\x1b[27u"...)
		return 1, true
	case strings.ContainsRune("[O]NX^_\\\x1b", r), r >= utf8.RuneSelf:
		f.alt(r, passed)
	default:
		f.put(p[:1+size], passed)
	}
	return 1 + size, true
}

// digit reports whether a byte is a digit.
func digit(b byte) bool { return b >= '0' && b <= '9' }

// put passes a sequence on.
func (f *keyFilter) put(seq []byte, passed bool) {
	if passed {
		seq = seq[1:]
	}
	f.out = append(f.out, seq...)
}

// alt passes Alt with a character on. If tcell has its ESC, tcell is told that a
// string has ended: that leaves an ESC that it still waits with for the character,
// and nothing if it took it for the key Esc.
func (f *keyFilter) alt(r rune, passed bool) {
	if passed {
		f.out = fmt.Appendf(f.out, "\x1b\\%c", r)
		return
	}
	f.out = fmt.Appendf(f.out, "\x1b[%d;3u", r)
}

// control filters a control sequence.
func (f *keyFilter) control(p []byte, passed bool) (n int, whole bool) {
	n = 2
	for n < len(p) && p[n] >= ' ' && p[n] <= '?' {
		n++
	}
	switch {
	case n == len(p):
		if n > 2 && n < maxSequence {
			return 0, false
		}
	case p[n] >= '@' && p[n] <= '~':
		n++
	}
	f.put(p[:n], passed)
	f.paste = string(p[:n]) == pasteStart
	return n, true
}

// single filters a sequence that begins with ESC O: those of the keypad, in the
// mode for programs that tcell asks for, are 0x40 above what is on the key.
func (f *keyFilter) single(p []byte, passed bool) (n int) {
	if len(p) > 2 && !passed && (p[2] == 'M' || p[2] >= 'j' && p[2] <= 'y') {
		f.out = append(f.out, p[2]-0x40)
		return 3
	}
	n = min(3, len(p))
	f.put(p[:n], passed)
	return n
}

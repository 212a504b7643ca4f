package text

import (
	"unicode"
	"unicode/utf8"

	"github.com/rivo/uniseg"
)

// The characters that join emoji or choose how one looks.
const (
	zwj    = '\u200d'
	vs15   = '\ufe0e' // as text
	vs16   = '\ufe0f' // as a picture
	keycap = '\u20e3' // combining enclosing keycap
)

// cleaner holds what the fate of the next rune depends on. It knows the output
// only, which is what makes cleaning idempotent.
type cleaner struct {
	prev   rune // last rune let through, 0 at the start of a line
	base   rune // last rune let through that does not style the one before it
	joined int  // runes that joined the current cluster
}

// show returns what stands for r, which took n bytes and is followed by rest.
func (c *cleaner) show(r rune, n int, rest string) rune {
	switch {
	case r == '\n' || r == '\t' || r == '\r':
		return ' '
	case r < ' ':
		return '\u2400' + r
	case r == 0x7f:
		return '\u2421'
	case r < 0x7f:
		return r
	case r == utf8.RuneError && n <= 1:
		return Replacement
	case r == zwj || r == vs15 || r == vs16:
		return c.joiner(r, rest)
	case r == '\uff9e': // uniseg gives these two no cell of their own, terminals do
		return '\u309b'
	case r == '\uff9f':
		return '\u309c'
	case invisible(r):
		return Replacement
	case c.joins(r) && c.joined >= maxJoined,
		modifies(r) && !pictographic(c.prev),
		unicode.Is(unicode.M, r) && (c.prev == 0 || unicode.IsSpace(c.prev)):
		return Replacement
	}
	return r
}

// joiner returns r, a joiner or a variation selector, where it does its work on
// an emoji, and Replacement elsewhere.
func (c *cleaner) joiner(r rune, rest string) rune {
	next, _ := utf8.DecodeRuneInString(rest)
	switch {
	case c.joined >= maxJoined:
	case r == zwj && pictographic(c.base) && pictographic(next):
		return r
	case r != zwj && pictographic(c.prev):
		return r
	case r == vs16 && next == keycap && (c.prev >= '0' && c.prev <= '9' || c.prev == '#' || c.prev == '*'):
		return r
	}
	return Replacement
}

// take records that r was let through.
func (c *cleaner) take(r rune) {
	if c.joins(r) {
		c.joined++
	} else {
		c.joined = 0
	}
	if r != zwj && r != vs15 && r != vs16 && !modifies(r) {
		c.base = r
	}
	c.prev = r
}

// joins reports whether r goes on with the cluster that the output ends in.
func (c *cleaner) joins(r rune) bool {
	switch {
	case r <= 0x7f:
		return false
	case leadingJamo(r):
		return leadingJamo(c.prev)
	}
	return c.prev == zwj || r == zwj || unicode.Is(unicode.M, r) || modifies(r) ||
		r == '\u0e33' || r == '\u0eb3' || // Thai and Lao AM
		r >= 0x1160 && r <= 0x11ff || r >= 0xd7b0 && r <= 0xd7ff // the rest of a Hangul syllable
}

// leadingJamo reports whether r begins a Hangul syllable spelled in parts. A row
// of them is one cluster.
func leadingJamo(r rune) bool { return r >= 0x1100 && r < 0x1160 || r >= 0xa960 && r <= 0xa97f }

// invisible reports whether r, above ASCII, shows nothing by itself or is not a
// character: controls, format characters, line separators, private use,
// surrogates, unassigned, and letters and marks that are blank by definition.
func invisible(r rune) bool {
	return !unicode.IsGraphic(r) ||
		unicode.In(r, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
}

// modifies reports whether r is a skin tone.
func modifies(r rune) bool { return r >= 0x1f3fb && r <= 0x1f3ff }

// pictographic reports whether variation selectors change r's width, which is
// how uniseg tells emoji from the rest.
func pictographic(r rune) bool {
	if r < 0x80 || modifies(r) || !unicode.IsGraphic(r) {
		return false
	}
	s := string(r)
	return uniseg.StringWidth(s+string(vs15)) == 1 && uniseg.StringWidth(s+string(vs16)) == 2
}

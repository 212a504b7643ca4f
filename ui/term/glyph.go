package term

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rivo/uniseg"

	"coppice/ui/text"
)

// maxGlyphs bounds what glyphs remembers.
const maxGlyphs = 4096

// What is drawn in one and in two columns where the character itself cannot be.
const (
	noGlyph     = "\ufffd"
	noWideGlyph = "\uff1f" // a wide question mark

	joiner              = "\u200d"
	firstFlag, lastFlag = '\U0001f1e6', '\U0001f1ff'

	vowel = "\u1161" // of Hangul, which other parts of a syllable join
)

// glyphs finds what to draw for the text of a cell, so that the screen lays it
// out in as many columns as the cell has.
type glyphs struct {
	ascii bool
	known map[glyph]string
}

// glyph is the text of a cell and how many columns it has there.
type glyph struct {
	text  string
	width int
}

// fit returns what to draw for a text that is not one byte. room is the number of
// columns up to the edge of the pane.
func (g *glyphs) fit(s string, width, room int) string {
	drawn, ok := g.known[glyph{s, width}]
	if !ok {
		drawn = g.find(s, width)
		if len(g.known) >= maxGlyphs || g.known == nil {
			g.known = map[glyph]string{}
		}
		g.known[glyph{s, width}] = drawn
	}
	// No character has more columns than bytes.
	if len(drawn) > room && spread(drawn) > room {
		return alone(drawn, width)
	}
	return drawn
}

// find is fit without memory, and with room.
func (g *glyphs) find(s string, width int) string {
	if g.ascii {
		return text.ASCII(alone(s, width))[:1]
	}
	if joins(s) {
		return substitute(width)
	}
	if first, rest, w, _ := uniseg.FirstGraphemeClusterInString(s, -1); rest == "" && w == width && !strings.HasSuffix(s, joiner) {
		return first
	}
	return alone(s, width)
}

// joins reports whether a text would become one with what is drawn to its left or
// right, and so move the rest of the row, frames beside the pane included. A
// program makes such cells by moving the cursor in between.
func joins(s string) bool {
	for _, before := range [...]string{"a", vowel} {
		if first, _, _, _ := uniseg.FirstGraphemeClusterInString(before+s, -1); len(first) > len(before) {
			return true
		}
	}
	first, _, _, _ := uniseg.FirstGraphemeClusterInString(s+"a", -1)
	return len(first) > len(s)
}

// alone returns the first character of s, or what stands for it, in width
// columns.
func alone(s string, width int) string {
	r, n := utf8.DecodeRuneInString(s)
	switch {
	case width == 1 && flag(r):
		return string('A' + r - firstFlag)
	case uniseg.StringWidth(s[:n]) == width && !flag(r):
		return s[:n]
	case r == '\u00ad':
		return "-"
	case r == '\u2e3a' || r == '\u2e3b': // dashes of two and three columns
		return "—"
	}
	return substitute(width)
}

// flag reports whether r is half of a flag: terminals do not agree on its width.
func flag(r rune) bool { return r >= firstFlag && r <= lastFlag }

// substitute returns what is drawn for a character that cannot be.
func substitute(width int) string {
	if width == 2 {
		return noWideGlyph
	}
	return noGlyph
}

// spread returns how many columns a text takes at most, in a terminal that knows
// nothing of characters that join.
func spread(s string) int {
	columns := 0
	for _, r := range s {
		if flag(r) {
			columns++
		} else if r == '\ufe0f' || !unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf) {
			columns += max(uniseg.StringWidth(string(r)), 1)
		}
	}
	return columns
}

package terminal

import (
	"strings"

	"github.com/rivo/uniseg"
)

// class says how a rune is laid out: the columns that it takes when it stands
// alone, and whether it may be part of the cluster before it.
type class uint8

const (
	columns class = 3
	extends class = 1 << 2 // joins whatever it follows
	asks    class = 1 << 3 // joins some runes: regional indicators, Hangul
	known   class = 1 << 7
)

// Runes that the rules name.
const (
	joiner        = "\u200d"
	emojiVariant  = '\ufe0f' // asks for the coloured form, which is wide
	softHyphen    = '\u00ad'
	firstFlag     = '\U0001f1e6'
	lastFlag      = '\U0001f1ff'
	firstJamo     = '\u1100' // leading consonants
	lastJamo      = '\u11ff'
	firstSyllable = '\uac00'
	lastSyllable  = '\ud7a3'
	lastOldJamo   = '\ud7ff'
)

// widths remembers the classes of runes by pages of 256.
type widths struct{ pages [0x1100]*[256]class }

// of returns the class of a rune. Widths are those of uniseg, as tcell has them,
// but for a regional indicator or a soft hyphen alone (one column, as other
// terminals and wcwidth have them) and the long dashes (one, by wcwidth).
func (w *widths) of(r rune) class {
	if uint32(r) > 0x10ffff {
		return 1 | known
	}
	page := w.pages[r>>8]
	if page == nil {
		page = new([256]class)
		w.pages[r>>8] = page
	}
	c := page[r&0xff]
	if c == 0 {
		c = classify(r)
		page[r&0xff] = c
	}
	return c
}

// classify finds the class of a rune.
func classify(r rune) class {
	s := string(r)
	c := class(min(uniseg.StringWidth(s), 3)) | known
	flag := r >= firstFlag && r <= lastFlag
	if flag || r == softHyphen || c&columns == 3 {
		c = 1 | known
	}
	if r >= 0x300 {
		if g, _, _, _ := uniseg.FirstGraphemeClusterInString("a"+s, -1); len(g) == len(s)+1 {
			c |= extends
		}
	}
	if flag || r >= firstJamo && r <= lastJamo || r >= firstSyllable && r <= lastOldJamo {
		c |= asks
	}
	return c
}

// mayJoin is a cheap test of whether r can be part of the cluster of a glyph:
// false is certain.
func (t *Terminal) mayJoin(glyph uint32, r rune, c class) bool {
	switch {
	case c&extends != 0:
		return true
	case c&asks != 0:
		syllable := r >= firstSyllable && r <= lastSyllable
		return !syllable || glyph&clusterBit != 0 || glyph >= uint32(firstJamo) && glyph <= uint32(lastJamo)
	}
	return glyph&clusterBit != 0 && strings.HasSuffix(t.glyphText(glyph), joiner)
}

// maxCluster is the number of bytes of one cluster that are kept; the longest
// emoji in use has 35.
const maxCluster = 64

// cluster returns the glyph of a text of several runes.
func (t *Terminal) cluster(s string) (glyph uint32, ok bool) {
	if t.clusters.full() {
		t.sweep()
	}
	n, ok := t.clusters.find(s)
	return n | clusterBit, ok
}

// glyphText returns the text of a glyph, "" for none.
func (t *Terminal) glyphText(glyph uint32) string {
	switch {
	case glyph == 0:
		return ""
	case glyph&clusterBit != 0:
		return t.clusters.values[glyph&^clusterBit]
	}
	return string(rune(glyph))
}

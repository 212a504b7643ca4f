package text

import (
	"strings"
	"unicode/utf8"
)

// Replacement is shown for whatever has no visible form of its own: bidi marks,
// zero-width and format characters, private use and unassigned code points,
// C1 controls and bytes that are not UTF-8.
const Replacement = '\uFFFD'

// TabWidth is the distance of the tab stops that CleanLines expands to, in cells.
const TabWidth = 4

// maxJoined bounds how many runes may join the first one of a cluster, so that
// no cell holds an unbounded text. The longest emoji in use joins nine.
const maxJoined = 16

// Clean returns s as one harmless line: what a terminal would obey is shown
// instead (reports A17, G2, G14).
//
//   - tab, line feed, carriage return and CR LF become one space each;
//   - other C0 bytes and DEL become their control pictures: ESC is "␛", NUL "␀";
//   - everything named at Replacement becomes Replacement, one for each code
//     point or stray byte. ZWJ and the variation selectors 15 and 16 stay where
//     they join or style an emoji, nowhere else;
//   - a combining mark with nothing to combine with, or one too many of them,
//     becomes Replacement.
//
// The result is valid UTF-8 of at most 3·len(s) bytes, each of its clusters is
// at least one cell wide, and Clean leaves it as it is. Square brackets, tags of
// other programs included, are ordinary text. A string that is clean already is
// returned without allocating.
func Clean(s string) string {
	if plain(s) {
		return s
	}
	return rewrite(s, false)
}

// CleanLines is Clean for text of several lines: line feeds stay, CR LF and a
// lone carriage return become one, and tabs are expanded to the next multiple of
// TabWidth cells. The result has at most max(3, TabWidth)·len(s) bytes.
func CleanLines(s string) string {
	if plain(s) {
		return s
	}
	return rewrite(s, true)
}

// plain reports whether s is printable ASCII.
func plain(s string) bool {
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' {
			return false
		}
	}
	return true
}

// rewrite cleans s, one line or several.
func rewrite(s string, lines bool) string {
	w := writer{src: s}
	var c cleaner
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		if r == '\r' && i+n < len(s) && s[i+n] == '\n' {
			n++
		}
		switch {
		case lines && (r == '\n' || r == '\r'):
			c = cleaner{}
			w.put(i, n, "\n")
			w.segment = w.end
		case lines && r == '\t':
			c.take(' ')
			w.tab(i)
		default:
			shown := c.show(r, n, s[i+n:])
			c.take(shown)
			w.put(i, n, string(shown))
		}
		i += n
	}
	return w.String()
}

// writer builds a changed copy of src, and none as long as nothing changed.
type writer struct {
	src     string
	out     []byte // nil while the output is src[:end]
	end     int    // length of the output
	segment int    // where the output's last tab stop or line start is
}

// put adds with to the output, for the n bytes at src[i:].
func (w *writer) put(i, n int, with string) {
	if w.out == nil && w.src[i:i+n] != with {
		w.out = append(make([]byte, 0, len(w.src)+16), w.src[:i]...)
	}
	if w.out != nil {
		w.out = append(w.out, with...)
	}
	w.end += len(with)
}

// tab adds spaces up to the next tab stop, for the tab at src[i].
func (w *writer) tab(i int) {
	done := ""
	if w.out != nil {
		done = string(w.out[w.segment:])
	} else {
		done = w.src[w.segment:i]
	}
	w.put(i, 1, strings.Repeat(" ", TabWidth-Width(done)%TabWidth))
	w.segment = w.end
}

// String returns the output.
func (w *writer) String() string {
	if w.out == nil {
		return w.src
	}
	return string(w.out)
}

package ui

import (
	"strings"
	"unicode"

	"github.com/rivo/uniseg"
)

// field is a line of text being edited. The cursor stands before the cluster at
// index at, so that no character is ever cut in half.
type field struct {
	clusters []string
	at       int
}

// newField returns a field that holds text, the cursor at its end.
func newField(text string) field {
	f := field{}
	f.insert(text)
	return f
}

// String returns the text.
func (f *field) String() string { return strings.Join(f.clusters, "") }

// before returns the text in front of the cursor.
func (f *field) before() string { return strings.Join(f.clusters[:f.at], "") }

// maxField bounds the text of a field in bytes: far more than a title or an
// address needs, and little enough to be laid out with every key.
const maxField = 4096

// insert puts text at the cursor. Line breaks and tabs become blanks, other
// control characters are left out. It reports whether all of text found room.
func (f *field) insert(text string) bool {
	room := max(maxField-len(f.String()), 0)
	whole := len(text) <= room
	if !whole {
		text = strings.ToValidUTF8(text[:room], "")
	}
	clean := strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t':
			return ' '
		case unicode.IsControl(r) || r == unicode.ReplacementChar:
			return -1
		}
		return r
	}, strings.TrimRight(text, "\r\n"))
	joined := f.before() + clean
	after := strings.Join(f.clusters[f.at:], "")
	// Segment anew: a combining mark joins what stands before it.
	left := split(joined)
	f.clusters = append(left, split(after)...)
	f.at = len(left)
	return whole
}

// split cuts text into what a reader calls characters.
func split(text string) []string {
	var out []string
	g := uniseg.NewGraphemes(text)
	for g.Next() {
		out = append(out, g.Str())
	}
	return out
}

// key edits. It reports whether the key was one of the editing keys.
func (f *field) key(k keyed) bool {
	if k.r != 0 {
		f.insert(string(k.r))
		return true
	}
	switch k.name {
	case "Left", "Ctrl-B":
		f.at = max(f.at-1, 0)
	case "Right", "Ctrl-F":
		f.at = min(f.at+1, len(f.clusters))
	case "Home", "Ctrl-A":
		f.at = 0
	case "End", "Ctrl-E":
		f.at = len(f.clusters)
	case "Backspace", "Ctrl-H":
		f.cut(f.at-1, f.at)
	case "Delete", "Ctrl-D":
		f.cut(f.at, f.at+1)
	case "Ctrl-U":
		f.cut(0, f.at)
	case "Ctrl-K":
		f.cut(f.at, len(f.clusters))
	case "Ctrl-W":
		f.cut(f.wordStart(), f.at)
	default:
		return false
	}
	return true
}

// cut removes the clusters from a to b, as far as there are any.
func (f *field) cut(a, b int) {
	a, b = max(a, 0), min(b, len(f.clusters))
	if a >= b {
		return
	}
	f.clusters = append(f.clusters[:a:a], f.clusters[b:]...)
	if f.at > a {
		f.at = a
	}
}

// wordStart is where the word before the cursor begins.
func (f *field) wordStart() int {
	i := f.at
	for i > 0 && f.clusters[i-1] == " " {
		i--
	}
	for i > 0 && f.clusters[i-1] != " " {
		i--
	}
	return i
}

package text

import (
	"strings"

	"github.com/rivo/uniseg"
)

// Ellipsis stands for what was cut off.
const Ellipsis = "…"

// Width returns how many cells s takes. Line feeds and other controls count
// nothing; clean s first.
func Width(s string) int {
	if plain(s) {
		return len(s)
	}
	return uniseg.StringWidth(s)
}

// Cluster returns the first grapheme cluster of s, its width in cells, and the
// rest of s.
func Cluster(s string) (cluster string, width int, rest string) {
	if len(s) > 1 && plain(s[:2]) {
		return s[:1], 1, s[1:]
	}
	cluster, rest, width, _ = uniseg.FirstGraphemeClusterInString(s, -1)
	return cluster, width, rest
}

// Truncate returns s when it fits in w cells, else its beginning and an
// Ellipsis, at most w cells together: less when a wide cell would be halved.
func Truncate(s string, w int) string {
	if Width(s) <= w {
		return s
	}
	if w <= 0 {
		return ""
	}
	return head(s, w-1) + Ellipsis
}

// TruncateLeft is Truncate that keeps the end: for paths.
func TruncateLeft(s string, w int) string {
	over := Width(s) - w
	if over <= 0 {
		return s
	}
	if w <= 0 {
		return ""
	}
	rest := s
	for cut := 0; cut < over+1 && rest != ""; {
		var n int
		_, n, rest = Cluster(rest)
		cut += n
	}
	return Ellipsis + rest
}

// head returns the longest beginning of s that takes at most w cells.
func head(s string, w int) string {
	rest := s
	for rest != "" {
		_, n, next := Cluster(rest)
		if n > w {
			break
		}
		w, rest = w-n, next
	}
	return s[:len(s)-len(rest)]
}

// Pad returns s cut or filled with spaces at its end to exactly w cells.
func Pad(s string, w int) string {
	s = Truncate(s, w)
	return s + spaces(w-Width(s))
}

// PadLeft is Pad with the spaces before s: for numbers.
func PadLeft(s string, w int) string {
	s = Truncate(s, w)
	return spaces(w-Width(s)) + s
}

// spaces returns n spaces, none when n is negative.
func spaces(n int) string { return strings.Repeat(" ", max(n, 0)) }

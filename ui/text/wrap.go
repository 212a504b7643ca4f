package text

import (
	"strings"

	"github.com/rivo/uniseg"
)

// Wrap breaks s into lines of at most w cells: at its line feeds, where Unicode
// allows a line to break (after spaces, between ideographs, …), and between
// clusters where a word alone is too long. Spaces at a break are dropped, those
// at the start of a line of s stay. A cluster wider than w becomes an Ellipsis.
// There is always one line at least, and none when w < 1.
func Wrap(s string, w int) []string {
	if w < 1 {
		return nil
	}
	var lines []string
	for line := range strings.SplitSeq(s, "\n") {
		for _, r := range breaks(line, w) {
			part := line[r.start:r.end]
			if r.over {
				part = Truncate(part, w)
			}
			lines = append(lines, part)
		}
	}
	return lines
}

// Wrap breaks the line as the function Wrap does.
func (l Line) Wrap(w int) []Line {
	if w < 1 {
		return nil
	}
	var lines []Line
	for _, r := range breaks(l.String(), w) {
		part := l.slice(r.start, r.end)
		if r.over {
			part = part.Truncate(w)
		}
		lines = append(lines, part)
	}
	return lines
}

// slice returns the bytes start to end of the line's text.
func (l Line) slice(start, end int) Line {
	var out Line
	at := 0
	for _, s := range l {
		from, to := max(start-at, 0), min(end-at, len(s.Text))
		if from < to {
			out = append(out, Span{s.Text[from:to], s.Role})
		}
		at += len(s.Text)
	}
	return out
}

// stretch is a part of a string, in bytes.
type stretch struct {
	start, end int
	over       bool // one cluster, and wider than the line
}

// breaks returns the lines that s, without line feeds, wraps to.
func breaks(s string, w int) []stretch {
	if Width(s) <= w {
		return []stretch{{0, len(s), false}}
	}
	if plain(s) {
		return plainBreaks(s, w)
	}
	var (
		lines         []stretch
		start, width  int     // the line being filled, s[start:i]
		brk, brkWidth = -1, 0 // last place where it may end, and its width up to there
		rest, state   = s, -1 // what was not looked at
		i             = 0     // where rest begins
	)
	add := func(end, width int) {
		to := start + len(strings.TrimRight(s[start:end], " "))
		lines = append(lines, stretch{start, to, width-(end-to) > w})
		start = end
	}
	for rest != "" {
		cluster, next, flags, st := uniseg.StepString(rest, state)
		n := flags >> uniseg.ShiftWidth
		if width+n > w && cluster != " " && i > start {
			if brk <= start {
				brk, brkWidth = i, width
			}
			add(brk, brkWidth)
			width, brk = width-brkWidth, -1
			continue // look at the cluster again, now nearer to the margin
		}
		i, width = i+len(cluster), width+n
		if flags&uniseg.MaskLine != uniseg.LineDontBreak {
			brk, brkWidth = i, width
		}
		rest, state = next, st
	}
	add(len(s), width)
	return lines
}

// plainBreaks is breaks for printable ASCII: lines break after spaces, and before
// a letter after a slash or a hyphen inside a word.
func plainBreaks(s string, w int) []stretch {
	var lines []stretch
	for start := 0; start < len(s); {
		end := start + w
		if end >= len(s) {
			return append(lines, stretch{start, len(s), false})
		}
		if s[end] != ' ' {
			end = plainBreak(s, start, end)
		}
		to := start + len(strings.TrimRight(s[start:end], " "))
		lines = append(lines, stretch{start, to, false})
		for start = end; start < len(s) && s[start] == ' '; {
			start++
		}
	}
	return lines
}

// plainBreak returns the last place up to end where a line from start may break,
// or end.
func plainBreak(s string, start, end int) int {
	for i := end; i > start; i-- {
		before, letter := s[i-1], s[i]|0x20 >= 'a' && s[i]|0x20 <= 'z'
		if before == ' ' || letter && (before == '/' || before == '-') && i-2 >= start && s[i-2] != ' ' {
			return i
		}
	}
	return end
}

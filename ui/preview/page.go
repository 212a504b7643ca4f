package preview

import (
	"strings"

	"coppice/ui/text"
)

// page collects lines.
type page struct {
	opt      Options
	lines    []text.Line
	speaker  text.Span // whose name goes before the next words; empty once it was written
	markdown bool      // words are Markdown
}

const (
	gutter = 6  // cells for the speaker's name
	roomy  = 30 // from this width on the words stand beside the name, else below it
	indent = "  "
)

// add adds a line, cut to the width.
func (p *page) add(l text.Line) { p.lines = append(p.lines, l.Truncate(p.opt.Width)) }

// note adds one line of our own words.
func (p *page) note(s string, role text.Role) { p.add(text.Line{{Text: s, Role: role}}) }

// rule adds a line with a name in it: "── 14:05 ──────".
func (p *page) rule(name string, role text.Role) {
	l := text.Line{{Text: "── ", Role: text.Border}, {Text: name, Role: role}, {Text: " ", Role: text.Border}}
	if n := p.opt.Width - l.Width(); n > 0 {
		l = append(l, text.Span{Text: strings.Repeat("─", n), Role: text.Border})
	}
	p.add(l)
}

// margin writes the speaker's name, where it is still to be written, and returns
// what stands before the words of the first line.
func (p *page) margin() text.Line {
	name := p.speaker
	p.speaker.Text = ""
	switch {
	case p.opt.Width < roomy:
		if name.Text != "" {
			p.add(text.Line{name})
		}
		return nil
	case name.Text == "":
		return text.Line{{Text: strings.Repeat(" ", gutter)}}
	}
	return text.Line{{Text: text.Pad(name.Text, gutter-1) + " ", Role: name.Role}}
}

// hang adds a styled line wrapped after first; the lines that follow are
// indented as far as first is wide.
func (p *page) hang(first, l text.Line) {
	w := first.Width()
	room := p.opt.Width - w
	if room < 1 {
		first, w, room = nil, 0, p.opt.Width
	}
	for i, part := range l.Wrap(room) {
		if i == 1 {
			first = text.Line{{Text: strings.Repeat(" ", w)}}
		}
		p.lines = append(p.lines, join(first, part)) // it fits
	}
}

// wrap adds foreign text of any number of lines after first, in one role.
func (p *page) wrap(first text.Line, s string, role text.Role) {
	for i, line := range paragraphs(s) {
		if i > 0 {
			first = text.Line{{Text: strings.Repeat(" ", first.Width())}}
		}
		p.hang(first, text.Line{{Text: line, Role: role}})
	}
}

// fold adds foreign lines without wrapping them, each after prefix: the first
// limit ones, or all when expanded, and then how many there are besides.
func (p *page) fold(prefix text.Span, s string, cut, limit int, role text.Role) {
	lines := paragraphs(s)
	more := len(lines) - limit
	if p.opt.Expanded || more < 2 { // one more line takes the place of saying so
		more = 0
	}
	for _, line := range lines[:len(lines)-more] {
		p.add(text.Line{prefix, {Text: line, Role: role}})
	}
	if more > 0 {
		p.add(text.Line{prefix, {Text: "… " + text.Plural(more, "more line"), Role: text.Dim}})
	}
	if cut > 0 && more == 0 {
		p.cut(prefix, cut)
	}
}

// cut says how much of a text was not read.
func (p *page) cut(prefix text.Span, n int) {
	p.add(text.Line{prefix, {Text: "… " + text.Bytes(int64(n)) + " more", Role: text.Dim}})
}

// join returns two lines as one.
func join(a, b text.Line) text.Line { return append(a[:len(a):len(a)], b...) }

// paragraphs cleans s and splits it into lines, without blank lines around it
// and with at most one in a row within.
func paragraphs(s string) []string {
	var out []string
	empty := false
	for line := range strings.SplitSeq(text.CleanLines(s), "\n") {
		line = strings.TrimRight(line, " ")
		if line == "" {
			empty = len(out) > 0
			continue
		}
		if empty {
			out, empty = append(out, ""), false
		}
		out = append(out, line)
	}
	return out
}

// firstLine returns the first line of s with something on it, cleaned.
func firstLine(s string) string {
	for line := range strings.SplitSeq(s, "\n") {
		if !blank(line) {
			return strings.TrimSpace(text.Clean(line))
		}
	}
	return ""
}

// blank reports whether s holds white space only (report A20).
func blank(s string) bool { return strings.TrimSpace(s) == "" }

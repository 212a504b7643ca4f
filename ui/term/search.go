package term

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"coppice/session/terminal"
	"coppice/ui/text"
)

// maxSought bounds the text that is searched for, in bytes.
const maxSought = 256

// search is what was searched for last.
type search struct {
	text     string
	backward bool
	visible  bool // the places are shown
}

// prompt asks for a text to search for.
type prompt struct {
	open     bool
	backward bool
	text     string
}

// key takes a key. It reports whether the text is complete.
func (p *prompt) key(name string) (done bool) {
	switch name {
	case "Enter":
		p.open = false
		return true
	case "Esc", "Ctrl-C":
		*p = prompt{}
	case "Backspace", "Backspace2", "Ctrl-H":
		if p.text == "" {
			*p = prompt{}
			break
		}
		_, n := utf8.DecodeLastRuneInString(p.text)
		p.text = p.text[:len(p.text)-n]
	case "Ctrl-U":
		p.text = ""
	default:
		if utf8.RuneCountInString(name) == 1 {
			p.add(name)
		}
	}
	return false
}

// add adds typed or pasted text, of which the first line counts.
func (p *prompt) add(s string) {
	s, _, _ = strings.Cut(s[:min(len(s), maxSought)], "\n")
	s = text.Clean(p.text + s)
	for len(s) > maxSought {
		_, n := utf8.DecodeLastRuneInString(s)
		s = s[:len(s)-n]
	}
	p.text = s
}

// sought returns the text whose places are shown: what is being typed, or what
// was searched for.
func (r *reader) sought() string {
	switch {
	case r.on && r.prompt.open:
		return r.prompt.text
	case r.on && r.search.visible:
		return r.search.text
	}
	return ""
}

// find goes to the next place of what was searched for, and on from the other end
// of the text if there is none.
func (r *reader) find(v terminal.View, backward bool) {
	if r.search.text == "" {
		r.note = "nothing was searched for"
		return
	}
	r.search.visible = true
	found, ok := v.Find(r.search.text, r.at, backward)
	if !ok {
		from, note := terminal.Point{Row: v.Oldest(), Column: -1}, "went on at the top"
		if backward {
			from, note = terminal.Point{Row: v.End()}, "went on at the bottom"
		}
		if found, ok = v.Find(r.search.text, from, backward); !ok {
			r.note = "not found: " + r.search.text
			return
		}
		r.note = note
	}
	r.at = found.From
	if r.at.Row < r.top || r.at.Row >= r.top+r.rows {
		r.top = r.at.Row - r.rows/2
	}
	r.show(v)
}

// matches returns the places of a text in rows first up to but not including end,
// in their order. Case counts if the text has capitals, as it does for
// terminal.View.Find, which would look through everything for the next.
func matches(v terminal.View, sought string, first, end int) []terminal.Range {
	fold := strings.IndexFunc(sought, unicode.IsUpper) < 0
	var l lineText
	var found []terminal.Range
	for n := max(first, v.Oldest()); n < min(end, v.End()); n++ {
		row := v.Row(n)
		l.add(v, row, n, fold)
		if !row.Wrapped || n+1 == min(end, v.End()) {
			found = l.find(found, sought)
			l = lineText{}
		}
	}
	return found
}

// lineText is the text of a line, and the cells that it came from.
type lineText struct {
	text  strings.Builder
	at    []int // where in text each cell begins
	cells []terminal.Range
}

// add adds a row.
func (l *lineText) add(v terminal.View, row terminal.Row, n int, fold bool) {
	for x, c := range row.Cells {
		if c.Width() == 0 || row.Wrapped && x == len(row.Cells)-1 && c.Blank() {
			continue
		}
		l.at = append(l.at, l.text.Len())
		l.cells = append(l.cells, terminal.Range{
			From: terminal.Point{Row: n, Column: x}, To: terminal.Point{Row: n, Column: x + c.Width()},
		})
		s := v.Text(c)
		if s == "" {
			s = " "
		}
		if fold {
			s = strings.ToLower(s)
		}
		l.text.WriteString(s)
	}
}

// find appends the places of a text to found.
func (l *lineText) find(found []terminal.Range, sought string) []terminal.Range {
	all, cell := l.text.String(), 0
	for from := 0; ; {
		i := strings.Index(all[from:], sought)
		if i < 0 {
			return found
		}
		start, end := from+i, from+i+len(sought)
		for cell+1 < len(l.at) && l.at[cell+1] <= start {
			cell++
		}
		last := cell
		for last+1 < len(l.at) && l.at[last+1] < end {
			last++
		}
		found = append(found, terminal.Range{From: l.cells[cell].From, To: l.cells[last].To})
		from = end
	}
}

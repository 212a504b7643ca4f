package term

import (
	"coppice/session/terminal"
)

// kind says how a selection grows.
type kind uint8

const (
	nothing kind = iota
	cells
	words
	lines // with all rows that a line is wrapped over
	block // columns
)

// selection is what a person marks, from one place to another, both included.
type selection struct {
	kind        kind
	anchor, end terminal.Point
	first, last terminal.Range // what is selected at anchor and at end
}

// begin returns a selection of what is at a place.
func begin(v terminal.View, k kind, at terminal.Point) selection {
	s := selection{kind: k, anchor: at}
	s.first = s.unit(v, at)
	s.end, s.last = at, s.first
	return s
}

// extend moves the end of a selection.
func (s *selection) extend(v terminal.View, to terminal.Point) {
	if s.kind != nothing {
		s.end, s.last = to, s.unit(v, to)
	}
}

// unit returns what is selected at a place.
func (s *selection) unit(v terminal.View, p terminal.Point) terminal.Range {
	p = head(v, p)
	switch s.kind {
	case words:
		return v.Word(p)
	case lines:
		return v.Line(p)
	default:
		return terminal.Range{From: p, To: terminal.Point{Row: p.Row, Column: p.Column + width(v, p)}}
	}
}

// span returns the text that a selection is. That of a block is what lies between
// its corners.
func (s *selection) span() terminal.Range {
	r := s.first
	if before(s.last.From, r.From) {
		r.From = s.last.From
	}
	if before(r.To, s.last.To) {
		r.To = s.last.To
	}
	return r
}

// width returns how many columns the character at a place has.
func width(v terminal.View, p terminal.Point) int {
	if row := v.Row(p.Row).Cells; p.Column < len(row) {
		return max(row[p.Column].Width(), 1)
	}
	return 1
}

// columns returns the columns of a block, the last not included.
func (s *selection) columns() (from, to int) {
	return min(s.first.From.Column, s.last.From.Column), max(s.first.To.Column, s.last.To.Column)
}

// text returns what is copied.
func (s *selection) text(v terminal.View) string {
	switch s.kind {
	case nothing:
		return ""
	case block:
		span := s.span()
		from, to := s.columns()
		return v.CopyBlock(span.From.Row, span.To.Row, from, to)
	default:
		return v.Copy(s.span())
	}
}

// before reports whether a place comes before another.
func before(a, b terminal.Point) bool {
	return a.Row < b.Row || a.Row == b.Row && a.Column < b.Column
}

// mark says what a cell is beside what the program made it.
type mark uint8

const (
	unmarked mark = iota
	selected
	matched
)

// marks are the places of the visible rows that look another way.
type marks struct {
	any      bool
	span     terminal.Range // selected
	block    bool           // of which only these columns are
	from, to int
	matches  []terminal.Range
}

// marks returns what is marked in some rows from first on.
func (r *reader) marks(v terminal.View, first, rows int) (m marks) {
	if s := &r.selection; s.kind != nothing {
		m.any, m.span, m.block = true, s.span(), s.kind == block
		m.from, m.to = s.columns()
	}
	if text := r.sought(); text != "" {
		m.matches = matches(v, text, first, first+rows)
		m.any = m.any || len(m.matches) > 0
	}
	return m
}

// at returns the mark of a place.
func (m *marks) at(p terminal.Point) mark {
	switch {
	case m.block && p.Row >= m.span.From.Row && p.Row <= m.span.To.Row && p.Column >= m.from && p.Column < m.to,
		!m.block && m.span.Contains(p):
		return selected
	}
	for len(m.matches) > 0 && !before(p, m.matches[0].To) {
		m.matches = m.matches[1:]
	}
	if len(m.matches) > 0 && m.matches[0].Contains(p) {
		return matched
	}
	return unmarked
}

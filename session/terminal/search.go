package terminal

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Find returns the first place of text that begins after a place, or with
// backward the last that begins before it. It looks at whole lines, however they
// are wrapped. Case counts if text has capitals. An empty text is nowhere.
func (v View) Find(text string, from Point, backward bool) (Range, bool) {
	if text == "" {
		return Range{}, false
	}
	fold := strings.IndexFunc(text, unicode.IsUpper) < 0
	s := search{v: v, fold: fold, text: folded(text, fold)}
	row := min(max(from.Row, v.Oldest()), v.End()-1)
	line := v.Line(Point{row, 0})
	for {
		s.read(line)
		if r, ok := s.in(from, backward); ok {
			return r, true
		}
		switch {
		case backward && line.From.Row > v.Oldest():
			line = v.Line(Point{line.From.Row - 1, 0})
		case !backward && line.To.Row+1 < v.End():
			line = v.Line(Point{line.To.Row + 1, 0})
		default:
			return Range{}, false
		}
	}
}

// search is the work of Find on one line.
type search struct {
	v    View
	text string
	fold bool

	line  strings.Builder
	at    []int   // for each cell, the place of its text in line
	cells []Point // for each cell, where it is
}

// folded returns s with small letters if case does not count.
func folded(s string, fold bool) string {
	if !fold {
		return s
	}
	return strings.Map(unicode.ToLower, s)
}

// read takes the text of a line.
func (s *search) read(line Range) {
	s.line.Reset()
	s.at, s.cells = s.at[:0], s.cells[:0]
	for n := line.From.Row; n <= line.To.Row; n++ {
		row := s.v.Row(n)
		for x, c := range row.Cells {
			if c.Width() == 0 || x == len(row.Cells)-1 && row.padded() {
				continue
			}
			s.at = append(s.at, s.line.Len())
			s.cells = append(s.cells, Point{n, x})
			if c.Blank() {
				s.line.WriteByte(' ')
				continue
			}
			s.line.WriteString(folded(s.v.Text(c), s.fold))
		}
	}
}

// in looks for the text in the line that was read.
func (s *search) in(from Point, backward bool) (found Range, ok bool) {
	line := s.line.String()
	cell := 0
	for pos := 0; ; {
		i := strings.Index(line[pos:], s.text)
		if i < 0 {
			return found, ok
		}
		start := pos + i
		for cell+1 < len(s.at) && s.at[cell+1] <= start {
			cell++
		}
		r := Range{s.cells[cell], s.after(cell, start+len(s.text))}
		switch {
		case backward && !r.From.before(from):
			return found, ok
		case backward:
			found, ok = r, true
		case from.before(r.From):
			return r, true
		}
		_, n := utf8.DecodeRuneInString(line[start:])
		pos = start + n
	}
}

// after returns the place after the cell in which the text ends, beginning to
// look at the given cell.
func (s *search) after(cell, end int) Point {
	for cell+1 < len(s.at) && s.at[cell+1] < end {
		cell++
	}
	p := s.cells[cell]
	cells := s.v.Row(p.Row).Cells
	p.Column += max(cells[p.Column].Width(), 1)
	return p
}

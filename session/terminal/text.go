package terminal

import (
	"strings"
	"unicode"
)

// Point is a place in the text: the number of a row and a column from 0.
type Point struct{ Row, Column int }

// before reports whether p comes before q.
func (p Point) before(q Point) bool {
	return p.Row < q.Row || p.Row == q.Row && p.Column < q.Column
}

// Range is a piece of the text from From up to but not including To.
type Range struct{ From, To Point }

// Contains reports whether a place is part of the range.
func (r Range) Contains(p Point) bool { return !p.before(r.From) && p.before(r.To) }

// clip cuts a range to the rows that are there, and puts its ends in order.
func (v View) clip(r Range) Range {
	if r.To.before(r.From) {
		r.From, r.To = r.To, r.From
	}
	if first := (Point{v.Oldest(), 0}); r.From.before(first) {
		r.From = first
	}
	if end := (Point{v.End(), 0}); end.before(r.To) {
		r.To = end
	}
	return r
}

// Copy returns the text of a range as it is put on a clipboard: rows that go on
// in the next are one line, blanks at the end of a line are left out, a wide
// character counts if its left column is inside. Rows that are gone are left out.
func (v View) Copy(r Range) string {
	r = v.clip(r)
	var b strings.Builder
	for n := r.From.Row; n <= r.To.Row && n < v.End(); n++ {
		row := v.Row(n)
		from, to := 0, len(row.Cells)
		if n == r.From.Row {
			from = min(max(r.From.Column, 0), to)
		}
		if n == r.To.Row {
			to = min(max(r.To.Column, 0), to)
		}
		if n < r.To.Row && to > from && row.padded() {
			to--
		}
		text := v.plain(row.Cells[from:max(from, to)])
		if n < r.To.Row && row.Wrapped {
			b.WriteString(text)
			continue
		}
		if n < r.To.Row || to >= written(row.Cells) {
			text = strings.TrimRight(text, " ")
		}
		b.WriteString(text)
		if n < r.To.Row && (n+1 < r.To.Row || r.To.Column > 0) {
			b.WriteByte('\n')
		}
	}
	return b.String()
}

// padded reports whether the last column of a row is empty only because a wide
// character found no room there.
func (row Row) padded() bool {
	return row.Wrapped && len(row.Cells) > 0 && row.Cells[len(row.Cells)-1].Blank()
}

// Text returns the text of the screen, as Copy does.
func (t *Terminal) Text() (s string) {
	t.Look(func(v View) { s = v.Copy(Range{From: Point{Row: v.Top()}, To: Point{Row: v.End()}}) })
	return s
}

// CopyBlock returns the text of the columns from up to but not including to of
// rows first to last, one line each.
func (v View) CopyBlock(first, last, from, to int) string {
	var lines []string
	for n := max(first, v.Oldest()); n <= last && n < v.End(); n++ {
		cells := v.Row(n).Cells
		end := max(min(to, len(cells)), 0)
		text := v.plain(cells[min(max(from, 0), end):end])
		lines = append(lines, strings.TrimRight(text, " "))
	}
	return strings.Join(lines, "\n")
}

// plain returns the text of cells, with a space for each blank.
func (v View) plain(cells []Cell) string {
	var b strings.Builder
	for _, c := range cells {
		switch {
		case c.Blank():
			b.WriteByte(' ')
		default:
			b.WriteString(v.Text(c))
		}
	}
	return b.String()
}

// Word returns the word at a place: letters, digits and what stands in addresses
// and paths. Of a place without one it is the character there.
func (v View) Word(p Point) Range {
	if !v.wordy(v.Row(p.Row).Cells, p.Column) {
		return Range{p, v.next(p)}
	}
	return Range{v.wordStart(p), v.wordEnd(p)}
}

// wordStart returns the first place of the word at p. It looks at each row once:
// a word can fill the whole scrollback.
func (v View) wordStart(p Point) Point {
	for {
		cells := v.Row(p.Row).Cells
		for p.Column > 0 && v.wordy(cells, p.Column-1) {
			p.Column--
		}
		before := v.Row(p.Row - 1)
		last := len(before.Cells) - 1
		if p.Column > 0 || !before.Wrapped || !v.wordy(before.Cells, last) {
			return p
		}
		p = Point{p.Row - 1, last}
	}
}

// wordEnd returns the place after the word at p.
func (v View) wordEnd(p Point) Point {
	for {
		row := v.Row(p.Row)
		for p.Column < len(row.Cells) && v.wordy(row.Cells, p.Column) {
			p.Column++
		}
		if p.Column < len(row.Cells) || !row.Wrapped || p.Row+1 == v.End() {
			return p
		}
		p = Point{p.Row + 1, 0}
	}
}

// Line returns the line at a place with all rows that it is wrapped over.
func (v View) Line(p Point) Range {
	first, last := p.Row, p.Row
	for first > v.Oldest() && v.Row(first-1).Wrapped {
		first--
	}
	for last+1 < v.End() && v.Row(last).Wrapped {
		last++
	}
	return Range{Point{first, 0}, Point{last, len(v.Row(last).Cells)}}
}

// next returns the place after p in its line.
func (v View) next(p Point) Point {
	p.Column++
	if row := v.Row(p.Row); p.Column >= len(row.Cells) && row.Wrapped {
		return Point{p.Row + 1, 0}
	}
	return p
}

// wordy reports whether a place of a row is part of a word.
func (v View) wordy(cells []Cell, column int) bool {
	if column < 0 || column >= len(cells) {
		return false
	}
	c := cells[column]
	if c.Width() == 0 && column > 0 {
		c = cells[column-1]
	}
	for _, r := range v.Text(c) {
		return unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("_-./~:@%+#?&=", r)
	}
	return false
}

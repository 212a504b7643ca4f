package term

import (
	"slices"

	"github.com/gdamore/tcell/v2"

	"coppice/session/terminal"
)

// frame is what a pane shows: a copy of the visible cells, kept for as long as
// nothing else is to be shown.
type frame struct {
	columns, rows int
	cells         []drawn
	styles        []tcell.Style // of cells that follow each other and look alike
	cursor        cursor
	glyphs        glyphs
	links         int // bytes of addresses that may still be used
}

// drawn is one cell of a frame.
type drawn struct {
	text  string // "" where a wide character goes on
	style int
}

// cursor is where and how the cursor is shown, in the frame.
type cursor struct {
	column, row int
	visible     bool
	shape       tcell.CursorStyle
}

// capture copies what is visible of a terminal, or what is read in the copy mode.
func (p *Pane) capture(v terminal.View) {
	f := &p.frame
	_, _, f.columns, f.rows = p.rect()
	n := f.columns * f.rows
	f.cells = slices.Grow(f.cells[:0], n)[:n]
	f.styles, f.links = f.styles[:0], linkBytes
	f.glyphs.ascii = p.look.ascii

	top := p.reader.first(v, f.rows)
	marked := p.reader.marks(v, top, f.rows)
	b := brush{frame: f, look: &p.look, view: v, swapped: v.Modes().Reverse}
	for y := range f.rows {
		b.row(f.cells[y*f.columns:(y+1)*f.columns], top+y, &marked)
	}
	p.frame.cursor = p.cursor(v, top)
}

// cursor returns the program's cursor, or that of the copy mode.
func (p *Pane) cursor(v terminal.View, top int) cursor {
	if p.reader.on {
		at := p.reader.at
		return cursor{column: head(v, at).Column, row: at.Row - top, visible: true}
	}
	c := v.Cursor()
	at := head(v, terminal.Point{Row: v.Top() + c.Row, Column: c.Column})
	return cursor{at.Column, at.Row - top, c.Visible, shape(c.Shape)}
}

// head returns the left column of a wide character for its right one.
func head(v terminal.View, at terminal.Point) terminal.Point {
	cells := v.Row(at.Row).Cells
	if at.Column > 0 && at.Column < len(cells) && cells[at.Column].Width() == 0 {
		at.Column--
	}
	return at
}

// shape translates the shape of a cursor. Both number them as DECSCUSR does.
func shape(s terminal.Shape) tcell.CursorStyle { return tcell.CursorStyle(s) }

// brush copies rows of a view into a frame.
type brush struct {
	frame   *frame
	look    *look
	view    terminal.View
	swapped bool

	begun bool // there is a style
	last  terminal.Cell
	extra extra
	mark  mark
}

// extra is what a style has beside what is in the cell itself.
type extra struct {
	underline terminal.Color
	link      terminal.Link
}

// row copies a row. What is missing of it is blank.
func (b *brush) row(out []drawn, n int, marked *marks) {
	cells := b.view.Row(n).Cells
	covered := 0 // columns that belong to a wide character to the left
	for x := range out {
		var c terminal.Cell
		if x < len(cells) {
			c = cells[x]
		}
		if covered > 0 && c.Width() == 0 {
			covered--
			out[x] = drawn{}
			continue
		}
		m := unmarked
		if marked.any {
			m = marked.at(terminal.Point{Row: n, Column: x})
		}
		text := b.text(c, len(out)-x)
		out[x] = drawn{text: text, style: b.style(c, m)}
		if covered = 0; c.Width() == 2 && len(text) > 1 {
			covered = 1
		}
	}
}

// text returns what to draw for a cell that is room columns from the edge.
func (b *brush) text(c terminal.Cell, room int) string {
	width := c.Width()
	if c.Blank() || width == 0 || width > room || c.Attr()&terminal.Hidden != 0 {
		return " "
	}
	s := b.view.Text(c)
	if len(s) == 1 {
		return s
	}
	return b.frame.glyphs.fit(s, width, room)
}

// style returns the number of the style of a cell.
func (b *brush) style(c terminal.Cell, m mark) int {
	e := extra{b.view.UnderlineColor(c), b.view.Link(c)}
	if b.begun && m == b.mark && e == b.extra && alike(c, b.last) {
		return len(b.frame.styles) - 1
	}
	b.begun, b.last, b.extra, b.mark = true, c, e, m
	var s tcell.Style
	switch m {
	case selected:
		s = b.look.selected
	case matched:
		s = b.look.match
	default:
		s = b.look.style(b.view, c, b.swapped)
		if n := len(e.link.Address); n > 0 && n <= b.frame.links && passes(e.link.Address) {
			b.frame.links -= n
			s = linked(s, e.link)
		}
	}
	b.frame.styles = append(b.frame.styles, s)
	return len(b.frame.styles) - 1
}

// alike reports whether two cells have the same style but for what is extra.
func alike(a, b terminal.Cell) bool {
	return a.Foreground == b.Foreground && a.Background == b.Background &&
		a.Attr() == b.Attr() && a.Underline() == b.Underline()
}

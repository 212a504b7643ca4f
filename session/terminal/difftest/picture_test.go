package difftest_test

import (
	"fmt"
	"strings"

	"coppice/session/terminal"
)

// attr is the attributes that all terminals here can tell.
type attr uint8

const (
	bold attr = 1 << iota
	dim
	italic
	underline
	blink
	reverse
	hidden
	strike
)

// cell is what all terminals here can tell of a cell. Colours are numbered as in
// package terminal.
type cell struct {
	text   string
	width  int // 0 for the right half of a wide character
	fg, bg terminal.Color
	attr   attr
	plain  bool // the style is not known
	link   bool // it is part of a link; not compared
}

// picture is a screen as one of the terminals shows it.
type picture struct {
	size
	cells          []cell
	column, row    int
	visible, other bool // the cursor is; the alternate screen is
}

// source is another terminal.
type source interface {
	name() string
	write(b []byte)
	resize(s size)
	picture() picture
}

// ours takes a picture of our own terminal.
func ours(e *terminal.Terminal) picture {
	var p picture
	e.Look(func(v terminal.View) {
		p.cols, p.rows = v.Size()
		c := v.Cursor()
		p.column, p.row, p.visible, p.other = c.Column, c.Row, c.Visible, v.Modes().Alternate
		for n := v.Top(); n < v.End(); n++ {
			for _, c := range v.Row(n).Cells {
				p.cells = append(p.cells, cell{v.Text(c), c.Width(), c.Foreground, c.Background, attributes(c), false, v.Link(c) != terminal.Link{}})
			}
		}
	})
	return p
}

func attributes(c terminal.Cell) (a attr) {
	for i, set := range []bool{
		c.Attr()&terminal.Bold != 0, c.Attr()&terminal.Dim != 0, c.Attr()&terminal.Italic != 0, c.Underline() != terminal.NoUnderline,
		c.Attr()&terminal.Blink != 0, c.Attr()&terminal.Reverse != 0, c.Attr()&terminal.Hidden != 0, c.Attr()&terminal.Strike != 0,
	} {
		if set {
			a |= 1 << i
		}
	}
	return a
}

// seen leaves out of a cell what nobody can see.
func (c cell) seen() cell {
	c.link = false
	if c.width == 0 {
		return cell{}
	}
	if strings.Trim(c.text, " \u00a0\x00") == "" {
		c.text = " "
		c.attr &= underline | reverse | strike
		if c.attr == 0 {
			c.fg = terminal.Default
		}
	}
	return c
}

// difference is one place in which two pictures differ.
type difference struct {
	column, row  int
	ours, theirs cell
	cursor       bool // of the cursor, not of a cell
}

// compare returns the places in which two pictures differ.
func compare(p, q picture) (all []difference) {
	if p.size != q.size || p.column != q.column || p.row != q.row || p.visible != q.visible || p.other != q.other {
		all = append(all, difference{column: q.column, row: q.row, cursor: true})
	}
	for i := range min(len(p.cells), len(q.cells)) {
		a, b := p.cells[i].seen(), q.cells[i].seen()
		if a.plain || b.plain {
			a, b = cell{text: a.text}, cell{text: b.text}
		}
		if a != b {
			all = append(all, difference{i % p.cols, i / p.cols, p.cells[i], q.cells[i], false})
		}
	}
	return all
}

// String describes the difference.
func (d difference) String() string {
	if d.cursor {
		return fmt.Sprintf("cursor or size: theirs is at %d, %d", d.column, d.row)
	}
	return fmt.Sprintf("column %d, row %d: %q %+v, theirs %q %+v", d.column, d.row, d.ours.text, d.ours, d.theirs.text, d.theirs)
}

// rowText returns the text of a row.
func (p picture) rowText(row int) string {
	var b strings.Builder
	for _, c := range p.cells[row*p.cols : (row+1)*p.cols] {
		b.WriteString(c.text)
	}
	return b.String()
}

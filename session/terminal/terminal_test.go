package terminal_test

import (
	"fmt"
	"strings"

	"coppice/session/terminal"
)

// newTerminal returns a terminal that has read some bytes.
func newTerminal(cols, rows int, in ...string) *terminal.Terminal {
	t := terminal.New(terminal.Options{
		Columns: cols, Rows: rows, Scrollback: 100, Program: "Coppice 1",
		Theme: terminal.Theme{Foreground: 0xd0d0d0, Background: 0x101010, Cursor: 0xff8000},
	})
	for _, s := range in {
		write(t, s)
	}
	return t
}

func write(t *terminal.Terminal, s string) {
	if n, err := t.Write([]byte(s)); n != len(s) || err != nil {
		panic("a write failed")
	}
}

// screen returns the rows of the screen without blanks at their ends, and
// without the empty rows at the end.
func screen(t *terminal.Terminal) string {
	var rows []string
	t.Look(func(v terminal.View) {
		for n := v.Top(); n < v.End(); n++ {
			rows = append(rows, rowText(v, n))
		}
	})
	return strings.TrimRight(strings.Join(rows, "\n"), "\n")
}

func rowText(v terminal.View, n int) string {
	var b strings.Builder
	for _, c := range v.Row(n).Cells {
		switch {
		case c.Blank():
			b.WriteByte(' ')
		default:
			b.WriteString(v.Text(c))
		}
	}
	return strings.TrimRight(b.String(), " ")
}

// scrollback returns the rows of the scrollback, oldest first.
func scrollback(t *terminal.Terminal) string {
	var rows []string
	t.Look(func(v terminal.View) {
		for n := v.Oldest(); n < v.Top(); n++ {
			rows = append(rows, rowText(v, n))
		}
	})
	return strings.Join(rows, "\n")
}

// cursor returns the cursor's column and row.
func cursor(t *terminal.Terminal) (c [2]int) {
	t.Look(func(v terminal.View) { c = [2]int{v.Cursor().Column, v.Cursor().Row} })
	return c
}

// styles writes the cells of a row down: text and style of each that has any.
func styles(t *terminal.Terminal, row int) string {
	var b strings.Builder
	t.Look(func(v terminal.View) {
		for _, c := range v.Row(v.Top() + row).Cells {
			b.WriteString(describe(v, c))
		}
	})
	return strings.TrimRight(b.String(), "·")
}

// describe writes a cell down with all that can be seen of it.
func describe(v terminal.View, c terminal.Cell) string {
	if c == (terminal.Cell{}) {
		return "·"
	}
	text := v.Text(c)
	switch {
	case c.Blank():
		text = "·"
	case c.Width() == 0:
		text = "<"
	case c.Width() == 2:
		text += ">"
	}
	var style []string
	if c.Foreground != 0 {
		style = append(style, fmt.Sprintf("f%x", uint32(c.Foreground)))
	}
	if c.Background != 0 {
		style = append(style, fmt.Sprintf("b%x", uint32(c.Background)))
	}
	if c.Attr() != 0 {
		style = append(style, fmt.Sprintf("a%x", uint16(c.Attr())))
	}
	if c.Underline() != 0 {
		style = append(style, fmt.Sprintf("u%d", c.Underline()))
	}
	if u := v.UnderlineColor(c); u != 0 {
		style = append(style, fmt.Sprintf("U%x", uint32(u)))
	}
	if l := v.Link(c); l != (terminal.Link{}) {
		style = append(style, l.ID+"@"+l.Address)
	}
	if len(style) > 0 {
		text += "{" + strings.Join(style, " ") + "}"
	}
	return text
}

// state writes everything down that a View tells, with as many rows of the
// scrollback as there are.
func state(t *terminal.Terminal) string {
	var b strings.Builder
	t.Look(func(v terminal.View) {
		cols, rows := v.Size()
		fmt.Fprintf(&b, "%dx%d %+v %+v %q %q %+v held %v\n", cols, rows, v.Cursor(), v.Modes(), v.Title(), v.Directory(), v.Progress(), !v.HeldSince().IsZero())
		for n := v.Oldest(); n < v.End(); n++ {
			row := v.Row(n)
			fmt.Fprintf(&b, "%d|", n-v.Top())
			for _, c := range row.Cells {
				b.WriteString(describe(v, c))
			}
			if row.Wrapped {
				b.WriteString("⏎")
			}
			b.WriteByte('\n')
		}
	})
	return b.String()
}

// difference returns the first line in which two states differ.
func difference(got, want string) string {
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range g {
		if i >= len(w) || g[i] != w[i] {
			return fmt.Sprintf("line %d of %d:\n%s\nnot\n%s", i, len(g), g[i], w[min(i, len(w)-1)])
		}
	}
	return "less lines"
}

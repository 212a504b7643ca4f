package terminal

import "time"

// View is a Terminal while nobody changes it.
//
// Rows are counted by numbers that stay with a row while it is kept: Oldest is
// the first row of the scrollback, Top the first of the screen. They are given
// anew when the text is wrapped anew, which Numbering tells. The alternate screen
// has no scrollback.
type View struct{ t *Terminal }

// Look calls f with a view. The view, and what it returns but for strings, must
// not be kept or changed, and f must not call methods of the Terminal.
func (t *Terminal) Look(f func(View)) {
	t.mu.Lock()
	defer t.mu.Unlock()
	f(View{t})
}

// Cursor is where and how the cursor is drawn.
type Cursor struct {
	Column, Row int // on the screen, from 0
	Visible     bool
	Shape       Shape
}

// Row is a row of cells. A row of the scrollback can be shorter than the screen
// is wide; what is missing was never written.
type Row struct {
	Cells   []Cell
	Wrapped bool // the text goes on in the next row
}

// Size returns the number of columns and rows.
func (v View) Size() (cols, rows int) { return v.t.cols, v.t.rows }

// Changes counts the changes: two equal counts are the same picture.
func (v View) Changes() uint64 { return v.t.changes }

// Numbering changes when the numbers of rows have been given anew.
func (v View) Numbering() uint64 { return v.t.numbering }

// Cursor returns the cursor.
func (v View) Cursor() Cursor {
	t := v.t
	return Cursor{Column: t.cur.x, Row: t.cur.y, Visible: t.private.cursorVisible, Shape: t.shape}
}

// Modes returns what the program has asked for.
func (v View) Modes() Modes {
	m := v.t.modes
	m.Kitty = v.t.on.keyboard()
	m.Alternate = v.t.on == &v.t.alt
	return m
}

// Title returns the title, one line of visible text.
func (v View) Title() string { return v.t.labels.title }

// Directory returns the address of the program's directory as the program gave
// it, usually file://host/path.
func (v View) Directory() string { return v.t.labels.directory }

// Progress returns how far the program says it is.
func (v View) Progress() Progress { return v.t.labels.progress }

// HeldSince returns when the program began a frame that it wants shown only when
// it is complete, or the zero time. A viewer keeps what it has drawn, for a
// second at most.
func (v View) HeldSince() time.Time { return v.t.held }

// Top returns the number of the first row of the screen.
func (v View) Top() int { return v.t.history.first + v.t.history.n }

// Oldest returns the number of the oldest row that is kept.
func (v View) Oldest() int {
	if v.t.on == &v.t.alt {
		return v.Top()
	}
	return v.t.history.first
}

// End returns the number after that of the last row of the screen.
func (v View) End() int { return v.Top() + v.t.rows }

// Row returns row n, empty if there is none. A row of the scrollback is good
// until the next call of Row.
func (v View) Row(n int) Row {
	t := v.t
	switch {
	case n < v.Oldest() || n >= v.End():
		return Row{}
	case n >= v.Top():
		l := t.on.lines[n-v.Top()]
		return Row{l.cells, l.wrapped}
	}
	p := t.history.row(n - t.history.first)
	t.unpacked = p.unpack(t.unpacked[:0])
	return Row{t.unpacked, p.wrapped()}
}

// Text returns the text of a cell: one character with all that joins it, or "".
func (v View) Text(c Cell) string {
	if c.glyph > 0 && c.glyph < 0x80 {
		const ascii = "\x00\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0a\x0b\x0c\x0d\x0e\x0f\x10\x11\x12\x13\x14\x15\x16\x17\x18\x19\x1a\x1b\x1c\x1d\x1e\x1f" +
			" !\"#$%&'()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_`abcdefghijklmnopqrstuvwxyz{|}~\x7f"
		return ascii[c.glyph : c.glyph+1]
	}
	return v.t.glyphText(c.glyph)
}

// Link returns the link that a cell is part of, the zero Link if there is none.
func (v View) Link(c Cell) Link { return v.t.extras.values[c.extra].link }

// UnderlineColor returns the colour of a cell's underline; Default is that of
// its text.
func (v View) UnderlineColor(c Cell) Color { return v.t.extras.values[c.extra].underline }

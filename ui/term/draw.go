package term

import (
	"github.com/gdamore/tcell/v2"

	"coppice/session/terminal"
)

// Draw puts what is visible into the pane's rectangle and nowhere else. The
// cursor is touched only while the pane has the focus. A frame that the program
// holds back is waited for; see Due.
func (p *Pane) Draw(screen tcell.Screen) {
	p.refresh(screen.Colors())
	left, top, _, _ := p.rect()
	f := &p.frame
	for y := range f.rows {
		row := f.cells[y*f.columns : (y+1)*f.columns]
		for x := range row {
			if c := &row[x]; c.text != "" {
				screen.Put(left+x, top+y, c.text, f.styles[c.style])
			}
		}
	}
	if !p.focused {
		return
	}
	if x, y, ok := p.Caret(); ok && f.cursor.visible {
		screen.SetCursorStyle(f.cursor.shape)
		screen.ShowCursor(x, y)
	} else {
		screen.HideCursor()
	}
}

// Caret returns where on the screen typed text goes, as of the last Draw: where an
// input method belongs, also while the program hides the cursor (report G10). It
// reports false when that place is not visible.
func (p *Pane) Caret() (x, y int, ok bool) {
	left, top, columns, rows := p.rect()
	c := p.frame.cursor
	ok = c.column >= 0 && c.row >= 0 && c.column < min(columns, p.frame.columns) && c.row < min(rows, p.frame.rows)
	return left + c.column, top + c.row, ok
}

// refresh makes a new frame if there is anything new to show.
func (p *Pane) refresh(colors int) {
	_, _, columns, rows := p.rect()
	t := p.program.Terminal()
	p.shown.mu.Lock()
	defer p.shown.mu.Unlock()
	other := columns != p.frame.columns || rows != p.frame.rows || colors != p.look.colors
	p.look.colors = colors
	t.Look(func(v terminal.View) {
		p.reader.follow(t, v, rows)
		if !p.shown.due(t, v, p.now()) && !other {
			return
		}
		p.capture(v)
		p.shown.made(t, v, p.reader.on)
	})
}

package term

import (
	"time"

	"github.com/gdamore/tcell/v2"

	"coppice/session/terminal"
	"coppice/ui/term/input"
)

const (
	wheelRows   = 3                      // that one step of the wheel scrolls
	doubleClick = 500 * time.Millisecond // between the clicks of one
)

// wheels are the buttons that are a movement of the wheel.
const wheels = tcell.WheelUp | tcell.WheelDown | tcell.WheelLeft | tcell.WheelRight

// pointer is what the mouse does in the pane.
type pointer struct {
	program input.Mouse
	holder  holder // who has the button that is down
	column  int    // in the pane, and at most at its edges
	row     int
	seen    bool
	foreign bool // a button is down that was pressed outside the pane

	clicks  int // in a row at one place
	clicked time.Time
	pressed terminal.Point
	dragged bool
	frozen  bool // the copy mode is on for the time of the drag only
}

// holder is whom a pressed button belongs to until it is let go.
type holder uint8

const (
	nobody holder = iota
	ours
	theirs // the program's
)

// Mouse takes an event of the mouse, each once. It reports whether it belongs to
// the pane: it happened there, or began there with a button that is still down.
func (p *Pane) Mouse(ev *tcell.EventMouse) bool {
	x, y := ev.Position()
	left, top, columns, rows := p.rect()
	x, y = x-left, y-top
	inside := x >= 0 && y >= 0 && x < columns && y < rows
	pressed := ev.Buttons()&^wheels != 0
	p.pointer.foreign = pressed && p.pointer.holder == nobody && (p.pointer.foreign || !inside)
	if columns < 1 || rows < 1 || p.pointer.foreign || !inside && p.pointer.holder == nobody {
		p.pointer.seen = false
		return false
	}
	p.pointer.seen = true
	p.pointer.column, p.pointer.row = min(max(x, 0), columns-1), min(max(y, 0), rows-1)

	buttons := ev.Buttons()
	switch {
	case buttons&wheels != 0:
		p.wheel(ev)
	case p.pointer.holder == nobody && p.forProgram(ev):
		if buttons != 0 {
			p.pointer.holder = theirs
		}
		p.tell(ev)
	case p.pointer.holder == theirs:
		if buttons == 0 {
			p.pointer.holder = nobody
		}
		p.tell(ev)
	case buttons&tcell.ButtonPrimary != 0 && p.pointer.holder == nobody:
		p.pointer.holder = ours
		p.read(p.press)
	case buttons&tcell.ButtonPrimary != 0:
		p.read(func(v terminal.View) string { return p.drag(v, y, rows) })
	case p.pointer.holder == ours:
		p.pointer.holder = nobody
		p.read(p.release)
	}
	return true
}

// forProgram reports whether an event is the program's: it asked for the mouse,
// and Shift, which takes it back, is not held.
func (p *Pane) forProgram(ev *tcell.EventMouse) bool {
	return !p.reader.on && ev.Modifiers()&tcell.ModShift == 0 && p.modes().Mouse != terminal.NoMouse
}

// tell tells the program of an event.
func (p *Pane) tell(ev *tcell.EventMouse) {
	p.send(p.pointer.program.Event(ev, p.pointer.column, p.pointer.row, p.modes()))
}

// wheel scrolls: the program, if it asked for the mouse; with arrows, if it has
// the alternate screen, which has no scrollback; or the text.
func (p *Pane) wheel(ev *tcell.EventMouse) {
	modes := p.modes()
	switch {
	case p.forProgram(ev):
		p.tell(ev)
	case ev.Buttons()&(tcell.WheelUp|tcell.WheelDown) == 0:
	case modes.Alternate && !p.reader.on:
		modes.WheelArrows = true // as with most terminals, without being asked
		modes.Mouse = terminal.NoMouse
		p.send(p.pointer.program.Event(ev, p.pointer.column, p.pointer.row, modes))
	case ev.Buttons()&tcell.WheelUp != 0:
		p.read(func(v terminal.View) string {
			if !p.reader.on && v.Oldest() < v.Top() {
				p.reader.start(v, true)
			}
			return p.scroll(v, -wheelRows)
		})
	default:
		p.read(func(v terminal.View) string { return p.scroll(v, wheelRows) })
	}
}

// scroll moves what is read.
func (p *Pane) scroll(v terminal.View, rows int) (copied string) {
	if p.reader.on {
		p.reader.scroll(v, rows)
	}
	return ""
}

// place returns where in the text the mouse is.
func (p *Pane) place(v terminal.View) terminal.Point {
	return terminal.Point{Row: p.reader.first(v, p.reader.rows) + p.pointer.row, Column: p.pointer.column}
}

// press begins a selection: of cells, of words with the second click at a place,
// of lines with the third.
func (p *Pane) press(v terminal.View) (copied string) {
	m, at, now := &p.pointer, p.place(v), p.now()
	again := at == m.pressed && now.Sub(m.clicked) <= doubleClick
	m.clicked, m.pressed, m.dragged = now, at, false
	if !again {
		m.clicks = 0
	}
	m.clicks = m.clicks%3 + 1
	p.reader.selection = selection{}
	if p.reader.on {
		p.reader.at = at
		p.reader.clamp(v)
	}
	if m.clicks > 1 {
		p.reader.selection = begin(v, [...]kind{words, lines}[m.clicks-2], at)
	}
	return ""
}

// drag moves the end of a selection. What is shown stays meanwhile, and scrolls
// when the mouse leaves the pane above or below.
func (p *Pane) drag(v terminal.View, y, rows int) (copied string) {
	r, m := &p.reader, &p.pointer
	if out := y < 0 || y >= rows; !out && !m.dragged && p.place(v) == m.pressed {
		return ""
	}
	if !r.on {
		s := r.selection
		r.start(v, false)
		r.selection, m.frozen = s, true
	}
	m.dragged = true
	switch {
	case y < 0:
		r.scroll(v, -1)
	case y >= rows:
		r.scroll(v, 1)
	}
	if r.selection.kind == nothing {
		r.selection = begin(v, cells, m.pressed)
	}
	r.at = p.place(v)
	r.clamp(v)
	r.selection.extend(v, r.at)
	return ""
}

// release ends a selection and copies it. It stays visible.
func (p *Pane) release(v terminal.View) (copied string) {
	if p.pointer.frozen {
		p.pointer.frozen, p.reader.on = false, false
	}
	return p.reader.selection.text(v)
}

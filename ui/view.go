package ui

import (
	"slices"
	"time"

	"github.com/gdamore/tcell/v2"
	"github.com/rivo/tview"

	"coppice/ui/theme"
)

// view is the one tview primitive: it fills the screen, draws the model's frame
// and turns events into messages. All of it runs on tview's loop.
type view struct {
	*tview.Box
	app  *app
	last struct{ x, y int } // cell of the last click
	idle bool               // nothing of the window's changed since the last frame
}

// newView returns the view of an app.
func newView(a *app) *view { return &view{Box: tview.NewBox(), app: a} }

// Draw draws the model.
func (v *view) Draw(screen tcell.Screen) { v.app.guard(func() { v.draw(screen) }) }

func (v *view) draw(screen tcell.Screen) {
	a := v.app
	if w, h := screen.Size(); w != a.model.w || h != a.model.h {
		a.apply(sized{w, h})
	} else if v.idle && !a.stage.changed() {
		v.idle = false
		a.screen.keep() // a key went to the agent, which has not answered yet
		return
	}
	v.idle = false
	now := a.opt.Now()
	f := a.model.render(now)
	if !f.filled {
		paintGround(screen, a.opt.Theme)
	}
	a.stage.draw(screen, f.panes)
	paintStrips(screen, f, a.opt.Theme)
	if !slices.Equal(f.visible, a.visible) {
		a.visible = f.visible
		a.opt.Store.SetVisible(f.visible)
	}
	v.arm(f.fresh, now)
}

// arm sets the timer for the moment when an age on the screen changes, at most
// once a minute; none while no age will.
func (v *view) arm(fresh time.Duration, now time.Time) {
	a := v.app
	if fresh <= 0 || a.ctx.Err() != nil {
		a.tick.Stop()
		return
	}
	a.tick.Reset(max(fresh, time.Minute-now.Sub(a.ticked)))
}

// paintGround blanks a screen.
func paintGround(screen tcell.Screen, th theme.Theme) {
	w, h := screen.Size()
	for y := range h {
		theme.Draw(screen, 0, y, w, nil, th)
	}
	hideCursor(screen)
}

// hideCursor hides the cursor and forgets its shape.
func hideCursor(screen tcell.Screen) {
	screen.HideCursor()
	screen.SetCursorStyle(tcell.CursorStyleDefault)
}

// paintStrips puts the strips of a frame over what is there.
func paintStrips(screen tcell.Screen, f *frame, th theme.Theme) {
	selected := th.Selected()
	for _, s := range f.strips {
		look := th
		if s.selected {
			look = selected
		}
		theme.Draw(screen, s.x, s.y, s.w, s.line, look)
	}
	switch {
	case f.typing:
		screen.ShowCursor(f.cursor.x, f.cursor.y)
	case f.covered:
		screen.HideCursor()
	}
}

// capture takes every key: tview has no key of its own here. Keys pressed while
// the terminal was somebody else's are dropped.
func (v *view) capture(ev *tcell.EventKey) *tcell.EventKey {
	in := v.app.screen.event(ev)
	v.app.guard(func() {
		switch in := in.(type) {
		case *tcell.EventFocus:
			v.app.stage.focus(in.Focused)
		case *pasteEvent:
			v.paste(in.text)
		case *tcell.EventKey:
			if !in.When().Before(v.app.resumed) {
				v.press(in)
			}
		}
	})
	return nil
}

// press takes one key press: an agent's, or the window's.
func (v *view) press(ev *tcell.EventKey) {
	m := v.app.model
	quiet := m.note.text == "" && !m.live.leaving
	if v.app.stage.key(ev) {
		v.idle = quiet
		return
	}
	v.app.apply(keyOf(ev))
}

// paste takes pasted text: an agent's, or the window's.
func (v *view) paste(text string) {
	if !v.app.stage.paste(text) {
		v.app.apply(pasted{text})
	}
}

// MouseHandler takes clicks and the wheel.
func (v *view) MouseHandler() func(tview.MouseAction, *tcell.EventMouse, func(tview.Primitive)) (bool, tview.Primitive) {
	return func(action tview.MouseAction, ev *tcell.EventMouse, _ func(tview.Primitive)) (bool, tview.Primitive) {
		if v.app.stage.point(ev) {
			return true, nil
		}
		x, y := ev.Position()
		in := moused{x: x, y: y}
		switch action {
		case tview.MouseLeftClick:
			in.what = mouseClick
		case tview.MouseLeftDoubleClick:
			in.what = mouseDouble
			if v.last.x != x || v.last.y != y {
				in.what = mouseClick // two quick clicks at two places
			}
		case tview.MouseScrollUp:
			in.what = mouseWheelUp
		case tview.MouseScrollDown:
			in.what = mouseWheelDown
		default:
			return false, nil
		}
		if in.what == mouseClick {
			v.last.x, v.last.y = x, y
		}
		v.app.guard(func() { v.app.apply(in) })
		return true, nil
	}
}

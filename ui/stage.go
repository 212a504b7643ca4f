package ui

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/gdamore/tcell/v2"

	"coppice/ui/term"
)

// stage is the pane of the shown agent: what it draws is drawn, and what a person
// types goes to it. The model says which agent is shown; the stage follows it.
// All but listen runs on tview's loop.
type stage struct {
	app    *app
	screen Screen     // nil while the dashboard shows
	pane   *term.Pane // of screen
	cancel context.CancelFunc
	told   atomic.Bool // a change is on its way to the loop
	held   *time.Timer // draws again when a frame was held for too long
	mouse  *tcell.EventMouse
}

// follow shows the screen that the model says, and no other.
func (s *stage) follow() {
	a := s.app
	if s.screen == a.model.live.screen {
		return
	}
	if s.cancel != nil {
		s.cancel()
	}
	s.screen, s.pane, s.cancel = a.model.live.screen, nil, nil
	s.told.Store(false)
	a.screen.caret = caret{}
	if s.screen == nil {
		a.screen.motion(false)
		return
	}
	s.pane = term.New(s.screen, term.Options{
		Theme: a.opt.Theme, Now: time.Now,
		Copy: func(words string) { a.apply(selected{words}) },
	})
	s.pane.SetFocus(true)
	var ctx context.Context
	ctx, s.cancel = context.WithCancel(a.ctx)
	screen := s.screen
	a.spawn(func() { s.listen(ctx, screen) })
}

// close ends the showing at the end of the window. The agent goes on.
func (s *stage) close() {
	if s.screen != nil {
		_ = s.screen.Close()
	}
}

// listen passes on that a screen has changed, and that it ended.
func (s *stage) listen(ctx context.Context, screen Screen) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-screen.Done():
			s.app.send(ctx, envelope{msg: screenEnded{screen: screen, err: screen.Err()}})
			return
		case <-screen.Changed():
			if !s.told.Swap(true) {
				s.app.send(ctx, envelope{msg: screenChanged{}})
			}
		}
	}
}

// key hands a key press to the agent, unless it is the window's.
func (s *stage) key(ev *tcell.EventKey) bool {
	if s.pane == nil {
		return false
	}
	switch s.app.model.whose(keyOf(ev).name) {
	case agentKey:
		s.pane.Key(ev)
	case copyKey:
		s.pane.StartCopy()
	case windowKey:
		return false
	}
	s.used(true)
	return true
}

// used tells the model that a person did something in the pane.
func (s *stage) used(typed bool) { s.app.apply(paneUsed{typed: typed, status: s.pane.Status()}) }

// paste hands pasted text to the agent.
func (s *stage) paste(words string) bool {
	if s.pane == nil || s.app.model.dialog != nil {
		return false
	}
	s.pane.Paste(words)
	s.used(true)
	return true
}

// point hands what the mouse did to the agent, once: tview calls a click by
// several names.
func (s *stage) point(ev *tcell.EventMouse) bool {
	m := s.app.model
	if s.pane == nil || m.dialog != nil {
		return false
	}
	if ev == s.mouse {
		return true
	}
	s.mouse = ev
	if s.pane.Mouse(ev) {
		s.used(false)
		return true
	}
	x, y := ev.Position()
	if host, ok := m.tabAt(x); ok && y < m.paneRect().y && ev.Buttons() == tcell.ButtonPrimary {
		s.app.apply(tabbed{host})
	}
	return true
}

// focus tells the agent whether the terminal has the focus.
func (s *stage) focus(in bool) {
	if s.pane != nil {
		s.pane.SetFocus(in)
	}
}

// draw draws the pane in its part of the screen.
func (s *stage) draw(screen tcell.Screen, r rect) {
	hideCursor(screen)
	if s.pane == nil {
		return
	}
	s.pane.SetRect(r.x, r.y, r.w, r.h)
	s.pane.Draw(screen)
	s.app.screen.caret.x, s.app.screen.caret.y, s.app.screen.caret.on = s.pane.Caret()
	if due := s.pane.Due(); !due.IsZero() {
		s.held.Reset(time.Until(due))
	}
}

// news is what an agent has for others than its screen.
func (s *stage) news() screenChanged {
	s.told.Store(false)
	if s.pane == nil {
		return screenChanged{}
	}
	s.app.screen.motion(s.pane.Motion())
	return screenChanged{output: s.screen.News(), status: s.pane.Status()}
}

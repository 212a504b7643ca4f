package ui

import (
	"context"
	"slices"
	"sync/atomic"
	"time"

	"github.com/gdamore/tcell/v2"

	"coppice/ui/term"
)

// Times between two looks at a screen that changes all the time: one beside that
// with the keyboard, and one in the preview.
const (
	besidePace = 40 * time.Millisecond
	glancePace = 100 * time.Millisecond
)

// endWait bounds how long the end waits for what agents are still told.
const endWait = 200 * time.Millisecond

// stage is the panes of the shown agents: what they draw is drawn, and what a
// person types goes to the one with the keyboard. The model says which agents are
// shown; the stage follows it. All but listen runs on tview's loop.
type stage struct {
	app   *app
	acts  []*act
	away  bool        // the terminal does not have the focus
	held  *time.Timer // draws again when a frame was held for too long
	mouse *tcell.EventMouse
}

// act is one screen and its pane.
type act struct {
	screen Screen
	pane   *term.Pane
	place  rect
	cancel context.CancelFunc
	told   atomic.Bool  // a change is on its way to the loop
	pace   atomic.Int64 // time between two changes that are told
}

// follow shows the screens that the model says, and no others.
func (s *stage) follow() {
	m := s.app.model
	var kept []*act
	for _, one := range s.acts {
		if m.shows(one.screen) {
			kept = append(kept, one)
		} else {
			one.close()
		}
	}
	s.acts = kept
	for _, screen := range []Screen{m.live.screen, m.live.other.screen} {
		s.add(screen, false)
	}
	s.add(m.peek.screen, true)
	for _, one := range s.acts {
		keyboard := one.screen == m.live.screen
		one.pane.SetFocus(keyboard && !s.away)
		one.setPace(keyboard, one.screen == m.peek.screen)
	}
	if s.front() == nil {
		s.app.screen.caret = caret{}
		s.app.screen.motion(false)
	}
}

// shows reports whether a screen is one that the window shows now.
func (m *model) shows(screen Screen) bool {
	return screen == m.live.screen || screen == m.live.other.screen || screen == m.peek.screen
}

// add gives a screen a pane if it has none yet.
func (s *stage) add(screen Screen, glance bool) {
	if screen == nil || s.find(screen) != nil {
		return
	}
	a := s.app
	one := &act{screen: screen}
	one.pane = term.New(screen, term.Options{
		Theme: a.opt.Theme, Now: time.Now, Glance: glance,
		Copy: func(words string) { a.apply(selected{words}) },
	})
	var ctx context.Context
	ctx, one.cancel = context.WithCancel(a.ctx)
	s.acts = append(s.acts, one)
	a.spawn(func() { s.listen(ctx, one) })
}

// find returns the act of a screen, nil for none.
func (s *stage) find(screen Screen) *act {
	i := slices.IndexFunc(s.acts, func(one *act) bool { return one.screen == screen })
	if screen == nil || i < 0 {
		return nil
	}
	return s.acts[i]
}

// front is the act with the keyboard, nil for none.
func (s *stage) front() *act { return s.find(s.app.model.live.screen) }

// setPace says how often changes are told.
func (a *act) setPace(keyboard, glance bool) {
	pace := besidePace
	switch {
	case keyboard:
		pace = 0
	case glance:
		pace = glancePace
	}
	a.pace.Store(int64(pace))
}

// close ends the showing. The agent goes on, and hears that it lost the focus.
func (a *act) close() {
	a.pane.SetFocus(false)
	a.cancel()
	_ = a.screen.Close()
}

// close ends the showing of all at the end of the window.
func (s *stage) close() {
	late := time.NewTimer(endWait)
	defer late.Stop()
	for _, one := range s.acts {
		one.close()
	}
	for _, one := range s.acts {
		select {
		case <-one.screen.Done():
		case <-late.C:
			return
		}
	}
}

// listen passes on that a screen has changed, and that it ended.
func (s *stage) listen(ctx context.Context, one *act) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-one.screen.Done():
			s.app.send(ctx, envelope{msg: screenEnded{screen: one.screen, err: one.screen.Err()}})
			return
		case <-one.screen.Changed():
			if !one.told.Swap(true) {
				s.app.send(ctx, envelope{msg: screenChanged{screen: one.screen}})
			}
		}
		if pace := time.Duration(one.pace.Load()); pace > 0 {
			select {
			case <-ctx.Done():
			case <-time.After(pace):
			}
		}
	}
}

// key hands a key press to the agent, unless it is the window's.
func (s *stage) key(ev *tcell.EventKey) bool {
	one := s.front()
	if one == nil {
		return false
	}
	switch s.app.model.whose(keyOf(ev).name) {
	case agentKey:
		one.pane.Key(ev)
	case copyKey:
		one.pane.StartCopy()
	case windowKey:
		return false
	}
	s.used(one, true)
	return true
}

// used tells the model that a person did something in a pane.
func (s *stage) used(one *act, typed bool) {
	s.app.apply(paneUsed{screen: one.screen, typed: typed, status: one.pane.Status()})
}

// paste hands pasted text to the agent.
func (s *stage) paste(words string) bool {
	one := s.front()
	if one == nil || s.app.model.dialog != nil {
		return false
	}
	one.pane.Paste(words)
	s.used(one, true)
	return true
}

// point hands what the mouse did to the agents, once: tview calls a click by
// several names. A click gives the keyboard to the pane that it is in.
func (s *stage) point(ev *tcell.EventMouse) bool {
	m := s.app.model
	if s.front() == nil || m.dialog != nil {
		return false
	}
	if ev == s.mouse {
		return true
	}
	s.mouse = ev
	x, y := ev.Position()
	if beside := s.find(m.live.other.screen); beside != nil && ev.Buttons() == tcell.ButtonPrimary && beside.place.holds(x, y) && !m.live.leaving {
		s.app.apply(sideChosen{})
	}
	for _, one := range s.acts {
		if one.place.w > 0 && one.pane.Mouse(ev) {
			s.used(one, false)
			return true
		}
	}
	if host, ok := m.tabAt(x); ok && y < m.paneRect().y && ev.Buttons() == tcell.ButtonPrimary {
		s.app.apply(tabbed{host})
	}
	return true
}

// focus tells the agent whether the terminal has the focus.
func (s *stage) focus(in bool) {
	s.away = !in
	s.app.apply(focused{in})
}

// changed reports whether any pane would draw something else than the last time.
func (s *stage) changed() bool {
	return slices.ContainsFunc(s.acts, func(one *act) bool { return one.place.w > 0 && one.pane.Changed() })
}

// draw draws the panes in their parts of the screen.
func (s *stage) draw(screen tcell.Screen, panes []placed) {
	hideCursor(screen)
	for _, one := range s.acts {
		one.place = rect{}
	}
	for _, p := range panes {
		one := s.find(p.screen)
		if one == nil {
			continue
		}
		one.place = p.rect
		one.pane.SetRect(p.x, p.y, p.w, p.h)
		one.pane.Draw(screen)
		if due := one.pane.Due(); !due.IsZero() {
			s.held.Reset(time.Until(due))
		}
	}
	if one := s.front(); one != nil {
		c := &s.app.screen.caret
		c.x, c.y, c.on = one.pane.Caret()
	}
}

// news is what an agent has for others than its screen.
func (s *stage) news(in screenChanged) screenChanged {
	one := s.find(in.screen)
	if one == nil {
		return in
	}
	one.told.Store(false)
	if one == s.front() {
		s.app.screen.motion(one.pane.Motion())
	}
	in.output, in.status = one.screen.News(), one.pane.Status()
	return in
}

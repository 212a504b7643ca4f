package ui

import (
	"fmt"

	"coppice/ui/text"
)

// The least size of a pane beside another one.
const (
	leastColumns = 40
	leastRows    = 8
)

// sideOf is the pane of a screen: the one with the keyboard, unless the screen is
// that of the other one.
func (m *model) sideOf(screen Screen) *side {
	if screen != nil && screen == m.live.other.screen {
		return &m.live.other
	}
	return &m.live.side
}

// halves are the places of two panes, side by side on a wide screen and one above
// the other on a narrow one, and of the line between them. There is no room for two
// if it reports false.
func (m *model) halves() (first, line, second rect, ok bool) {
	r := m.paneRect()
	if r.w >= wideScreen {
		w := (r.w - 1) / 2
		first = rect{r.x, r.y, w, r.h}
		line = rect{r.x + w, r.y, 1, r.h}
		second = rect{r.x + w + 1, r.y, r.w - w - 1, r.h}
		return first, line, second, r.h >= leastRows
	}
	h := (r.h - 1) / 2
	first = rect{r.x, r.y, r.w, h}
	line = rect{r.x, r.y + h, r.w, 1}
	second = rect{r.x, r.y + h + 1, r.w, r.h - h - 1}
	return first, line, second, h >= leastRows && r.w >= leastColumns
}

// split reports whether two panes show. Where the window became too small for two,
// that with the keyboard has it all.
func (m *model) split() bool {
	_, _, _, ok := m.halves()
	return ok && m.live.other.screen != nil
}

// roomFor is the part of the screen that a pane gets: one of its own beside what
// shows, or that of the pane with the keyboard.
func (m *model) roomFor(beside bool) rect {
	first, _, second, ok := m.halves()
	switch {
	case beside && ok:
		return second
	case !m.split():
		return m.paneRect()
	case m.live.second:
		return second
	}
	return first
}

// toggleSplit shows another live session beside the one that shows, or only the
// one with the keyboard.
func (m *model) toggleSplit() []cmd {
	if m.live.other.screen != nil {
		m.live.other, m.live.second = side{}, false
		return nil
	}
	if _, _, _, ok := m.halves(); !ok {
		return m.warn(fmt.Sprintf("no room for two panes: that takes %d×%d cells", leastColumns, 2*leastRows+2))
	}
	host := m.live.before
	if r, ok := m.live.find(host); !ok || r.Problem != "" || host == m.live.shown {
		host = m.live.beside(m.live.shown, 1)
	}
	if host == m.live.shown {
		return m.warn("no other session is live behind this window")
	}
	return m.attach(host, true)
}

// otherPane gives the keyboard to the other pane.
func (m *model) otherPane() []cmd {
	if m.live.other.screen == nil {
		return m.warn("there is one pane only: " + m.keys.key("leave-pane") + " and | show a second one")
	}
	m.live.side, m.live.other = m.live.other, m.live.side
	m.live.second, m.live.leaving = !m.live.second, false
	return nil
}

// closeSide ends the showing of the pane with the keyboard: the other one gets it,
// or the dashboard is back.
func (m *model) closeSide() {
	if m.live.other.screen == nil {
		m.leavePane()
		return
	}
	m.live.before = m.live.shown
	m.live.side, m.live.other, m.live.second, m.live.leaving = m.live.other, side{}, false, false
}

// drawPanes places the panes and the line between them, which points at the one
// with the keyboard.
func (m *model) drawPanes(f *frame) {
	f.panes = append(f.panes, placed{m.roomFor(false), m.live.screen})
	if !m.split() {
		return
	}
	first, line, second, _ := m.halves()
	rest, sign, mark := second, "│", "◂"
	switch {
	case line.h == 1 && m.live.second:
		rest, sign, mark = first, "─", "▾"
	case line.h == 1:
		sign, mark = "─", "▴"
	case m.live.second:
		rest, mark = first, "▸"
	}
	f.panes = append(f.panes, placed{rest, m.live.other.screen})
	for y := range line.h {
		for x := range line.w {
			f.put(line.x+x, line.y+y, 1, text.Line{{Text: sign, Role: text.Border}})
		}
	}
	f.put(line.x, line.y, 1, text.Line{{Text: mark, Role: text.Focus}})
}

package ui

import (
	"context"
	"fmt"

	"coppice/session"
	"coppice/ui/preview"
)

// picking is the choice of the session that a live one is switched to: the
// dashboard shows, and Enter switches.
type picking struct {
	host   string // whose session another one takes the place of, "" while nothing is picked
	pane   bool   // its pane showed before
	search field  // as it was before
}

// startSwitch picks a session that takes the place of the selected live one.
func (m *model) startSwitch() []cmd {
	one, _ := m.live.of(m.selectedID())
	return m.pickFor(picking{host: one.Host})
}

// switchShown picks a session that takes the place of the shown one.
func (m *model) switchShown() []cmd {
	host := m.live.shown
	m.leavePane()
	return m.pickFor(picking{host: host, pane: true})
}

func (m *model) pickFor(p picking) []cmd {
	m.planning++ // a plan that is still being made is of no interest now
	p.search = m.search.field
	m.picking, m.search.on = p, false
	m.setSearch(field{})
	m.showList()
	if one, _ := m.live.find(p.host); m.selectedID() == one.Session && m.list.at+1 < len(m.list.entries) {
		m.goList(m.list.at + 1)
	}
	return nil
}

// picks are the actions that do in the picker what they do otherwise.
func picks(action string) bool {
	switch action {
	case "up", "down", "page-up", "page-down", "first", "last", "expand", "collapse", "preview", "rename",
		"worktrees", "everything", "branch", "next-pane", "previous-pane", "redraw":
		return true
	}
	return false
}

// pickKey handles a key in the picker: what can be typed searches, Enter switches,
// Esc leaves the search and then the picker (DESIGN "The window").
func (m *model) pickKey(k keyed) []cmd {
	switch {
	case k.name == "Enter":
		if why := m.whyNotOpen(); why != "" {
			return m.warn(why)
		}
		return m.open()
	case k.name == "Esc" && m.preview.full:
		return m.back()
	case k.name == "Esc" && (m.search.on || len(m.search.words()) > 0):
		m.search.on = false
		m.setSearch(field{})
		return nil
	case k.name == "Esc", k.name == "Ctrl-C":
		return m.dropPick()
	case m.search.on:
		return m.searchKey(k)
	case k.r != 0 && k.name != "Space":
		m.startSearch()
		return m.searchKey(k)
	}
	if b, ok := m.keys.find(k.name); !ok || !picks(b.action) {
		return m.say(k.name + " does nothing here; Enter switches, Esc cancels")
	}
	return m.act(k)
}

// endPick ends the picking, with the search as it was before.
func (m *model) endPick() {
	if m.picking.host == "" {
		return
	}
	was := m.picking.search
	m.picking, m.search.on = picking{}, false
	m.setSearch(was)
}

// dropPick ends the picking: everything stays as it is.
func (m *model) dropPick() []cmd {
	was := m.picking
	m.endPick()
	if _, ok := m.live.find(was.host); ok && was.pane {
		return m.show(was.host)
	}
	return m.say("nothing is switched")
}

// takePick switches to the selected session: one that is live behind this window
// is shown, and nothing ends.
func (m *model) takePick() []cmd {
	from, ok := m.live.find(m.picking.host)
	r := m.list.selected()
	switch {
	case !ok:
		m.endPick()
		return m.warn("the session to switch from has ended")
	case r.ID == from.Session:
		return m.warn("this is the session to switch from; Esc cancels")
	}
	if one, ok := m.live.of(r.ID); ok {
		m.endPick()
		m.live.word = "it was live already: nothing has ended"
		return m.show(one.Host)
	}
	return m.makePlan(r.Session, session.Request{})
}

// switchTo ends the session that is switched from and starts a plan in its place.
func (m *model) switchTo(p session.Plan) []cmd {
	was, hosts, area := m.picking.host, m.opt.Hosts, m.paneRect()
	from, _ := m.live.find(was)
	m.endPick()
	in := switched{from: m.nameOf(from), to: p.Session}
	if r := m.data.rows[p.Session]; r != nil {
		in.to = preview.Title(r.Session)
	}
	m.say("switching from " + in.from + " to " + in.to)
	return background(func(ctx context.Context) msg {
		in.next, in.note, in.err = hosts.Switch(ctx, was, p, area.w, area.h)
		return in
	})
}

// switched tells how a switch went, and shows what runs now.
func (m *model) switched(in switched) []cmd {
	if in.err != nil {
		m.warn(fmt.Sprintf("not switched to %s: %v", in.to, in.err))
		return m.lookAgain()
	}
	m.live.word = in.note
	if in.note == "" {
		m.live.word = "switched from " + in.from + " to " + in.to
	}
	m.preview.full = false
	return append(m.show(in.next), m.lookAgain()...)
}

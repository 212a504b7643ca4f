package ui

import (
	"context"
	"strings"
)

// key handles one key press: a dialog first, then a field being edited, then
// the binding table.
func (m *model) key(k keyed) []cmd {
	m.note, m.awaited, m.touched = note{}, "", true
	if m.dialog == nil {
		m.awaitedTree = ""
	}
	if _, ok := m.keys.find(k.name); !ok {
		k.name = strings.TrimPrefix(k.name, "Shift-") // it matters only where it is bound
	}
	armed := m.armed
	m.armed = k.name == "Ctrl-C"
	if armed && m.armed {
		return m.quit()
	}
	switch {
	case m.dialog != nil:
		return m.dialogKey(k)
	case m.live.screen != nil:
		return m.paneKey(k)
	case m.rename != nil:
		return m.renameKey(k)
	case m.picking.host != "":
		return m.pickKey(k)
	case m.search.on:
		return m.searchKey(k)
	}
	return m.act(k)
}

// act does what a key is bound to, or says why not.
func (m *model) act(k keyed) []cmd {
	b, ok := m.keys.find(k.name)
	if !ok {
		return m.say(k.name + " does nothing here; " + m.keys.key("help") + " lists the keys")
	}
	if b.why != nil {
		if why := b.why(m); why != "" {
			return m.warn(why)
		}
	}
	return b.run(m)
}

// interrupt is the first of two Ctrl-C where there is nothing to leave; key
// handles the second.
func (m *model) interrupt() []cmd { return m.say("Ctrl-C once more quits") }

// quit ends the dashboard.
func (m *model) quit() []cmd {
	m.quitting = true
	return nil
}

// stop hands the terminal to the shell (Ctrl-Z).
func (m *model) stop() []cmd {
	stop := m.opt.Stop
	return foreground(func(context.Context) msg {
		stop()
		return stopped{}
	})
}

// whyNotStop says why Ctrl-Z cannot act.
func (m *model) whyNotStop() string {
	if m.opt.Stop == nil {
		return "the dashboard cannot be stopped here; " + m.keys.key("quit") + " quits"
	}
	return ""
}

// refresh looks again at everything.
func (m *model) refresh() []cmd {
	m.redraw = true
	m.say("looking again at everything")
	return m.lookAgain()
}

// startSearch gives the keyboard to the search field.
func (m *model) startSearch() []cmd {
	m.search.on = true
	m.showList()
	return nil
}

// showList gives the keys to the list, and shows it where another pane hides it.
func (m *model) showList() {
	m.preview.full = false
	m.focus = paneList
}

// searchKey handles a key while the search field has the keyboard: editing keys
// first, then the few that move and leave.
func (m *model) searchKey(k keyed) []cmd {
	switch k.name {
	case "Enter":
		m.search.on = false
		if len(m.search.words()) == 0 {
			m.search.field = field{}
		}
		return nil
	case "Esc", "Ctrl-C":
		if m.search.field.String() == "" || k.name == "Ctrl-C" {
			m.search.on = false
		}
		m.setSearch(field{})
		return nil
	case "Up":
		return moveBy(-1)(m)
	case "Down":
		return moveBy(1)(m)
	case "PgUp":
		return movePage(-1)(m)
	case "PgDn":
		return movePage(1)(m)
	}
	before := m.search.field.String()
	if !m.search.field.key(k) {
		return m.say(k.name + " does nothing while you search; Enter keeps the search, Esc leaves it")
	}
	if m.search.field.String() != before {
		m.setSearch(m.search.field)
	}
	return nil
}

// setSearch filters by another text and chooses the best match.
func (m *model) setSearch(f field) {
	m.search.field = f
	m.settled = true
	keep := ""
	if r := m.list.selected(); r != nil && len(m.search.words()) == 0 {
		keep = r.ID
	}
	m.list.moved = false
	m.relist()
	if keep != "" {
		m.list.seek(keep)
		m.list.moved = true
	}
}

// paste puts pasted text into the field that has the keyboard. Without one it
// begins a search: a pasted pull request or id finds its session.
func (m *model) paste(s string) {
	m.note = note{}
	switch {
	case m.dialog != nil:
		if f := m.dialogBox().field; f != nil {
			m.inserted(f.insert(s))
		}
	case m.rename != nil:
		m.inserted(m.rename.field.insert(s))
	default:
		if !m.search.on {
			m.search.field = field{}
			m.startSearch()
		}
		f := m.search.field
		whole := f.insert(strings.TrimSpace(s))
		m.setSearch(f)
		m.inserted(whole)
	}
}

// inserted says so when a text was too long for its field.
func (m *model) inserted(whole bool) {
	if !whole {
		m.warn("the text is too long: only its beginning was taken")
	}
}

// back leaves what is open: the full preview, a search, the preview's focus.
func (m *model) back() []cmd {
	switch {
	case m.preview.full:
		m.preview.full = false
	case len(m.search.words()) > 0:
		m.setSearch(field{})
	case m.focus == panePreview:
		m.focus = paneList
	default:
		return m.say("nothing to leave; " + m.keys.key("quit") + " quits")
	}
	return nil
}

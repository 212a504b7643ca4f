package ui

import (
	"context"
	"fmt"

	"coppice/session/launch"
	"coppice/ui/text"
)

// lostDialog lists what was live when its host or the whole system went down, and
// brings it back.
type lostDialog struct{}

// brokenDialog tells what could not be brought back.
type brokenDialog struct{ back []launch.Brought }

// findLost asks what was lost; asked says that a person wants to know.
func findLost(hosts Hosts, asked bool) func(context.Context) msg {
	return func(ctx context.Context) msg {
		lost, err := hosts.Lost(ctx)
		return lostFound{lost: lost, asked: asked, err: err}
	}
}

// lostFound shows what was lost, unless a person is busy with something else.
func (m *model) lostFound(in lostFound) []cmd {
	if in.err != nil {
		return m.warn(fmt.Sprintf("what was live before cannot be told: %v", in.err))
	}
	m.lost = in.lost
	idle := m.dialog == nil && m.live.screen == nil
	if _, listed := m.dialog.(lostDialog); listed && len(m.lost) == 0 {
		m.closeDialog()
	}
	switch {
	case in.asked && len(m.lost) == 0:
		m.say("no session was lost: what was live here has ended, or is live")
	case in.asked && idle, len(m.lost) > 0 && idle && !m.touched && m.opt.Show == "":
		m.openDialog(lostDialog{})
	}
	return nil
}

// whyNoLost says why nothing can be lost.
func (m *model) whyNoLost() string {
	if m.opt.Hosts == nil {
		return "no session can run behind this window: " + m.opt.NoHosts
	}
	return ""
}

// openLost lists what was lost, as it is known, and asks whether that is all.
func (m *model) openLost() []cmd {
	if len(m.lost) > 0 {
		m.openDialog(lostDialog{})
	}
	return background(findLost(m.opt.Hosts, len(m.lost) == 0))
}

// lostOf returns what is known of a session that was lost, by its id.
func (m *model) lostOf(id string) (launch.Lost, bool) {
	for _, l := range m.lost {
		if l.Session == id && id != "" {
			return l, true
		}
	}
	return launch.Lost{}, false
}

// nameOfLost is what a lost session is called.
func (m *model) nameOfLost(l launch.Lost) string {
	return m.nameOf(Running{Session: l.Session, Name: l.Name, Agent: l.Agent, Dir: l.Dir})
}

// isLost reports whether the session of a row was lost and is not live again.
func (m *model) isLost(r *row) bool {
	_, lost := m.lostOf(r.ID)
	return lost && r.Live == nil
}

func (lostDialog) title() string { return "Lost while they were live" }

func (lostDialog) foot() text.Line {
	return keysFoot("Enter", "bring all back", "d", "dismiss", "Esc", "later")
}

func (lostDialog) body(m *model, w int) content {
	var out []text.Line
	why := ""
	for _, l := range m.lost {
		if l.Why != why {
			why = l.Why
			out = append(out, wrapped(why, w, text.Dim)...)
		}
		out = append(out, hanging("·", m.nameOfLost(l)+reason(m.tilde(l.Dir)), w, text.Default)...)
	}
	return content{lines: append(out, nil)}
}

func (lostDialog) key(m *model, k keyed) []cmd {
	hosts, lost, area := m.opt.Hosts, m.lost, m.paneRect()
	switch k.name {
	case "Enter":
		m.closeDialog()
		m.say("bringing back " + text.Plural(len(lost), "session"))
		return background(func(ctx context.Context) msg {
			return broughtBack{hosts.BringBack(ctx, lost, area.w, area.h)}
		})
	case "d":
		m.closeDialog()
		m.lost = nil
		return background(func(ctx context.Context) msg {
			if err := hosts.Dismiss(ctx, lost); err != nil {
				return failed{fmt.Errorf("not dismissed: %w", err)}
			}
			return dismissed{len(lost)}
		})
	}
	return nil
}

// broughtBack tells what became of what was lost.
func (m *model) broughtBack(in broughtBack) []cmd {
	m.lost = nil
	noted := false
	for _, b := range in.back {
		if b.Err != nil {
			m.lost = append(m.lost, b.Lost)
		}
		noted = noted || b.Note != ""
	}
	m.say(text.Plural(len(in.back)-len(m.lost), "session") + " brought back")
	if len(m.lost) > 0 || noted {
		m.openDialog(&brokenDialog{in.back})
	}
	return m.lookAgain()
}

func (d *brokenDialog) title() string { return "Brought back" }

func (d *brokenDialog) foot() text.Line { return keysFoot("↑↓", "scroll", "Esc", "close") }

func (d *brokenDialog) body(m *model, w int) content {
	var out []text.Line
	for _, b := range d.back {
		name := m.nameOfLost(b.Lost)
		switch {
		case b.Err != nil:
			out = append(out, hanging("✗", name+": "+b.Err.Error(), w, text.Bad)...)
		case b.Note != "":
			out = append(out, hanging("!", name+": "+b.Note, w, text.Warn)...)
		default:
			out = append(out, hanging("✓", name, w, text.Good)...)
		}
	}
	if len(m.lost) > 0 {
		out = append(out, nil)
		out = append(out, wrapped(m.keys.key("lost")+" tries those again that failed, or dismisses them", w, text.Dim)...)
	}
	return content{lines: out}
}

func (d *brokenDialog) key(m *model, k keyed) []cmd {
	if k.name == "Enter" {
		return m.closeDialog()
	}
	return nil
}

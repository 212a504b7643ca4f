package ui

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"coppice/session"
	"coppice/session/host"
	"coppice/ui/text"
)

// whyNoLive says that no agent runs behind the window.
func (m *model) whyNoLive() string {
	if m.opt.Hosts == nil {
		return "no session can run behind this window: " + m.opt.NoHosts
	}
	if len(m.live.running) == 0 {
		return "no session is live behind this window; " + m.keys.key("open") + " resumes one"
	}
	return ""
}

// whyNotFocus says why live session n cannot be shown.
func whyNotFocus(n int) func(*model) string {
	return func(m *model) string {
		if why := m.whyNoLive(); why != "" {
			return why
		}
		if n > len(m.live.running) {
			return fmt.Sprintf("there is no live session %d: %s behind this window", n, text.Plural(len(m.live.running), "session is live"))
		}
		return ""
	}
}

// focusLive shows live session n, counted from 1.
func focusLive(n int) func(*model) []cmd {
	return func(m *model) []cmd { return m.show(m.live.running[n-1].Host) }
}

// stepLive shows the live session that is step places further.
func stepLive(step int) func(*model) []cmd {
	return func(m *model) []cmd {
		from := m.live.shown
		if from == "" {
			if r, ok := m.live.of(m.selectedID()); ok {
				return m.show(r.Host)
			}
		}
		return m.show(m.live.beside(from, step))
	}
}

// selectedID is the id of the selected session, "" for none.
func (m *model) selectedID() string {
	if r := m.list.selected(); r != nil {
		return r.ID
	}
	return ""
}

// lastLive shows the live session that was shown before.
func (m *model) lastLive() []cmd {
	if _, ok := m.live.find(m.live.before); !ok {
		return m.warn("no other live session was shown yet")
	}
	return m.show(m.live.before)
}

// nextNeed shows the next live session that waits for the person. One that does
// not run behind this window is selected.
func (m *model) nextNeed() []cmd {
	from := m.live.place(m.live.shown)
	for i := range m.live.running {
		r := m.live.running[(from+1+i)%len(m.live.running)]
		if r.Host != m.live.shown && m.statusOf(r).State == session.StateWaiting {
			return m.show(r.Host)
		}
	}
	for _, r := range m.data.order {
		if _, ours := m.live.of(r.ID); !ours && r.Live != nil && r.Live.State == session.StateWaiting {
			m.leavePane()
			m.awaited = r.ID
			m.reveal()
			return m.say("it waits for you, " + cmp.Or(r.Live.Where, "elsewhere") + ": " + m.keys.key("needs-you") + " shows only what runs behind this window")
		}
	}
	return m.say("no session waits for you")
}

// show asks for the screen of a host. What is shown stays until it is there.
func (m *model) show(host string) []cmd { return m.attach(host, false) }

// attach asks for the screen of a host, in the pane with the keyboard or in one of
// its own beside it.
func (m *model) attach(host string, beside bool) []cmd {
	r, ok := m.live.find(host)
	switch {
	case host == m.live.shown:
		return nil
	case host == m.live.other.shown && host != "":
		return m.otherPane()
	case ok && r.Problem != "":
		return m.warn(r.Problem)
	}
	m.live.wish++
	wish, hosts, area := m.live.wish, m.opt.Hosts, m.roomFor(beside)
	return background(func(ctx context.Context) msg {
		screen, err := hosts.Attach(ctx, host, area.w, area.h)
		return attached{wish: wish, host: host, beside: beside, screen: screen, err: err}
	})
}

// attached shows the screen that was asked for last.
func (m *model) attached(in attached) []cmd {
	switch {
	case in.err != nil:
		return m.warn(fmt.Sprintf("cannot show it: %v", in.err))
	case in.wish != m.live.wish || m.quitting:
		_ = in.screen.Close()
		return nil
	}
	m.endPick()
	m.note = note{}
	next := side{shown: in.host, screen: in.screen}
	switch {
	case m.live.screen == nil:
	case in.beside && m.live.other.screen == nil:
		m.live.other, m.live.second = m.live.side, true
	default:
		m.live.before = m.live.shown
	}
	m.live.side, m.live.leaving = next, false
	if m.live.word != "" {
		m.say(m.live.word)
		m.live.word = ""
	}
	return nil
}

// leavePane goes back to the dashboard. The agents go on.
func (m *model) leavePane() {
	if m.live.screen == nil {
		return
	}
	m.live.before = m.live.shown
	m.live.wish++
	m.live.side, m.live.other, m.live.second, m.live.leaving = side{}, side{}, false, false
	if r, ok := m.live.find(m.live.before); ok {
		m.awaited = r.Session // its row may still be to come
		m.reveal()
	}
}

// keyOwner says whom a key press is for while a pane shows.
type keyOwner int

const (
	agentKey  keyOwner = iota // it goes to the agent
	copyKey                   // it begins to scroll and copy
	windowKey                 // the window's own
)

// whose says whom a key is for while a pane shows: all are the agent's but the
// leave-pane key and the one behind it, which may give it back.
func (m *model) whose(key string) keyOwner {
	switch {
	case m.dialog != nil || m.live.ended != "":
		return windowKey
	case !m.live.leaving && key == m.keys.key("leave-pane"):
		return windowKey
	case !m.live.leaving, key == m.keys.key("leave-pane"):
		return agentKey
	case key == "[":
		return copyKey
	}
	return windowKey
}

// paneUsed notes what became of a key, a paste or the mouse in the pane.
func (m *model) paneUsed(in paneUsed) {
	m.sideOf(in.screen).status = in.status
	if in.typed {
		m.note, m.live.leaving = note{}, false
	}
}

// paneKey handles a key that is the window's while a pane shows: the leave-pane
// key, and the one behind it.
func (m *model) paneKey(k keyed) []cmd {
	if !m.live.leaving && m.live.ended == "" {
		m.live.leaving = true
		return nil
	}
	m.live.leaving = false
	switch {
	case m.live.ended != "":
		m.closeSide()
		return nil
	case len(k.name) == 1 && k.name >= "1" && k.name <= "9":
		n := int(k.name[0] - '0')
		if why := whyNotFocus(n)(m); why != "" {
			return m.warn(why)
		}
		return focusLive(n)(m)
	case k.name == "n":
		return stepLive(1)(m)
	case k.name == "p":
		return stepLive(-1)(m)
	case k.name == "'":
		return m.lastLive()
	case k.name == "!":
		return m.nextNeed()
	case k.name == "|":
		return m.toggleSplit()
	case k.name == "Tab":
		return m.otherPane()
	case k.name == "s":
		return m.switchShown()
	}
	m.leavePane()
	return nil
}

// screenChanged takes what a shown agent has for others: a bell, a message, text
// for the clipboard, which is nobody's by default (report G8). A glance takes
// nothing: the agent has it for those who look on.
func (m *model) screenChanged(in screenChanged) []cmd {
	if in.screen != nil && in.screen == m.peek.screen {
		m.peek.look()
		return nil
	}
	m.sideOf(in.screen).status = in.status
	m.bell = m.bell || in.output.Bells > 0
	for _, n := range in.output.Notices {
		m.say(strings.TrimPrefix(n.Title+": "+n.Body, ": "))
	}
	var cmds []cmd
	for _, c := range in.output.Clips {
		if !m.opt.Config.UI.Clipboard {
			m.warn("the agent wanted to write to the clipboard: [ui] clipboard = true allows it")
			continue
		}
		cmds = append(cmds, m.copyText("text of the agent", string(c.Data))...)
	}
	return cmds
}

// screenEnded tells how a shown agent ended. What it said last stays until a key
// is pressed, unless it ended well.
func (m *model) screenEnded(in screenEnded) []cmd {
	switch in.screen {
	case m.peek.screen:
		m.peek.screen = nil
		return nil
	case m.live.screen, m.live.other.screen:
	default:
		return nil
	}
	ended := m.sideOf(in.screen)
	r, _ := m.live.find(ended.shown)
	m.live.forget(r.Host)
	switch {
	case in.err != nil:
		ended.ended = m.endWords(in.err)
		m.live.leaving = m.live.leaving && m.live.ended == ""
	case in.screen == m.live.other.screen:
		m.live.other, m.live.second = side{}, false
		m.say(m.nameOf(r) + " has ended")
	default:
		m.closeSide()
		m.say("back from the session")
		if m.live.screen == nil {
			m.awaited = r.Session
		} else {
			m.say(m.nameOf(r) + " has ended")
		}
		return append(m.lookAgain(), m.afterEnd(r.Session)...)
	}
	return m.lookAgain()
}

// endWords says how an agent ended, and of a host that was killed by which key its
// session comes back.
func (m *model) endWords(err error) string {
	if key := m.keys.key("lost"); errors.Is(err, host.ErrGone) && key != "" {
		return "its host was killed: " + key + " in the dashboard brings the session back"
	}
	return err.Error()
}

// whyNotEnd says why the selected session cannot be ended from here.
func (m *model) whyNotEnd() string {
	r := m.list.selected()
	if r == nil {
		return m.whyNoRow()
	}
	if one, ok := m.live.of(r.ID); ok {
		if one.State == session.StateEnded {
			return "its agent has ended: " + m.keys.key("open") + " shows what it said last"
		}
		return ""
	}
	if r.Live != nil {
		return "this session is live in " + r.Live.Where + ", not behind this window: end it there"
	}
	return "this session is not live"
}

// startEnd asks whether the agent of the selected session is to end.
func (m *model) startEnd() []cmd {
	r, _ := m.live.of(m.list.selected().ID)
	m.openDialog(&endDialog{running: r})
	return nil
}

// endedAgent tells how ending an agent went.
func (m *model) endedAgent(in endedAgent) []cmd {
	if in.err != nil {
		return m.warn(fmt.Sprintf("not ended: %v", in.err))
	}
	r, _ := m.live.find(in.host)
	m.live.forget(in.host)
	m.say(in.name + " has ended")
	return append(m.lookAgain(), m.afterEnd(r.Session)...)
}

// whyNotLeave says that there is no pane to leave; in one the key never comes
// this way.
func whyNotLeave(*model) string { return "no live session is shown" }

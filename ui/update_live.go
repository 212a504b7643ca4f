package ui

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"coppice/session"
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
	waiting := func(id string) bool {
		r := m.data.rows[id]
		return r != nil && r.Live != nil && r.Live.State == session.StateWaiting
	}
	from := m.live.place(m.live.shown)
	for i := range m.live.running {
		r := m.live.running[(from+1+i)%len(m.live.running)]
		if r.Host != m.live.shown && waiting(r.Session) {
			return m.show(r.Host)
		}
	}
	for _, r := range m.data.order {
		if _, ours := m.live.of(r.ID); !ours && waiting(r.ID) {
			m.leavePane()
			m.awaited = r.ID
			m.reveal()
			return m.say("it waits for you, " + cmp.Or(r.Live.Where, "elsewhere") + ": " + m.keys.key("needs-you") + " shows only what runs behind this window")
		}
	}
	return m.say("no session waits for you")
}

// show asks for the screen of a host. What is shown stays until it is there.
func (m *model) show(host string) []cmd {
	r, ok := m.live.find(host)
	switch {
	case host == m.live.shown:
		return nil
	case ok && r.Problem != "":
		return m.warn(r.Problem)
	}
	m.live.wish++
	wish, hosts, area := m.live.wish, m.opt.Hosts, m.paneRect()
	return background(func(ctx context.Context) msg {
		screen, err := hosts.Attach(ctx, host, area.w, area.h)
		return attached{wish: wish, host: host, screen: screen, err: err}
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
	m.leavePane()
	m.note = note{}
	m.live.shown, m.live.screen = in.host, in.screen
	return nil
}

// leavePane goes back to the dashboard. The agent goes on.
func (m *model) leavePane() {
	if m.live.screen == nil {
		return
	}
	_ = m.live.screen.Close()
	m.live.before = m.live.shown
	m.live.wish++
	m.live.shown, m.live.screen, m.live.leaving, m.live.ended, m.live.status = "", nil, false, "", ""
	if r, ok := m.live.find(m.live.before); ok && m.data.rows[r.Session] != nil {
		m.awaited = r.Session
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
	m.live.status = in.status
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
	}
	m.leavePane()
	return nil
}

// screenChanged takes what the shown agent has for others: a bell, a message,
// text for the clipboard, which is nobody's by default (report G8).
func (m *model) screenChanged(in screenChanged) []cmd {
	m.live.status = in.status
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

// agentStarted shows an agent that was started behind the window.
func (m *model) agentStarted(in agentStarted) []cmd {
	if in.err != nil {
		m.openDialog(&failDialog{plan: in.plan, reason: in.err.Error()})
		return nil
	}
	m.note = note{}
	m.preview.full = false
	return append(m.show(in.host), m.lookAgain()...)
}

// screenEnded tells how the shown agent ended. What it said last stays until a
// key is pressed, unless it ended well.
func (m *model) screenEnded(in screenEnded) []cmd {
	if in.screen != m.live.screen {
		return nil
	}
	r, _ := m.live.find(m.live.shown)
	m.live.forget(r.Host)
	if in.err == nil {
		m.leavePane()
		m.say("back from the session")
		m.awaited = r.Session
		return append(m.lookAgain(), m.afterEnd(r.Session)...)
	}
	m.live.ended, m.live.leaving = in.err.Error(), false
	return m.lookAgain()
}

// whyNotEnd says why the selected session cannot be ended from here.
func (m *model) whyNotEnd() string {
	r := m.list.selected()
	if r == nil {
		return m.whyNoRow()
	}
	if _, ok := m.live.of(r.ID); ok {
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

// whyNotNew says why no session can be started.
func (m *model) whyNotNew() string {
	if m.opt.Hosts == nil {
		return "no session can be started behind this window: " + m.opt.NoHosts
	}
	return ""
}

// startNew starts a session in the directory of what is selected.
func (m *model) startNew() []cmd { return m.startIn(m.newDir()) }

// newDir is where a new session starts: the selected checkout, the directory of
// the selected session, or the one that the person stands in.
func (m *model) newDir() string {
	if m.pane() == paneTree {
		if n := m.tree.selected(); n.path != "" {
			return n.path
		} else if repo, ok := m.data.repos[n.project]; ok && repo.Main != "" {
			return repo.Main
		}
	} else if r := m.list.selected(); r != nil && r.Place.Exists && filepath.IsAbs(r.Dir) {
		return r.Dir
	}
	return m.opt.Start
}

// newPlanned starts a new session, or says why not.
func (m *model) newPlanned(in newPlanned) []cmd {
	if in.gen != m.planning || m.quitting {
		return nil
	}
	if in.plan.Action != session.ActionStart {
		return m.warn("no new session: " + strings.Join(in.plan.Blockers, "; "))
	}
	return m.resume(in.plan)
}

// hosted starts the agent of a plan behind the window.
func (m *model) hosted(p session.Plan) []cmd {
	if p.Worktree.Action == session.TreeCreate || p.Worktree.Action == session.TreeRestore {
		return m.hostedInNew(p)
	}
	hosts, area := m.opt.Hosts, m.paneRect()
	m.say("starting " + p.Agent)
	return background(func(ctx context.Context) msg {
		host, err := hosts.Start(ctx, p, area.w, area.h)
		return agentStarted{plan: p, host: host, err: err}
	})
}

// whyNotLeave says that there is no pane to leave; in one the key never comes
// this way.
func whyNotLeave(*model) string { return "no live session is shown" }

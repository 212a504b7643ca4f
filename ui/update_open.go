package ui

import (
	"context"
	"fmt"
	"strings"

	"coppice/session"
)

// whyNoRow says that no session is selected.
func (m *model) whyNoRow() string {
	if m.list.selected() == nil {
		return "no session is selected"
	}
	return ""
}

// whyNotOpen says why Enter cannot act.
func (m *model) whyNotOpen() string {
	if m.pane() == paneTree {
		return ""
	}
	if r := m.list.selected(); r != nil && r.NotReady != "" {
		return "this session cannot be resumed: " + r.NotReady
	}
	return m.whyNoRow()
}

// open resumes the selected session; in the tree it opens the node.
func (m *model) open() []cmd {
	if m.pane() == paneTree {
		n := m.tree.selected()
		if n.kind == nodeFold {
			m.setOpen(n, !n.open)
			return nil
		}
		if n.kind == nodeBranch {
			return m.openBranch(n)
		}
		m.focus = paneList
		return nil
	}
	if m.picking.host != "" {
		return m.takePick()
	}
	if r, ok := m.live.of(m.list.selected().ID); ok {
		return m.show(r.Host)
	}
	return m.makePlan(m.list.selected().Session, session.Request{})
}

// makePlan asks what resuming a session would do. Only the answer to the newest
// wish counts.
func (m *model) makePlan(s session.Session, req session.Request) []cmd {
	m.planning++
	gen, plan, repos := m.planning, m.opt.Plan, m.data.repositories()
	m.say("looking at what resuming would do")
	return background(func(ctx context.Context) msg {
		return planMade{gen: gen, session: s, request: req, plan: plan(ctx, s, repos, req)}
	})
}

// planMade starts a plan that holds nothing unusual and shows any other.
func (m *model) planMade(in planMade) []cmd {
	if in.gen != m.planning || m.quitting {
		return nil
	}
	m.note = note{}
	if in.plan.Unusual() || in.plan.Worktree.Action == session.TreeCreate {
		m.openDialog(newPlanDialog(in))
		return nil
	}
	return m.resume(in.plan)
}

// resume starts the agent behind the window, or hands the terminal to it.
func (m *model) resume(p session.Plan) []cmd {
	m.planning++ // a plan that is still being made is of no interest now
	if p.Fork != nil {
		m.awaited = p.Fork.ID
	}
	switch {
	case m.picking.host != "" && !takesOver(p):
		return m.switchTo(p)
	case m.opt.Hosts != nil:
		return m.hosted(p)
	}
	run := m.opt.Resume
	return foreground(func(ctx context.Context) msg {
		return agentEnded{plan: p, err: run(ctx, p)}
	})
}

// agentEnded looks again at what the agent may have changed and shows why it
// failed, when it did.
func (m *model) agentEnded(in agentEnded) []cmd {
	m.preview.full = false
	id := in.plan.Session
	if in.plan.Fork != nil {
		id = in.plan.Fork.ID
		m.awaited = id
	}
	if in.err != nil {
		m.openDialog(&failDialog{plan: in.plan, reason: in.err.Error()})
		return m.lookAgain()
	}
	m.say("back from the session")
	return append(m.lookAgain(), m.afterEnd(id)...)
}

// lookAgain asks the store to look again at everything.
func (m *model) lookAgain() []cmd {
	m.compared.epoch++
	store := m.opt.Store
	return background(func(context.Context) msg {
		store.Refresh()
		return ticked{}
	})
}

// whyNotRename says why the title cannot be edited.
func (m *model) whyNotRename() string {
	if r := m.list.selected(); r != nil && r.Problem != "" {
		return "this session cannot be renamed: its transcript cannot be read (" + r.Problem + ")"
	}
	return m.whyNoRow()
}

// startRename edits the title of the selected session in place.
func (m *model) startRename() []cmd {
	r := m.list.selected()
	title := bounded(r.Title, maxPart)
	if r.TitleSource == session.TitleNone {
		title = ""
	}
	m.showList()
	m.list.moved = true
	m.rename = &renaming{id: r.ID, field: newField(title)}
	return nil
}

// renameKey handles a key while a title is edited.
func (m *model) renameKey(k keyed) []cmd {
	switch k.name {
	case "Enter":
		return m.acceptRename()
	case "Esc", "Ctrl-C":
		m.rename = nil
		return m.say("the name stays as it was")
	}
	return m.edit(&m.rename.field, k, "Enter renames, Esc keeps the old name")
}

// acceptRename shows the new title at once and writes it beside the loop.
func (m *model) acceptRename() []cmd {
	id, name := m.rename.id, strings.TrimSpace(m.rename.field.String())
	r := m.data.rows[id]
	switch {
	case name == "":
		return m.warn("a session cannot have an empty name; Esc keeps the old one")
	case r == nil:
		m.rename = nil
		return m.warn("the session is gone")
	}
	m.rename = nil
	if name == r.Title && r.TitleSource == session.TitleCustom {
		return m.say("the name stays as it was")
	}
	s, rename := r.Session, m.opt.Rename
	m.retitle(id, name, session.TitleCustom)
	m.say("renaming")
	return background(func(ctx context.Context) msg {
		return renamed{id: id, name: name, was: s, err: rename(ctx, s, name)}
	})
}

// retitle shows another title.
func (m *model) retitle(id, title string, source session.TitleSource) {
	r := m.data.rows[id]
	if r == nil {
		return
	}
	changed := *r
	changed.Title, changed.TitleSource = title, source
	changed.hay = newHaystack(&changed)
	m.data.rows[id] = &changed
	m.data.sort()
	m.list.moved = true
	m.relist()
}

// renamed reports a rename and takes the title back when it did not work.
func (m *model) renamed(in renamed) {
	if in.err == nil {
		m.say("renamed to " + in.name)
		return
	}
	if r := m.data.rows[in.id]; r != nil && r.Title == in.name {
		m.retitle(in.id, in.was.Title, in.was.TitleSource)
	}
	m.warn(fmt.Sprintf("not renamed: %v", in.err))
}

// whyNotPreview says that there is nothing to show.
func (m *model) whyNotPreview() string {
	if _, ok := m.describes(); ok {
		return ""
	}
	return m.whyNoRow()
}

// togglePreview shows the conversation at full width, or no longer.
func (m *model) togglePreview() []cmd {
	m.preview.full = !m.preview.full
	return nil
}

package ui

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"coppice/session"
)

// sessions returns all rows, newest first.
func (m *model) sessions() []session.Session {
	out := make([]session.Session, 0, len(m.data.order))
	for _, r := range m.data.order {
		out = append(out, r.Session)
	}
	return out
}

// whyNotFork says why the selected session cannot be forked.
func (m *model) whyNotFork() string {
	r := m.list.selected()
	switch {
	case r == nil:
		return m.whyNoRow()
	case r.Problem != "":
		return "this session cannot be forked: its transcript cannot be read (" + r.Problem + ")"
	case r.NotReady != "":
		return "this session cannot be forked: " + r.NotReady
	}
	return ""
}

// startFork asks where a fork of the selected session would run.
func (m *model) startFork() []cmd {
	s := m.list.selected().Session
	name, err := session.ForkName(m.sessions(), s, "", session.SuffixFork)
	if err != nil {
		return m.warn(err.Error())
	}
	m.planning++
	gen, plan, repos := m.planning, m.opt.PlanFork, m.data.repositories()
	req := session.Request{Fork: &session.ForkRequest{Name: name}}
	m.say("looking at where the fork would run")
	return background(func(ctx context.Context) msg {
		return forkPlanned{gen: gen, session: s, plan: plan(ctx, s, repos, req)}
	})
}

// forkPlanned asks for the name of the fork, and shows where it will run.
func (m *model) forkPlanned(in forkPlanned) {
	if in.gen != m.planning || m.quitting {
		return
	}
	m.note = note{}
	m.openDialog(newForkDialog(in))
}

// fork makes a fork of a session that runs in dir.
func (m *model) fork(s session.Session, dir, wanted string) []cmd {
	name, err := session.ForkName(m.sessions(), s, wanted, session.SuffixFork)
	if err != nil {
		return m.warn(err.Error())
	}
	plan, fork, repos := m.opt.PlanFork, m.opt.Fork, m.data.repositories()
	req := session.Request{Dir: dir, Fork: &session.ForkRequest{Name: name}}
	m.closeDialog()
	m.say("forking")
	return background(func(ctx context.Context) msg {
		p := plan(ctx, s, repos, req)
		if p.Action != session.ActionFork {
			return forked{plan: p, err: errors.New(strings.Join(slices.Concat(p.Blockers, p.Warnings), "; "))}
		}
		notes, err := fork(ctx, p)
		return forked{plan: p, notes: notes, err: err}
	})
}

// forked says how a fork went. It is selected when its row arrives.
func (m *model) forked(in forked) []cmd {
	if in.err != nil {
		return m.warn(fmt.Sprintf("not forked: %v", in.err))
	}
	words := "forked as " + in.plan.Fork.Name
	if len(in.notes) > 0 {
		words += "; " + strings.Join(in.notes, "; ")
	}
	if in.plan.Fork.Shared {
		m.warn(words + "; it works on the same files as its source, in " + in.plan.Cwd)
	} else {
		m.say(words)
	}
	m.awaited = in.plan.Fork.ID
	return m.lookAgain()
}

// reveal selects the session that is waited for once it is there, and shows it
// where a filter or a folded group hides it.
func (m *model) reveal() {
	r := m.data.rows[m.awaited]
	if r == nil {
		return
	}
	m.awaited = ""
	if r.Hidden != "" && !m.hidden {
		return
	}
	for at := r; at != nil && m.list.folded[at.Parent]; at = m.data.rows[at.Parent] {
		delete(m.list.folded, at.Parent)
	}
	if !m.scope.holds(r) {
		m.setScope(scope{project: r.home.project, set: true})
	}
	if len(m.search.words()) > 0 {
		m.search = search{}
	}
	m.settled = true
	m.relist()
	m.list.seek(r.ID)
	m.list.moved = true
}

package ui

import (
	"context"
	"strings"

	"coppice/session"
)

// whyNotNew says why no session can be started in what is selected.
func (m *model) whyNotNew() string {
	if why := m.whyNoStart(); why != "" {
		return why
	}
	return m.whyNoWorkDir()
}

// whyNoStart says why no session can be started at all.
func (m *model) whyNoStart() string {
	if m.opt.Hosts == nil {
		return "no session can be started behind this window: " + m.opt.NoHosts
	}
	return ""
}

// startNew starts a session in the directory of what is selected.
func (m *model) startNew() []cmd {
	dir, _ := m.workDir()
	return m.startIn(dir)
}

// startIn starts a session in a directory.
func (m *model) startIn(dir string) []cmd {
	m.planning++
	gen, plan := m.planning, m.opt.PlanNew
	m.say("starting a session in " + dir)
	return background(func(ctx context.Context) msg {
		return newPlanned{gen: gen, plan: plan(ctx, session.StartRequest{Dir: dir})}
	})
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
	start, area := m.opt.Hosts.Start, m.paneRect()
	m.say("starting " + p.Agent)
	if takesOver(p) {
		start = m.opt.Hosts.TakeOver
		m.endPick()
		m.say("ending the agent in " + p.Live.Where + ", and starting " + p.Agent)
	}
	return background(func(ctx context.Context) msg {
		host, err := start(ctx, p, area.w, area.h)
		return agentStarted{plan: p, host: host, err: err}
	})
}

// takesOver reports whether a plan ends an agent elsewhere first.
func takesOver(p session.Plan) bool { return p.Live != nil && p.Fork == nil }

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

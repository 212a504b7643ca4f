// Package launch owns how sessions come to run in hosts: one is started, one takes
// the place of another, one is taken over from where it runs, and what a crash or
// a reboot ended is brought back.
//
// It holds that a session has one process: the lease of hosts and the registry of
// the client are asked before every start. It never decides where a session runs
// (that is session's plan), never draws, and ends no process that it cannot name
// for certain.
//
// launch.go starts a plan; check.go is what is looked at before, up.go whether the
// agent came up; switch.go, takeover.go and lost.go are the rest.
package launch

import (
	"context"
	"fmt"

	"coppice/session"
	"coppice/session/host"
	"coppice/session/terminal"
	"coppice/worktree"
)

// Launcher starts sessions in hosts. Its methods may be called from any goroutine;
// they take seconds.
type Launcher struct {
	Dirs    host.Dirs
	Host    []string // the program that runs a host, with its arguments
	Planner session.Planner
	Proc    string // the /proc file system, "" where there is none
	Theme   terminal.Theme
	Program string // name of ours, for an agent that asks
	Memory  Memory

	// Observer is the program, with its arguments, that the hook of an observed agent
	// runs; see host.Spec.
	Observer []string

	// Prepare makes what a plan needs before its agent starts, such as its fork. nil
	// for nothing.
	Prepare func(ctx context.Context, plan session.Plan) error
	// Load returns the sessions and repositories that plans are made of, for what is
	// resumed without a person.
	Load func(ctx context.Context) ([]session.Session, []worktree.Repository, error)
}

// scrollback is how many rows of an agent's output are kept.
const scrollback = 10_000

// Start starts the agent of a plan in a host. The error matches host.ErrLive or
// ErrLive when its session is live by now.
func (l Launcher) Start(ctx context.Context, plan session.Plan, columns, rows int) (host.Info, error) {
	if err := l.ready(ctx, plan); err != nil {
		return host.Info{}, err
	}
	return l.start(ctx, plan, columns, rows)
}

// start starts what is ready.
func (l Launcher) start(ctx context.Context, plan session.Plan, columns, rows int) (host.Info, error) {
	var observer []string
	configured := l.Planner.Config.Agents[plan.Agent]
	if configured.Observer {
		observer = l.Observer
	}
	info, err := host.Start(ctx, l.Dirs, l.Host, host.Spec{
		Host: host.NewID(), Agent: plan.Agent, Session: Started(plan), Name: plan.Name, Root: l.Planner.Root,
		Args: plan.Command, Dir: plan.Cwd, Env: l.Planner.Environ(plan),
		Columns: columns, Rows: rows, Scrollback: scrollback, Theme: l.Theme, Program: l.Program,
		Observer: observer, ObserverAt: len(configured.Command),
	})
	if err != nil {
		return info, fmt.Errorf("start %s: %w", plan.Agent, err)
	}
	l.found(ctx, info.Session, info.Host)
	_ = l.Memory.Keep(info.Session, plan.Cwd, plan.Args) // the agent runs; it is only not offered again
	return info, nil
}

// Started is the id of the session that a plan starts, "" where the agent makes
// one that nobody knows before.
func Started(plan session.Plan) string {
	if plan.Fork != nil {
		return plan.Fork.ID
	}
	return plan.Session
}

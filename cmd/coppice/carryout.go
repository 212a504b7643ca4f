package main

import (
	"context"
	"errors"
	"fmt"

	"coppice/session"
	"coppice/session/host"
	"coppice/ui/text"
)

// startFlags say how a session is started.
type startFlags struct {
	background bool   // behind the window, and its ids are printed
	json       bool   // as one JSON object
	printAs    string // the format of one printed turn, "" for a session in a terminal
}

// Size of the terminal of an agent that nobody looks at yet.
const (
	behindColumns = 120
	behindRows    = 40
)

// carryOut starts the session of a plan: behind the window, in a pane of the
// window, or, where there can be neither, in this terminal.
func (a *app) carryOut(ctx context.Context, plan session.Plan, how startFlags) error {
	if plan.Live != nil {
		if err := a.free(ctx, plan); err != nil {
			return err
		}
	}
	behind, why := a.behind()
	switch {
	case how.background && behind == nil:
		return fmt.Errorf("start behind the window: %s", why)
	case how.printAs != "", !how.background && !a.env.Interactive():
		return a.start(ctx, plan)
	case behind == nil:
		a.warnf("it runs in this terminal and ends with it: %s", why)
		return a.start(ctx, plan)
	}
	info, err := behind.Launcher.Start(ctx, plan, behindColumns, behindRows)
	if err != nil {
		return err
	}
	if how.background {
		return a.tellStarted(info, how.json)
	}
	return a.dashboard(ctx, plan.Cwd, "", info.Host)
}

// startedJSON is `new --bg` and `resume --bg`.
type startedJSON struct {
	Host string `json:"host"`
	ID   string `json:"id"`
	PID  int    `json:"pid"`
	Cwd  string `json:"cwd"`
}

// tellStarted prints where a session runs.
func (a *app) tellStarted(h host.Info, asJSON bool) error {
	if asJSON {
		return a.printJSON(startedJSON{Host: h.Host, ID: h.Session, PID: h.PID, Cwd: h.Dir})
	}
	id := h.Session
	if id == "" {
		id = "-"
	}
	return a.printf("%s  %s  %s\n", h.Host, text.Clean(id), text.Clean(h.Dir))
}

// free ends the agent elsewhere that has the session of a plan open.
func (a *app) free(ctx context.Context, plan session.Plan) error {
	l, err := a.launcher()
	if err != nil {
		return err
	}
	return l.Free(ctx, plan)
}

// joins returns the host that a resume shows because the session is live in it,
// with or without a transcript yet; s and err are what choose says.
func (a *app) joins(ctx context.Context, s session.Session, err error, opt resumeOptions) (host.Host, bool) {
	name := s.ID
	switch {
	case opt.fork || opt.once:
		return host.Host{}, false
	case errors.Is(err, session.ErrNotFound) && opt.name != "":
		name = opt.name
	case err != nil, !opt.plan && !a.canJoin(opt), a.holder(s.ID) == "":
		return host.Host{}, false
	}
	h, err := a.findLive(ctx, name)
	return h, err == nil
}

// join shows a session that is live behind the window already.
func (a *app) join(ctx context.Context, h host.Host, opt resumeOptions) error {
	if opt.prompt != "" || opt.mode != "" || opt.dir != "" || opt.args != nil {
		a.warnf("it is live already: what else was asked for is not done")
	}
	if opt.start.background {
		return a.tellStarted(h.Info, opt.start.json)
	}
	return a.dashboard(ctx, h.Dir, "", h.Host)
}

// canJoin reports whether a session that is live can be shown, or its ids printed.
func (a *app) canJoin(opt resumeOptions) bool { return opt.start.background || a.env.Interactive() }

// holder returns the host that has a session open, "" for none.
func (a *app) holder(id string) string {
	holder, _, _ := host.Held(a.hostDirs(), a.dirs().Agent, id) // what cannot be looked at is told at the start
	return holder
}

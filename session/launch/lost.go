package launch

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"coppice/session"
	"coppice/session/host"
)

// Lost is a session that was live when its host was killed, crashed, or went with
// the whole system.
type Lost struct {
	Host    string // that it was live in
	Session string // "" for an agent without sessions
	Name    string // "" for none
	Agent   string // name in the configuration
	Dir     string
	Started time.Time // since when it was live
	Why     string    // how it was lost, in words
	Args    []string  // its command line
}

func lostOf(info host.Info) Lost {
	return Lost{
		Host: info.Host, Session: info.Session, Name: info.Name, Agent: info.Agent, Dir: info.Dir,
		Started: info.Started, Args: info.Args,
	}
}

// Lost returns what was lost, in the order in which it was started. What is live
// again, or was since, is not.
func (l Launcher) Lost(ctx context.Context) ([]Lost, error) {
	all, err := host.List(ctx, l.Dirs)
	if err != nil {
		return nil, err
	}
	live := session.ReadLive(l.Planner.Root, l.Proc)
	var lost []Lost
	for i, h := range all {
		if h.Root != l.Planner.Root || h.State != host.Gone {
			continue
		}
		_, again := live[h.Session]
		if h.Session != "" {
			again = again || slices.ContainsFunc(all[i+1:], func(later host.Host) bool {
				return later.Root == h.Root && later.Session == h.Session
			})
		}
		if !again {
			one := lostOf(h.Info)
			one.Why = h.Reason
			lost = append(lost, one)
		}
	}
	return lost, nil
}

// Brought says what became of one lost session.
type Brought struct {
	Lost Lost
	Host string // that it is live in now, "" with an Err
	Note string // what a person should know, "" for nothing
	Err  error  // why it was not brought back
}

// BringBack starts lost sessions again, one after the other and so in their order,
// each by its id. One that cannot be is named with the reason and stays lost; the
// others go on.
func (l Launcher) BringBack(ctx context.Context, lost []Lost, columns, rows int) []Brought {
	again := l.planner(ctx)
	back := make([]Brought, 0, len(lost))
	for _, one := range lost {
		b := Brought{Lost: one}
		plan, err := again(one)
		if err == nil {
			b.Note = strings.Join(plan.Warnings, "; ")
			var info host.Info
			info, err = l.Start(ctx, plan, columns, rows)
			b.Host = info.Host
		}
		if b.Err = err; err == nil {
			_ = host.Forget(l.Dirs, one.Host)
		}
		back = append(back, b)
	}
	return back
}

// Dismiss forgets lost sessions: they are not offered again. Their transcripts
// stay.
func (l Launcher) Dismiss(_ context.Context, lost []Lost) error {
	var failed error
	for _, one := range lost {
		if err := host.Forget(l.Dirs, one.Host); err != nil {
			failed = errors.Join(failed, err)
		}
	}
	return failed
}

// found forgets what was lost of a session that is live again.
func (l Launcher) found(ctx context.Context, id, now string) {
	if id == "" {
		return
	}
	all, _ := host.List(ctx, l.Dirs)
	for _, h := range all {
		if h.State == host.Gone && h.Root == l.Planner.Root && h.Session == id && h.Host != now {
			_ = host.Forget(l.Dirs, h.Host)
		}
	}
}

// resume starts again what was live, as it was.
func (l Launcher) resume(ctx context.Context, one Lost, columns, rows int) (host.Info, error) {
	plan, err := l.planner(ctx)(one)
	if err != nil {
		return host.Info{}, err
	}
	return l.Start(ctx, plan, columns, rows)
}

// planner returns what makes the plan that starts again what was live. Sessions
// are read once.
func (l Launcher) planner(ctx context.Context) func(Lost) (session.Plan, error) {
	sessions, repos, failed := l.Load(ctx)
	return func(one Lost) (session.Plan, error) {
		if failed != nil {
			return session.Plan{}, failed
		}
		if one.Session == "" {
			return l.anew(one), nil
		}
		s, err := session.Resolve(sessions, one.Session)
		var plan session.Plan
		switch {
		case errors.Is(err, session.ErrNotFound): // nothing was said in it yet (report C15)
			plan = l.Planner.Start(ctx, session.StartRequest{Dir: one.Dir, ID: one.Session, Name: one.Name, Agent: one.Agent})
		case err != nil:
			return session.Plan{}, err
		default:
			plan = l.Planner.Plan(ctx, s, repos, session.Request{Agent: one.Agent})
		}
		plan.Name = one.Name
		if plan.Action == session.ActionChoose {
			plan.Blockers = append(plan.Blockers, slices.Clone(plan.Warnings)...)
			plan.Blockers = append(plan.Blockers, fmt.Sprintf("say where to go on: coppice resume %s --dir DIR", one.Session))
		}
		return plan, nil
	}
}

// anew is the plan of an agent without sessions: the same command line in the same
// directory. What it held is lost.
func (l Launcher) anew(one Lost) session.Plan {
	return session.Plan{
		Action: session.ActionStart, Name: one.Name, Agent: one.Agent, Cwd: one.Dir, Command: one.Args,
		Warnings: []string{"it has no session that could be resumed, and was started anew"},
	}
}

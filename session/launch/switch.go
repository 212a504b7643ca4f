package launch

import (
	"context"
	"errors"
	"fmt"
	"time"

	"coppice/session"
	"coppice/session/host"
)

// Switched says how a switch ended.
type Switched struct {
	Host host.Info // what runs now
	// Back is why the target did not come up and the session before was resumed, nil
	// when the target runs.
	Back error
	Note string // what a person should know, "" for nothing
}

// Switch ends the agent of a host and starts that of a plan in its place. The
// target is looked at fully before anything ends. It starts when the agent before
// is gone, and with it the hooks that its end started, so that SessionEnd comes
// before SessionStart. When it ends before it is up, the session before is
// resumed. With an error that matches ErrEnded nothing runs; with any other the
// agent before goes on.
func (l Launcher) Switch(ctx context.Context, from string, plan session.Plan, columns, rows int) (Switched, error) {
	before, err := l.find(ctx, from)
	if err != nil {
		return Switched{}, err
	}
	if id := Started(plan); id != "" && id == before.Session {
		return Switched{}, fmt.Errorf("%w: it is the session that runs already, in host %s", ErrPlan, from)
	}
	if err := l.ready(ctx, plan); err != nil {
		return Switched{}, err
	}
	note, err := l.end(ctx, before)
	if err != nil {
		return Switched{}, err
	}
	info, err := l.start(ctx, plan, columns, rows)
	if err == nil {
		if err = l.up(ctx, info, plan, columns, rows); err == nil {
			return Switched{Host: info, Note: note}, nil
		}
		_, _ = host.Stop(context.WithoutCancel(ctx), l.Dirs, info.Host)
	}
	return l.back(context.WithoutCancel(ctx), before, err, columns, rows)
}

// ErrEnded is returned for a switch after which nothing runs.
var ErrEnded = errors.New("the session before has ended")

// back resumes the session that a switch ended for nothing.
func (l Launcher) back(ctx context.Context, before host.Info, why error, columns, rows int) (Switched, error) {
	ctx, cancel := context.WithTimeout(ctx, backWait)
	defer cancel()
	info, err := l.resume(ctx, lostOf(before), columns, rows)
	if err != nil {
		return Switched{}, fmt.Errorf("%w, and could not be resumed (%w); the other one did not come up: %w", ErrEnded, err, why)
	}
	return Switched{Host: info, Back: why}, nil
}

// backWait bounds the way back, which nobody can call off.
const backWait = time.Minute

// find returns a host that runs.
func (l Launcher) find(ctx context.Context, id string) (host.Info, error) {
	all, err := host.List(ctx, l.Dirs)
	if err != nil {
		return host.Info{}, err
	}
	for _, h := range all {
		if h.Host == id && (h.State == host.Running || h.State == host.Version) {
			return h.Info, nil
		}
	}
	return host.Info{}, fmt.Errorf("host %s: %w", id, host.ErrGone)
}

// end ends the agent of a host, and waits for the hooks of its end.
func (l Launcher) end(ctx context.Context, before host.Info) (note string, err error) {
	hooks := watchHooks(processes(l.Proc), before.PID)
	defer hooks.stop()
	if _, err := host.Stop(ctx, l.Dirs, before.Host); err != nil {
		return "", err
	}
	return hooks.wait(ctx), nil
}

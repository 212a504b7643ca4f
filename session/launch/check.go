package launch

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"

	"coppice/session"
	"coppice/session/host"
)

// ErrLive is returned for a session that an agent elsewhere has open.
var ErrLive = errors.New("the session is live elsewhere")

// ErrPlan is returned for a plan that cannot be carried out, or no longer.
var ErrPlan = errors.New("it cannot be started")

// ready looks once more at everything that the start of a plan needs, and makes
// what it needs made.
func (l Launcher) ready(ctx context.Context, plan session.Plan) error {
	if err := l.check(plan); err != nil {
		return err
	}
	if err := l.outlive(ctx, Started(plan)); err != nil {
		return err
	}
	if l.Prepare != nil {
		if err := l.Prepare(ctx, plan); err != nil {
			return err
		}
	}
	if info, err := os.Stat(plan.Cwd); err != nil || !info.IsDir() {
		return fmt.Errorf("%w: %s is no directory any more", ErrPlan, plan.Cwd)
	}
	return nil
}

// check looks at what a plan needs and nobody makes.
func (l Launcher) check(plan session.Plan) error {
	switch {
	case plan.Action != session.ActionResume && plan.Action != session.ActionStart:
		return fmt.Errorf("%w: %s", ErrPlan, cmp.Or(strings.Join(plan.Blockers, "; "), plan.Action))
	case len(plan.Command) == 0:
		return fmt.Errorf("%w: agent %s has no command", ErrPlan, plan.Agent)
	}
	if plan.Action == session.ActionResume && plan.Transcript != "" {
		if info, err := os.Stat(plan.Transcript); err != nil || info.Size() == 0 {
			return fmt.Errorf("%w: its transcript %s is gone or empty", ErrPlan, plan.Transcript)
		}
	}
	look := l.Planner.LookPath
	if look == nil {
		look = exec.LookPath
	}
	if _, err := look(plan.Command[0]); err != nil {
		return fmt.Errorf("%w: the agent program cannot be run: %w", ErrPlan, err)
	}
	return l.checkFree(Started(plan))
}

// checkFree says whether an agent has a session open.
func (l Launcher) checkFree(id string) error {
	if id == "" {
		return nil
	}
	if holder, held, err := host.Held(l.Dirs, l.Planner.Root, id); err != nil {
		return err
	} else if held {
		return &host.LiveError{Session: id, Host: holder}
	}
	if live, ok := l.live(id); ok {
		return fmt.Errorf("%w, in %s: end it there, take it over, or resume a fork of it", ErrLive, live.Where)
	}
	return nil
}

// outlive waits for the end of an agent whose host was killed, which takes a moment
// for its hooks. One that does not end still has its session.
func (l Launcher) outlive(ctx context.Context, id string) error {
	pid, start, ok := host.Orphan(l.Dirs, l.Planner.Root, id)
	if !ok || id == "" {
		return nil
	}
	processes(l.Proc).gone(ctx, pid, start)
	if _, _, still := host.Orphan(l.Dirs, l.Planner.Root, id); still {
		return fmt.Errorf("%w: its host was killed, and its agent goes on as process %d: end that one first, or resume a fork of the session", ErrLive, pid)
	}
	return nil
}

// live returns the agent that says that it has a session open.
func (l Launcher) live(id string) (session.Live, bool) {
	live, ok := session.ReadLive(l.Planner.Root, l.Proc)[id]
	return live, ok
}

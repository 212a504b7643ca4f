package launch

import (
	"context"
	"errors"
	"fmt"
	"os"
	"syscall"
	"time"

	"coppice/session"
	"coppice/session/host"
)

// takeWait is how long an agent elsewhere may take to end: its hooks have their
// own budgets (observed E).
const takeWait = 15 * time.Second

// TakeOver ends the agent that has the session of a plan open, and starts the plan
// when it is gone; see Free.
func (l Launcher) TakeOver(ctx context.Context, plan session.Plan, columns, rows int) (host.Info, error) {
	if err := l.Free(ctx, plan); err != nil {
		return host.Info{}, err
	}
	return l.Start(ctx, plan, columns, rows)
}

// Free ends the agent that has the session of a plan open, if there is one. The
// plan is one that was asked for with session.Request.TakeOver. The agent gets
// SIGTERM and time for its hooks, and nothing worse: one that does not end is an
// error, as is one that is not certain to be the process that registered.
func (l Launcher) Free(ctx context.Context, plan session.Plan) error {
	id := Started(plan)
	var ours *host.LiveError
	err := l.check(plan)
	switch {
	case errors.As(err, &ours) && ours.Host != "":
		_, err = host.Stop(ctx, l.Dirs, ours.Host)
	case errors.Is(err, ErrLive):
		err = l.endElsewhere(ctx, id)
	}
	if err != nil {
		return fmt.Errorf("take over session %s: %w", id, err)
	}
	return nil
}

// endElsewhere ends the agent that the registry names for a session.
func (l Launcher) endElsewhere(ctx context.Context, id string) error {
	live, ok := l.live(id)
	if !ok {
		return nil
	}
	process, err := os.FindProcess(live.PID) // from here on it is that one or none
	if err != nil {
		return err
	}
	defer func() { _ = process.Release() }()
	switch now, still := l.live(id); {
	case !still:
		return nil
	case now.PID != live.PID, now.State == session.StateUnknown:
		return fmt.Errorf("it is not certain that %s has it open (%s): end it there", now.Where, now.Reason)
	}
	proc := processes(l.Proc)
	start, _ := proc.start(live.PID)
	hooks := watchHooks(proc, live.PID)
	defer hooks.stop()
	if err := process.Signal(syscall.SIGTERM); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return fmt.Errorf("end process %d: %w", live.PID, err)
	}
	_ = process.Signal(syscall.SIGCONT) // a stopped one would not hear it
	if !proc.gone(ctx, live.PID, start) {
		return fmt.Errorf("process %d was asked to end and has not: end it there", live.PID)
	}
	hooks.wait(ctx)
	return nil
}

// gone waits until a process has ended, for at most takeWait.
func (p processes) gone(ctx context.Context, pid int, start string) bool {
	late := time.NewTimer(takeWait)
	defer late.Stop()
	again := time.NewTicker(hooksAgain)
	defer again.Stop()
	for {
		if now, ok := p.start(pid); !ok || now != start {
			return true
		}
		select {
		case <-ctx.Done():
			return false
		case <-late.C:
			return false
		case <-again.C:
		}
	}
}

package main

import (
	"context"
	"errors"
	"fmt"

	"coppice/session"
	"coppice/session/agent"
)

// start runs the agent of a plan in the foreground until it ends.
func (a *app) start(ctx context.Context, plan session.Plan) error {
	err := a.lend(ctx, plan)
	var exit *agent.ExitError
	if errors.As(err, &exit) {
		// The id, since a name may have changed meanwhile (report C17).
		return fmt.Errorf("%w; to try again: coppice resume %s", err, plan.Session)
	}
	return err
}

// lend runs the agent of a plan and lends it the terminal.
func (a *app) lend(ctx context.Context, plan session.Plan) error {
	a.lent.Store(true)
	defer a.lent.Store(false)
	return agent.Run(ctx, agent.Cmd{
		Args: plan.Command,
		Dir:  plan.Cwd,
		Env:  a.planner().Environ(plan),
		In:   a.env.Stdin,
		Out:  a.env.Stdout,
		Err:  a.env.Stderr,
	})
}

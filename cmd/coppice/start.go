package main

import (
	"context"
	"errors"
	"fmt"

	"coppice/session"
	"coppice/session/agent"
	"coppice/session/launch"
	"coppice/ui/text"
)

// start runs the agent of a plan in the foreground until it ends.
func (a *app) start(ctx context.Context, plan session.Plan) error {
	_ = a.memory().Keep(launch.Started(plan), plan.Cwd, plan.Args) // it can run; it is only not offered again
	err := a.lend(ctx, plan)
	var exit *agent.ExitError
	if errors.As(err, &exit) {
		// The id, since a name may have changed meanwhile (report C17).
		return fmt.Errorf("%w; to try again: coppice resume %s", err, launch.Started(plan))
	}
	return err
}

// lendAndHold is lend for the dashboard: when the agent failed, what it said stays
// on the screen until the person has read it.
func (a *app) lendAndHold(ctx context.Context, plan session.Plan) error {
	err := a.lend(ctx, plan)
	var exit *agent.ExitError
	if errors.As(err, &exit) {
		a.hold(ctx, exit, plan)
	}
	return err
}

// hold says how to try again and waits for Enter, the end of input, or ctx.
func (a *app) hold(ctx context.Context, exit *agent.ExitError, plan session.Plan) {
	again := text.Clean(agent.QuoteIn(plan.Cwd, plan.Command))
	_ = a.printf("\ncoppice: %s\nto try again: %s\nEnter goes back to the dashboard. ", text.Clean(exit.Error()), again)
	waitForLine(ctx, a.env.Stdin)
}

// lend runs the agent of a plan, on the fork that the plan asks for, and lends it
// the terminal: never a second agent on a session that is live behind the window.
func (a *app) lend(ctx context.Context, plan session.Plan) error {
	if err := a.checkEnded(launch.Started(plan)); err != nil {
		return fmt.Errorf("resume session %s: %w", launch.Started(plan), err)
	}
	if err := a.makeFirst(ctx, plan); err != nil {
		return err
	}
	return a.lendTerminal(ctx, plan)
}

// lendTerminal runs the command of a plan in the foreground until it ends.
func (a *app) lendTerminal(ctx context.Context, plan session.Plan) error {
	a.lent.Store(true)
	err := agent.Run(ctx, agent.Cmd{
		Args: plan.Command,
		Dir:  plan.Cwd,
		Env:  a.planner().Environ(plan),
		In:   a.env.Stdin,
		Out:  a.env.Stdout,
		Err:  a.env.Stderr,
	})
	a.lent.Store(false)
	if err := a.settle(context.WithoutCancel(ctx), nil, plan.Cwd); err != nil {
		a.warnf("%v", err)
	}
	return err
}

package main

import (
	"context"
	"io"
	"time"

	"github.com/spf13/cobra"

	"coppice/session/host"
	"coppice/session/observe"
)

// observeCommandName is the name of the command that an agent's hook runs.
const observeCommandName = "observe"

// observeCommand tells a host of an event of its agent. An agent runs it, and no
// person: it says nothing and is always well, also when the host is gone.
func (a *app) observeCommand() *cobra.Command {
	return &cobra.Command{
		Use:               observeCommandName,
		Hidden:            true,
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 1 {
				tellEvent(cmd.Context(), args[0], a.env.Stdin)
			}
			return nil
		},
	}
}

// Bounds of an event: an agent waits for its hooks, and nobody's output is endless
// on purpose.
const (
	observeWait = 5 * time.Second
	observeRest = 16 << 20 // bytes
)

// tellEvent tells a host of the event on in, and takes the rest of it: an agent may
// complain when nobody reads what it says.
func tellEvent(ctx context.Context, socket string, in io.Reader) {
	ctx, cancel := context.WithTimeout(ctx, observeWait)
	defer cancel()
	told := make(chan struct{})
	go func() { // which nothing but the end of in ends
		defer close(told)
		if e, err := observe.ReadEvent(in); err == nil {
			_ = host.Tell(ctx, socket, e)
		}
		_, _ = io.CopyN(io.Discard, in, observeRest)
	}()
	select {
	case <-told:
	case <-ctx.Done():
	}
}

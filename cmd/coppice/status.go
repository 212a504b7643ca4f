package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"coppice/session"
	"coppice/session/host"
)

// statusJSON is `status`: how many sessions are live, and how many of them do what.
type statusJSON struct {
	Live       int `json:"live"`
	NeedsYou   int `json:"needsYou"`
	Working    int `json:"working"`
	Idle       int `json:"idle"`
	Background int `json:"background"`
	Unknown    int `json:"unknown"`
}

func (a *app) statusCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "status",
		Short: "Say in one line how many sessions are live, for the prompt of a shell or tmux",
		Long: "Say in one line how many sessions are live, and how many need you. Nothing is printed\n" +
			"while none is live. It is quick enough for the prompt of a shell, and for tmux:\n\n" +
			"  set -g status-right '#(coppice status)'",
		Args:              atMost(0),
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(*cobra.Command, []string) error {
			s, err := a.status()
			switch {
			case err != nil:
				return err
			case asJSON:
				return a.printJSON(s)
			case s.Live == 0:
				return nil
			}
			return a.print(s.line() + "\n")
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object (docs/json.md)")
	return cmd
}

// status counts what is live. It asks nobody: hosts write down what their agents do.
func (a *app) status() (s statusJSON, err error) {
	all, err := host.Known(a.hostDirs())
	if err != nil {
		return s, fmt.Errorf("count live sessions: %w", err)
	}
	for _, l := range a.liveBy(all) {
		s.count(l.State)
	}
	for _, h := range all {
		if h.Root == a.dirs().Agent && h.Session == "" { // an agent without sessions
			s.count(statusOf(h).State)
		}
	}
	return s, nil
}

// count counts one session.
func (s *statusJSON) count(state session.State) {
	s.Live++
	switch state {
	case session.StateWaiting:
		s.NeedsYou++
	case session.StateWorking, session.StateStarting:
		s.Working++
	case session.StateIdle:
		s.Idle++
	case session.StateBackground:
		s.Background++
	case session.StateUnknown, session.StateEnded:
		s.Unknown++
	}
}

// line is the status for a person.
func (s statusJSON) line() string {
	line := fmt.Sprintf("%d live", s.Live)
	if s.NeedsYou > 0 {
		verb := "need"
		if s.NeedsYou == 1 {
			verb = "needs"
		}
		line += fmt.Sprintf(" · %d %s you", s.NeedsYou, verb)
	}
	return line
}

package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"coppice/session"
	"coppice/session/host"
	"coppice/ui/text"
)

func (a *app) psCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:               "ps",
		Short:             "List the sessions that are live behind the window",
		Args:              atMost(0),
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, _ []string) error {
			all, err := host.List(cmd.Context(), a.hostDirs())
			if err != nil {
				return fmt.Errorf("list live sessions: %w", err)
			}
			live := session.ReadLive(a.dirs().Agent, a.env.Proc)
			rows := []psJSON{}
			for _, h := range all {
				if h.Root == a.dirs().Agent {
					rows = append(rows, toPsJSON(h, live))
				}
			}
			if asJSON {
				return a.printJSON(rows)
			}
			return a.printPs(rows)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON array (docs/json.md)")
	return cmd
}

// psJSON is a row of `ps`.
type psJSON struct {
	Host   string     `json:"host"`
	ID     string     `json:"id"`
	Agent  string     `json:"agent"`
	PID    int        `json:"pid"`
	Cwd    string     `json:"cwd"`
	State  string     `json:"state"`
	Need   string     `json:"need"`
	Since  *time.Time `json:"since"`
	Source string     `json:"source"`
	Where  string     `json:"where"`
	Why    string     `json:"why"`
}

// toPsJSON says what is known of a host: what its agent does, as far as that
// registers, else what became of the host.
func toPsJSON(h host.Host, live map[string]session.Live) psJSON {
	row := psJSON{
		Host: h.Host, ID: h.Session, Agent: h.Agent, PID: h.PID, Cwd: h.Dir,
		State: string(h.State), Since: at(h.Started), Source: "host", Where: "host " + h.Host, Why: h.Reason,
	}
	if h.State == host.Ended {
		row.Since = at(h.Ended)
	}
	if l, ok := live[h.Session]; ok && h.State == host.Running {
		row.State, row.Need, row.Since, row.Source, row.Why = string(l.State), string(l.Need), at(l.Since), string(l.Source), l.Reason
	}
	return row
}

// printPs prints the rows for a person.
func (a *app) printPs(rows []psJSON) error {
	if len(rows) == 0 {
		return a.print("no session is live behind the window\n")
	}
	var b strings.Builder
	for _, r := range rows {
		state := r.State
		if r.Why != "" {
			state += ": " + r.Why
		}
		fmt.Fprintf(&b, "%s  %s  %s  %s  %s\n", r.Host, text.Pad(text.Clean(cmp.Or(r.ID, "-")), 36),
			text.Pad(text.Clean(r.Agent), 8), text.Clean(r.Cwd), text.Clean(state))
	}
	return a.print(b.String())
}

func (a *app) stopCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "stop HOST|ID",
		Short: "End the agent of a session that is live behind the window",
		Long: "End the agent of a session that is live behind the window, politely: it has time for\n" +
			"what it does at an end. `coppice ps` names hosts and ids; of an id eight characters will do.",
		Args:              exactly(1, "one host or session"),
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE:              func(cmd *cobra.Command, args []string) error { return a.stopHost(cmd.Context(), args[0]) },
	}
}

// stopHost ends the agent of a host that runs.
func (a *app) stopHost(ctx context.Context, arg string) error {
	all, err := host.List(ctx, a.hostDirs())
	if err != nil {
		return fmt.Errorf("list live sessions: %w", err)
	}
	found, err := findHost(all, arg)
	if err != nil {
		return err
	}
	info, err := host.Stop(ctx, a.hostDirs(), found.Host)
	if err != nil {
		return err
	}
	how := "has ended"
	if end := info.Err(); end != nil && !errors.Is(end, host.ErrGone) {
		how = "has ended: " + end.Error()
	}
	return a.printf("%s %s\n", text.Clean(found.Host), text.Clean(how))
}

// hostOfLeast is how many characters of a session's id name its host.
const hostOfLeast = 8

// findHost returns the host that runs under an id, or that has a session open
// which arg names or, with eight characters or more, begins.
func findHost(all []host.Host, arg string) (host.Host, error) {
	var found []host.Host
	var sessions []session.Session
	for _, h := range all {
		begins := len(arg) >= hostOfLeast && strings.HasPrefix(h.Session, strings.ToLower(arg))
		if runs := h.State == host.Running || h.State == host.Version; runs && (h.Host == arg || begins) {
			found, sessions = append(found, h), append(sessions, session.Session{ID: h.Session, Title: h.Agent, Dir: h.Dir})
		}
	}
	switch len(found) {
	case 0:
		return host.Host{}, fmt.Errorf("%w: %q is not live behind the window; `coppice ps` lists what is", session.ErrNotFound, arg)
	case 1:
		return found[0], nil
	}
	return host.Host{}, &session.AmbiguousError{Value: arg, Candidates: sessions}
}

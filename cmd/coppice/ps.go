package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"coppice/session"
	"coppice/session/host"
	"coppice/ui/text"
)

func (a *app) psCommand() *cobra.Command {
	var asJSON, all bool
	cmd := &cobra.Command{
		Use:   "ps",
		Short: "List the live sessions: behind the window, and elsewhere on this machine",
		Long: "List the live sessions: behind the window, and elsewhere on this machine, with what each\n" +
			"agent does. What ran behind the window and ended is listed until somebody has read how, a\n" +
			"shell or an editor that ended well not at all; what was lost at a crash until it is brought\n" +
			"back or forgotten (`coppice bring-back`). --all lists what ended in the last days, too.",
		Args:              atMost(0),
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, _ []string) error {
			rows, err := a.ps(cmd.Context(), all)
			if err != nil {
				return err
			}
			if asJSON {
				return a.printJSON(rows)
			}
			return a.printPs(rows)
		},
	}
	cmd.Flags().BoolVar(&all, "all", false, "also what has ended, as far as it is remembered")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON array (docs/json.md)")
	return cmd
}

// tells reports whether a host has something to tell a person who has not asked for
// all: it is live, or nobody has read yet how it ended.
func tells(h host.Host) bool {
	return h.State != host.Ended || h.Unread && (h.Session != "" || h.Reason != "")
}

// ps returns what our hosts have, the oldest first, and then what is live elsewhere;
// with over also what has ended and was read.
func (a *app) ps(ctx context.Context, over bool) ([]psJSON, error) {
	all, err := host.List(ctx, a.hostDirs())
	if err != nil {
		return nil, fmt.Errorf("list live sessions: %w", err)
	}
	root, live := a.dirs().Agent, a.liveBy(all)
	rows := []psJSON{}
	for _, h := range all {
		if h.Root == root && (over || tells(h)) {
			rows = append(rows, toPsJSON(h, live))
		}
	}
	for _, id := range slices.Sorted(maps.Keys(live)) {
		if l := live[id]; l.Host == "" {
			if where := a.finder().Where(ctx, l.PID); where != "" && l.State != session.StateUnknown {
				l.Where = where
			}
			rows = append(rows, psJSON{ID: id, PID: l.PID, Cwd: l.Dir, Where: l.Where}.does(l.Status))
		}
	}
	return rows, nil
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

// does is the row with what the agent does.
func (r psJSON) does(s session.Status) psJSON {
	r.State, r.Need, r.Since, r.Source, r.Why = string(s.State), string(s.Need), at(s.Since), string(s.Source), s.Reason
	return r
}

// toPsJSON says what the agent of a host does, or else what became of the host.
func toPsJSON(h host.Host, live map[string]session.Live) psJSON {
	row := psJSON{
		Host: h.Host, ID: h.Session, Agent: h.Agent, PID: h.PID, Cwd: h.Dir,
		State: string(h.State), Since: at(h.Started), Source: "host", Where: "host " + h.Host, Why: h.Reason,
	}
	if h.State == host.Ended {
		row.Since = at(h.Ended)
	}
	if h.State != host.Running {
		return row
	}
	if l, ok := live[h.Session]; ok && l.Host == h.Host {
		return row.does(l.Status)
	}
	return row.does(statusOf(h)) // an agent without sessions
}

// printPs prints the rows for a person.
func (a *app) printPs(rows []psJSON) error {
	if len(rows) == 0 {
		return a.print("no session is live\n")
	}
	var b strings.Builder
	for _, r := range rows {
		state := r.State
		if r.Need != "" {
			state += " for " + r.Need
		}
		if r.Why != "" {
			state += ": " + r.Why
		}
		fmt.Fprintf(&b, "%s  %s  %s  %s  %s  %s\n", text.Pad(cmp.Or(r.Host, "-"), 8), text.Pad(text.Clean(cmp.Or(r.ID, "-")), 36),
			text.Pad(text.Clean(cmp.Or(r.Agent, "-")), 8), text.Clean(r.Cwd), text.Clean(state), text.Clean(r.Where))
	}
	return a.print(b.String())
}

func (a *app) stopCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "stop HOST|ID|NAME",
		Short: "End the agent of a session that is live behind the window",
		Long: "End the agent of a session that is live behind the window, politely: it has time for\n" +
			"what it does at an end. For one that has ended already it says how. `coppice ps` names\n" +
			"hosts and ids; of an id eight characters will do.",
		Args:              exactly(1, "one host or session"),
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE:              func(cmd *cobra.Command, args []string) error { return a.stopHost(cmd.Context(), args[0]) },
	}
}

// stopHost ends the agent of a host that runs, and says how it ended.
func (a *app) stopHost(ctx context.Context, arg string) error {
	found, err := a.findLive(ctx, arg)
	var over *endedError
	switch {
	case errors.As(err, &over) && over.host.State == host.Gone:
		return a.printf("%s %s\n", text.Clean(over.host.Host), text.Clean(ended(over.host.Reason)))
	case errors.As(err, &over):
		found = over.host // its host may wait for somebody who reads how
	case err != nil:
		return err
	}
	info, err := host.Stop(ctx, a.hostDirs(), found.Host)
	if err != nil {
		return err
	}
	how := ""
	if end := info.Err(); end != nil && !errors.Is(end, host.ErrGone) {
		how = end.Error()
	}
	return a.printf("%s %s\n", text.Clean(found.Host), text.Clean(ended(how)))
}

package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"coppice/session"
	"coppice/session/host"
	"coppice/session/launch"
	"coppice/ui/text"
)

// bringBackOptions are the flags of bring-back.
type bringBackOptions struct{ list, forget, json bool }

func (a *app) bringBackCommand() *cobra.Command {
	var opt bringBackOptions
	cmd := &cobra.Command{
		Use:   "bring-back [HOST|ID...]",
		Short: "Start again what was live at a crash or a reboot",
		Long: "Start again, behind the window, the sessions that were live when their hosts were killed or\n" +
			"the system was started anew: in their order, where they belong, each by its id. Those that\n" +
			"cannot be are named with the reason, and stay on the list.",
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, args []string) error {
			if opt.list && opt.forget {
				return usagef("--list and --forget exclude each other")
			}
			return a.bringBack(cmd.Context(), args, opt)
		},
	}
	f := cmd.Flags()
	f.BoolVar(&opt.list, "list", false, "print what was live, and start nothing")
	f.BoolVar(&opt.forget, "forget", false, "take it off the list, and start nothing; the sessions stay")
	f.BoolVar(&opt.json, "json", false, "print one JSON array (docs/json.md)")
	return cmd
}

// bringBack does what is asked for with what was lost.
func (a *app) bringBack(ctx context.Context, args []string, opt bringBackOptions) error {
	l, err := a.launcher()
	if err != nil {
		return err
	}
	lost, err := l.Lost(ctx)
	if err == nil {
		lost, err = chooseLost(lost, args)
	}
	if err != nil {
		return err
	}
	var rows []lostJSON
	switch {
	case opt.list:
		rows = lostRows(lost)
	case opt.forget:
		rows = lostRows(lost)
		err = l.Dismiss(ctx, lost)
	default:
		var failed int
		for _, b := range l.BringBack(ctx, lost, behindColumns, behindRows) {
			row := toLostJSON(b.Lost)
			row.Now, row.Note = b.Host, b.Note
			if b.Err != nil {
				row.Problem = b.Err.Error()
				failed++
			}
			rows = append(rows, row)
		}
		if failed > 0 {
			err = fmt.Errorf("%d of %s could not be brought back", failed, text.Plural(len(rows), "session"))
		}
	}
	if told := a.tellLost(rows, opt.json); told != nil {
		return told
	}
	return err
}

// chooseLost returns what the arguments name, everything without any.
func chooseLost(lost []launch.Lost, args []string) ([]launch.Lost, error) {
	if len(args) == 0 {
		return lost, nil
	}
	named := func(arg string) func(launch.Lost) bool {
		return func(l launch.Lost) bool {
			_, err := resolveHost([]host.Host{{Info: host.Info{Host: l.Host, Session: l.Session, Name: l.Name}}}, nil, arg)
			return err == nil
		}
	}
	for _, arg := range args {
		if !slices.ContainsFunc(lost, named(arg)) {
			return nil, fmt.Errorf("%w: %q was not live at a crash or a reboot; `coppice bring-back --list` lists what was", session.ErrNotFound, arg)
		}
	}
	return slices.DeleteFunc(lost, func(l launch.Lost) bool {
		return !slices.ContainsFunc(args, func(arg string) bool { return named(arg)(l) })
	}), nil
}

// lostJSON is a row of `bring-back`.
type lostJSON struct {
	Host    string     `json:"host"`
	ID      string     `json:"id"`
	Name    string     `json:"name"`
	Agent   string     `json:"agent"`
	Cwd     string     `json:"cwd"`
	Since   *time.Time `json:"since"`
	Why     string     `json:"why"`
	Now     string     `json:"now"`
	Note    string     `json:"note"`
	Problem string     `json:"problem"`
}

func toLostJSON(l launch.Lost) lostJSON {
	return lostJSON{
		Host: l.Host, ID: l.Session, Name: l.Name, Agent: l.Agent, Cwd: l.Dir, Since: at(l.Started), Why: l.Why,
	}
}

func lostRows(lost []launch.Lost) (rows []lostJSON) {
	for _, l := range lost {
		rows = append(rows, toLostJSON(l))
	}
	return rows
}

// tellLost prints what became of what was lost.
func (a *app) tellLost(rows []lostJSON, asJSON bool) error {
	if asJSON {
		return a.printJSON(append([]lostJSON{}, rows...))
	}
	if len(rows) == 0 {
		return a.print("nothing was live at a crash or a reboot that is not live again\n")
	}
	var b strings.Builder
	for _, r := range rows {
		what := r.Why
		switch {
		case r.Problem != "":
			what = "not brought back: " + r.Problem
		case r.Now != "":
			what = strings.TrimSuffix("live again in "+r.Now+"; "+r.Note, "; ")
		}
		name := r.ID
		if name == "" {
			name = r.Agent
		}
		fmt.Fprintf(&b, "%s  %s  %s  %s\n", r.Host, text.Clean(name), text.Clean(r.Cwd), text.Clean(what))
	}
	return a.print(b.String())
}

package main

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"coppice/session"
)

// newOptions are the flags and arguments of new.
type newOptions struct {
	dir     string // as given, "" for the current one
	tree    treeFlags
	request session.StartRequest
	start   startFlags
}

func (a *app) newCommand() *cobra.Command {
	var opt newOptions
	cmd := &cobra.Command{
		Use:   "new [DIR] [PROMPT] [-- ARGS...]",
		Short: "Start a new session in a directory",
		Long: "Start a new session in DIR, by default the current directory, live in its pane of the\n" +
			"window; with --bg behind it. One argument is DIR when there is such a directory, else\n" +
			"PROMPT. What follows -- goes to the agent as it is, and again when the session is resumed.",
		ValidArgsFunction: completeDirectories,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := opt.arguments(args, cmd.ArgsLenAtDash(), a.isDirectory); err != nil {
				return err
			}
			return a.startNew(cmd.Context(), opt)
		},
	}
	f := cmd.Flags()
	f.StringVar(&opt.request.Agent, "agent", "", "run agent `A` of the configuration")
	f.StringVar(&opt.request.Name, "name", "", "call the session `N`")
	f.StringVar(&opt.request.ID, "id", "", "the session's id, a `UUID`")
	opt.tree.add(a, cmd)
	f.StringVar(&opt.request.Mode, "permission-mode", "", "permission mode `M`: "+strings.Join(permissionModes(), ", "))
	f.BoolVar(&opt.start.background, "bg", false, "start it behind the window and print its ids")
	f.BoolVar(&opt.start.json, "json", false, "with --bg: print one JSON object (docs/json.md)")
	a.completeFlag(cmd, "agent", a.completeAgents)
	a.completeFlag(cmd, "permission-mode", cobra.FixedCompletions(permissionModes(), cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

// isDirectory reports whether an argument names a directory.
func (a *app) isDirectory(arg string) bool {
	_, err := a.directory(arg)
	return err == nil
}

// arguments takes the arguments apart. dash is how many came before --, -1
// without one.
func (opt *newOptions) arguments(args []string, dash int, isDirectory func(string) bool) error {
	if dash >= 0 {
		args, opt.request.Args = args[:dash], args[dash:]
	}
	if len(args) > 0 && (len(args) > 1 || isDirectory(args[0])) {
		opt.dir, args = args[0], args[1:]
	}
	if len(args) > 1 {
		return usagef("too many arguments (%q): put the prompt in quotes, and arguments for the agent after --", args[1])
	}
	if len(args) == 1 {
		opt.request.Prompt = args[0]
	}
	mode := opt.request.Mode
	switch {
	case opt.start.json && !opt.start.background:
		return usagef("--json goes with --bg")
	case mode != "" && !slices.Contains(permissionModes(), mode):
		return usagef("there is no permission mode %q; allowed: %s", mode, strings.Join(permissionModes(), ", "))
	}
	return nil
}

// startNew plans a new session and starts it.
func (a *app) startNew(ctx context.Context, opt newOptions) error {
	req := opt.request
	req.Dir = a.env.Cwd
	if opt.dir != "" {
		dir, err := a.directory(opt.dir)
		if err != nil {
			return err
		}
		req.Dir = dir
	}
	if err := a.knownAgent(req.Agent); err != nil {
		return err
	}
	if req.Name != "" {
		name, err := session.CleanName(req.Name)
		if err != nil {
			return usagef("%w", err)
		}
		req.Name = name
	}
	var err error
	if req.Worktree, err = opt.tree.request(); err != nil {
		return err
	}
	plan := a.planner().Start(ctx, req)
	if plan.Action != session.ActionStart {
		return errors.New(strings.Join(plan.Blockers, "\n"))
	}
	for _, w := range slices.Concat(plan.Warnings, plan.Notes) {
		a.warnf("%s", w)
	}
	return a.carryOut(ctx, plan, opt.start)
}

func (a *app) attachCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "attach HOST|ID|NAME",
		Short: "Open the dashboard on a session that is live behind the window",
		Long: "Open the dashboard on the pane of a session that is live behind the window.\n" +
			"`coppice ps` names hosts and ids; of an id eight characters will do.",
		Args:              exactly(1, "one host or session"),
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, args []string) error {
			h, err := a.findLive(cmd.Context(), args[0])
			if err != nil {
				return err
			}
			return a.dashboard(cmd.Context(), h.Dir, "", h.Host)
		},
	}
}

package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"coppice/session"
	"coppice/worktree"
)

// resumeOptions are the flags and arguments of resume.
type resumeOptions struct {
	name   string // id, name or file; "" with last or pr
	last   bool
	pr     string
	dir    string
	agent  string
	mode   string
	plan   bool
	json   bool
	fork   bool
	at     string
	carry  bool
	take   bool
	once   bool
	format string
	start  startFlags
	tree   treeFlags
	back   bool
	yes    bool
	prompt string
	args   []string // what follows --, nil without one
}

// outputFormats are the values of --output-format.
func outputFormats() []string { return []string{"text", "json", "stream-json"} }

// permissionModes are the values of --permission-mode.
func permissionModes() []string {
	return []string{"plan", "manual", "default", "acceptEdits", "dontAsk", "auto", "bypassPermissions"}
}

func (a *app) resumeCommand() *cobra.Command {
	var opt resumeOptions
	cmd := &cobra.Command{
		Use:   "resume [ID|NAME|FILE] [PROMPT] [-- ARGS...]",
		Short: "Resume a session in the directory where it belongs",
		Long: "Resume a session in the directory where it belongs, whatever the current one is: live in\n" +
			"its pane of the window, or with --bg behind it; in this terminal where neither can be. What\n" +
			"is unusual is shown and asked about before anything starts. A session that is live behind\n" +
			"the window is shown, not started again.\n" +
			"What follows -- goes to the agent as it is, and again the next time, unless nothing follows.\n\n" +
			"The exit code of --plan is 1 when the session cannot be resumed as asked.\n\n" + sessionHelp,
		ValidArgsFunction: a.completeSessions,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := opt.arguments(args, cmd.ArgsLenAtDash()); err != nil {
				return err
			}
			return a.resume(cmd.Context(), opt)
		},
	}
	f := cmd.Flags()
	f.BoolVar(&opt.last, "last", false, "the newest session of this worktree (outside of a repository: of this directory)")
	f.StringVar(&opt.pr, "pr", "", "the newest session of a pull request: its number or address (`N|URL`)")
	f.StringVar(&opt.dir, "dir", "", "run in directory `D` instead of where the session belongs")
	f.StringVar(&opt.agent, "agent", "", "run agent `A` of the configuration")
	f.StringVar(&opt.mode, "permission-mode", "", "permission mode `M`: "+strings.Join(permissionModes(), ", "))
	f.BoolVar(&opt.fork, "fork", false, "resume a new, repaired copy; the session itself stays as it is")
	f.StringVar(&opt.at, "at", "", "with --fork: end the copy before the prompt with this `UUID`")
	f.BoolVar(&opt.carry, "carry-on", false, "ask the agent to go on where its last turn was interrupted")
	f.BoolVar(&opt.take, "take-over", false, "when it is live elsewhere on this machine: end it there first")
	f.BoolVar(&opt.start.background, "bg", false, "start it behind the window and print its ids")
	f.BoolVarP(&opt.once, "print", "p", false, "take one turn, print it and end")
	f.StringVar(&opt.format, "output-format", "", "with -p: `F` is text, json or stream-json (default text)")
	opt.tree.add(a, cmd)
	f.BoolVar(&opt.back, "restore", false, "bring the session's worktree back first, when it is gone")
	f.BoolVarP(&opt.yes, "yes", "y", false, "do not ask about what is unusual; it is still printed")
	f.BoolVar(&opt.plan, "plan", false, "print what would be done, and do nothing")
	f.BoolVar(&opt.json, "json", false, "with --plan or --bg: print one JSON object (docs/json.md)")
	a.completeFlag(cmd, "agent", a.completeAgents)
	a.completeFlag(cmd, "permission-mode", cobra.FixedCompletions(permissionModes(), cobra.ShellCompDirectiveNoFileComp))
	a.completeFlag(cmd, "dir", func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
		return nil, cobra.ShellCompDirectiveFilterDirs
	})
	return cmd
}

// arguments takes the arguments apart. dash is how many came before --, -1
// without one.
func (opt *resumeOptions) arguments(args []string, dash int) error {
	if dash >= 0 {
		args, opt.args = args[:dash], args[dash:]
	}
	selected := 0
	if opt.last {
		selected++
	}
	if opt.pr != "" {
		selected++
	}
	switch {
	case selected > 1:
		return usagef("--last and --pr exclude each other")
	case selected == 0 && len(args) == 0:
		return usagef("which session? Give its id, name or file, or --last; `coppice ls` lists them")
	case selected == 0:
		opt.name, args = args[0], args[1:]
	}
	if len(args) > 1 {
		return usagef("too many arguments (%q): put the prompt in quotes, and arguments for the agent after --", args[1])
	}
	if len(args) == 1 {
		opt.prompt = args[0]
	}
	opt.start.json = opt.json
	if opt.once {
		opt.start.printAs = cmp.Or(opt.format, "text")
	}
	switch {
	case opt.json && !opt.plan && !opt.start.background:
		return usagef("--json goes with --plan or --bg")
	case opt.once && opt.start.background:
		return usagef("-p and --bg exclude each other")
	case opt.format != "" && !opt.once:
		return usagef("--output-format goes with -p")
	case opt.format != "" && !slices.Contains(outputFormats(), opt.format):
		return usagef("there is no output format %q; allowed: %s", opt.format, strings.Join(outputFormats(), ", "))
	case opt.back && (opt.dir != "" || opt.tree.name != ""):
		return usagef("--restore goes with neither --dir nor --worktree")
	case opt.at != "" && !opt.fork:
		return usagef("--at goes with --fork")
	case opt.mode != "" && !slices.Contains(permissionModes(), opt.mode):
		return usagef("there is no permission mode %q; allowed: %s", opt.mode, strings.Join(permissionModes(), ", "))
	}
	return nil
}

// resume plans, and unless only the plan is wanted runs the agent.
func (a *app) resume(ctx context.Context, opt resumeOptions) error {
	req, err := a.request(opt)
	if err != nil {
		return err
	}
	rows, repos, err := a.load(ctx)
	if err != nil {
		return err
	}
	s, err := a.choose(rows, repos, opt)
	switch h, live := a.joins(ctx, s, err, opt); {
	case live && opt.plan:
		return a.showPlan(sessionOf(h, rows), session.JoinPlan(sessionOf(h, rows), toLive(h)), opt.json)
	case live:
		return a.join(ctx, h, opt)
	case err != nil:
		return a.orDashboard(ctx, err, opt)
	}
	if opt.fork {
		if req.Fork, err = a.forkRequest(rows, s, forkOptions{at: opt.at}, session.SuffixFork); err != nil {
			return err
		}
	}
	plan := a.planner().Plan(ctx, s, repos, req)
	if opt.plan {
		return a.showPlan(s, plan, opt.json)
	}
	plan, err = a.agree(ctx, s, repos, req, plan, opt.yes)
	if err != nil {
		return err
	}
	a.tellFork(plan)
	return a.carryOut(ctx, plan, opt.start)
}

// request checks what the flags ask for.
func (a *app) request(opt resumeOptions) (session.Request, error) {
	req := session.Request{Agent: opt.agent, Prompt: opt.prompt, Mode: opt.mode, Args: opt.args, CarryOn: opt.carry, Restore: opt.back, TakeOver: opt.take, Print: opt.start.printAs}
	var err error
	if req.Worktree, err = opt.tree.request(); err != nil {
		return req, err
	}
	if opt.dir != "" {
		dir, err := a.directory(opt.dir)
		if err != nil {
			return req, err
		}
		req.Dir = dir
	}
	return req, a.knownAgent(opt.agent)
}

// knownAgent says whether an agent is in the configuration, "" for the default.
func (a *app) knownAgent(name string) error {
	if _, ok := a.config().Agents[name]; name == "" || ok {
		return nil
	}
	names := slices.Sorted(maps.Keys(a.config().Agents))
	return usagef("there is no agent %q in the configuration; allowed: %s", name, strings.Join(names, ", "))
}

// choose returns the session that is meant.
func (a *app) choose(rows []session.Session, repos []worktree.Repository, opt resumeOptions) (session.Session, error) {
	var f filter
	sc := scope{}
	switch {
	case opt.pr != "":
		pr, err := parsePR(opt.pr)
		if err != nil {
			return session.Session{}, err
		}
		f.pr = pr
	case opt.last:
		sc = newScope(scopeFlags{worktree: true}, a.env.Cwd, repos)
	default:
		return a.find(rows, opt.name)
	}
	for _, s := range rows { // newest first
		if sc.holds(s) && f.keep(s) && s.NotReady == "" {
			return s, nil
		}
	}
	if opt.pr != "" {
		return session.Session{}, fmt.Errorf("%w for pull request %s; `coppice ls --all` lists every session", session.ErrNotFound, opt.pr)
	}
	return session.Session{}, fmt.Errorf("%w in %s; `coppice ls --all` lists those elsewhere", session.ErrNotFound, sc.name)
}

// orDashboard lets a person choose where a name is ambiguous and there is a
// terminal.
func (a *app) orDashboard(ctx context.Context, err error, opt resumeOptions) error {
	var ambiguous *session.AmbiguousError
	if errors.As(err, &ambiguous) && a.env.Interactive() && !opt.plan {
		return a.dashboard(ctx, a.env.Cwd, opt.name, "")
	}
	return err
}

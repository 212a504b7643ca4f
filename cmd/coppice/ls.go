package main

import (
	"context"

	"github.com/spf13/cobra"

	"coppice/session"
	"coppice/ui/text"
)

// lsOptions are the flags of ls.
type lsOptions struct {
	scope  scopeFlags
	branch string
	search string
	pr     string
	hidden bool
	json   bool
}

func (a *app) lsCommand() *cobra.Command {
	var opt lsOptions
	cmd := &cobra.Command{
		Use:   "ls",
		Short: "List sessions, newest first",
		Long: "List sessions, newest first: a table on a terminal; elsewhere one line each with\n" +
			"id, time of the last message, state, branch, directory and title, between tabs.",
		Args:              atMost(0),
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE:              func(cmd *cobra.Command, _ []string) error { return a.ls(cmd.Context(), opt) },
	}
	opt.scope.add(cmd)
	f := cmd.Flags()
	f.StringVar(&opt.branch, "branch", "", "only sessions whose newest branch is `B`")
	f.StringVar(&opt.search, "search", "", "only sessions that have every word of `TEXT` in title, branch, path, id, pull request, tag or prompts")
	f.StringVar(&opt.pr, "pr", "", "only sessions of a pull request: its number or address (`N|URL`)")
	f.BoolVar(&opt.hidden, "hidden", false, "hidden ones too")
	f.BoolVar(&opt.json, "json", false, "print one JSON array (docs/json.md)")
	a.completeFlag(cmd, "branch", a.completeBranches)
	return cmd
}

// ls lists sessions.
func (a *app) ls(ctx context.Context, opt lsOptions) error {
	if err := opt.scope.check(); err != nil {
		return err
	}
	f := filter{branch: opt.branch, words: words(opt.search), hidden: opt.hidden}
	if opt.pr != "" {
		pr, err := parsePR(opt.pr)
		if err != nil {
			return err
		}
		f.pr = pr
	}
	rows, repos, err := a.load(ctx)
	if err != nil {
		return err
	}
	sc := newScope(opt.scope, a.env.Cwd, repos)
	var kept []session.Session
	var left leftOut
	for _, row := range rows {
		switch {
		case sc.holds(row) && f.keep(row):
			kept = append(kept, row)
		case !f.matches(row):
		case !sc.holds(row):
			left.elsewhere++
		default:
			left.hidden++
		}
	}
	if opt.json {
		return a.printJSON(list(kept, toSessionJSON))
	}
	if err := a.printSessions(kept); err != nil {
		return err
	}
	if a.env.OutTerminal || len(kept) == 0 {
		a.tellLeftOut(len(rows), len(kept), sc, f, left)
	}
	return nil
}

// leftOut counts the sessions that the filter would keep and that are not shown.
type leftOut struct{ elsewhere, hidden int }

// tellLeftOut says on standard error why sessions are missing, and what to do.
func (a *app) tellLeftOut(total, shown int, sc scope, f filter, left leftOut) {
	filtered := f.branch != "" || len(f.words) > 0 || f.pr.number != 0
	switch {
	case total == 0:
		a.warnf("there are no sessions under %s yet; start an agent in a project, then look again", a.dirs().Projects)
		return
	case shown == 0 && filtered:
		a.warnf("no session%s matches", sc.of())
	case shown == 0:
		a.warnf("no session%s is to be shown", sc.of())
	}
	if left.elsewhere > 0 && shown == 0 {
		a.warnf("%s elsewhere: add --all", text.Plural(left.elsewhere, "session"))
	}
	if left.hidden > 0 {
		a.warnf("%s hidden: add --hidden", text.Plural(left.hidden, "session"))
	}
}

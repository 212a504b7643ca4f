package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"coppice/session"
	"coppice/session/owner"
	"coppice/ui/text"
	"coppice/worktree"
	"coppice/worktree/change"
)

func (a *app) worktreeCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "worktree",
		Short: "List, make, restore and remove worktrees",
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return usagef("there is no command `%s %s`; see `%[1]s --help`", cmd.CommandPath(), args[0])
			}
			return usagef("which one? See `%s --help`", cmd.CommandPath())
		},
		RunE: func(*cobra.Command, []string) error { return nil },
	}
	cmd.AddCommand(a.worktreeListCommand(), a.worktreeAddCommand(), a.worktreeRestoreCommand(), a.worktreeRemoveCommand())
	return cmd
}

func (a *app) worktreeListCommand() *cobra.Command {
	var asJSON, all bool
	cmd := &cobra.Command{
		Use:               "ls",
		Short:             "List the worktrees of this repository, and who uses them",
		Args:              atMost(0),
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE:              func(cmd *cobra.Command, _ []string) error { return a.listWorktrees(cmd.Context(), all, asJSON) },
	}
	cmd.Flags().BoolVar(&all, "all", false, "of every repository")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON array (docs/json.md)")
	return cmd
}

// listWorktrees prints worktrees.
func (a *app) listWorktrees(ctx context.Context, all, asJSON bool) error {
	rows, repos, err := a.load(ctx)
	if err != nil {
		return err
	}
	if !all {
		repo, err := a.here(repos)
		if err != nil {
			return err
		}
		repos = []worktree.Repository{repo}
	}
	list := []worktreeJSON{}
	k := a.keeper()
	for _, r := range repos {
		for _, w := range r.Worktrees {
			users := []owner.User{}
			if !w.Main {
				users = k.Users(rows, w.Path)
			}
			list = append(list, toWorktreeJSON(r, w, users))
		}
	}
	if asJSON {
		return a.printJSON(list)
	}
	var b strings.Builder
	for _, w := range list {
		b.WriteString(w.line())
	}
	return a.print(b.String())
}

// here returns the repository of the current directory.
func (a *app) here(repos []worktree.Repository) (worktree.Repository, error) {
	common := worktree.Locate(a.env.Cwd).CommonDir
	for _, r := range repos {
		if common != "" && worktree.SamePath(r.CommonDir, common) {
			return r, nil
		}
	}
	return worktree.Repository{}, a.errNowhere()
}

// errNowhere says that the current directory is in no repository.
func (a *app) errNowhere() error {
	return fmt.Errorf("%s is in no git repository: go to one, or see `coppice worktree ls --all`", a.env.Cwd)
}

// worktreeAdd are the flags of worktree add.
type worktreeAdd struct {
	from, branch, base string
	json               bool
}

func (a *app) worktreeAddCommand() *cobra.Command {
	var opt worktreeAdd
	cmd := &cobra.Command{
		Use:   "add [NAME]",
		Short: "Make a worktree of this repository",
		Long: "Make a worktree of this repository, in the place and on a branch as configured\n" +
			"(worktree.path, worktree.branch). What is there already is never reused.\n\n" +
			"--from takes a branch, which is checked out as it is; a branch of a remote\n" +
			"(origin/topic), for a new local one that follows it; a pull request (#7 or its\n" +
			"address), whose NAME may be left out; or any name of a commit, for a new branch\n" +
			"there. Without it a new branch begins at the base.",
		Args: atMost(1), ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, args []string) error {
			name := ""
			if len(args) > 0 {
				name = args[0]
			}
			return a.addWorktree(cmd.Context(), name, opt)
		},
	}
	f := cmd.Flags()
	f.StringVar(&opt.from, "from", "", "make it from `BRANCH|COMMIT|#PR|REMOTE/BRANCH`")
	f.StringVar(&opt.branch, "branch", "", "name of the new branch (`B`); default: as configured")
	f.StringVar(&opt.base, "base", "", "what a new branch begins at (`B`): fresh, the default branch of the remote, or head")
	f.BoolVar(&opt.json, "json", false, "print one JSON object (docs/json.md)")
	a.completeFlag(cmd, "from", a.completeLocalBranches)
	a.completeFlag(cmd, "branch", cobra.NoFileCompletions)
	a.completeFlag(cmd, "base", cobra.FixedCompletions([]string{change.Fresh, change.Head}, cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

// addWorktree makes a worktree.
func (a *app) addWorktree(ctx context.Context, name string, opt worktreeAdd) error {
	if err := checkBase(opt.base); err != nil {
		return err
	}
	if worktree.Locate(a.env.Cwd).CommonDir == "" {
		return a.errNowhere()
	}
	k := a.keeper()
	req := owner.CreateRequest{Repository: a.env.Cwd, Name: name, Branch: opt.branch, Base: opt.base}
	if opt.from != "" {
		var err error
		if req.From, err = k.Source(ctx, a.env.Cwd, opt.from); err != nil {
			return err
		}
	}
	if name == "" && req.From.PullRequest == 0 {
		return usagef("how is it to be called? `coppice worktree add NAME`")
	}
	if opt.branch != "" && (req.From.Branch != "" || req.From.Remote != "") {
		return usagef("--branch names a new branch, and --from %s is checked out as it is: leave one of them out", opt.from)
	}
	tree, err := k.Create(ctx, req, a.env.Stderr)
	if err != nil {
		return err
	}
	return a.tellTree(tree, opt.json, "is a worktree")
}

// tellTree tells of a worktree that was made or restored.
func (a *app) tellTree(tree change.Created, asJSON bool, what string) error {
	for _, n := range tree.Notes {
		a.warnf("%s", n)
	}
	if asJSON {
		return a.printJSON(toCreatedJSON(tree))
	}
	on := "on no branch"
	if tree.Branch != "" {
		on = "on " + tree.Branch
	}
	return a.printf("%s %s, %s, from %s\n", text.Clean(tree.Path), what, text.Clean(on), text.Clean(tree.Base))
}

func (a *app) worktreeRestoreCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "restore ID|NAME|FILE",
		Short: "Bring back the worktree of a session, when it is gone",
		Long: "Bring back the worktree of a session, when it is gone: at its place, on its branch, or\n" +
			"at the commit where it began. Where it or its repository was only moved, the two find\n" +
			"each other again.\n\n" + sessionHelp,
		Args:              exactly(1, "one session"),
		ValidArgsFunction: a.completeSessions,
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.restoreWorktree(cmd.Context(), args[0], asJSON)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object (docs/json.md)")
	return cmd
}

// restoreWorktree brings back the worktree of a session.
func (a *app) restoreWorktree(ctx context.Context, arg string, asJSON bool) error {
	rows, repos, err := a.load(ctx)
	if err != nil {
		return err
	}
	s, err := a.find(rows, arg)
	if err != nil {
		return err
	}
	plan := a.planner().Restore(ctx, s, repos)
	if plan.Action == session.ActionRefuse {
		return errors.New(strings.Join(plan.Blockers, "\n"))
	}
	for _, w := range plan.Warnings {
		a.warnf("%s", w)
	}
	tree, err := a.makeTree(ctx, plan, a.env.Stderr)
	if err != nil {
		return err
	}
	if err := a.settle(ctx, nil, tree.Path); err != nil {
		tree.Notes = append(tree.Notes, err.Error())
	}
	return a.tellTree(tree, asJSON, "is back")
}

// completeLocalBranches completes a branch of the current repository.
func (a *app) completeLocalBranches(cmd *cobra.Command, _ []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
	repo, err := a.git().Open(cmd.Context(), a.env.Cwd)
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	var out []cobra.Completion
	for _, b := range repo.Branches {
		if typeable(b.Name) && strings.HasPrefix(b.Name, typed) && len(out) < maxCompletions {
			out = append(out, b.Name)
		}
	}
	return out, cobra.ShellCompDirectiveNoFileComp
}

// completeWorktrees completes the name of a linked worktree of the current
// repository.
func (a *app) completeWorktrees(cmd *cobra.Command, args []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
	git := a.git()
	git.NoBranches = true
	repo, err := git.Open(cmd.Context(), a.env.Cwd)
	if err != nil || len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	var out []cobra.Completion
	for _, w := range repo.Worktrees {
		if !w.Main && typeable(w.Name) && strings.HasPrefix(w.Name, typed) {
			out = append(out, cobra.CompletionWithDesc(w.Name, text.Clean(w.Branch)))
		}
	}
	return out, cobra.ShellCompDirectiveNoFileComp
}

// findWorktree returns the linked worktree that a name or a path stands for: of
// the current repository, else of any.
func (a *app) findWorktree(repos []worktree.Repository, arg string) (worktree.Repository, worktree.Worktree, error) {
	if here, err := a.here(repos); err == nil {
		if w := named(here, a.env.Cwd, arg); len(w) == 1 {
			return here, w[0], nil
		}
	}
	var inRepos []worktree.Repository
	var found []worktree.Worktree
	for _, r := range repos {
		for _, w := range named(r, a.env.Cwd, arg) {
			inRepos, found = append(inRepos, r), append(found, w)
		}
	}
	switch len(found) {
	case 0:
		if path := mainNamed(repos, a.env.Cwd, arg); path != "" {
			return worktree.Repository{}, worktree.Worktree{}, fmt.Errorf("%s is the main checkout of its repository, which cannot be removed; `coppice worktree ls` lists the others", path)
		}
		return worktree.Repository{}, worktree.Worktree{}, fmt.Errorf("%w: there is no linked worktree %q; `coppice worktree ls --all` lists them", errNoTree, arg)
	case 1:
		return inRepos[0], found[0], nil
	}
	var paths []string
	for _, w := range found {
		paths = append(paths, w.Path)
	}
	slices.Sort(paths)
	return worktree.Repository{}, worktree.Worktree{}, fmt.Errorf("%w: %q is the name of %d worktrees; name one by its path:\n%s",
		errManyTrees, arg, len(paths), strings.Join(paths, "\n"))
}

// mainNamed returns the path of the main checkout that a name or a path stands for,
// "" for none.
func mainNamed(repos []worktree.Repository, cwd, arg string) string {
	path := arg
	if !filepath.IsAbs(path) {
		path = filepath.Join(cwd, arg)
	}
	for _, r := range repos {
		for _, w := range r.Worktrees {
			if w.Main && (worktree.SamePath(w.Path, path) || filepath.Base(w.Path) == arg) {
				return w.Path
			}
		}
	}
	return ""
}

// named returns the linked worktrees of a repository that a name or a path stands
// for. A path wins.
func named(r worktree.Repository, cwd, arg string) []worktree.Worktree {
	path := arg
	if !filepath.IsAbs(path) {
		path = filepath.Join(cwd, arg)
	}
	var found []worktree.Worktree
	for _, w := range r.Worktrees {
		switch {
		case w.Main:
		case worktree.SamePath(w.Path, path):
			return []worktree.Worktree{w}
		case w.Name == arg, filepath.Base(w.Path) == strings.ReplaceAll(arg, "/", "+"):
			found = append(found, w)
		}
	}
	return found
}

package main

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"coppice/session"
	"coppice/session/owner"
	"coppice/ui/text"
	"coppice/worktree"
	"coppice/worktree/change"
)

// errNoTree and errManyTrees say that a name stands for no worktree, or for many.
var (
	errNoTree    = errors.New("not found")
	errManyTrees = errors.New("ambiguous")
)

// worktreeRemove are the flags of worktree rm.
type worktreeRemove struct {
	branch, ignored, merged, yes, json bool
	force                              string
}

func (a *app) worktreeRemoveCommand() *cobra.Command {
	var opt worktreeRemove
	cmd := &cobra.Command{
		Use:   "rm NAME|PATH",
		Short: "Remove a worktree in which nothing would be lost, or all that are merged",
		Long: "Remove a worktree. What would be lost with it is shown first: changed and untracked\n" +
			"files, commits that nothing else names, changes in submodules, live sessions and\n" +
			"processes in it. Where that is anything, nothing is removed, unless --force names the\n" +
			"worktree; on a terminal its name is asked for. Ignored files count, too, but for those\n" +
			"that the main checkout has as they are: --drop-ignored gives them up. The branch and the\n" +
			"sessions stay; `coppice worktree restore` brings the worktree back.\n\n" +
			"With --merged all worktrees of this repository are listed whose branch the default\n" +
			"branch has taken in, each with the reason. They are removed after a yes, but for those\n" +
			"that something would be lost with.",
		Args: atMost(1), ValidArgsFunction: a.completeWorktrees,
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case opt.merged && (len(args) > 0 || opt.force != ""):
				return usagef("--merged takes neither a name nor --force")
			case opt.json && opt.merged && !opt.yes:
				return usagef("--json with --merged needs --yes")
			case opt.yes && !opt.merged:
				return usagef("--yes goes with --merged")
			case opt.merged:
				return a.removeMerged(cmd.Context(), opt)
			case len(args) == 0:
				return usagef("which worktree? Give its name or its path, or --merged; `coppice worktree ls` lists them")
			}
			return a.removeWorktree(cmd.Context(), args[0], opt)
		},
	}
	f := cmd.Flags()
	f.BoolVar(&opt.branch, "branch", false, "delete its branch, too, when no commit is lost with it")
	f.BoolVar(&opt.ignored, "drop-ignored", false, "give up ignored files, such as what a build made")
	f.StringVar(&opt.force, "force", "", "remove it whatever is lost; `NAME` is its name once more")
	f.BoolVar(&opt.merged, "merged", false, "remove all worktrees whose branches are merged")
	f.BoolVar(&opt.yes, "yes", false, "with --merged: do not ask")
	f.BoolVar(&opt.json, "json", false, "print JSON (docs/json.md)")
	a.completeFlag(cmd, "force", a.completeWorktrees)
	return cmd
}

// removeWorktree removes a worktree.
func (a *app) removeWorktree(ctx context.Context, arg string, opt worktreeRemove) error {
	rows, repos, err := a.load(ctx)
	if err != nil {
		return err
	}
	repo, w, err := a.findWorktree(repos, arg)
	if err != nil {
		return err
	}
	if w.State == worktree.Ghost {
		return fmt.Errorf("%s is no worktree that git knows, so what is in it is nowhere else: look, and remove the directory yourself (rmdir, when it is empty)", w.Path)
	}
	name := filepath.Base(w.Path)
	if opt.force != "" && opt.force != name && opt.force != w.Name {
		return usagef("--force takes the name of the worktree once more, %s, not %q", name, opt.force)
	}
	k := a.keeper()
	req := owner.RemoveRequest{Repository: repo.CommonDir, Path: w.Path, Force: opt.force != "", DropIgnored: opt.ignored, Branch: opt.branch}
	losses, err := k.Losses(ctx, rows, repo.CommonDir, w.Path)
	if err != nil && !req.Force {
		return err
	}
	if lost := wouldLose(losses, opt); len(lost) > 0 && !req.Force {
		// What a question is about belongs on the terminal, not into a pipe.
		if _, err := a.env.Stderr.WriteString(a.ascii(lossText(losses, lost))); err != nil {
			return fmt.Errorf("write to standard error: %w", err)
		}
		if err := a.askName(name, w.Path); err != nil {
			return err
		}
		req.Force = true
	}
	users := k.Users(rows, w.Path)
	if err := k.Remove(ctx, rows, req); err != nil {
		return err
	}
	return a.tellRemoved(w, users, losses, opt)
}

// askName asks for the name of a worktree that is removed with something in it.
func (a *app) askName(name, path string) error {
	kept := fmt.Errorf("%s stays as it is; to remove it all the same: --force %s", path, name)
	if !a.env.Interactive() {
		return kept
	}
	answer, err := a.ask(bufio.NewReader(a.env.Stdin), fmt.Sprintf("type %s to remove it all the same: ", text.Clean(name)))
	if err != nil || answer != name {
		return kept
	}
	return nil
}

// wouldLose says in a line each what would be lost by a removal as it is asked for.
func wouldLose(l change.Losses, opt worktreeRemove) []string {
	if opt.ignored {
		l.Ignored = change.Names{}
	}
	if !opt.branch {
		l.Commits = nil // they stay, on their branch
	}
	return l.Summary()
}

// lossText lays out what would be lost, with the first names of each kind.
func lossText(l change.Losses, lost []string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "would be lost with %s:\n", text.Clean(l.Path))
	for _, line := range lost {
		fmt.Fprintf(&b, "  %s\n", text.Clean(line))
	}
	names := func(what string, n change.Names) {
		for _, name := range n.First {
			fmt.Fprintf(&b, "    %s %s\n", what, text.Clean(name))
		}
		if more := n.Count - len(n.First); more > 0 && len(n.First) > 0 {
			fmt.Fprintf(&b, "    %s and %d more\n", what, more)
		}
	}
	names("changed", l.Changed)
	names("untracked", l.Untracked)
	names("hidden", l.Hidden)
	names("ignored", l.Ignored)
	for _, c := range l.Unnamed {
		fmt.Fprintf(&b, "    commit %.7s %s\n", text.Clean(c.Hash), text.Clean(c.Subject))
	}
	if n := len(l.Stashes); n > 0 {
		fmt.Fprintf(&b, "stashes made on its branch, which stay in the repository: %d\n", n)
	}
	return b.String()
}

// tellRemoved tells of a worktree that is gone, and how it comes back.
func (a *app) tellRemoved(w worktree.Worktree, users []owner.User, l change.Losses, opt worktreeRemove) error {
	if opt.json {
		return a.printJSON(removedJSON{Path: w.Path, Branch: w.Branch, Merged: l.Merged, Removed: true, Kept: []string{}, Users: toUsersJSON(users)})
	}
	if err := a.printf("%s is removed\n", text.Clean(w.Path)); err != nil {
		return err
	}
	if err := a.tellBranch(w.Branch, cmp.Or(l.Head, w.Head), opt.branch); err != nil {
		return err
	}
	for _, u := range users {
		if err := a.printf("the session %s stays; to bring its worktree back: coppice worktree restore %s\n", text.Clean(u.String()), text.Clean(u.ID)); err != nil {
			return err
		}
	}
	return nil
}

// tellBranch says what became of the branch of a worktree that is gone; the hash
// is all that brings back one that is deleted.
func (a *app) tellBranch(branch, head string, deleted bool) error {
	switch {
	case branch == "":
		return nil
	case deleted:
		return a.printf("its branch %s (%.7s) is deleted\n", text.Clean(branch), head)
	}
	return a.printf("its branch %s stays\n", text.Clean(branch))
}

// removeMerged removes the worktrees of the current repository whose branches are
// merged.
func (a *app) removeMerged(ctx context.Context, opt worktreeRemove) error {
	rows, repos, err := a.load(ctx)
	if err != nil {
		return err
	}
	repo, err := a.here(repos)
	if err != nil {
		return err
	}
	k := a.keeper()
	found, err := k.Merged(ctx, rows, repo.CommonDir)
	if err != nil {
		return err
	}
	out, going, heads := []removedJSON{}, 0, map[string]string{}
	for _, m := range found {
		row := removedJSON{Path: m.Path, Branch: m.Branch, Merged: m.Reason, Kept: m.Keep, Users: toUsersJSON(k.Users(rows, m.Path))}
		heads[m.Path] = m.Losses.Head
		if m.Losses.Path != "" {
			row.Kept = append([]string{}, wouldLose(m.Losses, opt)...)
		}
		if len(row.Kept) == 0 {
			going++
		}
		out = append(out, row)
	}
	if err := a.listMerged(out, opt); err != nil || going == 0 && !opt.json {
		return err
	}
	if !opt.yes {
		if err := a.agreeToRemove(going); err != nil {
			return err
		}
	}
	failed := a.removeRows(ctx, rows, repo, out, heads, opt)
	if opt.json {
		return errors.Join(a.printJSON(out), failed)
	}
	return failed
}

// agreeToRemove asks whether that many worktrees may go.
func (a *app) agreeToRemove(n int) error {
	if !a.env.Interactive() {
		return errors.New("nothing was removed: there is no terminal to ask on; --yes removes those that can go")
	}
	if a.confirm(bufio.NewReader(a.env.Stdin), fmt.Sprintf("remove %s?", text.Plural(n, "worktree"))) != nil {
		return errors.New("nothing was removed")
	}
	return nil
}

// removeRows removes the worktrees that can go, each by itself.
func (a *app) removeRows(ctx context.Context, rows []session.Session, repo worktree.Repository, out []removedJSON, heads map[string]string, opt worktreeRemove) error {
	var failed []error
	for i := range out {
		row := &out[i]
		if len(row.Kept) > 0 {
			continue
		}
		err := a.keeper().Remove(ctx, rows, owner.RemoveRequest{Repository: repo.CommonDir, Path: row.Path, DropIgnored: opt.ignored, Branch: opt.branch})
		if row.Removed = err == nil; err != nil {
			row.Kept = append(row.Kept, err.Error())
			failed = append(failed, err)
		} else if !opt.json {
			failed = append(failed, a.printf("%s is removed\n", text.Clean(row.Path)), a.tellBranch(row.Branch, heads[row.Path], opt.branch))
		}
	}
	return errors.Join(failed...)
}

// listMerged prints merged worktrees, each with the reason, and why it stays.
func (a *app) listMerged(out []removedJSON, opt worktreeRemove) error {
	if opt.json {
		return nil
	}
	if len(out) == 0 {
		return a.print("no worktree is merged\n")
	}
	var b strings.Builder
	for _, row := range out {
		fate := "can go"
		if len(row.Kept) > 0 {
			fate = "stays: " + strings.Join(row.Kept, "; ")
		}
		fmt.Fprintf(&b, "%s\t%s\t%s\t%s\n", text.Clean(row.Path), text.Clean(row.Branch), text.Clean(row.Merged), text.Clean(fate))
	}
	return a.print(b.String())
}

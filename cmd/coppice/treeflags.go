package main

import (
	"github.com/spf13/cobra"

	"coppice/session"
	"coppice/worktree/change"
)

// treeFlags are the flags that ask for a new worktree.
type treeFlags struct {
	name, branch, base string
	carry              bool
}

// add defines the flags.
func (t *treeFlags) add(a *app, cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&t.name, "worktree", "", "make a worktree called `NAME` for it, and run there")
	f.StringVar(&t.branch, "branch", "", "with --worktree: check out branch `B`, or make it; default: as configured")
	f.StringVar(&t.base, "base", "", "with --worktree: what a new branch begins at (`B`): fresh, the default branch of the remote, or head")
	f.BoolVar(&t.carry, "carry-changes", false, "with --worktree: copy uncommitted and untracked changes to it; its base is head then")
	a.completeFlag(cmd, "worktree", cobra.NoFileCompletions)
	a.completeFlag(cmd, "branch", a.completeLocalBranches)
	a.completeFlag(cmd, "base", cobra.FixedCompletions([]string{change.Fresh, change.Head}, cobra.ShellCompDirectiveNoFileComp))
}

// request is what the flags ask for, nil for no worktree.
func (t treeFlags) request() (*session.WorktreeRequest, error) {
	if t.name == "" {
		if t.branch != "" || t.base != "" || t.carry {
			return nil, usagef("--branch, --base and --carry-changes go with --worktree")
		}
		return nil, nil
	}
	if err := change.CheckName(t.name); err != nil {
		return nil, usageError{err}
	}
	if err := checkBase(t.base); err != nil {
		return nil, err
	}
	return &session.WorktreeRequest{Name: t.name, Branch: t.branch, Base: t.base, Carry: t.carry}, nil
}

// checkBase checks a value of --base.
func checkBase(base string) error {
	if base != "" && base != change.Fresh && base != change.Head {
		return usagef("--base takes fresh or head, not %q", base)
	}
	return nil
}

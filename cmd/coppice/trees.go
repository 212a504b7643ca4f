package main

import (
	"context"

	"coppice/session/owner"
	"coppice/worktree"
	"coppice/worktree/change"
	"coppice/worktree/forge"
)

// trees is the work on worktrees that the window offers.
type trees struct{ owner.Keeper }

// Checkout checks a branch out in the main checkout.
func (t trees) Checkout(ctx context.Context, repository, branch string) error {
	return change.Checkout(ctx, t.Git, repository, branch)
}

// Compare compares a revision in a directory with the base.
func (t trees) Compare(ctx context.Context, dir, revision string) worktree.Comparison {
	return t.Git.Compare(ctx, dir, revision)
}

// requests returns what asks about pull requests, nil where that is not wanted or
// no program is there that could.
func (a *app) requests() func(context.Context, string) (map[string]forge.Request, error) {
	_, errHub := a.env.LookPath("gh")
	_, errLab := a.env.LookPath("glab")
	if !a.config().Worktree.PR || errHub != nil && errLab != nil {
		return nil
	}
	return forge.Asker{Git: a.git(), LookPath: a.env.LookPath}.Ask
}

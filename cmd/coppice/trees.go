package main

import (
	"context"

	"coppice/session/owner"
	"coppice/worktree"
	"coppice/worktree/change"
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

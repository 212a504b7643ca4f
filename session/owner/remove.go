package owner

import (
	"context"
	"errors"

	"coppice/session"
	"coppice/worktree"
	"coppice/worktree/change"
)

// Losses says what the removal of the worktree at path would lose, the live
// sessions and the processes in it among the Users. Sessions that have ended lose
// nothing: they stay, and Restore brings their worktree back. So a lock of ours is
// no loss, either.
func (k Keeper) Losses(ctx context.Context, rows []session.Session, repository, path string) (change.Losses, error) {
	l, err := change.FindLosses(ctx, k.Git, repository, path)
	if err != nil {
		return l, err
	}
	if l.Locked && change.ReadLock(l.LockReason).Kind == change.Ours {
		l.Locked, l.LockReason = false, ""
	}
	l.Users = k.inside(rows, path)
	return l, nil
}

// inside names who would lose the directory under its feet.
func (k Keeper) inside(rows []session.Session, path string) []string {
	var names []string
	for _, u := range k.Users(rows, path) {
		if u.Live {
			names = append(names, u.String()+", which is live")
		}
	}
	return append(names, processes(k.Proc, key(path))...)
}

// RemoveRequest says which worktree to remove and what that may cost, as
// change.RemoveOptions.
type RemoveRequest struct {
	Repository  string
	Path        string
	Force       bool
	DropIgnored bool
	Branch      bool
}

// Remove removes a worktree that nobody is in. Sessions that have ended in it stay,
// and can have it restored: whose it was stays known. The errors are those of
// change.Remove; after one, everything is as it was.
func (k Keeper) Remove(ctx context.Context, rows []session.Session, req RemoveRequest) error {
	unlock, err := k.lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	err = change.Unlock(ctx, k.Git, req.Repository, req.Path)
	if err != nil && !errors.Is(err, change.ErrLocked) { // which counts as a loss
		return err
	}
	err = change.Remove(ctx, k.Git, req.Repository, req.Path, change.RemoveOptions{
		Force: req.Force, DropIgnored: req.DropIgnored, Branch: req.Branch, Users: k.inside(rows, req.Path),
	})
	if err != nil {
		return errors.Join(err, k.settle(context.WithoutCancel(ctx), rows, req.Repository, req.Path))
	}
	return nil
}

// Merged is a worktree that may be cleaned up, as its branch is merged.
type Merged struct {
	change.Merged
	Losses change.Losses // what would be lost; without a Path when that is not known
	Keep   []string      // why it is kept all the same, a line each; empty when it can go
}

// Merged lists the worktrees of a repository whose branches are merged, with the
// reason, and for each why it cannot be removed all the same.
func (k Keeper) Merged(ctx context.Context, rows []session.Session, repository string) ([]Merged, error) {
	merged, err := change.FindMerged(ctx, k.Git, repository)
	found := []Merged{}
	for _, m := range merged {
		l, lossErr := k.Losses(ctx, rows, repository, m.Path)
		row := Merged{Merged: m, Losses: l, Keep: l.Summary()}
		if lossErr != nil {
			row.Keep = []string{lossErr.Error()}
		}
		found = append(found, row)
	}
	return found, err
}

// LastUser reports whether nobody but the session with an id uses a worktree.
func LastUser(users []User, id string) bool {
	for _, u := range users {
		if u.ID != id {
			return false
		}
	}
	return true
}

// Tree names a linked worktree.
type Tree struct {
	Repository string // its common directory
	Path       string
}

// Last returns the linked worktree of a session that nobody else uses, no session
// that has ended and no process either: at the end of the session, or with it, its
// removal may be offered, and never otherwise. It is not ok for any other session.
func (k Keeper) Last(ctx context.Context, rows []session.Session, s session.Session) (tree Tree, ok bool) {
	tree, ok = k.Tree(ctx, s.Dir)
	if !ok || !LastUser(k.Users(rows, tree.Path), s.ID) || len(processes(k.Proc, tree.Path)) > 0 {
		return Tree{}, false
	}
	return tree, true
}

// Tree returns the linked worktree that holds a directory.
func (k Keeper) Tree(ctx context.Context, dir string) (tree Tree, ok bool) {
	place := worktree.Locate(dir)
	if place.State != worktree.Present || place.Root == "" {
		return Tree{}, false
	}
	git := k.Git
	git.NoBranches = true
	repo, err := git.Open(ctx, place.CommonDir)
	if err != nil {
		return Tree{}, false
	}
	for _, w := range repo.Worktrees {
		if !w.Main && w.Path == place.Root {
			return Tree{Repository: place.CommonDir, Path: w.Path}, true
		}
	}
	return Tree{}, false
}

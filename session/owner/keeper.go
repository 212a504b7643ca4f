package owner

import (
	"context"
	"errors"
	"fmt"
	"io"

	"coppice/config"
	"coppice/session"
	"coppice/worktree"
	"coppice/worktree/change"
)

// Keeper makes, keeps and removes worktrees. It is safe for concurrent use, and
// beside other processes.
type Keeper struct {
	Git    worktree.Git
	State  string // our state directory
	Config config.Worktree
	// Live returns the sessions that are live now; nil: the rows are believed.
	Live func() map[string]session.Live
	Proc string // the /proc file system, "" where there is none
}

// CreateRequest says what worktree to make. What is left empty is as configured.
type CreateRequest struct {
	Repository string // a checkout of it, absolute; HEAD is the one that is checked out there
	Name       string // see change.CheckName; "" for a pull request's own
	From       change.Source
	Branch     string // name of the new branch, where From makes one
	Base       string // change.Fresh or change.Head
}

// Create makes a worktree and remembers that it is ours. output gets what the
// set-up command prints; nil drops it. The errors are those of change.Create.
func (k Keeper) Create(ctx context.Context, req CreateRequest, output io.Writer) (change.Created, error) {
	tree, err := change.Create(ctx, k.Git, k.options(req, output))
	if err != nil {
		return tree, err
	}
	return tree, k.change(ctx, func(known map[string]made) {
		known[key(tree.Path)] = made{Repository: worktree.Locate(tree.Path).CommonDir, Branch: tree.Branch, Commit: tree.Head}
	})
}

// options are those of change for a request.
func (k Keeper) options(req CreateRequest, output io.Writer) change.CreateOptions {
	o := change.CreateOptions{
		Repository: req.Repository, Name: req.Name, From: req.From, Path: k.Config.Path, Branch: k.Config.Branch, Base: k.Config.Base,
		Fill: change.Fill{Setup: k.Config.Setup, Output: output},
	}
	if req.Branch != "" {
		o.Branch = req.Branch
	}
	if req.Base != "" {
		o.Base = req.Base
	}
	return o
}

// Users returns who uses the worktree at path, the owner first: the sessions that
// refer to it, and live ones that run in it although no file of theirs is there
// yet.
func (k Keeper) Users(rows []session.Session, path string) []User {
	r, _ := k.read() // what cannot be read says nothing
	return users(rows, path, r.Worktrees[key(path)].Session)
}

// Losses says what the removal of the worktree at path would lose, the live
// sessions and processes in it among the Users. A lock of ours is no loss: it
// stands for users, and those that have ended are none.
func (k Keeper) Losses(ctx context.Context, rows []session.Session, repository, path string) (change.Losses, error) {
	l, err := change.FindLosses(ctx, k.Git, repository, path)
	if err != nil {
		return l, err
	}
	if l.Locked && change.ReadLock(l.LockReason).Kind == change.Ours {
		l.Locked, l.LockReason = false, ""
	}
	l.Users = k.inUse(rows, path)
	return l, nil
}

// inUse names who would lose the directory under its feet.
func (k Keeper) inUse(rows []session.Session, path string) []string {
	var names []string
	for _, u := range k.Users(rows, path) {
		if u.Live {
			names = append(names, u.String()+", which is live")
		}
	}
	return names
}

// String names a user for a person: foreign text.
func (u User) String() string {
	const short = 8
	id := u.ID
	if len(id) > short {
		id = id[:short]
	}
	if u.Title == "" {
		return id
	}
	return fmt.Sprintf("%s (%s)", u.Title, id)
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

// Remove removes a worktree that nobody uses, and forgets whose it was. Sessions
// that have ended in it stay, and can have it restored. The errors are those of
// change.Remove.
func (k Keeper) Remove(ctx context.Context, rows []session.Session, req RemoveRequest) error {
	if err := k.release(ctx, req); err != nil {
		return err
	}
	err := change.Remove(ctx, k.Git, req.Repository, req.Path, change.RemoveOptions{
		Force: req.Force, DropIgnored: req.DropIgnored, Branch: req.Branch, Users: k.inUse(rows, req.Path),
	})
	if err != nil {
		return errors.Join(err, k.Settle(ctx, rows, req.Repository, req.Path))
	}
	return k.change(ctx, func(known map[string]made) { delete(known, key(req.Path)) })
}

// release gives up a lock of ours: who uses the worktree is asked for by itself.
func (k Keeper) release(ctx context.Context, req RemoveRequest) error {
	err := change.Unlock(ctx, k.Git, req.Repository, req.Path)
	if errors.Is(err, change.ErrLocked) {
		return nil // counts as a loss
	}
	return err
}

// RestoreRequest says which worktree to bring back.
type RestoreRequest struct {
	Repository string // a directory of it, absolute
	Path       string // where it was
	Branch     string // that it had, or ""
	Commit     string // that it was at, or ""
}

// Restore brings a worktree back to its path. The errors are those of
// change.Restore.
func (k Keeper) Restore(ctx context.Context, req RestoreRequest, output io.Writer) (change.Created, error) {
	return change.Restore(ctx, k.Git, change.RestoreOptions{
		Repository: req.Repository, Path: req.Path, Branch: req.Branch, Commit: req.Commit,
		Fill: change.Fill{Setup: k.Config.Setup, Output: output},
	})
}

// Bind remembers that the worktree at path was made for a session, unless it was
// made for another, or not by us.
func (k Keeper) Bind(ctx context.Context, path, id string) error {
	return k.change(ctx, func(known map[string]made) {
		if m, ok := known[key(path)]; ok && m.Session == "" {
			m.Session = id
			known[key(path)] = m
		}
	})
}

// Merged is a worktree that may be cleaned up, as its branch is merged.
type Merged struct {
	change.Merged
	Keep []string // why it cannot go, a line each; empty when it can
}

// Merged lists the worktrees of a repository whose branches are merged, with the
// reason, and for each why it cannot be removed all the same.
func (k Keeper) Merged(ctx context.Context, rows []session.Session, repository string) ([]Merged, error) {
	merged, err := change.FindMerged(ctx, k.Git, repository)
	found := []Merged{}
	for _, m := range merged {
		l, lossErr := k.Losses(ctx, rows, repository, m.Path)
		row := Merged{Merged: m, Keep: l.Summary()}
		if lossErr != nil {
			row.Keep = []string{lossErr.Error()}
		}
		found = append(found, row)
	}
	return found, err
}

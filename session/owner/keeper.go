package owner

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

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
// set-up command prints; nil drops it. The errors are those of change.Create, and
// ErrNewer.
func (k Keeper) Create(ctx context.Context, req CreateRequest, output io.Writer) (change.Created, error) {
	if _, err := k.read(); err != nil {
		return change.Created{}, err
	}
	tree, err := change.Create(ctx, k.Git, k.options(req, output))
	if err != nil {
		return tree, err
	}
	return k.remember(ctx, tree), nil
}

// remember notes that a worktree is ours. Without that note it is a worktree all
// the same.
func (k Keeper) remember(ctx context.Context, tree change.Created) change.Created {
	err := k.change(context.WithoutCancel(ctx), func(known map[string]made) {
		known[key(tree.Path)] = made{
			Repository: worktree.Locate(tree.Path).CommonDir, Branch: tree.Branch, Commit: tree.Head,
		}
	})
	if err != nil {
		tree.Notes = append(tree.Notes, "for whom it was made is not remembered: "+err.Error())
	}
	return tree
}

// options are those of change for a request.
func (k Keeper) options(req CreateRequest, output io.Writer) change.CreateOptions {
	o := change.CreateOptions{
		Repository: req.Repository, Name: req.Name, From: req.From,
		Path: k.Config.Path, Branch: k.Config.Branch, Base: k.Config.Base, Fill: k.fill(output),
	}
	if req.Branch != "" {
		o.Branch = req.Branch
	}
	if req.Base != "" {
		o.Base = req.Base
	}
	return o
}

func (k Keeper) fill(output io.Writer) change.Fill {
	return change.Fill{Links: k.Config.Links, Setup: k.Config.Setup, Output: output}
}

// Source says what a person means by a name: a pull request (#7, or its address),
// a local branch, a branch of a remote, else a commit.
func (k Keeper) Source(ctx context.Context, repository, name string) (change.Source, error) {
	if n := pullRequest(name); n > 0 {
		return change.Source{PullRequest: n}, nil
	}
	repo, err := k.Git.Open(ctx, repository)
	if err != nil {
		return change.Source{}, err
	}
	for _, b := range repo.Branches {
		if b.Name == name {
			return change.Source{Branch: name}, nil
		}
	}
	if strings.HasPrefix(name, "-") {
		return change.Source{}, fmt.Errorf("%q: %w", name, change.ErrNothing)
	}
	err = k.Git.Run(ctx, worktree.Command{
		Dir: repo.CommonDir, Args: []string{"rev-parse", "--verify", "--quiet", "--end-of-options", "refs/remotes/" + name},
	})
	var failed *worktree.GitError
	switch {
	case err == nil:
		return change.Source{Remote: name}, nil
	case errors.As(err, &failed) && failed.ExitCode > 0:
		return change.Source{Commit: name}, nil
	}
	return change.Source{}, err
}

// Bind remembers that the worktree at path was made for a session, unless it was
// made for another, or not by us.
func (k Keeper) Bind(ctx context.Context, path, id string) error {
	if k.made(path).Path == "" {
		return nil
	}
	return k.change(ctx, func(known map[string]made) {
		if m, ok := known[key(path)]; ok && m.Session == "" {
			m.Session = id
			known[key(path)] = m
		}
	})
}

// Made returns what is recorded of the worktree that holds dir, when it is one
// that we made, also when it is gone; see session.Planner.
func (k Keeper) Made(dir string) session.MadeTree { return k.made(dir) }

func (k Keeper) made(dir string) session.MadeTree {
	r, _ := k.read() // what cannot be read says nothing
	for path, m := range r.Worktrees {
		if worktree.Within(path, key(dir)) {
			return session.MadeTree{Path: path, Repository: m.Repository, Branch: m.Branch, Commit: m.Commit}
		}
	}
	return session.MadeTree{}
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
		Repository: req.Repository, Path: req.Path, Branch: req.Branch, Commit: req.Commit, Fill: k.fill(output),
	})
}

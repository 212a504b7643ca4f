package change

import (
	"context"
	"fmt"
	"strings"

	"coppice/worktree"
)

// Losses says what the removal of a worktree would lose, and what it would not
// but a person should know. Names are foreign text, as git or the file system
// has them.
type Losses struct {
	Path   string
	Branch string // short name, "" for a detached HEAD
	Head   string // hash

	Changed    Names    // tracked files with changes, staged or not, and unmerged ones
	Untracked  Names    // files that git neither tracks nor ignores; a repository among them counts once and ends in a slash
	Hidden     Names    // files that git was told not to look at (assume-unchanged, skip-worktree) and that are there
	Nested     []string // paths of other worktrees inside this one
	Submodules []string // what they would lose, a line each
	Unnamed    []Commit // commits that nothing but this worktree's HEAD and its record name
	Operation  string   // a rebase, merge, bisect… that is under way
	Locked     bool
	LockReason string
	Users      []string // as the caller named them

	Ignored Names // ignored files that the main checkout does not have as they are; a directory counts once

	Commits []Commit // commits that only its branch has: lost with the branch, not with the worktree
	Merged  string   // why nothing is lost with the branch all the same: where its changes are in the base, or ""
	Stashes []string // stashes made on its branch; they stay in the repository

	links int // untracked symlinks that Fill made: no loss, but git does not know that
}

// Names is a number of files and the first names of them.
type Names struct {
	Count int
	First []string // at most maxNames, relative to the worktree
}

const maxNames = 100

func (n *Names) add(name string) {
	n.Count++
	if len(n.First) < maxNames {
		n.First = append(n.First, name)
	}
}

// Commit names a commit.
type Commit struct {
	Hash    string
	Subject string // foreign text
}

// Unsaved reports whether the worktree itself would lose something that no
// other place has, ignored files and the branch aside.
func (l Losses) Unsaved() bool {
	return l.Changed.Count+l.Untracked.Count+l.Hidden.Count > 0 || len(l.Nested)+len(l.Submodules)+len(l.Unnamed)+len(l.Users) > 0 ||
		l.Operation != "" || l.Locked
}

// BranchLost reports whether deleting the branch would lose commits.
func (l Losses) BranchLost() bool { return len(l.Commits) > 0 && l.Merged == "" }

// Summary says in a line each what would be lost, ignored files and commits of
// the branch included; it is empty when that is nothing. Only counts and git's
// own words are in it, no foreign names but those of users and of the lock.
func (l Losses) Summary() []string {
	var lines []string
	count := func(n int, one, many string) {
		switch {
		case n == 1:
			lines = append(lines, "1 "+one)
		case n > 1:
			lines = append(lines, fmt.Sprintf("%d %s", n, many))
		}
	}
	count(l.Changed.Count, "changed file", "changed files")
	count(l.Untracked.Count, "untracked file", "untracked files")
	count(l.Hidden.Count, "file that git was told not to look at", "files that git was told not to look at")
	count(len(l.Nested), "other worktree inside it", "other worktrees inside it")
	lines = append(lines, l.Submodules...)
	count(len(l.Unnamed), "commit on no branch", "commits on no branch")
	if l.Operation != "" {
		lines = append(lines, "a "+l.Operation+" under way")
	}
	if l.Locked {
		lines = append(lines, "locked: "+l.LockReason)
	}
	if len(l.Users) > 0 {
		lines = append(lines, "used by "+strings.Join(l.Users, ", "))
	}
	count(l.Ignored.Count, "ignored file", "ignored files")
	if l.BranchLost() {
		count(len(l.Commits), "commit that only its branch has", "commits that only its branch has")
	}
	return lines
}

// FindLosses says what the removal of the linked worktree at path would lose.
// repository is any directory of the repository. A worktree whose directory is
// gone can still lose what git keeps for it: what was staged, and commits on no
// branch.
//
// Nothing runs that the repository configures, so a file under a content filter
// (Git LFS) counts as changed when its times changed (see worktree.Git.Status).
// The error says that the losses are not known: never that there are none.
func FindLosses(ctx context.Context, git worktree.Git, repository, path string) (Losses, error) {
	r, w, err := find(ctx, git, repository, path)
	if err != nil {
		return Losses{}, fmt.Errorf("look what would be lost: %w", err)
	}
	l, err := r.losses(ctx, w)
	if err != nil {
		return Losses{}, fmt.Errorf("look what would be lost with %s: %w", w.Path, err)
	}
	return l, nil
}

func (r repo) losses(ctx context.Context, w worktree.Worktree) (Losses, error) {
	l := Losses{
		Path: w.Path, Branch: w.Branch, Head: w.Head, Operation: w.Operation,
		Locked: w.Locked, LockReason: w.LockReason,
	}
	for _, other := range r.info.Worktrees {
		if other.Path != w.Path && worktree.Within(w.Path, other.Path) {
			l.Nested = append(l.Nested, other.Path)
		}
	}
	steps := []func(context.Context, worktree.Worktree, *Losses) error{r.files, r.hidden, r.submodules, r.commits, r.stashes}
	switch w.State {
	case worktree.Present:
	case worktree.Missing, worktree.Prunable:
		steps = []func(context.Context, worktree.Worktree, *Losses) error{r.staged, r.submodules, r.commits, r.stashes}
	default:
		return l, fmt.Errorf("its state is %s: %s", w.State, w.Detail)
	}
	for _, step := range steps {
		if err := step(ctx, w, &l); err != nil {
			return l, err
		}
	}
	return l, nil
}

package main

import (
	"github.com/spf13/cobra"

	"coppice/session"
	"coppice/worktree"
)

// scopeFlags are the flags that say which sessions are meant.
type scopeFlags struct{ worktree, repo, all bool }

func (f *scopeFlags) add(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&f.worktree, "worktree", false, "sessions of this worktree")
	cmd.Flags().BoolVar(&f.repo, "repo", false, "sessions of this repository, all its worktrees (the default inside of one)")
	cmd.Flags().BoolVar(&f.all, "all", false, "every session (the default elsewhere)")
}

// check finds flags that contradict each other.
func (f *scopeFlags) check() error {
	n := 0
	for _, set := range []bool{f.worktree, f.repo, f.all} {
		if set {
			n++
		}
	}
	if n > 1 {
		return usagef("only one of --worktree, --repo and --all can be in force")
	}
	return nil
}

// scope is the set of sessions that belong to one place, or to any.
type scope struct {
	name string // "this worktree", "this repository", "this directory"; "" for everything
	here worktree.Place
	main string // the repository's main checkout, "" when there is none
	tree bool   // the worktree only
}

// newScope returns the scope that the flags ask for around dir. Outside of a
// repository, "this worktree" and "this repository" are the directory.
func newScope(f scopeFlags, dir string, repos []worktree.Repository) scope {
	here := worktree.Locate(dir)
	if f.all || (here.CommonDir == "" && !f.repo && !f.worktree) {
		return scope{}
	}
	s := scope{name: "this repository", here: here, tree: f.worktree}
	switch {
	case here.CommonDir == "":
		s.name = "this directory"
	case f.worktree:
		s.name = "this worktree"
	}
	for _, r := range repos {
		if r.CommonDir == here.CommonDir {
			s.main = r.Main
		}
	}
	return s
}

// holds reports whether a session belongs to the scope. A session of a worktree
// that is gone belongs to its repository still.
func (s scope) holds(row session.Session) bool {
	switch {
	case s.name == "":
		return true
	case s.here.CommonDir == "":
		return row.Place.CommonDir == "" && (row.Place.Resolved == s.here.Resolved || row.Dir == s.here.Dir)
	case s.tree:
		return row.Place.CommonDir == s.here.CommonDir && row.Place.Root == s.here.Root && row.Place.State == s.here.State
	}
	return row.Place.CommonDir == s.here.CommonDir || (s.main != "" && row.Project == s.main)
}

// of returns " of this repository" or the like, "" for everything.
func (s scope) of() string {
	if s.name == "" {
		return ""
	}
	return " of " + s.name
}

package ui

import "slices"

// scope says which sessions the list shows. The zero scope is everything.
type scope struct {
	project  string // "" for every project
	set      bool   // project is meant, even when it is ""
	worktree string // "" for all worktrees of the project
	branch   string // "" for any branch
}

// holds reports whether a row is in the scope.
func (s scope) holds(r *row) bool {
	switch {
	case s.set && r.home.project != s.project:
		return false
	case s.worktree != "" && r.home.worktree != s.worktree:
		return false
	case s.branch != "" && r.Summary.Branch != s.branch:
		return false
	}
	return true
}

// everything reports whether no project is chosen.
func (s scope) everything() bool { return !s.set }

// outOfScope counts what a scope leaves out, filter by filter, so that an empty
// list can say which one to lift (report B21).
type outOfScope struct {
	byBranch   int // would show without the branch filter
	byWorktree int // would show with all worktrees of the project
	byProject  int // would show with every project
}

// leftOut counts the visible rows that each filter of the scope keeps away.
func (s scope) leftOut(rows []*row, hidden bool) outOfScope {
	var out outOfScope
	here := func(r *row, w scope) bool { return (hidden || r.Hidden == "") && w.holds(r) }
	noBranch, noTree := s, s
	noBranch.branch = ""
	noTree.worktree = ""
	for _, r := range rows {
		switch {
		case here(r, s):
		case s.branch != "" && here(r, noBranch):
			out.byBranch++
		case s.worktree != "" && here(r, noTree):
			out.byWorktree++
		case hidden || r.Hidden == "":
			out.byProject++
		}
	}
	return out
}

// holdsAny reports whether there is anything that a scope names: a registered
// worktree or repository, or a listed session.
func (m *model) holdsAny(s scope) bool {
	repo, known := m.data.repos[s.project]
	if s.everything() || known && s.worktree == "" {
		return true
	}
	for _, wt := range repo.Worktrees {
		if wt.Path == s.worktree {
			return true
		}
	}
	s.branch = ""
	return slices.ContainsFunc(m.data.order, func(r *row) bool { return s.holds(r) && (r.listed() || m.hidden) })
}

// leaveGone widens the scope when what it names was removed.
func (m *model) leaveGone() {
	for _, wider := range []scope{{project: m.scope.project, set: true, branch: m.scope.branch}, {}} {
		if m.holdsAny(m.scope) {
			return
		}
		m.scope, m.last = wider, scope{}
	}
}

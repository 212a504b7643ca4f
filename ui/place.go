package ui

import (
	"path/filepath"

	"coppice/session"
	"coppice/worktree"
)

// home says which project and which worktree of it a session belongs to.
type home struct {
	// project is the common directory of its repository, else the directory that
	// groups it, "" when no record names one.
	project string
	// worktree is the path of its checkout, also of one that is gone; for a plain
	// directory, the directory.
	worktree string
}

// places finds homes.
type places struct {
	repos map[string]worktree.Repository // by common directory
	roots map[string]string              // main checkout or bare directory's parent → common directory
}

// newPlaces indexes the repositories.
func newPlaces(repos map[string]worktree.Repository) places {
	p := places{repos: repos, roots: make(map[string]string, 2*len(repos))}
	for common, r := range repos {
		if r.Main != "" {
			p.roots[r.Main] = common
		}
		p.roots[common] = common
		if r.Bare {
			p.roots[filepath.Dir(common)] = common
		}
	}
	return p
}

// home returns where a session belongs.
func (p places) home(s session.Session) home {
	common := s.Place.CommonDir
	if common == "" {
		common = p.roots[s.Project]
	}
	if common == "" {
		dir := s.Project
		if dir == "" {
			dir = s.Dir
		}
		return home{project: dir, worktree: dir}
	}
	return home{project: common, worktree: p.checkout(s, p.repos[common])}
}

// checkout returns the worktree of a repository that a session belongs to. One
// that is known only from the session is named by its binding, by the checkout
// that held its directory, or by the directory itself (reports B16, B18).
func (p places) checkout(s session.Session, repo worktree.Repository) string {
	best := ""
	for _, wt := range repo.Worktrees {
		if len(wt.Path) > len(best) && (worktree.Within(wt.Path, s.Dir) || worktree.Within(wt.Path, s.Place.Resolved)) {
			best = wt.Path
		}
	}
	if b := s.Summary.Worktree; b != nil && len(b.Path) > len(best) && worktree.Within(b.Path, s.Dir) {
		return b.Path
	}
	linked := best != "" && best != repo.Main
	if linked {
		return best
	}
	switch s.Place.State {
	case worktree.Gone, worktree.Missing, worktree.Ghost, worktree.Prunable, worktree.Moved:
		if s.Place.Root != "" && s.Place.Root != best {
			return s.Place.Root
		}
		return s.Dir
	case worktree.Present, worktree.Plain, worktree.Bare, worktree.Unknown:
	}
	if best != "" {
		return best
	}
	if s.Place.Root != "" {
		return s.Place.Root
	}
	return s.Dir
}

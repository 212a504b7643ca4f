package ui

import "path/filepath"

// whyNoWorkDir says why nothing can be run in the directory of what is selected.
func (m *model) whyNoWorkDir() string {
	_, why := m.workDir()
	return why
}

// workDir is where a session, a shell or an editor starts: the directory of the
// selected session, else the checkout that the tree or the scope names. why says
// why there is none.
func (m *model) workDir() (dir, why string) {
	r := m.list.selected()
	switch {
	case m.pane() == paneTree:
		return m.dirOf(m.tree.selected().scope())
	case r == nil:
		return m.dirOf(m.scope)
	case !filepath.IsAbs(r.Dir):
		return "", "no record of this session names a directory"
	case !r.Place.Exists:
		return "", "the directory of this session is gone: " + r.Dir
	}
	return r.Dir, ""
}

// dirOf is the directory that a scope names: its worktree, the one that has its
// branch, or the main checkout; the start directory for everything.
func (m *model) dirOf(s scope) (dir, why string) {
	repo, known := m.data.repos[s.project]
	switch {
	case s.everything():
		return m.opt.Start, ""
	case s.worktree != "":
		return m.present(s)
	case s.branch != "":
		for _, wt := range repo.Worktrees {
			if wt.Branch == s.branch {
				return m.present(scope{project: s.project, set: true, worktree: wt.Path})
			}
		}
		return "", "this branch has no worktree; " + m.keys.key("open") + " makes one in Projects"
	case known && repo.Main == "":
		return "", "this repository has no main checkout: select one of its worktrees"
	case known:
		return m.present(scope{project: s.project, set: true, worktree: repo.Main})
	case !filepath.IsAbs(s.project):
		return "", "no record of these sessions names a directory"
	}
	return m.present(scope{project: s.project, set: true, worktree: s.project})
}

// present is the worktree or plain directory that a scope names, or why nothing
// can be run there.
func (m *model) present(s scope) (dir, why string) {
	for _, wt := range m.data.repos[s.project].Worktrees {
		if n := (node{state: wt.State}); wt.Path == s.worktree {
			if n.gone() {
				return "", "this worktree is gone (" + string(n.state) + ")"
			}
			return s.worktree, ""
		}
	}
	for _, r := range m.data.order {
		if s.holds(r) && !r.Place.Exists {
			return "", "this directory is gone: " + s.worktree
		}
	}
	return s.worktree, ""
}

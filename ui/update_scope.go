package ui

// toggleWorktrees goes from this worktree to all of the repository, and back.
func (m *model) toggleWorktrees() []cmd {
	s := m.scope
	if s.worktree != "" {
		s.worktree = ""
	} else {
		s = m.narrow()
	}
	return m.follow(s)
}

// whyNotWorktrees says why there is no worktree to narrow the list to.
func (m *model) whyNotWorktrees() string {
	if m.scope.worktree == "" && m.narrow().worktree == "" {
		return "no worktree to show: select a session or a worktree first"
	}
	return ""
}

// narrow is the scope of one worktree: that of the selected session, else the
// last one shown, else the start directory's.
func (m *model) narrow() scope {
	s := m.scope
	fits := func(h home) bool {
		return h.worktree != "" && (s.everything() || h.project == s.project)
	}
	candidates := []home{{project: m.last.project, worktree: m.last.worktree}, m.startHome()}
	if r := m.list.selected(); r != nil {
		candidates = append([]home{r.home}, candidates...)
	}
	for _, h := range candidates {
		if fits(h) {
			return scope{project: h.project, set: true, worktree: h.worktree, branch: s.branch}
		}
	}
	return s
}

// toggleEverything goes from this repository to everything, and back.
func (m *model) toggleEverything() []cmd {
	if !m.scope.everything() {
		return m.follow(scope{branch: m.scope.branch})
	}
	return m.follow(m.here())
}

// whyNotEverything says why there is no repository to narrow the list to.
func (m *model) whyNotEverything() string {
	if m.scope.everything() && m.here().everything() {
		return "no repository to show: select a session first"
	}
	return ""
}

// here is the scope of one repository: that of the selected session, else the
// last one shown, else the start directory's.
func (m *model) here() scope {
	s := scope{branch: m.scope.branch}
	switch r := m.list.selected(); {
	case r != nil:
		s.project, s.set = r.home.project, true
	case m.last.set:
		s.project, s.set = m.last.project, true
	case m.startHome().project != "":
		s.project, s.set = m.startHome().project, true
	}
	return s
}

// toggleBranch filters by a branch, or lifts the filter.
func (m *model) toggleBranch() []cmd {
	s := m.scope
	if s.branch != "" {
		s.branch = ""
	} else {
		s.branch = m.branch()
	}
	return m.follow(s)
}

// whyNotBranch says why there is no branch to filter by.
func (m *model) whyNotBranch() string {
	if m.scope.branch == "" && m.branch() == "" {
		return "no branch to filter by: the selected session recorded none"
	}
	return ""
}

// branch is the branch of the selected session, else the one checked out in the
// worktree that is shown.
func (m *model) branch() string {
	if r := m.list.selected(); r != nil {
		return r.Summary.Branch
	}
	for _, wt := range m.data.repos[m.scope.project].Worktrees {
		if wt.Path == m.scope.worktree {
			return wt.Branch
		}
	}
	return ""
}

// follow shows another scope, the tree going along, and stays on the session
// that was selected when it is still listed.
func (m *model) follow(s scope) []cmd {
	keep := m.list.selected()
	m.setScope(s)
	m.tree.show(s)
	if keep != nil {
		m.list.seek(keep.ID)
		m.list.moved = m.list.selected() == keep
	}
	return nil
}

// toggleHidden lists the hidden rows too, or no longer.
func (m *model) toggleHidden() []cmd {
	m.hidden = !m.hidden
	m.rebuild()
	return nil
}

// whyNotHidden says that there is nothing to show.
func (m *model) whyNotHidden() string {
	if !m.hidden && m.list.hidden == 0 {
		return "nothing is hidden here"
	}
	return ""
}

// nextSort orders the list by the next key.
func (m *model) nextSort() []cmd {
	m.list.order = (m.list.order + 1) % sortKeys
	m.relist()
	return m.say("sorted by " + m.list.order.String())
}

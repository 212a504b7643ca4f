package ui

// moveBy moves in the pane that has the focus.
func moveBy(n int) func(*model) []cmd {
	return func(m *model) []cmd { return m.move(m.pane(), n) }
}

// move moves by n rows in a pane, whichever has the focus.
func (m *model) move(p pane, n int) []cmd {
	switch p {
	case paneTree:
		m.goTree(m.tree.at + n)
	case paneList:
		m.goList(m.list.at + n)
	case panePreview:
		m.scrollPreview(n)
	}
	return nil
}

// movePage moves by what the pane shows at once.
func movePage(n int) func(*model) []cmd {
	return func(m *model) []cmd { return m.move(m.pane(), n*max(m.pageRows(m.pane())-1, 1)) }
}

// moveTo moves to a row, counted from the top.
func moveTo(i int) func(*model) []cmd {
	return func(m *model) []cmd {
		switch m.pane() {
		case paneTree:
			m.goTree(i)
		case paneList:
			m.goList(i)
		case panePreview:
			m.preview.scrollTo(i)
			m.preview.down = i
		}
		return nil
	}
}

// pane is the pane that moves: the preview while it covers the others.
func (m *model) pane() pane {
	if m.preview.full {
		return panePreview
	}
	return m.focus
}

// goList selects an entry of the list.
func (m *model) goList(i int) {
	m.list.at = max(min(i, len(m.list.entries)-1), 0)
	m.list.moved = true
	m.settled = true
}

// goTree selects a node, and with it what the list shows.
func (m *model) goTree(i int) {
	m.tree.at = max(min(i, len(m.tree.nodes)-1), 0)
	m.preview.down = 0
	m.setScope(m.tree.selected().scope())
}

// setScope shows other sessions.
func (m *model) setScope(s scope) {
	m.settled = true
	if s == m.scope {
		return
	}
	if !m.scope.everything() {
		m.last = m.scope
	}
	m.scope = s
	m.list.moved = false
	m.relist()
}

// moveFocus gives the keys to another pane.
func moveFocus(n pane) func(*model) []cmd {
	return func(m *model) []cmd {
		m.preview.full = false
		m.focus = (m.focus + n + panes) % panes
		return nil
	}
}

// whyNotExpand says why there is nothing to expand.
func (m *model) whyNotExpand() string {
	switch m.pane() {
	case paneTree:
		if !m.tree.selected().nested {
			return "there is nothing below this row to expand"
		}
	case paneList:
		if e := m.entry(); e.forks == 0 {
			return "this session has no forks to expand"
		}
	case panePreview:
		if m.preview.expanded {
			return "everything in the preview is expanded"
		}
	}
	return ""
}

// entry returns the selected line of the list, or an empty one.
func (m *model) entry() entry {
	if m.list.selected() == nil {
		return entry{}
	}
	return m.list.entries[m.list.at]
}

// expand opens the selected group, or goes into one that is open.
func (m *model) expand() []cmd {
	switch m.pane() {
	case paneTree:
		if n := m.tree.selected(); n.open {
			m.goTree(m.tree.at + 1)
		} else {
			m.setOpen(n, true)
		}
	case paneList:
		if e := m.entry(); e.open {
			m.goList(m.list.at + 1)
		} else {
			delete(m.list.folded, e.row.ID)
			m.list.moved = true
			m.relist()
		}
	case panePreview:
		m.preview.expanded = true
	}
	return nil
}

// collapse closes the selected group, or goes to the row that it lies below.
func (m *model) collapse() []cmd {
	switch m.pane() {
	case paneTree:
		m.collapseNode()
	case paneList:
		m.collapseEntry()
	case panePreview:
		if m.preview.expanded {
			m.preview.expanded = false
		} else {
			m.preview.full = false
			m.focus = paneList
		}
	}
	return nil
}

// collapseNode closes a node of the tree, or goes to its parent.
func (m *model) collapseNode() {
	n := m.tree.selected()
	if n.nested && n.open {
		m.setOpen(n, false)
		return
	}
	if i := parent(m.tree.at, func(i int) int { return m.tree.nodes[i].level }); i >= 0 {
		m.goTree(i)
	}
}

// collapseEntry closes a group of forks, or goes to the session they came from.
func (m *model) collapseEntry() {
	e := m.entry()
	above := parent(m.list.at, func(i int) int { return m.list.entries[i].depth })
	switch {
	case e.row == nil:
	case e.forks > 0 && e.open:
		m.list.folded[e.row.ID] = true
		m.list.moved = true
		m.relist()
	case above >= 0:
		m.goList(above)
	default:
		m.focus = paneTree
	}
}

// setOpen expands or collapses a node of the tree.
func (m *model) setOpen(n node, open bool) {
	if n.kind == nodeFold {
		m.tree.branches[n.key()] = open
	} else {
		m.tree.closed[n.key()] = !open
	}
	m.tree.build(&m.data, m.hidden)
}

// parent returns the index of the line that line i lies below, or -1. level says
// how far a line is indented.
func parent(i int, level func(int) int) int {
	for k := i - 1; k >= 0; k-- {
		if level(k) < level(i) {
			return k
		}
	}
	return -1
}

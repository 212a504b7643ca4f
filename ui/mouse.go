package ui

// wheelRows is how far one step of the wheel scrolls.
const wheelRows = 3

// mouse handles a click or a step of the wheel.
func (m *model) mouse(in moused) []cmd {
	if m.dialog != nil {
		return m.mouseDialog(in)
	}
	if m.rename != nil {
		return nil // the field keeps the keyboard until Enter or Esc
	}
	at, ok := m.paneAt(in.x, in.y)
	if !ok {
		return nil
	}
	switch in.what {
	case mouseWheelUp:
		return m.move(at, -wheelRows)
	case mouseWheelDown:
		return m.move(at, wheelRows)
	case mouseClick, mouseDouble:
	}
	m.note = note{}
	if !m.preview.full {
		m.focus = at
	}
	if !m.pick(at, in.y) || in.what != mouseDouble {
		return nil
	}
	if why := m.whyNotOpen(); why != "" {
		return m.warn(why)
	}
	if n := m.tree.selected(); at == paneTree && n.nested {
		m.setOpen(n, !n.open)
		return nil
	}
	return m.open()
}

// mouseDialog scrolls a dialog; its choices are made with keys.
func (m *model) mouseDialog(in moused) []cmd {
	switch in.what {
	case mouseWheelUp:
		m.scrollDialog(m.dialogBox(), -wheelRows)
	case mouseWheelDown:
		m.scrollDialog(m.dialogBox(), wheelRows)
	case mouseClick, mouseDouble:
	}
	return nil
}

// paneAt returns the pane at a cell.
func (m *model) paneAt(x, y int) (pane, bool) {
	for i, r := range m.layout().panes {
		if r.holds(x, y) {
			return pane(i), true
		}
	}
	return 0, false
}

// pick selects the row at a height of the screen, if there is one.
func (m *model) pick(p pane, y int) bool {
	in := m.layout().panes[p].inside()
	i := y - in.y
	if i < 0 || i >= in.h {
		return false
	}
	switch p {
	case paneTree:
		if i += m.tree.top; i < len(m.tree.nodes) {
			m.goTree(i)
			return true
		}
	case paneList:
		if m.searching() {
			i--
		}
		if i += m.list.top; i >= 0 && i < len(m.list.entries) {
			m.goList(i)
			return true
		}
	case panePreview:
	}
	return false
}

package ui

// rect is a part of the screen, in cells.
type rect struct{ x, y, w, h int }

// holds reports whether a cell lies in the rectangle.
func (r rect) holds(x, y int) bool {
	return x >= r.x && x < r.x+r.w && y >= r.y && y < r.y+r.h
}

// inside is the rectangle within a border.
func (r rect) inside() rect {
	return rect{x: r.x + 1, y: r.y + 1, w: max(r.w-2, 0), h: max(r.h-2, 0)}
}

// layout says where everything is. A part without width is not shown.
type layout struct {
	status, footer rect
	panes          [panes]rect
}

// The widths at which the layout changes (DESIGN "The window").
const (
	wideScreen   = 100 // from here on the panes stand side by side
	narrowScreen = 70  // below, one pane at a time
)

// body is the part of the screen between status line and footer.
func (m *model) body() rect {
	top, bottom := 0, 0
	if m.h >= 3 {
		top = 1
	}
	if m.h >= 2 {
		bottom = 1
	}
	return rect{x: 0, y: top, w: max(m.w, 1), h: max(m.h-top-bottom, 1)}
}

// layout lays out the screen.
func (m *model) layout() layout {
	b := m.body()
	var l layout
	if m.h >= 3 {
		l.status = rect{w: b.w, h: 1}
	}
	if m.h >= 2 {
		l.footer = rect{y: m.h - 1, w: b.w, h: 1}
	}
	switch {
	case len(m.data.rows) == 0: // nothing to choose from yet
		l.panes[paneList] = b
	case m.preview.full:
		l.panes[panePreview] = b
	case b.w < narrowScreen:
		l.panes[m.focus] = b
	case b.w < wideScreen:
		l.panes = stacked(b, m.tree.width+2)
	default:
		l.panes = beside(b, m.tree.width+2)
	}
	return l
}

// leastTree is the width of the tree where it has little to show.
const leastTree = 22

// stacked puts the tree at the left, as wide as it wants to be up to a share, and
// the preview under the list.
func stacked(b rect, tree int) [panes]rect {
	tree = max(min(tree, b.w*32/100), leastTree)
	list := (b.h + 1) / 2
	if b.h < 10 { // no room for two: the list has it all
		list = b.h
	}
	var p [panes]rect
	p[paneTree] = rect{x: b.x, y: b.y, w: tree, h: b.h}
	p[paneList] = rect{x: b.x + tree, y: b.y, w: b.w - tree, h: list}
	if list < b.h {
		p[panePreview] = rect{x: b.x + tree, y: b.y + list, w: b.w - tree, h: b.h - list}
	}
	return p
}

// beside puts the three panes side by side.
func beside(b rect, tree int) [panes]rect {
	tree = max(min(tree, b.w*24/100, 48), leastTree)
	view := min(max(b.w*32/100, 30), 90)
	var p [panes]rect
	p[paneTree] = rect{x: b.x, y: b.y, w: tree, h: b.h}
	p[paneList] = rect{x: b.x + tree, y: b.y, w: b.w - tree - view, h: b.h}
	p[panePreview] = rect{x: b.x + b.w - view, y: b.y, w: view, h: b.h}
	return p
}

// pageRows is how many rows a pane shows at once.
func (m *model) pageRows(p pane) int {
	r := m.layout().panes[p]
	rows := r.inside().h
	if p == paneList && m.searching() {
		rows--
	}
	return max(rows, 1)
}

// searching reports whether the list shows its search line.
func (m *model) searching() bool { return m.search.on || len(m.search.words()) > 0 }

// window returns the first row to show of n so that the row at is seen, moving
// as little as possible from where it was.
func window(top, at, n, rows int) int {
	if at < top {
		top = at
	}
	if at >= top+rows {
		top = at - rows + 1
	}
	return max(min(top, n-rows), 0)
}

package ui

import (
	"path/filepath"
	"strings"

	"coppice/ui/text"
	"coppice/worktree"
)

// drawTree draws the pane of projects.
func (m *model) drawTree(f *frame, r rect) {
	if r.w < 1 {
		return
	}
	focus := m.pane() == paneTree
	f.border(r, text.Line{{Text: "Projects"}}, "", focus)
	in := r.inside()
	t := &m.tree
	t.top = window(t.top, t.at, len(t.nodes), max(in.h, 1))
	for i := t.top; i < len(t.nodes) && i < t.top+in.h; i++ {
		f.putSelected(in.x, in.y+i-t.top, in.w, nodeLine(t.nodes[i], in.w, t.digits(), i == t.at), i == t.at)
	}
}

// nodeLine draws a node in w cells: its mark and name, and at the right what
// there is to say about it. The notes give way to the name, one after the other;
// to a name that is too long in any case only until it has most of the line.
func nodeLine(n node, w, digits int, selected bool) text.Line {
	left := append(text.Line{{Text: cursorMark(selected), Role: text.Accent}}, nodeName(n)[1:]...)
	room := func(n node) int { return w - 1 - nodeNote(n, digits).Width() }
	bare := n
	bare.notes = nil
	want := left.Width()
	if want > room(bare) {
		want = min(room(bare), w*3/4)
	}
	for len(n.notes) > 0 && room(n) < want {
		n.notes = n.notes[1:]
	}
	return spread(left, nodeNote(n, digits), w)
}

// nodeName is the left part of a node's line, after a blank for the cursor.
func nodeName(n node) text.Line {
	line := text.Line{{Text: " "}}
	in := strings.Repeat("  ", n.level)
	switch n.kind {
	case nodeAll:
		return append(line, text.Span{Text: n.label, Role: text.Title})
	case nodeRepo, nodeFold:
		mark := "▸ "
		if n.open {
			mark = "▾ "
		}
		return append(line, text.Span{Text: in + mark, Role: text.Dim}, text.Foreign(n.label, text.Title))
	case nodePlain:
		line = append(line, text.Span{Text: "  "})
	case nodeBranch: // two blanks: many fonts draw the mark wider than its cell
		line = append(line, text.Span{Text: in + "⎇  ", Role: text.Dim})
	case nodeWorktree:
		line = append(line, text.Span{Text: in + stateMark(n.state) + " ", Role: stateRole(n.state)})
	}
	return append(line, text.Foreign(n.label, text.Default))
}

// cursorMark tells the selected row without colours.
func cursorMark(selected bool) string {
	if selected {
		return "▸"
	}
	return " "
}

// stateMark is the mark of a worktree.
func stateMark(s worktree.State) string {
	switch s {
	case worktree.Present:
		return "◉"
	case worktree.Missing, worktree.Prunable, worktree.Moved, worktree.Ghost, worktree.Gone:
		return "○"
	case worktree.Plain, worktree.Bare, worktree.Unknown:
	}
	return "·"
}

// stateRole is the look of that mark.
func stateRole(s worktree.State) text.Role {
	if s == worktree.Present {
		return text.Good
	}
	return text.Dim
}

// nodeNote is what stands at the right of a node: its state, live sessions and
// how many sessions there are, in a column of so many digits.
func nodeNote(n node, digits int) text.Line {
	var l text.Line
	add := func(s string, role text.Role) {
		if len(l) > 0 {
			s = " " + s
		}
		l = append(l, text.Foreign(s, role))
	}
	role := text.Dim
	if n.bad {
		role = text.Warn
	}
	for _, note := range n.notes {
		add(note, role)
	}
	switch {
	case n.waiting > 0:
		add("!", text.Warn)
	case n.live > 0:
		add("●", text.Good)
	}
	number := ""
	if n.sessions > 0 || n.kind == nodeRepo || n.kind == nodeAll {
		number = text.Count(n.sessions)
	}
	add(text.PadLeft(number, digits), text.Accent)
	return l
}

// spread puts a line at the right end of w cells; the one at the left is cut to
// the rest.
func spread(left, right text.Line, w int) text.Line {
	room := w - right.Width() - 1
	if room < 4 {
		return left.Pad(w)
	}
	return append(left.Pad(room), append(text.Line{{Text: " "}}, right...)...)
}

// checkoutLabel names a worktree: the main checkout by its branch, as people do.
func checkoutLabel(wt worktree.Worktree) string {
	switch {
	case wt.Main && wt.Branch != "":
		return wt.Branch
	case wt.Name != "":
		return wt.Name
	}
	return filepath.Base(wt.Path)
}

// baseName is the last part of a path, "(no directory)" without one.
func baseName(path string) string {
	if path == "" {
		return "(no directory)"
	}
	return filepath.Base(path)
}

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
		f.putSelected(in.x, in.y+i-t.top, in.w, nodeLine(t.nodes[i], in.w, i == t.at), i == t.at)
	}
}

// nodeLine draws a node: its mark and name, and at the right what there is to
// say about it.
func nodeLine(n node, w int, selected bool) text.Line {
	left := text.Line{{Text: cursorMark(selected), Role: text.Accent}}
	in := strings.Repeat("  ", n.level)
	switch n.kind {
	case nodeAll:
		left = append(left, text.Span{Text: n.label, Role: text.Title})
	case nodeRepo, nodeFold:
		mark := "▸ "
		if n.open {
			mark = "▾ "
		}
		left = append(left, text.Span{Text: in + mark, Role: text.Dim}, text.Foreign(n.label, text.Title))
	case nodePlain:
		left = append(left, text.Span{Text: "  "}, text.Foreign(n.label, text.Default))
	case nodeBranch:
		left = append(left, text.Span{Text: in + "⎇ ", Role: text.Dim}, text.Foreign(n.label, text.Default))
	case nodeWorktree:
		left = append(left, text.Span{Text: in + stateMark(n.state) + " ", Role: stateRole(n.state)}, text.Foreign(n.label, text.Default))
	}
	return spread(left, nodeNote(n), w)
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

// nodeNote is what stands at the right of a node: live sessions, state, lock and
// how many sessions there are.
func nodeNote(n node) text.Line {
	var l text.Line
	add := func(s string, role text.Role) {
		if s == "" {
			return
		}
		if len(l) > 0 {
			s = " " + s
		}
		l = append(l, text.Foreign(s, role))
	}
	if n.bad {
		add(n.note, text.Warn)
	} else {
		add(n.note, text.Dim)
	}
	if n.locked {
		add("locked", text.Dim)
	}
	switch {
	case n.waiting > 0:
		add("!", text.Warn)
	case n.live > 0:
		add("●", text.Good)
	}
	if n.sessions > 0 || n.kind == nodeRepo || n.kind == nodeAll {
		add(text.PadLeft(text.Count(n.sessions), 3), text.Accent)
	} else {
		add("   ", text.Dim)
	}
	return l
}

// spread puts a note at the right end of a line of w cells; the name at the left
// keeps at least eight, then the note gives way from its left.
func spread(left, right text.Line, w int) text.Line {
	for len(right) > 1 && left.Width() > w-right.Width()-1 && right.Width() > w/2 {
		right = right[1:]
	}
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

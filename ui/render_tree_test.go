package ui

import (
	"testing"

	"coppice/ui/text"
	"coppice/worktree"
)

// The state of a worktree gives way to its name, not the name to the state.
func TestNodeLine(t *testing.T) {
	t.Parallel()
	short := node{kind: nodeWorktree, level: 1, label: "router", state: worktree.Missing, notes: []string{"missing"}, tally: tally{sessions: 1}}
	busy := node{kind: nodeWorktree, level: 1, label: "offline-mode", state: worktree.Present, notes: []string{"rebase", "↑1", "±3"}, tally: tally{sessions: 12, live: 1}}
	long := busy
	long.label = "a-name-longer-than-any-line-of-the-tree"
	tests := []struct {
		name string
		n    node
		w    int
		want string
	}{
		{"room for all", busy, 36, "   ◉ offline-mode  rebase ↑1 ±3 ● 12"},
		{"operation", busy, 30, "   ◉ offline-mode   ↑1 ±3 ● 12"},
		{"changes only", busy, 26, "   ◉ offline-mode  ±3 ● 12"},
		{"nothing but marks", busy, 23, "   ◉ offline-mode  ● 12"},
		{"missing", short, 22, "   ○ router missing  1"},
		{"the mark says it", short, 20, "   ○ router        1"},
		{"too long in any case", long, 36, "   ◉ a-name-longer-than-any… ±3 ● 12"},
		{"branch", node{kind: nodeBranch, level: 1, label: "release-2", notes: []string{"(branch)"}}, 27, "   ⎇  release-2 (branch)   "},
		{"long branch", node{kind: nodeBranch, level: 1, label: "release-two-three", notes: []string{"(branch)"}}, 27, "   ⎇  release-two-three    "},
	}
	for _, tt := range tests {
		got := ""
		for _, s := range nodeLine(tt.n, tt.w, 2, false) {
			got += s.Text
		}
		if text.Width(got) != tt.w {
			t.Errorf("%s: %q takes %d cells, want %d", tt.name, got, text.Width(got), tt.w)
		}
		if got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

package ui

import (
	"fmt"
	"path/filepath"
	"sort"

	"coppice/ui/text"
	"coppice/worktree"
)

// fewBranches is how many branches without a checkout are shown unfolded.
const fewBranches = 4

// add puts a project and, where it is open, what lies below it into the tree.
func (t *tree) add(p *project, d *data) {
	if !p.isRepo() {
		n := node{kind: nodePlain, project: p.key, path: p.key, label: p.label, tally: p.count}
		t.nodes = append(t.nodes, n)
		return
	}
	n := node{kind: nodeRepo, project: p.key, label: p.label, tally: p.count, nested: true}
	if p.repo != nil && p.repo.Problem != "" {
		n.notes, n.bad = []string{p.repo.Problem}, true
	}
	n.open = !t.closed[n.key()]
	t.nodes = append(t.nodes, n)
	if !n.open {
		return
	}
	t.addCheckouts(p, d)
	t.addBranches(p, d)
}

// addCheckouts adds the registered worktrees and those known from sessions.
func (t *tree) addCheckouts(p *project, d *data) {
	known := map[string]bool{}
	if p.repo != nil {
		for _, wt := range p.repo.Worktrees {
			known[wt.Path] = true
			n := checkoutNode(p, wt, d.status[wt.Path])
			n.notes = append(d.requests.note(p.key, wt.Branch), n.notes...)
			t.nodes = append(t.nodes, n)
		}
	}
	var more []string
	for path := range p.trees {
		if !known[path] {
			more = append(more, path)
		}
	}
	sort.Strings(more)
	for _, path := range more {
		n := node{kind: nodeWorktree, project: p.key, path: path, level: 1, label: filepath.Base(path), state: p.states[path]}
		if n.state != worktree.Present && n.state != worktree.Unknown {
			n.notes = []string{string(n.state)}
		}
		n.tally = *p.trees[path]
		t.nodes = append(t.nodes, n)
	}
}

// checkoutNode is the node of a registered worktree.
func checkoutNode(p *project, wt worktree.Worktree, st worktree.Status) node {
	n := node{kind: nodeWorktree, project: p.key, path: wt.Path, level: 1, label: checkoutLabel(wt), state: wt.State, tally: *count(p.trees, wt.Path)}
	if wt.Locked {
		n.notes = append(n.notes, "locked")
	}
	if wt.State != worktree.Present {
		n.notes, n.bad = append(n.notes, string(wt.State)), true
		return n
	}
	n.notes = append(n.notes, statusNotes(wt, st)...)
	n.bad = st.Problem != ""
	return n
}

// statusNotes tell the state of a checkout in a few characters: rebase ↑1 ↓2 ±3,
// ✓ when it is clean, nothing while nothing is known.
func statusNotes(wt worktree.Worktree, st worktree.Status) []string {
	var notes []string
	if wt.Operation != "" {
		notes = append(notes, wt.Operation)
	} else if wt.Detached {
		notes = append(notes, "detached")
	}
	switch {
	case st.Problem != "":
		return append(notes, "state unknown")
	case st.At.IsZero() && st.Path == "":
		return notes
	}
	if st.Upstream && st.Ahead > 0 {
		notes = append(notes, fmt.Sprintf("↑%d", st.Ahead))
	}
	if st.Upstream && st.Behind > 0 {
		notes = append(notes, fmt.Sprintf("↓%d", st.Behind))
	}
	if st.Dirty > 0 {
		return append(notes, fmt.Sprintf("±%d", st.Dirty))
	}
	return append(notes, "✓")
}

// addBranches adds the local branches without a checkout, folded when many.
func (t *tree) addBranches(p *project, d *data) {
	if p.repo == nil {
		return
	}
	var free []string
	for _, b := range p.repo.Branches {
		if b.Worktree == "" {
			free = append(free, b.Name)
		}
	}
	level := 1
	if len(free) > fewBranches {
		level = 2
		fold := node{kind: nodeFold, project: p.key, level: 1, label: fmt.Sprintf("%s branches", text.Count(len(free))), nested: true}
		fold.open = t.branches[fold.key()]
		t.nodes = append(t.nodes, fold)
		if !fold.open {
			return
		}
	}
	for _, name := range free {
		n := node{kind: nodeBranch, project: p.key, branch: name, level: level, label: name, notes: append(d.requests.note(p.key, name), "(branch)"), tally: *count(p.heads, name)}
		t.nodes = append(t.nodes, n)
	}
}

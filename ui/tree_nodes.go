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
		n := node{kind: nodePlain, project: p.key, path: p.key, label: p.label, sessions: p.count.sessions, live: p.count.live, waiting: p.count.waiting}
		t.nodes = append(t.nodes, n)
		return
	}
	n := node{kind: nodeRepo, project: p.key, label: p.label, sessions: p.count.sessions, live: p.count.live, waiting: p.count.waiting, nested: true}
	if p.repo != nil && p.repo.Problem != "" {
		n.note, n.bad = p.repo.Problem, true
	}
	n.open = !t.closed[n.key()]
	t.nodes = append(t.nodes, n)
	if !n.open {
		return
	}
	t.addCheckouts(p, d)
	t.addBranches(p)
}

// addCheckouts adds the registered worktrees and those known from sessions.
func (t *tree) addCheckouts(p *project, d *data) {
	known := map[string]bool{}
	if p.repo != nil {
		for _, wt := range p.repo.Worktrees {
			known[wt.Path] = true
			t.nodes = append(t.nodes, checkoutNode(p, wt, d.status[wt.Path]))
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
			n.note = string(n.state)
		}
		n.count(p.trees[path])
		t.nodes = append(t.nodes, n)
	}
}

// count copies a tally, which may be nil.
func (n *node) count(c *tally) {
	if c != nil {
		n.sessions, n.live, n.waiting = c.sessions, c.live, c.waiting
	}
}

// checkoutNode is the node of a registered worktree.
func checkoutNode(p *project, wt worktree.Worktree, st worktree.Status) node {
	n := node{kind: nodeWorktree, project: p.key, path: wt.Path, level: 1, label: checkoutLabel(wt), state: wt.State, locked: wt.Locked}
	n.count(p.trees[wt.Path])
	if wt.State != worktree.Present {
		n.note, n.bad = string(wt.State), true
		return n
	}
	n.note = statusNote(wt, st)
	n.bad = st.Problem != ""
	return n
}

// statusNote tells the state of a checkout in a few characters: "rebase ↑1 ↓2 ±3",
// "✓" when it is clean, "" while nothing is known.
func statusNote(wt worktree.Worktree, st worktree.Status) string {
	note := ""
	add := func(s string) {
		if note != "" {
			note += " "
		}
		note += s
	}
	if wt.Operation != "" {
		add(wt.Operation)
	} else if wt.Detached {
		add("detached")
	}
	switch {
	case st.Problem != "":
		add("state unknown")
		return note
	case st.At.IsZero() && st.Path == "":
		return note
	}
	if st.Upstream && st.Ahead > 0 {
		add(fmt.Sprintf("↑%d", st.Ahead))
	}
	if st.Upstream && st.Behind > 0 {
		add(fmt.Sprintf("↓%d", st.Behind))
	}
	if st.Dirty > 0 {
		add(fmt.Sprintf("±%d", st.Dirty))
	} else {
		add("✓")
	}
	return note
}

// addBranches adds the local branches without a checkout, folded when many.
func (t *tree) addBranches(p *project) {
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
		n := node{kind: nodeBranch, project: p.key, branch: name, level: level, label: name}
		n.count(p.heads[name])
		t.nodes = append(t.nodes, n)
	}
}

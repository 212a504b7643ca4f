package ui

import (
	"path/filepath"
	"sort"
	"strings"

	"coppice/session"
	"coppice/ui/text"
	"coppice/worktree"
)

// nodeKind says what a node of the tree stands for.
type nodeKind int

const (
	nodeAll      nodeKind = iota // everything
	nodeRepo                     // a repository
	nodeWorktree                 // one of its checkouts, also one that is gone
	nodeFold                     // the branches without a checkout, folded away
	nodeBranch                   // one of them
	nodePlain                    // a directory outside any repository
)

// node is a line of the tree.
type node struct {
	kind    nodeKind
	project string // key of its project
	path    string // of a worktree or plain directory
	branch  string
	label   string
	notes   []string // its state in words and numbers, what matters most last
	bad     bool     // the notes tell of something wrong
	state   worktree.State
	tally        // of the listed sessions below it
	level   int  // how far it is indented
	open    bool // expanded
	nested  bool // has nodes below it
}

// key names a node across rebuilds.
func (n node) key() string {
	return strings.Join([]string{string(rune('0' + n.kind)), n.project, n.path, n.branch}, "\x00")
}

// gone reports whether the directory of a worktree is not there, as far as known.
func (n node) gone() bool {
	return n.state == worktree.Missing || n.state == worktree.Gone
}

// scope is what selecting the node shows.
func (n node) scope() scope {
	switch n.kind {
	case nodeWorktree:
		return scope{project: n.project, set: true, worktree: n.path}
	case nodeBranch:
		return scope{project: n.project, set: true, branch: n.branch}
	case nodeRepo, nodeFold, nodePlain:
		return scope{project: n.project, set: true}
	case nodeAll:
	}
	return scope{}
}

// tree is the pane of projects: its nodes from top to bottom and which is
// selected.
type tree struct {
	nodes    []node
	at       int
	top      int
	width    int               // cells that the widest line so far asked for
	labels   map[string]string // of projects, by key
	closed   map[string]bool   // repositories folded together, by key
	branches map[string]bool   // folds of branches that are open, by key
}

// newTree returns an empty tree.
func newTree() tree {
	return tree{closed: map[string]bool{}, branches: map[string]bool{}}
}

// selected returns the node under the cursor.
func (t *tree) selected() node {
	if t.at < 0 || t.at >= len(t.nodes) {
		return node{}
	}
	return t.nodes[t.at]
}

// build makes the nodes anew and keeps the cursor on the node that it was on.
func (t *tree) build(d *data, hidden bool) {
	was := t.selected().key()
	g := group(d, hidden)
	t.nodes = append(t.nodes[:0], node{kind: nodeAll, label: "everything", tally: g.all})
	t.labels = make(map[string]string, len(g.byID))
	for _, p := range g.sorted() {
		t.labels[p.key] = p.label
		t.add(p, d)
	}
	// It only grows, so that folding does not make the panes jump.
	for _, n := range t.nodes {
		if n.kind == nodeBranch {
			n.notes = nil // nothing is lost without them
		}
		t.width = max(t.width, nodeName(n).Width()+1+nodeNote(n, t.digits()).Width())
	}
	t.selectKey(was)
}

// total counts all listed sessions.
func (t *tree) total() tally { return t.nodes[0].tally }

// digits is the width of the column of counts.
func (t *tree) digits() int { return text.Width(text.Count(t.total().sessions)) }

// selectKey puts the cursor on a node, else leaves it within bounds.
func (t *tree) selectKey(key string) {
	for i, n := range t.nodes {
		if n.key() == key {
			t.at = i
			return
		}
	}
	t.at = max(min(t.at, len(t.nodes)-1), 0)
}

// show puts the cursor on the node that stands for a scope: the very one, else
// the same without its branch, else its project. A cursor that is there already
// stays.
func (t *tree) show(s scope) {
	noBranch := scope{project: s.project, set: s.set, worktree: s.worktree}
	for _, want := range []scope{s, noBranch, {project: s.project, set: s.set}} {
		if t.selected().scope() == want && t.at < len(t.nodes) {
			return
		}
		for i, n := range t.nodes {
			if n.scope() == want {
				t.at = i
				return
			}
		}
	}
}

// project is a group of sessions and what is known of its repository.
type project struct {
	key   string
	label string
	repo  *worktree.Repository
	count tally
	trees map[string]*tally // by worktree path
	heads map[string]*tally // by branch
	// states are what the sessions know of worktrees, by path.
	states map[string]worktree.State
}

// tally counts rows.
type tally struct{ sessions, live, waiting int }

// add counts one row.
func (t *tally) add(r *row) {
	t.sessions++
	if r.Live != nil && !r.ended() {
		t.live++
		if r.Live.State == session.StateWaiting {
			t.waiting++
		}
	}
}

// groups are all projects.
type groups struct {
	all  tally
	byID map[string]*project
}

// group counts the rows of each project, worktree and branch.
func group(d *data, hidden bool) groups {
	g := groups{byID: make(map[string]*project, len(d.repos))}
	for common, r := range d.repos {
		p := g.project(common)
		p.repo, p.label = &r, r.Name
	}
	for _, r := range d.order {
		if r.Hidden != "" && !hidden {
			continue
		}
		g.all.add(r)
		p := g.project(r.home.project)
		p.count.add(r)
		count(p.trees, r.home.worktree).add(r)
		count(p.heads, r.Summary.Branch).add(r)
		p.states[r.home.worktree] = r.Place.State
		if p.label == "" {
			p.label = projectLabel(r)
		}
	}
	return g
}

// projectLabel names a project that is known from a session only.
func projectLabel(r *row) string {
	switch {
	case r.Project != "":
		return filepath.Base(r.Project)
	case r.home.project != "":
		return filepath.Base(r.home.project)
	}
	return "(no directory)"
}

// project returns the group with a key.
func (g *groups) project(key string) *project {
	p := g.byID[key]
	if p == nil {
		p = &project{key: key, trees: map[string]*tally{}, heads: map[string]*tally{}, states: map[string]worktree.State{}}
		g.byID[key] = p
	}
	return p
}

// count returns the tally of a key.
func count(m map[string]*tally, key string) *tally {
	t := m[key]
	if t == nil {
		t = &tally{}
		m[key] = t
	}
	return t
}

// sorted returns repositories first, then plain directories, by name: an order
// that no news disturbs.
func (g *groups) sorted() []*project {
	out := make([]*project, 0, len(g.byID))
	for _, p := range g.byID {
		out = append(out, p)
	}
	sort.Slice(out, func(i, j int) bool {
		a, b := out[i], out[j]
		if ra, rb := a.isRepo(), b.isRepo(); ra != rb {
			return ra
		}
		if la, lb := strings.ToLower(a.label), strings.ToLower(b.label); la != lb {
			return la < lb
		}
		return a.key < b.key
	})
	return out
}

// isRepo reports whether the project is a repository, also one whose facts are
// still to come.
func (p *project) isRepo() bool {
	if p.repo != nil {
		return true
	}
	if len(p.trees) > 1 {
		return true
	}
	_, self := p.trees[p.key]
	return !self && p.key != ""
}

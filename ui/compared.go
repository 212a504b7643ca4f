package ui

import (
	"context"
	"fmt"

	"coppice/ui/text"
	"coppice/worktree"
)

// compareKey names one state of a checkout or branch and of what it is compared
// with, as far as these are known here.
type compareKey struct {
	dir, revision, head string
	base                string // commit that the main checkout is at
	epoch               int    // of comparisons
}

// keptComparisons is how many comparisons are kept.
const keptComparisons = 64

// comparisons are how checkouts and branches differ from their base, asked for
// when one is selected in the tree.
type comparisons struct {
	known   map[compareKey]worktree.Comparison
	recent  []compareKey // of known, the oldest first
	loading bool
	epoch   int // grows when all is looked at again: what was fetched is not known here
}

func newComparisons() comparisons {
	return comparisons{known: map[compareKey]worktree.Comparison{}}
}

// loaded keeps an answer and forgets the oldest.
func (c *comparisons) loaded(in compared) {
	c.loading = false
	if _, ok := c.known[in.key]; !ok {
		c.recent = append(c.recent, in.key)
	}
	c.known[in.key] = in.is
	for len(c.recent) > keptComparisons {
		delete(c.known, c.recent[0])
		c.recent = c.recent[1:]
	}
}

// find returns the newest known comparison of a checkout or branch.
func (c *comparisons) find(key compareKey) (worktree.Comparison, bool) {
	if is, ok := c.known[key]; ok {
		return is, true
	}
	for i := len(c.recent) - 1; i >= 0; i-- {
		if k := c.recent[i]; k.dir == key.dir && k.revision == key.revision {
			return c.known[k], true
		}
	}
	return worktree.Comparison{}, false
}

// keyOf returns the key of a node of the tree, not ok for one that nothing can be
// compared of.
func (m *model) keyOf(n node) (key compareKey, ok bool) {
	repo, ok := m.data.repos[n.project]
	if !ok {
		return key, false
	}
	key.epoch = m.compared.epoch
	for _, wt := range repo.Worktrees {
		if wt.Main {
			key.base = wt.Head
		}
		if n.kind == nodeWorktree && wt.Path == n.path && wt.State == worktree.Present {
			key.dir, key.revision, key.head = wt.Path, "HEAD", wt.Head
		}
	}
	for _, b := range repo.Branches {
		if n.kind == nodeBranch && b.Name == n.branch {
			key.dir, key.revision, key.head = repo.CommonDir, "refs/heads/"+b.Name, b.Head
		}
	}
	return key, key.dir != ""
}

// wantComparison returns the work of comparing what is selected in the tree,
// nothing when that is known or another one is being compared.
func (m *model) wantComparison() []cmd {
	if m.opt.Worktrees == nil || m.focus != paneTree || m.compared.loading {
		return nil
	}
	key, ok := m.keyOf(m.tree.selected())
	if _, known := m.compared.known[key]; !ok || known {
		return nil
	}
	m.compared.loading = true
	compare := m.opt.Worktrees.Compare
	return background(func(ctx context.Context) msg {
		return compared{key: key, is: compare(ctx, key.dir, key.revision)}
	})
}

// nodeFacts lays out what is known of a worktree or branch of the tree.
func (m *model) nodeFacts(n node, w int) []text.Line {
	name := n.label
	out := wrapped(name, w, text.Title)
	add := func(words string, role text.Role) { out = append(out, wrapped(words, w, role)...) }
	if n.path != "" {
		add(m.tilde(n.path), text.Dim)
	}
	for _, wt := range m.data.repos[n.project].Worktrees {
		if wt.Path != n.path || n.kind != nodeWorktree {
			continue
		}
		switch {
		case wt.Operation != "":
			add("a "+wt.Operation+" of "+wt.Branch+" is under way", text.Warn)
		case wt.Branch != "":
			add("on the branch "+wt.Branch, text.Default)
		case wt.Detached:
			add(fmt.Sprintf("at %.10s, on no branch", wt.Head), text.Default)
		}
		if wt.Detail != "" {
			add(wt.Detail, text.Warn)
		}
		if wt.Locked {
			add("locked"+reason(wt.LockReason), text.Warn)
		}
	}
	if st, ok := m.data.status[n.path]; ok && n.kind == nodeWorktree {
		switch {
		case st.Problem != "":
			add(st.Problem, text.Warn)
		case st.Dirty > 0:
			add(text.Plural(st.Dirty, "file")+" changed and not committed", text.Warn)
		default:
			add("clean", text.Good)
		}
	}
	if n.kind == nodeBranch {
		add("a branch without a worktree", text.Dim)
	}
	return append(out, m.requestLines(n, w)...)
}

// comparisonLines lays out how a node of the tree differs from its base.
func (m *model) comparisonLines(n node, w int) []text.Line {
	key, ok := m.keyOf(n)
	if !ok || m.opt.Worktrees == nil {
		return nil
	}
	is, known := m.compared.find(key)
	switch {
	case !known:
		return []text.Line{{{Text: "comparing …", Role: text.Dim}}}
	case is.Problem != "":
		return wrapped("it cannot be compared: "+is.Problem, w, text.Warn)
	case is.Base == "":
		return nil
	}
	out := []text.Line{{{Text: "Against ", Role: text.Heading}, text.Foreign(is.Base, text.Heading)}}
	out = append(out, text.Line{{Text: aheadBehind(is), Role: text.Default}})
	for _, c := range is.Commits {
		out = append(out, text.Line{{Text: c.Hash + " ", Role: text.Dim}, text.Foreign(c.Subject, text.Default)})
	}
	if is.Ahead > len(is.Commits) {
		out = append(out, text.Line{{Text: fmt.Sprintf("… and %s more", text.Count(is.Ahead-len(is.Commits))), Role: text.Dim}})
	}
	if is.Changed == 0 {
		return out
	}
	out = append(out, nil, text.Line{
		{Text: text.Plural(is.Changed, "file") + " changed  ", Role: text.Heading},
		{Text: "+" + text.Count(is.Added), Role: text.Good},
		{Text: " "},
		{Text: "−" + text.Count(is.Removed), Role: text.Bad},
	})
	for _, f := range is.Files {
		count := text.Line{{Text: "binary", Role: text.Dim}}
		if !f.Binary {
			count = text.Line{{Text: "+" + text.Count(f.Added), Role: text.Good}, {Text: " "}, {Text: "−" + text.Count(f.Removed), Role: text.Bad}}
		}
		out = append(out, spread(text.Line{text.Foreign(f.Name, text.Default)}, count, w))
	}
	if is.Changed > len(is.Files) {
		out = append(out, text.Line{{Text: fmt.Sprintf("… and %s more", text.Count(is.Changed-len(is.Files))), Role: text.Dim}})
	}
	return out
}

// aheadBehind says how many commits the two differ by.
func aheadBehind(is worktree.Comparison) string {
	switch {
	case is.Ahead == 0 && is.Behind == 0:
		return "no commit apart"
	case is.Behind == 0:
		return text.Plural(is.Ahead, "commit") + " ahead"
	case is.Ahead == 0:
		return text.Plural(is.Behind, "commit") + " behind"
	}
	return text.Plural(is.Ahead, "commit") + " ahead, " + text.Count(is.Behind) + " behind"
}

// describes reports whether the preview shows the selected node of the tree
// instead of a session.
func (m *model) describes() (node, bool) {
	n := m.tree.selected()
	return n, m.focus == paneTree && (n.kind == nodeWorktree || n.kind == nodeBranch)
}

// drawNode draws the facts of the selected node of the tree.
func (m *model) drawNode(f *frame, r rect, n node) {
	in := r.inside()
	lines := append(m.nodeFacts(n, in.w), nil)
	lines = append(lines, m.comparisonLines(n, in.w)...)
	m.preview.down = max(min(m.preview.down, len(lines)-in.h), 0)
	more := ""
	if below := len(lines) - m.preview.down - in.h; below > 0 {
		more = text.Plural(below, "line") + " below"
	}
	f.border(r, text.Line{{Text: "Preview"}}, more, m.pane() == panePreview)
	for i := m.preview.down; i < len(lines) && i < m.preview.down+in.h; i++ {
		f.put(in.x, in.y+i-m.preview.down, in.w, lines[i])
	}
}

// scrollPreview moves the preview by n lines towards its end.
func (m *model) scrollPreview(n int) {
	if _, ok := m.describes(); ok {
		m.preview.down += n // the drawing keeps it in bounds
		return
	}
	m.preview.scroll(-n)
}

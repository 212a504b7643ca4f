package ledger

import (
	"bytes"
	"slices"
)

// path is the way from a leaf to a root.
type path struct {
	rows []int // oldest first
	used []bool
	ends []end // what was odd about it, newest first
}

// end is a place where the way broke off.
type end struct {
	row  int // whose parent is missing or was met before
	to   int // where it goes on, or none
	kind FindingKind
}

// walk goes from a leaf to the root.
func (t *tree) walk(leaf int) path {
	p := path{used: make([]bool, len(t.l.Rows))}
	t.follow(&p, leaf)
	slices.Reverse(p.rows)
	return p
}

// follow adds the way from a leaf to the root, newest first.
func (t *tree) follow(p *path, leaf int) {
	last := leaf // that is not only looked through
	for i := leaf; i >= 0; {
		p.used[i] = true
		p.rows = append(p.rows, i)
		if !t.silent(i) {
			last = i
		}
		next := t.up[i]
		switch {
		case next == missing:
			next = t.mend(p, last, FindingGap)
		case next >= 0 && p.used[next] && t.policy == Client && t.silent(i) && t.silent(next):
			next = none // the client resolves rows that hold nothing before it walks
		case next >= 0 && p.used[next]:
			next = t.mend(p, last, FindingCycle)
		case next == none && t.crosses && t.boundary(i):
			next = t.beforeBoundary(i, p.used)
		case next == none:
			next = t.root(p, i)
		}
		i = next
	}
}

func (t *tree) mend(p *path, i int, kind FindingKind) int {
	to := t.bridge(i, p.used)
	p.ends = append(p.ends, end{row: i, to: to, kind: kind})
	return to
}

// root returns where the way goes on behind a root: for the client nowhere. Keep
// goes on with what stands before it in the file, but not where a conversation
// begins anew on purpose: at a compaction, at /clear, or at a prompt in place of
// the first one.
func (t *tree) root(p *path, i int) int {
	if t.policy == Client && !t.boundary(i) && t.byFile(i, p.used) >= 0 {
		p.ends = append(p.ends, end{row: i, to: none, kind: FindingRoot})
	}
	if t.policy == Client || t.boundary(i) || t.restart(i) {
		return none
	}
	to := t.bridge(i, p.used)
	if to >= 0 {
		p.ends = append(p.ends, end{row: i, to: to, kind: FindingRoot})
	}
	return to
}

// restart says whether a person began anew at a root. After a return to before
// the first prompt the client writes the new prompt and then a pointer to nobody
// that is marked as a person's (observed A.1).
func (t *tree) restart(i int) bool {
	l := t.l
	if len(l.restarts) > 0 {
		next := l.Size
		for n := i + 1; n < len(l.Rows); n++ {
			if t.prompt(n) {
				next = l.Rows[n].Offset
				break
			}
		}
		if n, _ := slices.BinarySearch(l.restarts, l.Rows[i].Offset); n < len(l.restarts) && l.restarts[n] < next {
			return true
		}
	}
	row := &l.Rows[i]
	if row.Kind != User || row.Size > maxCommand {
		return false
	}
	b, err := l.Bytes(row.Offset, row.Size)
	return err == nil && bytes.Contains(b, []byte("<command-name>/clear<"))
}

// maxCommand is the size of the largest row that may be a slash command.
const maxCommand = 64 << 10

package ledger

import (
	"cmp"
	"fmt"
	"slices"
)

// findings says what is odd about the rows of the chain.
func (t *tree) findings(c *Chain, p *path) []Finding {
	out := slices.Clone(t.torn)
	out = append(out, t.breaks(c, p)...)
	out = append(out, t.l.doubles()...)
	out = append(out, t.misplaced(c.Rows)...)
	out = append(out, t.summaries(c.Rows)...)
	for _, i := range t.l.nameless {
		out = append(out, Finding{Kind: FindingNoUUID, Line: t.l.Rows[i].Line, Detail: "the row has no uuid: nothing can hang below it"})
	}
	if f, odd := t.astray(); odd {
		out = append(out, f)
	}
	slices.SortStableFunc(out, func(a, b Finding) int { return cmp.Compare(a.Line, b.Line) })
	return out
}

// breaks says where the way from the leaf broke off, and what the chain lost by
// that: what Keep has more.
func (t *tree) breaks(c *Chain, p *path) []Finding {
	if t.unlinked(len(p.rows)) {
		f := Finding{Kind: FindingUnlinked, Line: t.l.Rows[c.Leaf].Line, UUID: t.l.Text(t.l.Rows[c.Leaf].UUID), Detail: "no row of the transcript names a parent"}
		if t.policy == Client {
			f.Rows = t.lost(c)
		}
		return []Finding{f}
	}
	lost, worst := 0, len(p.ends)-1 // the oldest
	if len(p.ends) > 0 {
		lost = t.lost(c)
	}
	for n := range p.ends {
		if p.ends[n].to < 0 {
			worst = n
		}
	}
	var out []Finding
	for n, e := range p.ends {
		row := &t.l.Rows[e.row]
		f := Finding{Kind: e.kind, Line: row.Line, UUID: t.l.Text(row.UUID)}
		if n == worst {
			f.Rows = lost
		}
		switch {
		case e.to >= 0:
			f.Detail = fmt.Sprintf(bridged(e.kind), t.l.Rows[e.to].Line)
		case f.Rows == 0:
			continue // nothing stands before it
		default:
			f.Detail = "the history before this row is not part of the conversation"
			if e.kind == FindingGap {
				f.Kind = FindingDropped
			}
		}
		out = append(out, f)
	}
	return out
}

// bridged says with what line the way goes on.
func bridged(k FindingKind) string {
	switch k {
	case FindingCycle:
		return "the row is its own ancestor: the conversation goes on with line %d"
	case FindingRoot:
		return "the conversation begins anew here: what stands before it, up to line %d, is kept"
	default:
		return "the row's parent is missing: line %d is taken for it"
	}
}

// unlinked says whether no row of a transcript with several messages has a
// parent. met is how many rows the walk met.
func (t *tree) unlinked(met int) bool {
	messages := 0
	for i := range t.l.Rows {
		row := &t.l.Rows[i]
		if row.Parent != 0 || row.Rooted {
			return false
		}
		if t.up[i] != dead && t.l.message(i) {
			messages++
		}
	}
	return messages > 1 && met > 0
}

// lost counts the messages that Keep finds for the same end and the chain has
// not.
func (t *tree) lost(c *Chain) int {
	if t.policy == Keep {
		return 0
	}
	k := t.l.tree(Keep)
	leaf, ok := k.self(c.Leaf)
	if !ok {
		return 0
	}
	p := k.walk(leaf)
	has := make([]bool, len(t.up))
	for _, i := range c.Rows {
		if n, ok := k.self(i); ok {
			has[n] = true
		}
	}
	n := 0
	for _, i := range k.parallel(k.compacted(p.rows), p.used) {
		if t.l.message(i) && !has[i] {
			n++
		}
	}
	return n
}

// doubles names every uuid that several records have, once.
func (l *Ledger) doubles() []Finding {
	var out []Finding
	for i := range l.Rows {
		row := &l.Rows[i]
		if _, again := l.older[i]; again && l.last[row.UUID.number()] == int32(i) {
			out = append(out, Finding{Kind: FindingDuplicate, Line: row.Line, UUID: l.Text(row.UUID), Detail: "another row before has the same uuid"})
		}
	}
	return out
}

func (t *tree) misplaced(rows []int) []Finding {
	var out []Finding
	for _, i := range rows {
		if up := t.plain[i]; up > i {
			out = append(out, Finding{Kind: FindingMisplaced, Line: t.l.Rows[i].Line, UUID: t.l.Text(t.l.Rows[i].UUID), Detail: fmt.Sprintf("the row stands before its parent, which is on line %d", t.l.Rows[up].Line)})
		}
	}
	return out
}

// summaries says that a compaction at the head of the chain has no summary.
func (t *tree) summaries(rows []int) []Finding {
	if len(rows) == 0 || !t.boundary(rows[0]) || slices.ContainsFunc(rows, func(i int) bool { return t.l.Rows[i].Summary }) {
		return nil
	}
	row := &t.l.Rows[rows[0]]
	return []Finding{{Kind: FindingSummary, Line: row.Line, UUID: t.l.Text(row.UUID), Detail: "the compaction has no summary: nothing tells of what was before it"}}
}

// nobody is the uuid that a pointer to no row has.
const nobody = "00000000-0000-0000-0000-000000000000"

// astray says that the pointer names no row that a conversation can end at.
func (t *tree) astray() (Finding, bool) {
	p := t.pointer()
	_, state := t.named()
	if state == pointsToRow || p.leaf == "" || p.leaf == nobody {
		return Finding{}, false
	}
	f := Finding{Kind: FindingPointer, Line: p.line, Detail: "the newest pointer to the conversation's end names no row that it can end at"}
	if state == pointsAside {
		f.Detail = "the newest pointer to the conversation's end names a sidechain: the client cannot resume the session"
	}
	return f, true
}

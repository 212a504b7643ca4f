package ledger

import "slices"

// compactions applies what compactions preserve: the first preserved row hangs
// below the anchor, each below the one before, and what hung on the anchor below
// the last one (observed A.5).
//
// The client does so for the last compaction of the file. As soon as any
// compaction of the file preserves rows, whichever that is, all other rows before
// the last compaction are gone for it, and what hung on one of them hangs on the
// last preserved row; but one that names a row that is not there changes nothing
// at all. Keep applies each, as far as its rows are there, and forgets nothing.
func (t *tree) compactions() {
	if len(t.l.kept) == 0 {
		return
	}
	var all []int
	for i := range t.up {
		if t.up[i] != dead && t.boundary(i) {
			all = append(all, i)
		}
	}
	if len(all) == 0 {
		return
	}
	last := all[len(all)-1]
	if t.policy == Client {
		t.newest(all, last)
		return
	}
	for _, at := range all {
		if p, ok := t.l.kept[at]; ok {
			t.splice(at, p)
		}
	}
}

// newest applies the last compaction as the client does.
func (t *tree) newest(all []int, last int) {
	p, ok := t.l.kept[last]
	if !ok {
		for _, at := range all {
			if _, stale := t.l.kept[at]; stale {
				t.forget(last, nil, missing)
				return
			}
		}
		return
	}
	if p.listed && len(p.uuids) == 0 {
		t.forget(last, nil, missing)
		return
	}
	rows, ok := t.splice(last, p)
	if ok {
		t.forget(last, rows, rows[len(rows)-1])
	}
}

// forget takes the rows before a compaction out of the tree, but those in
// preserved; what hung on one of them hangs on tail.
func (t *tree) forget(last int, preserved []int, tail int) {
	t.own()
	stay := make(map[int]bool, len(preserved))
	for _, i := range preserved {
		stay[i] = true
	}
	for i := range last {
		if !stay[i] {
			t.up[i] = dead
		}
	}
	for i, up := range t.up {
		if up >= 0 && up < last && t.up[up] == dead {
			t.up[i] = tail
		}
	}
}

// own makes up a copy of its own.
func (t *tree) own() {
	if len(t.up) > 0 && &t.up[0] == &t.plain[0] {
		t.up = slices.Clone(t.plain)
	}
}

// splice hangs the rows that a compaction preserves where they belong and
// returns them. For the client it does nothing when one of them is not there, and
// they hang on nothing when the anchor is not. Keep needs the anchor.
func (t *tree) splice(at int, p preserved) ([]int, bool) {
	anchor, ok := t.row(t.l.ID(p.anchor))
	rows, whole := t.preservedRows(p)
	if !ok || !whole {
		t.torn = append(t.torn, Finding{Kind: FindingSegment, Line: t.l.Rows[at].Line, UUID: t.l.Text(t.l.Rows[at].UUID), Detail: "the compaction names rows to keep that are not in the transcript"})
	}
	if !ok {
		anchor = missing
	}
	if t.policy == Client && !whole || t.policy == Keep && !ok || len(rows) == 0 || slices.Contains(rows, anchor) {
		return nil, false
	}
	t.own()
	tail := rows[len(rows)-1]
	for i, up := range t.up {
		if up == anchor && ok {
			t.up[i] = tail
		}
	}
	if t.tails == nil {
		t.tails = map[int]int{}
	}
	t.tails[anchor] = tail
	for _, i := range rows {
		t.up[i] = anchor
		anchor = i
	}
	return rows, true
}

// preservedRows returns the rows that a compaction preserves, in order, and
// whether all of them are there.
func (t *tree) preservedRows(p preserved) (rows []int, whole bool) {
	whole = true
	if p.listed {
		for _, uuid := range p.uuids {
			i, ok := t.row(t.l.ID(uuid))
			if !ok {
				whole = false
				continue
			}
			rows = append(rows, i)
		}
		return rows, whole
	}
	head, ok := t.row(t.l.ID(p.head))
	tail, ok2 := t.row(t.l.ID(p.tail))
	if !ok || !ok2 {
		return nil, false
	}
	seen := map[int]bool{}
	for i := tail; i >= 0 && !seen[i]; i = t.plain[i] {
		seen[i] = true
		rows = append(rows, i)
		if i == head {
			slices.Reverse(rows)
			return rows, true
		}
	}
	return nil, false
}

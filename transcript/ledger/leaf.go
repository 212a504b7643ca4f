package ledger

import "slices"

// leaf returns the row at which the conversation ends (observed A.1): the row
// that the pointer names, unless the last row of the file goes on from there;
// without one the last row of the file, or, in a file that never had a pointer,
// the newest one below that. Where the last row is the anchor of preserved rows,
// the last of them stands for it.
func (t *tree) leaf() (int, error) {
	last, at := t.last()
	if tail, ok := t.tails[last]; ok && !t.cyclic(tail) {
		last = tail
	}
	named, state := t.named()
	if state == pointsToRow && t.passed(named, last, at) {
		state = pointsNowhere
		if t.policy == Client {
			return last, nil
		}
	}
	switch {
	case state == pointsAside && t.policy == Client:
		return none, ErrNoConversation
	case state == pointsToRow && t.policy == Keep && !t.pointer().explicit:
		return t.lastBelow(named), nil // what hangs below is not lost
	case state == pointsToRow:
		return named, nil
	case last < 0:
		return none, ErrNoConversation
	case t.policy == Keep:
		return t.lastBelow(t.grafted(last)), nil
	}
	if !t.l.pointed {
		last = t.newestBelow(last)
	}
	if !t.main(last) {
		return none, ErrNoConversation // a later record made a sidechain of it
	}
	return last, nil
}

// cyclic says whether a row is its own ancestor.
func (t *tree) cyclic(i int) bool {
	at := t.up[i]
	for steps := 0; at >= 0 && at != i && steps < len(t.up); steps++ {
		at = t.up[at]
	}
	return at == i
}

// last returns the row of the last record in the file that is part of the main
// conversation, and where that record stands: not where the row is when a later
// record has its uuid, too. A row that no message stands above counts only when
// there is no other; for Keep one that anchors preserved rows is none of these.
func (t *tree) last() (row, at int) {
	row, at = none, none
	for i := len(t.up) - 1; i >= 0; i-- {
		if !t.takes(i) || t.silent(i) || !t.main(i) {
			continue
		}
		n, ok := t.self(i)
		if !ok || t.up[n] == dead {
			continue
		}
		_, anchor := t.tails[n]
		if t.spoken(n) || anchor && t.policy == Keep {
			return n, i
		}
		if row == none {
			row, at = n, i
		}
	}
	return row, at
}

// newestBelow returns the row with the newest time among those below i, the last
// in the file among equals, if it is not older than i itself (observed A.2 "out
// of order": rows that stand before their parent in the file).
func (t *tree) newestBelow(i int) int {
	below := t.below(i)
	best := none
	for n := range below {
		row := &t.l.Rows[n]
		if below[n] == yes && n != i && t.up[n] != dead && !row.Sidechain && !t.silent(n) && row.Time != 0 &&
			(best == none || row.Time >= t.l.Rows[best].Time) {
			best = n
		}
	}
	if best != none && t.l.Rows[best].Time >= t.l.Rows[i].Time {
		return best
	}
	return i
}

// lastBelow is newestBelow for Keep, which goes by the file: the last row below i
// that nothing hangs below, or i.
func (t *tree) lastBelow(i int) int {
	below := t.below(i)
	if below == nil {
		return i
	}
	parents := t.parents()
	for n := len(below) - 1; n >= 0; n-- {
		if below[n] == yes && n != i && t.up[n] != dead && !parents[n] && t.main(n) && !t.silent(n) {
			return n
		}
	}
	return i
}

// below says which rows stand below i, nil when there are none.
func (t *tree) below(i int) []answer {
	for _, up := range t.up {
		if up == i {
			return t.climb(func(n int) bool { return n == i })
		}
	}
	return nil
}

// parents says which rows have one of the main conversation below them.
func (t *tree) parents() []bool {
	is := make([]bool, len(t.up))
	for i, up := range t.up {
		if up >= 0 && t.main(i) && !t.silent(i) {
			for ; up >= 0 && !is[up]; up = t.up[up] {
				is[up] = true
				if !t.silent(up) {
					break
				}
			}
		}
	}
	return is
}

type pointing uint8

const (
	pointsNowhere pointing = iota
	pointsAside            // to a sidechain
	pointsToRow
)

// pointer is the pointer that the policy knows. For Keep a compaction that broke
// off before its summary cleared none.
func (t *tree) pointer() pointer {
	p := t.l.pointer
	if t.policy == Client {
		return p
	}
	if t.l.recovered.off > p.off {
		return t.l.recovered
	}
	for i := len(t.l.cleared) - 1; i >= 0 && p.leaf == "" && !slices.Contains(t.up, t.l.cleared[i].row); i-- {
		p = t.l.cleared[i].pointer
	}
	return p
}

// named returns the row that the pointer names.
func (t *tree) named() (int, pointing) {
	p := t.pointer()
	i, ok := t.row(t.l.ID(p.leaf))
	switch {
	case p.leaf == "" || !ok || t.up[i] == dead || t.silent(i):
		return none, pointsNowhere
	case !t.main(i):
		return none, pointsAside
	case !t.spoken(i):
		return none, pointsNowhere
	}
	return i, pointsToRow
}

// passed says whether the conversation that ends at last goes on from the row
// that the pointer names. at is where last's record stands: only one behind the
// pointer passes a row that a person went back to.
func (t *tree) passed(named, last, at int) bool {
	if last < 0 {
		return false
	}
	if p := t.pointer(); p.explicit && t.l.Rows[at].Offset < p.since {
		return false
	}
	above := make([]bool, len(t.up))
	for i := last; i >= 0 && !above[i]; i = t.up[i] {
		above[i] = true
	}
	return above[named] || t.beside(named, above)
}

// beside says whether i is an answer to a call, or what hangs on one, of a
// parallel turn whose rows hang below one another and that is part of above.
func (t *tree) beside(i int, above []bool) bool {
	call := t.call(i)
	if call < 0 || t.l.Rows[call].MessageID == 0 {
		return false
	}
	id := t.l.Rows[call].MessageID
	for n, steps := call, 0; n >= 0 && steps < len(t.up) && t.l.Rows[n].MessageID == id; n, steps = t.up[n], steps+1 {
		if above[n] {
			return t.several(id)
		}
	}
	return false
}

// several says whether a message has more than one row.
func (t *tree) several(id ID) bool {
	n := 0
	for i := range t.up {
		if t.up[i] != dead && t.l.Rows[i].MessageID == id {
			n++
		}
	}
	return n > 1
}

// call returns the assistant row that i answers or hangs on with nothing but
// answers, attachments and system rows in between, or none.
func (t *tree) call(i int) int {
	for steps := 0; i >= 0 && steps < maxSatellites; steps++ {
		row := &t.l.Rows[i]
		if row.Kind == Assistant {
			if steps == 0 {
				return none
			}
			return i
		}
		if !t.satellite(i) && !row.Results {
			return none
		}
		i = t.up[i]
	}
	return none
}

// satellite says whether a row belongs to the one that it hangs on.
func (t *tree) satellite(i int) bool {
	row := &t.l.Rows[i]
	return row.Kind == Attachment || row.Kind == System && !t.boundary(i) || t.silent(i)
}

package fork

import "coppice/transcript/ledger"

// relink finds the parent of every row of the fork: parents are places in the
// order, -1 for none, and relinked says which are others than recorded. A row
// keeps the recorded one when that is part of the fork too. Where it is missing,
// or rows would be their own ancestors, it is the row before it in the
// conversation: what Keep bridged is then a link that the client follows. Nothing
// hangs below a row of an unknown type, for which the client has no eyes.
func (p *plan) relink() (parents []int, relinked []bool) {
	parents, relinked = make([]int, len(p.order)), make([]bool, len(p.order))
	for k, i := range p.order {
		row := &p.ledger.Rows[i]
		parent := p.recorded(row.Parent)
		if p.outlives(k, parent) {
			parent = -1
		}
		switch {
		case p.linear && k > len(p.chain.Before):
			parents[k] = p.previous(k)
		case parent >= 0 && parent != k:
			parents[k] = parent
		case p.begins(k, row):
			parents[k] = -1
		default:
			parents[k] = p.previous(k)
		}
	}
	p.uncycle(parents)
	for k, i := range p.order {
		row, parent := &p.ledger.Rows[i], ledger.ID(0)
		if parents[k] >= 0 {
			parent = p.ledger.Rows[p.order[parents[k]]].UUID
		}
		relinked[k] = parent != row.Parent
	}
	return parents, relinked
}

// outlives reports whether a row from before the compaction would hang in the
// conversation behind it, and with it be in the conversation again. Rows that the
// compaction preserves may have others below them from before it; in a line they
// have other places.
func (p *plan) outlives(k, parent int) bool {
	before := len(p.chain.Before)
	return k < before && parent >= before && (p.linear || p.order[parent] >= p.order[before])
}

// recorded returns the place of the row that a parentUuid names, or of the next
// one above it whose type is known; -1 for none.
func (p *plan) recorded(uuid ledger.ID) int {
	for range p.order {
		k, ok := p.place[uuid]
		if uuid == 0 || !ok {
			return -1
		}
		row := &p.ledger.Rows[p.order[k]]
		if row.Kind != ledger.Other {
			return k
		}
		uuid = row.Parent
	}
	return -1 // in a circle
}

// previous returns the place of the row before place k that rows can hang below.
func (p *plan) previous(k int) int {
	for k--; k >= 0; k-- {
		if !p.silent(p.order[k]) {
			return k
		}
	}
	return -1
}

// begins reports whether a row without a parent begins something: the history, a
// compacted conversation, or (without its boundary) the part that is sent.
func (p *plan) begins(k int, row *ledger.Row) bool {
	return k == 0 || k == len(p.chain.Before) || row.Compaction
}

// uncycle breaks every circle of parents at the row of it that comes first in the
// conversation. The link that it gets may close another circle, which then has an
// earlier first row.
func (p *plan) uncycle(parents []int) {
	const unseen, walking, done = 0, 1, 2
	state := make([]uint8, len(parents))
	mark := func(k int, from, to uint8) int {
		for k >= 0 && state[k] == from {
			state[k] = to
			k = parents[k]
		}
		return k
	}
	for start := range parents {
		for {
			k := mark(start, unseen, walking)
			if k < 0 || state[k] != walking {
				break
			}
			first := k
			for c := parents[k]; c != k; c = parents[c] {
				first = min(first, c)
			}
			mark(start, walking, unseen)
			if parents[first] = p.previous(first); p.begins(first, &p.ledger.Rows[p.order[first]]) {
				parents[first] = -1
			}
		}
		mark(start, walking, done)
	}
}

package fork

import (
	"bytes"
	"context"
	"os"
	"slices"

	"coppice/transcript/ledger"
)

// doubtful reports whether the copied rows may form another conversation than the
// source's. They cannot where they have the same links in the same order, and the
// same compactions, none of which preserves rows.
func (p *plan) doubtful() bool {
	var last *ledger.Row
	for _, it := range p.items {
		if it.row == nil {
			continue
		}
		if it.relink || it.row.Sidechain || last != nil && last.Offset > it.row.Offset {
			return true
		}
		last = it.row
	}
	return last == nil || p.doubles || last.UUID != p.leaf || p.strays() || slices.ContainsFunc(p.ledger.Rows, p.unclear)
}

// unclear reports whether a row is a compaction that is not copied, that the fork
// may end before, or that preserves rows.
func (p *plan) unclear(row ledger.Row) bool {
	if !row.Compaction {
		return false
	}
	k, copied := p.place[row.UUID]
	if !copied || p.cutOff || p.ledger.Rows[p.order[k]].Offset != row.Offset {
		return true
	}
	b, err := p.ledger.Bytes(row.Offset, row.Size)
	return err != nil || bytes.Contains(b, []byte("preserved"))
}

// strays reports whether the way from the leaf up meets the conversation in
// another order, or misses more of it than the rest of parallel turns.
func (p *plan) strays() bool {
	on, ids := make([]bool, len(p.order)), map[ledger.ID]bool{}
	for k := p.place[p.leaf]; k >= 0; k = p.parents[k] {
		if on[k] = true; p.parents[k] >= k {
			return true
		}
		ids[p.ledger.Rows[p.order[k]].MessageID] = true
	}
	for k := len(p.chain.Before); k < len(p.order); k++ {
		row := &p.ledger.Rows[p.order[k]]
		parallel := row.Kind == ledger.Assistant && row.MessageID != 0 && ids[row.MessageID] || row.Results
		if !on[k] && !parallel && !p.silent(p.order[k]) {
			return true
		}
	}
	return false
}

// proves reports whether both policies find the conversation of the plan in a
// transcript. Rows that they only look through do not count.
func (p *plan) proves(ctx context.Context, f *os.File) (bool, error) {
	info, err := f.Stat()
	if err != nil {
		return false, err
	}
	l, err := ledger.Read(ctx, f, info.Size())
	if err != nil {
		return false, err
	}
	want := spoken(p.ledger, p.chain.Rows)
	for _, policy := range []ledger.Policy{ledger.Keep, ledger.Client} {
		c, err := l.Chain(policy)
		if err != nil || !slices.Equal(want, spoken(l, c.Rows)) {
			return false, nil //nolint:nilerr // no conversation is none of the one that was copied
		}
	}
	return true, nil
}

// spoken returns the uuids of those rows of a chain that are more than looked
// through.
func spoken(l *ledger.Ledger, rows []int) []string {
	var uuids []string
	for _, i := range rows {
		if row := &l.Rows[i]; row.Kind != ledger.Other && row.Kind != ledger.Progress && !row.Void {
			uuids = append(uuids, l.Text(row.UUID))
		}
	}
	return uuids
}

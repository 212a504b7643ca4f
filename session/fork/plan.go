package fork

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"github.com/google/uuid"

	"coppice/transcript/ledger"
)

// item is one line of the fork that is copied from the source.
type item struct {
	row      *ledger.Row    // nil for a record
	index    int            // of the row
	record   *ledger.Record // nil for a row
	nameless bool           // the row has no uuid in the source
	relink   bool           // the row's parent is another than recorded
	parent   ledger.ID      // then; 0 for none
}

// plan is what a fork will hold.
type plan struct {
	source   *ledger.Ledger
	ledger   *ledger.Ledger // the same, with a uuid for every row
	chain    ledger.Chain
	order    []int             // rows of the fork in the order of the conversation
	place    map[ledger.ID]int // of each uuid in order
	parents  []int             // of each row in order, as places in it; -1 for none
	doubles  bool              // rows were left out for their uuids
	linear   bool              // every row of the conversation hangs below the one before it
	items    []item            // rows and records in the order in which they are written
	leaf     ledger.ID         // uuid of the row at which the conversation ends; 0 where it cannot be named
	last     string            // text of the newest prompt
	cutOff   bool              // the fork ends before a prompt
	prompt   string            // whose text this is
	messages int
}

func makePlan(l *ledger.Ledger, at string) (*plan, error) {
	p := &plan{source: l, ledger: l.Named(madeUUID)}
	var err error
	if at == "" {
		err = p.all()
	} else {
		err = p.cut(at)
	}
	if err != nil {
		return nil, err
	}
	p.single()
	p.line()
	if err := p.describe(); err != nil {
		return nil, err
	}
	p.arrange(p.relink())
	return p, nil
}

// madeUUID returns the uuid in the fork of a row that the file gives none: always
// the same.
func madeUUID(row *ledger.Row) string {
	return uuid.NewSHA1(uuid.Nil, []byte("row "+strconv.FormatInt(row.Offset, 10))).String()
}

// single leaves out the rows that are only looked through where another row of
// the fork has their uuid.
func (p *plan) single() {
	if !slices.ContainsFunc(p.chain.Rows, p.silent) && !slices.ContainsFunc(p.chain.Before, p.silent) {
		return
	}
	taken := map[ledger.ID]bool{}
	for _, i := range slices.Concat(p.chain.Before, p.chain.Rows) {
		if !p.silent(i) {
			taken[p.ledger.Rows[i].UUID] = true
		}
	}
	double := func(i int) bool {
		is := p.silent(i) && taken[p.ledger.Rows[i].UUID]
		p.doubles = p.doubles || is
		return is
	}
	p.chain.Before = slices.DeleteFunc(slices.Clone(p.chain.Before), double)
	p.chain.Rows = slices.DeleteFunc(slices.Clone(p.chain.Rows), double)
}

// silent reports whether a row is only looked through: no conversation ends at it.
func (p *plan) silent(i int) bool {
	kind := p.ledger.Rows[i].Kind
	return kind == ledger.Other || kind == ledger.Progress
}

// all takes the whole conversation. Where a compaction left nothing of it, as when
// the client was ended before it wrote the summary, that is the one before it.
func (p *plan) all() (err error) {
	if p.chain, err = p.ledger.Chain(ledger.Keep); err != nil || slices.ContainsFunc(p.chain.Rows, p.says) {
		return err
	}
	for _, i := range slices.Backward(p.chain.Before) {
		if p.says(i) {
			p.chain, err = p.ledger.ChainAt(ledger.Keep, p.ledger.Rows[i].UUID)
			return err
		}
	}
	return nil
}

// line puts the rows of the fork in order.
func (p *plan) line() {
	p.order = slices.Concat(p.chain.Before, p.chain.Rows)
	p.place = make(map[ledger.ID]int, len(p.order))
	for k, i := range p.order {
		p.place[p.ledger.Rows[i].UUID] = k
	}
}

// forget leaves out what a compaction put out of the conversation.
func (p *plan) forget() {
	p.chain.Before, p.items = nil, nil
	p.line()
	p.arrange(p.relink())
}

// straighten makes every row of the conversation hang below the one before it,
// and compactions preserve nothing: the rows that they do are in their places.
func (p *plan) straighten() {
	p.linear, p.items = true, nil
	p.arrange(p.relink())
	for _, i := range slices.Backward(p.chain.Rows) {
		if !p.silent(i) {
			p.leaf = p.ledger.Rows[i].UUID
			break
		}
	}
}

// cut makes the chain end before the prompt at.
func (p *plan) cut(at string) (err error) {
	if p.chain, err = p.ledger.ChainAt(ledger.Keep, p.ledger.ID(at)); err != nil {
		return fmt.Errorf("no row %q: %w", at, ErrNotAPrompt)
	}
	index := p.chain.Leaf
	row := &p.ledger.Rows[index]
	b, err := p.ledger.Bytes(row.Offset, row.Size)
	if err != nil {
		return err
	}
	text, ok := typed(b)
	if !ok || !mayPrompt(row) {
		return fmt.Errorf("row %q: %w", at, ErrNotAPrompt)
	}
	p.cutOff, p.prompt = true, text
	place := slices.Index(p.chain.Rows, index)
	if p.splits(p.chain.Rows[:place], index) {
		return fmt.Errorf("row %q stands inside of a message: %w", at, ErrNotAPrompt)
	}
	p.chain.Rows = p.chain.Rows[:place]
	for ; place > 0 && p.silent(p.chain.Rows[place-1]); place-- {
		p.chain.Rows = p.chain.Rows[:place-1]
	}
	if !slices.ContainsFunc(p.chain.Rows, p.says) {
		return ErrFirstPrompt
	}
	p.chain.Leaf = p.chain.Rows[place-1]
	return nil
}

// says reports whether a row is one of a user or an assistant.
func (p *plan) says(i int) bool {
	kind := p.ledger.Rows[i].Kind
	return kind == ledger.User || kind == ledger.Assistant
}

// splits reports whether a message before the row at index goes on behind it: rows
// with the same message id, or answers to its calls (reports A18, A19). The rows
// behind it are those of any branch.
func (p *plan) splits(before []int, index int) bool {
	ids, calls := map[ledger.ID]bool{}, map[ledger.ID]bool{}
	for _, i := range before {
		row := &p.ledger.Rows[i]
		if row.Kind == ledger.Assistant && row.MessageID != 0 {
			ids[row.MessageID] = true
		}
		if row.Calls {
			calls[row.UUID] = true
		}
	}
	below := map[ledger.ID]bool{p.ledger.Rows[index].UUID: true}
	for i := index + 1; i < len(p.ledger.Rows); i++ {
		row := &p.ledger.Rows[i]
		if !below[row.Parent] {
			continue
		}
		below[row.UUID] = true
		if row.Kind == ledger.Assistant && ids[row.MessageID] || row.Kind == ledger.User && calls[row.SourceID] {
			return true
		}
	}
	return false
}

// describe counts the messages and finds the leaf and the newest prompt.
func (p *plan) describe() error {
	ids := map[ledger.ID]bool{}
	for _, i := range p.order {
		row := &p.ledger.Rows[i]
		switch {
		case row.Kind == ledger.Assistant && row.MessageID == 0, mayPrompt(row):
			p.messages++
		case row.Kind == ledger.Assistant && !ids[row.MessageID]:
			ids[row.MessageID] = true
			p.messages++
		}
	}
	if !p.silent(p.chain.Leaf) {
		p.leaf = p.ledger.Rows[p.chain.Leaf].UUID
	}
	for _, i := range slices.Backward(p.order) {
		row := &p.ledger.Rows[i]
		if !mayPrompt(row) {
			continue
		}
		b, err := p.ledger.Bytes(row.Offset, row.Size)
		if err != nil {
			return err
		}
		if text, ok := typed(b); ok && short(text) != "" {
			p.last = short(text)
			break
		}
	}
	return nil
}

// arrange puts rows and records into the order of the source's file, but every
// row behind its parent.
func (p *plan) arrange(parents []int, relinked []bool) {
	p.parents = parents
	place := make(map[int]int, len(p.order)) // of a row in the order
	sorted := make([]int, len(p.order))
	for k, i := range p.order {
		place[i], sorted[k] = k, i
	}
	slices.SortFunc(sorted, func(a, b int) int { return cmp.Compare(p.ledger.Rows[a].Offset, p.ledger.Rows[b].Offset) })
	written := make([]bool, len(p.order))
	records := p.records()
	var path []int
	for _, i := range sorted {
		for len(records) > 0 && records[0].Offset < p.ledger.Rows[i].Offset {
			p.items = append(p.items, item{record: records[0]})
			records = records[1:]
		}
		path = path[:0]
		for k := place[i]; k >= 0 && !written[k]; k = parents[k] {
			written[k] = true
			path = append(path, k)
		}
		for _, k := range slices.Backward(path) {
			i := p.order[k]
			it := item{row: &p.ledger.Rows[i], index: i, nameless: p.source.Rows[i].UUID == 0, relink: relinked[k]}
			if it.relink && parents[k] >= 0 {
				it.parent = p.ledger.Rows[p.order[parents[k]]].UUID
			}
			p.items = append(p.items, it)
		}
	}
	for _, r := range records {
		p.items = append(p.items, item{record: r})
	}
}

// records returns the side records that a fork inherits, in the order of the file:
// the last of those of which one holds, and all of the others once.
func (p *plan) records() []*ledger.Record {
	last := map[string]int{}
	var kept []*ledger.Record
	for i := range p.ledger.Records {
		r := &p.ledger.Records[i]
		switch inherits(r.Type) {
		case inheritLast:
			last[r.Type] = i
		case inheritAll:
			kept = append(kept, r)
		case inheritNone:
		}
	}
	for _, i := range last {
		kept = append(kept, &p.ledger.Records[i])
	}
	slices.SortFunc(kept, func(a, b *ledger.Record) int { return cmp.Compare(a.Offset, b.Offset) })
	return kept
}

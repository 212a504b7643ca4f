package ledger

import "slices"

// event is what changes the pointer: a last-prompt record or a compaction.
type event struct {
	pointer    pointer // of a record: what it says by itself; without a leaf it says that there are pointers
	salvaged   bool
	compaction bool
	row        int // of the compaction
}

// settle finds out what rows and pointers mean for one another, once all of them
// are known.
func (d *reader) settle() {
	l := d.l
	l.ids = l.ids.clone() // without room for more
	for n := range l.Rows {
		if l.Rows[n].UUID == 0 {
			l.nameless = append(l.nameless, n)
		}
	}
	l.enter()
	for _, e := range d.events {
		if e.compaction {
			// It ends what was pointed to: it is a pointer on nothing.
			l.cleared = append(l.cleared, clearing{row: e.row, pointer: l.pointer})
			l.pointer, l.recovered, l.pointed = pointer{}, pointer{}, true
		} else {
			l.point(e)
		}
	}
}

// enter indexes the rows by their uuids.
func (l *Ledger) enter() {
	l.last, l.older, l.first = slices.Repeat([]int32{none}, len(l.ids.ends)+1), map[int]int{}, map[int]int{}
	for n := range l.Rows {
		uuid := l.Rows[n].UUID
		if uuid == 0 {
			continue
		}
		before, again := l.Row(uuid)
		l.last[uuid.number()] = int32(n)
		if !again {
			continue
		}
		first, ok := l.first[before]
		if !ok {
			first = before
		}
		l.older[n], l.first[n] = before, first
	}
}

// point takes a last-prompt record. One without a leaf leaves the pointer as it
// is; one that names the same leaf again stays explicit (observed A.1).
func (l *Ledger) point(e event) {
	p := &l.pointer
	if e.salvaged {
		p = &l.recovered
	} else {
		l.pointed = true
	}
	next := e.pointer
	switch {
	case next.leaf == "":
		return
	case next.explicit:
		next.since = next.off
	case p.explicit && p.leaf == next.leaf:
		next.explicit, next.since = true, p.since
	}
	*p = next
}

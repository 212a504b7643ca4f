package ledger

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
	l.index, l.older, l.first = make(map[string]int, len(l.Rows)), map[int]int{}, map[int]int{}
	for n := range l.Rows {
		l.enter(n)
	}
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

// enter indexes a row.
func (l *Ledger) enter(n int) {
	row := &l.Rows[n]
	if row.UUID == "" {
		l.nameless = append(l.nameless, n)
		return
	}
	before, again := l.index[row.UUID]
	l.index[row.UUID] = n
	if !again {
		return
	}
	first, ok := l.first[before]
	if !ok {
		first = before
	}
	l.older[n], l.first[n] = before, first
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

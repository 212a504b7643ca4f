package ledger

// What stands in tree.up instead of a row.
const (
	none    = -1 // a root
	missing = -2 // a parent that is not there
	dead    = -3 // the row itself is no part of the tree
)

// tree says how the rows of a ledger hang together for one policy.
type tree struct {
	l       *Ledger
	policy  Policy
	crosses bool  // compactions end no way
	up      []int // of each row its parent, or one of the above; as compactions changed it
	plain   []int // as it is recorded; shares up where no compaction preserves rows

	nameless int // the row without uuid that the client takes, or none

	speaks []answer    // see spoken
	byTime []int       // rows that a gap may be bridged to, by time, the first of the file last among equals
	skip   []int       // in byTime, from a used one to one that may be free
	back   []int       // the same among all rows, see byFile
	torn   []Finding   // what compactions name and is not there
	chosen map[ID]int  // of uuids that several rows have, see row
	tails  map[int]int // from the anchor of preserved rows to the last of them
}

func (l *Ledger) tree(p Policy) *tree {
	t := &tree{l: l, policy: p, up: make([]int, len(l.Rows)), nameless: none}
	for _, i := range l.nameless {
		if row := &l.Rows[i]; !row.Void && !row.Salvaged {
			t.nameless = i
		}
	}
	seen := map[ID]int{} // progress rows up to here
	for i := range l.Rows {
		t.up[i] = dead
		if t.alive(i) {
			t.up[i] = t.parent(i, seen)
		}
		if t.passing(i) {
			seen[l.Rows[i].UUID] = i
		}
	}
	t.plain = t.up
	t.compactions()
	return t
}

// passing says that a row stands for itself although others have its uuid: what
// names it hangs below the last one before it in the file. The client reads
// progress like that (observed A.2, report A8).
func (t *tree) passing(i int) bool {
	row := &t.l.Rows[i]
	if t.policy == Client {
		return row.Kind == Progress && !row.Salvaged
	}
	return row.Kind == Progress || row.Kind == Other
}

// alive says whether a row is part of the tree. Of several with one uuid it is
// one; of those without uuid the client takes the last (observed A.2).
func (t *tree) alive(i int) bool {
	if t.passing(i) {
		return true
	}
	if t.l.Rows[i].UUID == 0 {
		return t.policy == Keep || i == t.nameless
	}
	if len(t.l.older) == 0 {
		return t.takes(i)
	}
	last, ok := t.row(t.l.Rows[i].UUID)
	return ok && last == i
}

// takes says whether a policy finds rows like this by their uuid. Records of a
// type that the client does not know are for it as if they were not there
// (observed A.2: rows below them are bridged like others without a parent).
func (t *tree) takes(i int) bool {
	row := &t.l.Rows[i]
	return t.policy == Keep || !row.Salvaged && row.Kind != Other && row.Kind != Progress
}

// row returns the row that a policy takes for a uuid: the last one, but one that
// holds nothing or was recovered only where there is no other.
func (t *tree) row(uuid ID) (int, bool) {
	i, ok := t.l.Row(uuid)
	if !ok || len(t.l.older) == 0 {
		return i, ok && t.takes(i)
	}
	if _, again := t.l.older[i]; !again {
		return i, t.takes(i)
	}
	if best, ok := t.chosen[uuid]; ok {
		return best, best != none
	}
	const whole, holdsNothing, salvaged, worse = 0, 1, 2, 3
	best, rank := none, worse
	for ; ok; i, ok = t.l.before(i) {
		if !t.takes(i) {
			continue
		}
		row, n := &t.l.Rows[i], whole
		switch {
		case row.Salvaged:
			n = salvaged
		case t.silent(i):
			n = holdsNothing // an unknown type, too: its uuid may be another's
		}
		if n < rank {
			best, rank = i, n
		}
	}
	if t.chosen == nil {
		t.chosen = map[ID]int{}
	}
	t.chosen[uuid] = best
	return best, best != none
}

// before returns the row before i that has the same uuid.
func (l *Ledger) before(i int) (int, bool) {
	n, ok := l.older[i]
	return n, ok
}

// self returns the row that holds for the uuid of row i.
func (t *tree) self(i int) (int, bool) {
	if uuid := t.l.Rows[i].UUID; uuid != 0 {
		return t.row(uuid)
	}
	return i, t.up[i] != dead
}

func (t *tree) parent(i int, seen map[ID]int) int {
	row := &t.l.Rows[i]
	if row.Parent == 0 {
		if t.policy == Keep && !row.Rooted {
			return missing // says nothing about its parent
		}
		return none
	}
	if i > 0 && len(t.l.older) == 0 && t.l.Rows[i-1].UUID == row.Parent && t.takes(i-1) {
		return i - 1
	}
	if n, ok := seen[row.Parent]; ok {
		return n
	}
	if n, ok := t.row(row.Parent); ok {
		return n
	}
	return missing
}

// silent says that chains only look through a row.
func (t *tree) silent(i int) bool {
	row := &t.l.Rows[i]
	return row.Void || row.Kind == Progress || row.Kind == Other
}

func (t *tree) main(i int) bool { return !t.l.Rows[i].Sidechain }

func (t *tree) boundary(i int) bool { return t.l.Rows[i].Compaction }

// message says whether a row is one that a person would miss.
func (l *Ledger) message(i int) bool {
	row := &l.Rows[i]
	return (row.Kind == User || row.Kind == Assistant) && !row.Void
}

// answer is what is known of a row.
type answer uint8

const (
	unknown answer = iota
	asked          // on the way at hand
	yes
	no
)

// spoken says of a row whether it is a message or has one above it, by parents
// alone: only such a row can be the end of a conversation unless there is no
// message at all (observed A.1).
func (t *tree) spoken(i int) bool {
	if t.speaks == nil {
		t.speaks = t.climb(func(i int) bool { return t.up[i] != dead && t.l.message(i) })
	}
	return t.speaks[i] == yes
}

// climb says of each row whether is holds for it or for a row above it.
func (t *tree) climb(is func(int) bool) []answer {
	known := make([]answer, len(t.up))
	var way []int
	for i := range t.up {
		way = way[:0]
		found := no
		for at := i; at >= 0; at = t.up[at] {
			if known[at] != unknown {
				if known[at] == yes {
					found = yes
				}
				break
			}
			known[at] = asked
			way = append(way, at)
			if is(at) {
				found = yes
				break
			}
		}
		for _, n := range way {
			known[n] = found
		}
	}
	return known
}

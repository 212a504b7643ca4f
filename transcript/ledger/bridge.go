package ledger

import (
	"cmp"
	"slices"
)

// maxAge is how much older than a row the one may be that the client takes for
// its missing parent, in milliseconds (observed A.2: 5000 bridges, 5001 does not).
const maxAge = 5000

// bridge returns the row to go on with behind one whose parent is missing, or
// none. used are the rows that the walk has met.
func (t *tree) bridge(i int, used []bool) int {
	if t.policy == Client {
		return t.byAge(i, used)
	}
	return t.byFile(i, used)
}

// byAge is the client's way: the newest row that is not newer than i, at most
// maxAge older, wherever it stands in the file; of several with one time the
// first. A row without a time and one of a sidechain have none. Sidechains,
// progress and rows of unknown types are not taken (observed A.2).
func (t *tree) byAge(i int, used []bool) int {
	at := t.l.Rows[i].Time
	if at == 0 || !t.main(i) {
		return none
	}
	t.sortByTime()
	n, _ := slices.BinarySearchFunc(t.byTime, at+1, func(row int, at int64) int { return cmp.Compare(t.l.Rows[row].Time, at) })
	n = t.free(n-1, used)
	if n < 0 || at-t.l.Rows[t.byTime[n]].Time > maxAge {
		return none
	}
	return t.byTime[n]
}

func (t *tree) sortByTime() {
	if t.skip != nil {
		return
	}
	for i := range t.l.Rows {
		if row := &t.l.Rows[i]; t.up[i] != dead && !t.silent(i) && !row.Sidechain && row.Time != 0 {
			t.byTime = append(t.byTime, i)
		}
	}
	slices.SortFunc(t.byTime, func(a, b int) int {
		return cmp.Or(cmp.Compare(t.l.Rows[a].Time, t.l.Rows[b].Time), b-a)
	})
	t.skip = make([]int, len(t.byTime))
	for i := range t.skip {
		t.skip[i] = i
	}
}

// free returns the last place of byTime up to n whose row is not used, -1 for
// none.
func (t *tree) free(n int, used []bool) int {
	return search(t.skip, n, func(n int) bool { return !used[t.byTime[n]] })
}

// search returns the last place up to n for which is holds, -1 for none. What it
// held for once and does not now it never will again: skip remembers the way.
func search(skip []int, n int, is func(int) bool) int {
	from := n
	for n >= 0 && !is(n) {
		if skip[n] == n {
			skip[n] = n - 1
		}
		n = skip[n]
	}
	for from > n {
		from, skip[from] = skip[from], n
	}
	return n
}

// byFile is ours: the nearest row before i in the file. But where a row was lost
// there whose damaged line still names its parent, it is that.
func (t *tree) byFile(i int, used []bool) int {
	side := t.l.Rows[i].Sidechain
	fits := func(n int) bool {
		return t.up[n] != dead && !used[n] && !t.silent(n) && t.l.Rows[n].Sidechain == side
	}
	var n int
	if side {
		for n = i - 1; n >= 0 && !fits(n); n-- {
		}
	} else {
		if t.back == nil {
			t.back = make([]int, len(t.up))
			for n := range t.back {
				t.back[n] = n
			}
		}
		n = search(t.back, i-1, fits)
	}
	if up, ok := t.lostParent(i, n); ok && !used[up] {
		return up
	}
	return max(n, none)
}

// lostParent returns the parent of the row that was lost between the rows n and
// i: of the last damaged line that names one.
func (t *tree) lostParent(i, n int) (int, bool) {
	from, to := int64(-1), t.l.Rows[i].Offset
	if n >= 0 {
		from = t.l.Rows[n].Offset
	}
	stubs := t.l.stubs
	at, _ := slices.BinarySearchFunc(stubs, to, func(s stub, off int64) int { return cmp.Compare(s.off, off) })
	for at--; at >= 0 && stubs[at].off > from; at-- {
		s := stubs[at]
		if s.uuid != "" && t.l.ID(s.uuid) != t.l.Rows[i].Parent {
			continue
		}
		up, ok := t.row(t.l.ID(s.parent))
		return up, ok && t.up[up] != dead
	}
	return none, false
}

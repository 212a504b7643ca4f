package ledger

import (
	"cmp"
	"slices"
)

// turns puts together what belongs together: beside the rows of each assistant
// message those of the same message that the way from the leaf does not meet, and
// behind them the answers to their calls and what hangs on those, in file order.
// A parallel turn is a tree (observed 0, client-behaviour 3.3): each answer hangs
// on its call, and the talk goes on from one of them.
//
// Found by experiment: rows of the message join in wherever they stand in the
// file, sidechains too; answers are known by their parent or by the call that
// they name; attachments and system rows that hang on a row of the turn join in,
// but not if a message hangs below them.
type turns struct {
	t     *tree
	from  int            // rows before it were put out of the conversation
	group map[ID]int     // message id to its number, from 1
	of    []int          // row to the number of its message, 0 where that is not in the chain
	last  []int          // of each message the last row in the chain
	calls [][]int        // rows of the message that the chain has not
	rest  [][]int        // answers and what hangs on them
	known map[int]int    // row to the message whose turn it hangs on, 0 for none
	ids   map[string]int // id of a call to its message; see byCall
}

func (t *tree) parallel(rows []int, used []bool) []int {
	s := turns{t: t, group: map[ID]int{}, of: make([]int, len(t.up)), last: []int{none}, known: map[int]int{}}
	for _, i := range rows {
		row := &t.l.Rows[i]
		if row.Kind != Assistant || row.MessageID == 0 {
			continue
		}
		n, ok := s.group[row.MessageID]
		if !ok {
			n = len(s.last)
			s.group[row.MessageID] = n
			s.last = append(s.last, none)
		}
		s.last[n] = i
		if !row.Void && t.up[i] != dead {
			s.of[i] = n
		}
	}
	if t.policy == Keep && len(rows) > 0 && t.boundary(rows[0]) {
		s.from = rows[0]
		kept := map[int]bool{}
		if p, ok := t.l.kept[rows[0]]; ok {
			list, _ := t.preservedRows(p)
			for _, i := range list {
				kept[i] = true
			}
		}
		for _, i := range rows {
			if i < rows[0] && !kept[i] {
				s.from = 0 // the old conversation goes on below a preserved row
			}
		}
	}
	clear(s.of[:s.from])
	s.calls, s.rest = make([][]int, len(s.last)), make([][]int, len(s.last))
	if !s.collect(used) {
		return rows
	}
	return s.merge(rows)
}

// collect finds the rows that are missing and says whether there are any. used
// are the rows that the walk met, those before a compaction included: they are
// never brought back.
func (s *turns) collect(used []bool) bool {
	t := s.t
	var loose []int // rows that may hang on a turn
	some := false
	for i := s.from; i < len(t.up); i++ {
		row := &t.l.Rows[i]
		switch {
		case t.up[i] == dead:
		case row.Kind == Assistant && row.MessageID != 0 && !row.Void:
			n := s.of[i]
			if n == 0 {
				n = s.group[row.MessageID]
			}
			if n > 0 {
				s.of[i] = n
				if !used[i] {
					s.calls[n] = append(s.calls[n], i)
					some = true
				}
			}
		case !used[i] && !t.silent(i) && (row.Results || t.satellite(i)):
			loose = append(loose, i)
		}
	}
	if len(s.last) == 1 || len(loose) == 0 {
		return some
	}
	talks := s.talks(used)
	for _, i := range loose {
		if n := s.turn(i, used); n > 0 && (t.l.Rows[i].Results || !talks[i]) {
			s.rest[n] = append(s.rest[n], i)
			some = true
		}
	}
	return some
}

// turn returns the message whose turn a row hangs on, by its parents or else by
// the call that it answers; 0 for none.
func (s *turns) turn(i int, used []bool) int {
	t := s.t
	var way []int
	found := 0
	for n := i; n >= 0; n = t.up[n] {
		if found = s.of[n]; found > 0 {
			break
		}
		if known, ok := s.known[n]; ok {
			found = known
			break
		}
		s.known[n] = 0
		way = append(way, n)
		row := &t.l.Rows[n]
		if up := t.up[n]; row.Results && (n == i || !used[n]) && (up < 0 || s.of[up] == 0) {
			if found = s.answered(n); found > 0 {
				break
			}
		}
		if row.Kind == Assistant || !row.Results && !t.satellite(n) {
			break
		}
	}
	for _, n := range way {
		s.known[n] = found
	}
	return found
}

// answered returns the message that holds the call that a row answers.
func (s *turns) answered(i int) int {
	if source, ok := s.t.row(s.t.l.Rows[i].SourceID); ok && s.of[source] > 0 {
		return s.of[source]
	}
	return s.byCall(i)
}

// talks says of the rows that are not used whether a message that is no answer
// hangs below them.
func (s *turns) talks(used []bool) map[int]bool {
	t := s.t
	talks := map[int]bool{}
	for i := range t.up {
		row := &t.l.Rows[i]
		if t.up[i] == dead || used[i] || !t.l.message(i) || row.Results || s.of[i] > 0 {
			continue
		}
		for n := t.up[i]; n >= 0 && !used[n] && !talks[n]; n = t.up[n] {
			talks[n] = true
		}
	}
	return talks
}

// merge puts the missing rows in their places: each row of a message behind the
// last of those in the chain that stand before it in the file, or behind the
// first; and behind all of them the others, among those that follow there by
// their place in the file.
func (s *turns) merge(rows []int) []int {
	t := s.t
	behind := s.behind(rows)
	out := make([]int, 0, len(rows)+len(s.rest))
	for n := 0; n < len(rows); n++ {
		i := rows[n]
		out = append(append(out, i), behind[i]...)
		id := s.group[t.l.Rows[i].MessageID]
		if s.last[id] != i || len(s.rest[id]) == 0 {
			continue
		}
		end := n + 1
		for end < len(rows) && (t.l.Rows[rows[end]].Results || t.satellite(rows[end])) {
			end++
		}
		from := len(out)
		out = append(append(out, rows[n+1:end]...), s.rest[id]...)
		slices.SortFunc(out[from:], t.byPlace)
		n = end - 1
	}
	return out
}

// behind returns the missing rows of messages by the row of the chain that each
// follows.
func (s *turns) behind(rows []int) map[int][]int {
	of := make([][]int, len(s.calls)) // rows of each message in the chain
	for _, i := range rows {
		if id := s.of[i]; id > 0 && len(s.calls[id]) > 0 {
			of[id] = append(of[id], i)
		}
	}
	behind := map[int][]int{}
	for id, missing := range s.calls {
		for _, i := range missing {
			after := s.last[id]
			if len(of[id]) > 0 {
				after = of[id][0]
			}
			for _, n := range of[id] {
				if s.t.place(n) < s.t.place(i) {
					after = n
				}
			}
			behind[after] = append(behind[after], i)
		}
	}
	for _, list := range behind {
		slices.SortFunc(list, s.t.byPlace)
	}
	return behind
}

// place is where a row stands in the file: of several with its uuid, where the
// first does.
func (t *tree) place(i int) int {
	if first, ok := t.l.first[i]; ok {
		return first
	}
	return i
}

func (t *tree) byPlace(a, b int) int { return cmp.Compare(t.place(a), t.place(b)) }

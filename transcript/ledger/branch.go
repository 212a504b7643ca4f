package ledger

import "slices"

// before returns the rows that compactions put out of the conversation, oldest
// first: those on the way from the leaf before the compaction that the chain
// begins with, and what stands before that, across older compactions.
func (t *tree) before(c *Chain, p *path) []int {
	at := none
	for n := len(p.rows) - 1; n >= 0 && at < 0; n-- {
		if t.boundary(p.rows[n]) {
			at = p.rows[n]
		}
	}
	if at < 0 {
		return nil
	}
	plain := tree{l: t.l, policy: Keep, up: t.plain, plain: t.plain, crosses: true}
	used := make([]bool, len(t.up))
	for _, i := range c.Rows {
		used[i] = true
	}
	q := path{used: used}
	plain.follow(&q, plain.beforeBoundary(at, used))
	slices.Reverse(q.rows)
	return plain.parallel(q.rows, used)
}

// beforeBoundary returns the row that a compaction came after: the one that it
// names, else the nearest one before it in the file.
func (t *tree) beforeBoundary(at int, used []bool) int {
	if up := t.up[at]; up >= 0 && !used[up] {
		return up
	}
	if i, ok := t.row(t.l.logical[at]); ok && t.up[i] != dead && !used[i] {
		return i
	}
	return t.byFile(at, used)
}

// branches returns the lines of rows that are on none of the chain's ways, in the
// order of their last rows in the file.
func (t *tree) branches(c *Chain) []Branch {
	in := make([]bool, len(t.up))
	for _, rows := range [][]int{c.Rows, c.Before} {
		for _, i := range rows {
			in[i] = true
		}
	}
	up := t.plain
	parents := make([]bool, len(up))
	for i := range up {
		if up[i] >= 0 && t.main(i) {
			parents[up[i]] = true
		}
	}
	var out []Branch
	lines := make([]line, len(up))
	var goneOn map[ID]bool // made for the first one that needs it
	for i := range up {
		if up[i] == dead || in[i] || parents[i] || !t.main(i) {
			continue
		}
		if call := t.call(i); call >= 0 {
			if goneOn == nil {
				goneOn = t.goneOn()
			}
			if goneOn[t.l.Rows[call].MessageID] {
				continue // an answer beside the way of its turn
			}
		}
		if l := t.line(i, in, lines); l.messages > 0 {
			out = append(out, Branch{Leaf: i, Fork: l.fork, Rows: l.messages, Newer: i > c.Leaf})
		}
	}
	return out
}

// goneOn returns the ids of messages behind whose answers the talk goes on.
func (t *tree) goneOn() map[ID]bool {
	ids := map[ID]bool{}
	for i, up := range t.up {
		row := &t.l.Rows[i]
		if up < 0 || !t.l.message(i) || row.Results {
			continue
		}
		at := up
		for steps := 0; at >= 0 && steps < maxSatellites && (t.satellite(at) || t.l.Rows[at].Results); steps++ {
			at = t.up[at]
		}
		if at >= 0 && t.l.Rows[at].MessageID != 0 && t.l.Rows[at].MessageID != row.MessageID {
			ids[t.l.Rows[at].MessageID] = true
		}
	}
	return ids
}

// maxSatellites is how many rows between a call and the next message are looked
// through.
const maxSatellites = 1000

// line is what is known of the way from a row to the chain.
type line struct {
	known    bool
	fork     int // the first row of the chain on it, or none
	messages int // on it
}

// line follows a row to the chain, as far as that is not known yet.
func (t *tree) line(i int, in []bool, lines []line) line {
	var way []int
	end := line{fork: none}
	for n := i; n >= 0; n = t.plain[n] {
		if in[n] {
			end.fork = n
			break
		}
		if lines[n].known {
			end = lines[n]
			break
		}
		lines[n] = line{known: true, fork: none} // a cycle ends here
		way = append(way, n)
	}
	for _, n := range slices.Backward(way) {
		if t.l.message(n) {
			end.messages++
		}
		end.known = true
		lines[n] = end
	}
	return end
}

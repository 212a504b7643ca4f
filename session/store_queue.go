package session

import "slices"

// queue holds the files that want work: changed ones, then those that have no
// row yet, then those that lack late facts; newest first within each. An entry
// that is no longer wanted is passed over.
type queue struct {
	urgent, first, rest []*file
}

// add puts a file to the end of the line that its work belongs to.
func (q *queue) add(f *file) {
	switch {
	case f.known && f.want != workScan, f.known && f.state.Summary.Complete:
		q.urgent = append(q.urgent, f)
	case f.want == workScan && f.known:
		q.rest = append(q.rest, f)
	default:
		q.first = append(q.first, f)
	}
}

// head returns the next file, nil when there is none. It stays in the queue.
func (q *queue) head() *file {
	for _, line := range q.lines() {
		for len(*line) > 0 {
			if f := (*line)[0]; f.want != workNone && !f.busy {
				return f
			}
			*line = (*line)[1:]
		}
		*line = nil
	}
	return nil
}

// pop removes the file that head returned.
func (q *queue) pop() {
	for _, line := range q.lines() {
		if len(*line) > 0 {
			*line = (*line)[1:]
			return
		}
	}
}

// prefer moves the chosen files to the front of their lines.
func (q *queue) prefer(chosen map[string]bool) {
	for _, line := range q.lines() {
		slices.SortStableFunc(*line, func(a, b *file) int {
			switch {
			case chosen[a.path] == chosen[b.path]:
				return 0
			case chosen[a.path]:
				return -1
			}
			return 1
		})
	}
}

func (q *queue) lines() [3]*[]*file { return [3]*[]*file{&q.urgent, &q.first, &q.rest} }

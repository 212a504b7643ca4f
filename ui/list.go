package ui

import "sort"

// sortKey says what the list is ordered by.
type sortKey int

const (
	byUpdated sortKey = iota
	byCreated
	byTitle
	bySize
)

// sortKeys is how many there are.
const sortKeys = 4

// String names the order for the pane's title.
func (k sortKey) String() string {
	return [...]string{"last change", "start", "title", "size"}[k]
}

// less orders two rows; rows that are equal by it stay newest first.
func (k sortKey) less(a, b *row) bool {
	switch k {
	case byCreated:
		return a.Summary.Created.After(b.Summary.Created)
	case byTitle:
		return a.hay.titleText() < b.hay.titleText()
	case bySize:
		return a.Summary.Size > b.Summary.Size
	case byUpdated:
	}
	return newer(a, b)
}

// entry is a line of the list.
type entry struct {
	row   *row
	depth int  // 0, or how deep below the session it was forked from
	last  bool // the last of its siblings
	forks int  // how many lie below it, shown or folded away
	open  bool
}

// list is the pane of sessions.
type list struct {
	entries []entry
	at      int
	top     int
	where   int  // cells that the widest place of a row takes
	moved   bool // a person chose the row; until then the newest stays chosen
	folded  map[string]bool
	order   sortKey

	total     int  // rows in scope, before the search
	hidden    int  // hidden rows in scope that are not listed
	elsewhere int  // rows outside the scope that the search finds
	wide      bool // nothing in scope matched: the entries are from elsewhere
}

// newList returns an empty list.
func newList() list { return list{folded: map[string]bool{}} }

// selected returns the row under the cursor, nil when there is none.
func (l *list) selected() *row {
	if l.at < 0 || l.at >= len(l.entries) {
		return nil
	}
	return l.entries[l.at].row
}

// build makes the entries anew and keeps the cursor on its session.
func (l *list) build(d *data, s scope, words []string, hidden bool) {
	was := ""
	if r := l.selected(); r != nil && l.moved {
		was = r.ID
	}
	l.total, l.hidden, l.elsewhere, l.wide = 0, 0, 0, false
	here, others := l.partition(d.order, s, hidden)
	if len(words) > 0 {
		l.search(here, others, words)
	} else {
		l.group(here)
	}
	l.seek(was)
}

// partition splits the rows that may be listed by scope, and counts.
func (l *list) partition(rows []*row, s scope, hidden bool) (here, elsewhere []*row) {
	for _, r := range rows {
		in := s.holds(r)
		switch {
		case !r.listed() && !hidden:
			if in {
				l.hidden++
			}
		case in:
			here = append(here, r)
		default:
			elsewhere = append(elsewhere, r)
		}
	}
	l.total = len(here)
	return here, elsewhere
}

// search lists what was found, best first: in scope, and when nothing there
// answers, everywhere.
func (l *list) search(here, elsewhere []*row, words []string) {
	found, others := find(here, words), find(elsewhere, words)
	l.elsewhere = len(others)
	if len(found) == 0 {
		found, l.wide = others, len(others) > 0
	}
	l.entries = l.entries[:0]
	for _, h := range found {
		l.entries = append(l.entries, entry{row: h.row})
	}
}

// group lists rows in order, forks below the session that they came from. A
// group stands where its foremost member would.
func (l *list) group(rows []*row) {
	if l.order != byUpdated {
		rows = append([]*row(nil), rows...)
		sort.SliceStable(rows, func(i, j int) bool { return l.order.less(rows[i], rows[j]) })
	}
	byID := make(map[string]*row, len(rows))
	forks := false
	for _, r := range rows {
		byID[r.ID] = r
		forks = forks || r.Parent != ""
	}
	l.entries = l.entries[:0]
	if !forks {
		for _, r := range rows {
			l.entries = append(l.entries, entry{row: r, open: true})
		}
		return
	}
	kids := map[string][]*row{}
	roots := make([]*row, 0, len(rows))
	placed := map[string]bool{}
	for _, r := range rows {
		root := origin(r, byID)
		if !placed[root.ID] {
			placed[root.ID] = true
			roots = append(roots, root)
		}
		if r != root {
			kids[r.Parent] = append(kids[r.Parent], r)
		}
	}
	for _, r := range roots {
		l.nest(r, 0, true, kids)
	}
}

// maxNesting bounds how deep forks of forks are followed.
const maxNesting = 64

// origin returns the oldest ancestor among the rows, r itself when there is
// none or when the parents run in a circle.
func origin(r *row, byID map[string]*row) *row {
	at := r
	for range maxNesting {
		p := byID[at.Parent]
		if p == nil || at.Parent == "" {
			return at
		}
		if p == r {
			return circle(r, byID)
		}
		at = p
	}
	return r
}

// circle returns the same member for every row of a circle of parents.
func circle(r *row, byID map[string]*row) *row {
	least := r
	for at := byID[r.Parent]; at != nil && at != r; at = byID[at.Parent] {
		if at.ID < least.ID {
			least = at
		}
	}
	return least
}

// nest adds a row and its forks.
func (l *list) nest(r *row, depth int, last bool, kids map[string][]*row) {
	below := kids[r.ID]
	e := entry{row: r, depth: depth, last: last, forks: len(below), open: !l.folded[r.ID]}
	l.entries = append(l.entries, e)
	if !e.open {
		return
	}
	for i, k := range below {
		l.nest(k, depth+1, i == len(below)-1, kids)
	}
}

// seek puts the cursor on a session, else leaves it within bounds.
func (l *list) seek(id string) {
	for i, e := range l.entries {
		if e.row.ID == id {
			l.at = i
			return
		}
	}
	if id == "" {
		l.at = 0
	}
	l.at = max(min(l.at, len(l.entries)-1), 0)
}

package session

// Family is a session with the forks that descend from it, as indices into the
// rows that were grouped.
type Family struct {
	Root  int
	Forks []int // in the order of the rows; empty for a session without forks
}

// Families folds forks under the session at the start of their chain. Families
// come in the order in which their first member comes in rows. A parent that is
// not among the rows does not count: its forks stand for themselves. Sessions
// that name each other in a circle are one family, under the smallest id.
func Families(rows []Session) []Family {
	at := make(map[string]int, len(rows))
	for i := range rows {
		at[rows[i].ID] = i
	}
	roots := make(map[int]int, len(rows)) // row -> row of its root
	order := make([]int, 0, len(rows))
	members := make(map[int][]int, len(rows))
	for i := range rows {
		root := rootOf(rows, at, roots, i)
		if _, ok := members[root]; !ok {
			order = append(order, root)
		}
		members[root] = append(members[root], i)
	}
	families := make([]Family, 0, len(order))
	for _, root := range order {
		f := Family{Root: root}
		for _, i := range members[root] {
			if i != root {
				f.Forks = append(f.Forks, i)
			}
		}
		families = append(families, f)
	}
	return families
}

// rootOf walks the parents of row i to the start of its chain and remembers the
// answer for every row on the way.
func rootOf(rows []Session, at map[string]int, roots map[int]int, i int) int {
	var path []int
	onPath := make(map[int]int)
	root := i
	for {
		if known, ok := roots[root]; ok {
			root = known
			break
		}
		if start, ok := onPath[root]; ok { // a circle: path[start:]
			for _, j := range path[start:] {
				if rows[j].ID < rows[root].ID {
					root = j
				}
			}
			break
		}
		onPath[root] = len(path)
		path = append(path, root)
		next, ok := at[rows[root].Parent]
		if !ok || rows[root].Parent == "" {
			break
		}
		root = next
	}
	for _, j := range path {
		roots[j] = root
	}
	return root
}

package terminal

// table gives numbers to values that cells refer to. It holds at most count
// values that weigh at most weight together. When it is full the owner marks what
// cells still refer to and sweeps the rest. Number 0 is the zero value.
type table[V comparable] struct {
	values []V
	number map[V]uint32
	free   []uint32
	weigh  func(V) int

	count, weight int // bounds
	weighs        int // all values together
	refused       int // values that found no place since the last sweep

	sweepCount, sweepWeight int // sizes at which a sweep is worth its time
}

// A table is not swept for fewer values than firstSweep, nor for fewer refusals
// than patience: a sweep looks at every cell there is.
const (
	firstSweep = 4096
	patience   = 1024
)

func newTable[V comparable](count, weight int, weigh func(V) int) table[V] {
	return table[V]{
		values: make([]V, 1), number: map[V]uint32{}, weigh: weigh,
		count: count, weight: weight, sweepCount: firstSweep, sweepWeight: weight / 4,
	}
}

// find returns the number of v, giving it one if there is room.
func (t *table[V]) find(v V) (n uint32, ok bool) {
	var zero V
	if v == zero {
		return 0, true
	}
	if n, ok := t.number[v]; ok {
		return n, true
	}
	w := t.weigh(v)
	if len(t.number) >= t.count || t.weighs+w > t.weight {
		t.refused++
		return 0, false
	}
	t.weighs += w
	if last := len(t.free) - 1; last >= 0 {
		n, t.free = t.free[last], t.free[:last]
		t.values[n] = v
	} else {
		n = uint32(len(t.values))
		t.values = append(t.values, v)
	}
	t.number[v] = n
	return n, true
}

// full reports whether a sweep is worth its time: the table has doubled since the
// last one, or has refused a number of values.
func (t *table[V]) full() bool {
	return len(t.number) >= t.sweepCount || t.weighs >= t.sweepWeight || t.refused >= patience
}

// sweep forgets the values whose numbers are not marked.
func (t *table[V]) sweep(marked []bool) {
	var zero V
	t.free = t.free[:0]
	for n := uint32(len(t.values)) - 1; n > 0; n-- {
		v := t.values[n]
		if !marked[n] && v != zero {
			delete(t.number, v)
			t.weighs -= t.weigh(v)
			t.values[n] = zero
		}
		if t.values[n] == zero {
			t.free = append(t.free, n)
		}
	}
	t.refused = 0
	t.sweepCount = max(firstSweep, 2*len(t.number))
	t.sweepWeight = max(t.weight/4, 2*t.weighs)
}

// clear forgets everything.
func (t *table[V]) clear() { *t = newTable(t.count, t.weight, t.weigh) }

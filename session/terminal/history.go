package terminal

// history is the scrollback: the rows that left the main screen at the top, the
// newest last. Each has a number that it keeps while it is there.
type history struct {
	rows  []packed // a ring once it has limit rows
	head  int      // place of the oldest
	n     int
	limit int
	first int // number of the oldest

	scratch packed
}

// row returns row i, 0 being the oldest.
func (h *history) row(i int) packed { return h.rows[(h.head+i)%len(h.rows)] }

// push adds a row as the newest; the oldest goes if there are too many.
func (h *history) push(l *line) {
	if h.limit == 0 {
		h.first++
		return
	}
	at := 0
	switch {
	case h.n == h.limit:
		at = h.head
		h.head = (h.head + 1) % h.limit
		h.first++
	case h.n == len(h.rows) && h.head == 0:
		h.rows = append(h.rows, nil)
		at = h.n
		h.n++
	default:
		at = (h.head + h.n) % len(h.rows)
		h.n++
	}
	h.scratch = pack(h.scratch[:0], l)
	n, p := len(h.scratch), h.rows[at]
	// The memory of the row that goes is kept unless it is far too much.
	if n > cap(p) || 2*n+64 < cap(p) {
		p = make(packed, n)
	}
	p = p[:n]
	copy(p, h.scratch)
	h.rows[at] = p
}

// pop takes the newest row back as one of cols columns.
func (h *history) pop(cols int) *line {
	h.n--
	p := h.row(h.n)
	l := &line{cells: p.unpack(make([]Cell, 0, cols)), wrapped: p.wrapped()}
	l.setWidth(cols)
	return l
}

// clear forgets all rows. Rows to come go on with the numbers.
func (h *history) clear() {
	h.first += h.n
	h.rows, h.head, h.n = nil, 0, 0
}

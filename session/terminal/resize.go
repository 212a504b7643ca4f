package terminal

// Resize changes the size, cut to the bounds. The main screen and the scrollback
// are wrapped anew at another width, and the cursor stays on its character. The
// alternate screen is cut or extended, its program draws it again; columns that
// were cut come back with their text if it does not.
func (t *Terminal) Resize(cols, rows int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	cols, rows = bounded(cols, rows)
	if cols == t.cols && rows == t.rows {
		return
	}
	t.changes++
	cur := &t.cur
	if t.on == &t.alt {
		cur = &t.main.saved
	}
	if cols != t.cols {
		t.reflow(cols, cur)
	}
	t.fitMain(cols, rows, cur)
	t.fitAlternate(cols, rows)
	t.cols, t.rows = cols, rows
	t.top, t.bottom = 0, rows-1
	t.setTabs()
	for _, s := range []*screen{&t.main, &t.alt} {
		s.lines[rows-1].wrapped = false
		s.saved.clamp(cols, rows)
	}
	t.cur.clamp(cols, rows)
	t.settle()
	t.last = nowhere()
	if t.private.sizes {
		t.reportSize()
	}
}

// clamp keeps a cursor inside. A wrap is pending in the last column only.
func (c *cursor) clamp(cols, rows int) {
	c.pending = c.pending && c.x == cols-1
	c.x, c.y = max(0, min(c.x, cols-1)), max(0, min(c.y, rows-1))
}

// fitMain gives the main screen a height. What does not fit goes to the
// scrollback, but for empty rows below the cursor; what is missing comes from it.
func (t *Terminal) fitMain(cols, rows int, cur *cursor) {
	lines := t.main.lines
	for len(lines) > rows {
		if last := len(lines) - 1; last > cur.y && lines[last].empty() {
			lines = lines[:last]
			continue
		}
		t.history.push(lines[0])
		lines = lines[1:]
		cur.y = max(0, cur.y-1)
	}
	var back []*line
	for len(back)+len(lines) < rows && t.history.n > 0 {
		back = append(back, t.history.pop(cols))
	}
	fitted := make([]*line, 0, rows)
	for i := len(back) - 1; i >= 0; i-- {
		fitted = append(fitted, back[i])
	}
	cur.y += len(back)
	fitted = append(fitted, lines...)
	t.main.lines = append(fitted, newLines(cols, rows-len(fitted))...)
}

// fitAlternate gives the alternate screen a size; the cursor's row stays on it.
func (t *Terminal) fitAlternate(cols, rows int) {
	lines := t.alt.lines
	for _, l := range lines {
		if cols != t.cols {
			l.setWidth(cols)
			l.wrapped = false
		}
	}
	if over := len(lines) - rows; over > 0 {
		skip := 0
		if t.on == &t.alt {
			skip = max(0, t.cur.y-rows+1)
			t.cur.y -= skip
		}
		lines = append([]*line(nil), lines[skip:skip+rows]...)
	}
	t.alt.lines = append(lines, newLines(cols, rows-len(lines))...)
}

// reflow wraps the scrollback and the main screen anew at cols columns.
func (t *Terminal) reflow(cols int, cur *cursor) {
	old := t.history
	t.history = history{limit: old.limit, scratch: old.scratch}
	t.numbering++
	rows := len(t.main.lines)
	w := rewrap{cols: cols, cursorRow: -1, emit: t.history.push}

	// Whole lines of the scrollback go from the one to the other, then what is
	// left of it and the screen is gathered.
	whole := old.n
	for whole > 0 && old.row(whole-1).wrapped() {
		whole--
	}
	for i := range whole {
		p := old.row(i)
		w.add(p.unpack(w.room()), p.wrapped(), -1)
	}
	var lines []*line
	w.emit, w.emitted = func(l *line) { lines = append(lines, l) }, 0
	for i := whole; i < old.n; i++ {
		p := old.row(i)
		w.add(p.unpack(w.room()), p.wrapped(), -1)
	}
	last := rows - 1
	for last > cur.y && t.main.lines[last].empty() {
		last--
	}
	for y, l := range t.main.lines[:last+1] {
		at := -1
		if y == cur.y {
			at = cur.x
			if cur.pending {
				at++
			}
		}
		w.add(append(w.room(), l.cells...), l.wrapped && y < last, at)
	}
	top := max(0, len(lines)-rows)
	if w.cursorRow >= 0 {
		top = min(top, w.cursorRow)
	}
	for _, l := range lines[:top] {
		t.history.push(l)
	}
	cur.x, cur.y, cur.pending = min(w.cursorCol, cols-1), max(w.cursorRow-top, 0), w.cursorCol == cols
	lines = lines[top:]
	var back []*line
	for len(lines)+len(back) < rows && t.history.n > 0 {
		back = append(back, t.history.pop(cols))
	}
	all := make([]*line, 0, rows)
	for i := len(back) - 1; i >= 0; i-- {
		all = append(all, back[i])
	}
	cur.y += len(back)
	all = append(all, lines...)
	t.main.lines = append(all, newLines(cols, max(0, rows-len(all)))...)
}

// rewrap gathers the rows of one line of text and gives them out at another
// width.
type rewrap struct {
	cols    int
	emit    func(*line)
	emitted int

	text   []Cell
	cursor int // its place in text, -1 if it is not there
	inText bool

	cursorRow, cursorCol int // where it went, counted in emitted rows

	scratch []Cell
}

// room returns memory for the cells of one row.
func (w *rewrap) room() []Cell { return w.scratch[:0] }

// add takes the next row; at is the cursor's column, -1 if it is in another.
func (w *rewrap) add(cells []Cell, wrapped bool, at int) {
	w.scratch = cells
	if at >= 0 {
		w.cursor, w.inText = len(w.text)+at, true
	}
	// A wide character that found no room left a blank before it.
	if n := len(w.text); n > 0 && w.text[n-1].Blank() && len(cells) > 0 && cells[0].attr&wideHead != 0 {
		w.text = w.text[:n-1]
		if w.inText && w.cursor >= n {
			w.cursor--
		}
	}
	if wrapped {
		w.text = append(w.text, cells...)
		return
	}
	// Coloured blanks at the end stay in a row of its own, but make no further one.
	n := len(cells)
	for n > 0 && cells[n-1].Blank() {
		n--
	}
	tail := cells[n:written(cells)]
	if len(w.text) > 0 {
		tail = nil
	}
	w.text = append(w.text, cells[:n]...)
	w.flush(tail)
}

// flush gives the gathered line out; tail is blanks that follow it.
func (w *rewrap) flush(tail []Cell) {
	text := w.text
	if w.cols == 1 {
		narrow(text)
	}
	for pos := 0; ; {
		end := min(pos+w.cols, len(text))
		if end < len(text) && text[end].attr&wideTail != 0 {
			end--
		}
		l := &line{cells: make([]Cell, w.cols), wrapped: end < len(text)}
		copy(l.cells, text[pos:end])
		if !l.wrapped && pos == 0 {
			copy(l.cells[end:], tail)
		}
		if l.wrapped && end-pos == w.cols && text[end-1].Blank() {
			l.cells[w.cols-1].glyph = ' ' // a blank there would say that a wide character follows
		}
		if w.inText && w.cursor >= pos && (w.cursor < end || !l.wrapped) {
			w.cursorRow, w.cursorCol = w.emitted, w.cursor-pos
		}
		w.emit(l)
		w.emitted++
		if end == len(text) {
			break
		}
		pos = end
	}
	w.text, w.inText = w.text[:0], false
	if cap(w.text) > keptText {
		w.text = nil
	}
}

// narrow replaces wide characters, which have no place in a single column.
func narrow(text []Cell) {
	for i := range text {
		if text[i].attr&layout != 0 {
			text[i] = Cell{Background: text[i].Background, glyph: ' '}
		}
	}
}

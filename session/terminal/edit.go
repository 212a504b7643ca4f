package terminal

// blank is what erasing leaves: nothing on the background of the pen.
func (t *Terminal) blank() Cell { return Cell{Background: t.cur.pen.Background} }

// settle drops a pending wrap that has no character before it any more.
func (t *Terminal) settle() {
	if t.cur.pending && (t.cur.x != t.cols-1 || t.on.lines[t.cur.y].cells[t.cur.x].Blank()) {
		t.cur.pending = false
	}
}

// erase erases the columns from x0 up to but not including x1 of row y. A
// selective one leaves protected characters.
func (t *Terminal) erase(y, x0, x1 int, selective bool) {
	l := t.on.lines[y]
	x1 = min(x1, t.cols)
	if x0 >= x1 {
		return
	}
	if selective {
		for x := x0; x < x1; x++ {
			if l.cells[x].attr&Protected == 0 {
				l.orphan(x)
				l.cells[x] = t.blank()
			}
		}
	} else {
		l.split(x0)
		l.split(x1)
		fill(l.cells[x0:x1], t.blank())
	}
	if x0 == 0 && x1 == t.cols && l.cells[t.cols-1].Blank() {
		clear(l.whole()[t.cols:])
		l.wrapped = false
	}
	if y == t.cur.y {
		t.settle()
	}
}

// eraseDisplay is ED and DECSED.
func (t *Terminal) eraseDisplay(how int, selective bool) {
	from, to := 0, t.rows
	switch how {
	case 0:
		t.eraseLine(0, selective)
		from = t.cur.y + 1
	case 1:
		t.eraseLine(1, selective)
		to = t.cur.y
	case 2:
	case 3:
		if !selective {
			t.history.clear()
		}
		return
	default:
		return
	}
	for y := from; y < to; y++ {
		t.erase(y, 0, t.cols, selective)
	}
}

// eraseLine is EL and DECSEL. While a wrap is pending nothing lies right of the
// cursor (tmux and xterm.js agree; xterm erases the last column).
func (t *Terminal) eraseLine(how int, selective bool) {
	y := t.cur.y
	switch how {
	case 0:
		if !t.cur.pending {
			t.erase(y, t.cur.x, t.cols, selective)
		}
	case 1:
		t.erase(y, 0, t.cur.x+1, selective)
	case 2:
		t.erase(y, 0, t.cols, selective)
	}
}

// insertCells is ICH: room for n columns at the cursor.
func (t *Terminal) insertCells(n int) {
	l, x := t.on.lines[t.cur.y], t.cur.x
	n = min(n, t.cols-x)
	l.split(x)
	l.split(t.cols - n)
	copy(l.cells[x+n:], l.cells[x:t.cols-n])
	fill(l.cells[x:x+n], t.blank())
	l.wrapped = l.wrapped && t.cols > 1
	t.cur.pending = false
}

// deleteCells is DCH: what is right of n columns at the cursor moves left.
func (t *Terminal) deleteCells(n int) {
	l, x := t.on.lines[t.cur.y], t.cur.x
	n = min(n, t.cols-x)
	l.split(x)
	l.split(x + n)
	copy(l.cells[x:], l.cells[x+n:])
	fill(l.cells[t.cols-n:], t.blank())
	l.wrapped = l.wrapped && t.cols > 1
	t.cur.pending = false
}

// scrollUp moves the rows from top to bottom up by n. With keep, rows that leave
// the main screen at its top go to the scrollback.
func (t *Terminal) scrollUp(top, bottom, n int, keep bool) {
	lines := t.on.lines
	keep = keep && top == 0 && t.on == &t.main
	blank := t.blank()
	for range min(n, bottom-top+1) {
		l := lines[top]
		if keep {
			t.history.push(l)
		}
		copy(lines[top:bottom], lines[top+1:bottom+1])
		l.clear(blank)
		lines[bottom] = l
	}
	t.last = nowhere()
	t.settle()
}

// scrollDown moves the rows from top to bottom down by n.
func (t *Terminal) scrollDown(top, bottom, n int) {
	lines := t.on.lines
	blank := t.blank()
	for range min(n, bottom-top+1) {
		l := lines[bottom]
		copy(lines[top+1:bottom+1], lines[top:bottom])
		l.clear(blank)
		lines[top] = l
	}
	lines[bottom].wrapped = false // what it went on in is gone
	if top > 0 {
		lines[top-1].wrapped = false
	}
	t.last = nowhere()
	t.settle()
}

// index is LF without LNM: down, scrolling at the lower margin.
func (t *Terminal) index() {
	t.cur.pending = false
	t.last = nowhere()
	if t.cur.y == t.bottom {
		t.scrollUp(t.top, t.bottom, 1, true)
	} else if t.cur.y < t.rows-1 {
		t.cur.y++
	}
}

// reverseIndex is RI: up, scrolling at the upper margin.
func (t *Terminal) reverseIndex() {
	t.cur.pending = false
	t.last = nowhere()
	if t.cur.y == t.top {
		t.scrollDown(t.top, t.bottom, 1)
	} else if t.cur.y > 0 {
		t.cur.y--
	}
}

// align is DECALN: a screen full of E.
func (t *Terminal) align() {
	for _, l := range t.on.lines {
		l.clear(Cell{glyph: 'E'})
	}
	t.top, t.bottom = 0, t.rows-1
	t.cur.origin = false
	t.moveTo(0, 0)
}

// showAlternate goes to the alternate screen, which is empty then, or back.
func (t *Terminal) showAlternate(on bool) {
	if on == (t.on == &t.alt) {
		return
	}
	t.on = &t.main
	if on {
		t.on = &t.alt
		t.alt.saved, t.alt.kitty = home(), nil
		for _, l := range t.alt.lines {
			l.clear(t.blank())
		}
	}
	t.last = nowhere()
	t.settle()
}

package terminal

// control acts on a control byte that is part of no string.
func (t *Terminal) control(c byte) {
	switch c {
	case 0x07:
		t.out.Bells++
	case 0x08:
		t.column(t.cur.x - 1)
	case 0x09:
		t.tab(1)
	case 0x0a, 0x0b, 0x0c:
		t.index()
		if t.private.newline {
			t.cur.x = 0
		}
	case 0x0d:
		t.column(0)
	case 0x0e:
		t.cur.shift = 1
	case 0x0f:
		t.cur.shift = 0
	}
}

// escape acts on ESC, intermediate bytes and a final byte.
func (t *Terminal) escape(c byte) {
	if len(t.parser.intermediates) > 0 {
		t.escapeWith(t.parser.intermediates[0], c)
		return
	}
	switch c {
	case '7':
		t.save()
	case '8':
		t.restore()
	case '=':
		t.modes.AppKeypad = true
	case '>':
		t.modes.AppKeypad = false
	case 'D':
		t.index()
	case 'E':
		t.index()
		t.cur.x = 0
	case 'H':
		t.tabs[t.cur.x] = true
	case 'M':
		t.reverseIndex()
	case 'Z':
		t.reportDevice()
	case 'c':
		t.reset()
	case 'n':
		t.cur.shift = 2
	case 'o':
		t.cur.shift = 3
	}
}

// escapeWith acts on a sequence with an intermediate byte: the choice of a
// character set, or DECALN. Sets that we do not have are ASCII.
func (t *Terminal) escapeWith(intermediate, c byte) {
	if len(t.parser.intermediates) > 1 {
		return
	}
	switch intermediate {
	case '(', ')', '*', '+':
		if c != '0' && c != 'A' {
			c = 'B'
		}
		t.cur.sets[intermediate-'('] = c
	case '#':
		if c == '8' {
			t.align()
		}
	}
}

// save is DECSC.
func (t *Terminal) save() { t.on.saved = t.cur }

// restore is DECRC.
func (t *Terminal) restore() {
	t.cur = t.on.saved
	t.cur.x, t.cur.y = min(t.cur.x, t.cols-1), min(t.cur.y, t.rows-1)
	if t.cur.origin {
		t.cur.y = max(t.top, min(t.cur.y, t.bottom))
	}
	t.last = nowhere()
	t.settle()
}

// moveTo puts the cursor at a column and a row that count from the margins in
// origin mode.
func (t *Terminal) moveTo(x, y int) {
	lo, hi := 0, t.rows-1
	if t.cur.origin {
		lo, hi = t.top, t.bottom
		y += t.top
	}
	t.cur.y = max(lo, min(y, hi))
	t.column(x)
}

// column puts the cursor into a column of its row.
func (t *Terminal) column(x int) {
	t.cur.x = max(0, min(x, t.cols-1))
	t.cur.pending = false
	t.last = nowhere()
}

// up moves the cursor up, stopping at the upper margin if it is below it.
func (t *Terminal) up(n int) {
	lo := 0
	if t.cur.y >= t.top {
		lo = t.top
	}
	t.cur.y = max(lo, t.cur.y-n)
	t.column(t.cur.x)
}

// down moves the cursor down, stopping at the lower margin if it is above it.
func (t *Terminal) down(n int) {
	hi := t.rows - 1
	if t.cur.y <= t.bottom {
		hi = t.bottom
	}
	t.cur.y = min(hi, t.cur.y+n)
	t.column(t.cur.x)
}

// setTabs puts a stop into each eighth column.
func (t *Terminal) setTabs() {
	for len(t.tabs) < t.cols {
		t.tabs = append(t.tabs, defaultTab(len(t.tabs)))
	}
}

// defaultTab reports whether a column has a stop before a program changes any.
func defaultTab(x int) bool { return x > 0 && x%8 == 0 }

// tab moves to the nth stop from here. At the last column it does nothing, so
// that a pending wrap stays.
func (t *Terminal) tab(n int) {
	x := t.cur.x
	for ; n > 0 && x < t.cols-1; n-- {
		for x++; x < t.cols-1 && !t.tabs[x]; {
			x++
		}
	}
	if x != t.cur.x {
		t.column(x)
	}
}

// backTab moves to the nth stop before here.
func (t *Terminal) backTab(n int) {
	x := t.cur.x
	for ; n > 0 && x > 0; n-- {
		for x--; x > 0 && !t.tabs[x]; {
			x--
		}
	}
	t.column(x)
}

// clearTabs is TBC.
func (t *Terminal) clearTabs(how int) {
	switch how {
	case 0:
		t.tabs[t.cur.x] = false
	case 3:
		clear(t.tabs)
	}
}

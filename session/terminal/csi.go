package terminal

// param returns parameter i, def if it is missing or 0.
func (t *Terminal) param(i, def int) int {
	if v := t.paramOrZero(i, def); v > 0 {
		return v
	}
	return def
}

// paramOrZero returns parameter i, def if it is missing.
func (t *Terminal) paramOrZero(i, def int) int {
	if p := t.parser.params; i < len(p) && p[i] >= 0 {
		return int(p[i])
	}
	return def
}

// sequence acts on a control sequence that ends in c.
func (t *Terminal) sequence(c byte) {
	p := &t.parser
	var intermediate byte
	switch len(p.intermediates) {
	case 0:
	case 1:
		intermediate = p.intermediates[0]
	default:
		return
	}
	switch {
	case p.prefix == '?':
		t.privateSequence(c, intermediate)
	case p.prefix != 0 && intermediate == 0:
		t.keyboardSequence(p.prefix, c)
	case p.prefix != 0:
	case intermediate != 0:
		t.sequenceWith(intermediate, c)
	case t.moveSequence(c), t.editSequence(c):
	default:
		t.otherSequence(c)
	}
}

// moveSequence acts on the sequences that move the cursor.
func (t *Terminal) moveSequence(c byte) bool {
	n := t.param(0, 1)
	switch c {
	case 'A':
		t.up(n)
	case 'B', 'e':
		t.down(n)
	case 'C', 'a':
		t.column(t.cur.x + n)
	case 'D':
		t.column(t.cur.x - n)
	case 'E':
		t.down(n)
		t.column(0)
	case 'F':
		t.up(n)
		t.column(0)
	case 'G', '`':
		t.column(n - 1)
	case 'H', 'f':
		t.moveTo(t.param(1, 1)-1, n-1)
	case 'd':
		t.moveTo(t.cur.x, n-1)
	case 'I':
		t.tab(n)
	case 'Z':
		t.backTab(n)
	case 'r':
		t.setMargins(n-1, min(t.param(1, t.rows), t.rows)-1)
	case 's':
		t.save()
	case 'u':
		t.restore()
	default:
		return false
	}
	return true
}

// setMargins is DECSTBM. Margins that leave less than two rows are ignored.
func (t *Terminal) setMargins(top, bottom int) {
	if top < bottom {
		t.top, t.bottom = top, bottom
		t.moveTo(0, 0)
	}
}

// editSequence acts on the sequences that change cells.
func (t *Terminal) editSequence(c byte) bool {
	n := t.param(0, 1)
	inside := t.cur.y >= t.top && t.cur.y <= t.bottom
	switch c {
	case '@':
		t.insertCells(n)
	case 'J':
		t.eraseDisplay(t.paramOrZero(0, 0), false)
	case 'K':
		t.eraseLine(t.paramOrZero(0, 0), false)
	case 'L':
		if inside {
			t.scrollDown(t.cur.y, t.bottom, n)
			t.column(0)
		}
	case 'M':
		if inside {
			t.scrollUp(t.cur.y, t.bottom, n, false)
			t.column(0)
		}
	case 'P':
		t.deleteCells(n)
	case 'S':
		t.scrollUp(t.top, t.bottom, n, true)
	case 'T':
		if len(t.parser.params) <= 1 { // with more it asks for mouse highlighting
			t.scrollDown(t.top, t.bottom, n)
		}
	case 'X':
		t.erase(t.cur.y, t.cur.x, t.cur.x+n, false)
	case 'b':
		t.repeat(n)
		return true
	default:
		return false
	}
	t.last = nowhere()
	return true
}

// otherSequence acts on what neither moves nor edits.
func (t *Terminal) otherSequence(c byte) {
	switch c {
	case 'c':
		if t.param(0, 0) == 0 {
			t.reportDevice()
		}
	case 'g':
		t.clearTabs(t.paramOrZero(0, 0))
	case 'h', 'l':
		for _, m := range t.parser.params {
			if flag := t.ansiFlag(int(m)); flag != nil {
				*flag = c == 'h'
			}
		}
	case 'm':
		t.rendition()
	case 'n':
		t.reportStatus(t.param(0, 0))
	case 't':
		t.windowOperation(t.param(0, 0))
	case 'x':
		t.reportParameters(t.paramOrZero(0, 0))
	}
}

// sequenceWith acts on sequences with an intermediate byte.
func (t *Terminal) sequenceWith(intermediate, c byte) {
	switch string([]byte{intermediate, c}) {
	case " q":
		if s := t.paramOrZero(0, 0); s <= int(SteadyBar) {
			t.shape = Shape(s)
		}
	case "!p":
		t.softReset()
		t.last = nowhere()
	case "\"q":
		switch t.paramOrZero(0, 0) {
		case 0, 2:
			t.cur.pen.attr &^= Protected
		case 1:
			t.cur.pen.attr |= Protected
		}
	case "$p":
		t.reportANSIMode(t.param(0, 0))
	}
}

// privateSequence acts on sequences that begin with a question mark.
func (t *Terminal) privateSequence(c, intermediate byte) {
	switch string([]byte{intermediate, c}) {
	case "$p":
		t.reportPrivateMode(t.param(0, 0))
	case "\x00h", "\x00l":
		for _, m := range t.parser.params {
			t.setPrivateMode(int(m), c == 'h')
		}
	case "\x00J":
		if how := t.paramOrZero(0, 0); how < 3 {
			t.eraseDisplay(how, true)
		}
		t.last = nowhere()
	case "\x00K":
		t.eraseLine(t.paramOrZero(0, 0), true)
		t.last = nowhere()
	case "\x00n":
		t.reportPrivateStatus(t.param(0, 0))
	case "\x00m":
		if t.param(0, 0) == 4 {
			t.reply("\x1b[>4;%dm", t.modes.ModifyOtherKeys)
		}
	case "\x00u":
		t.reply("\x1b[?%du", t.on.keyboard())
	case "\x00W":
		if t.param(0, 0) == 5 {
			t.tabs = t.tabs[:0]
			t.setTabs()
		}
	}
}

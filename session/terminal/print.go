package terminal

import "github.com/rivo/uniseg"

// printASCII prints bytes from 0x20 to 0x7e.
func (t *Terminal) printASCII(p []byte) {
	if t.cur.sets[t.cur.shift] != 'B' || t.private.insert {
		for _, c := range p {
			t.print(rune(c))
		}
		return
	}
	for len(p) > 0 {
		if t.cur.pending {
			t.wrap()
		}
		l := t.on.lines[t.cur.y]
		x := t.cur.x
		n := min(len(p), t.cols-x)
		cells := l.cells[x : x+n]
		l.orphan(x)
		l.orphan(x + n - 1)
		c := t.cur.pen
		for i := range cells {
			c.glyph = uint32(p[i])
			cells[i] = c
		}
		t.last = place{x + n - 1, t.cur.y}
		t.cur.x += n
		p = p[n:]
		if t.cur.x < t.cols {
			return
		}
		t.cur.x = t.cols - 1
		if !t.private.autowrap {
			if len(p) > 0 { // the last byte is what stays in the last column
				c.glyph = uint32(p[len(p)-1])
				l.cells[t.cur.x] = c
			}
			return
		}
		t.cur.pending = true
	}
}

// print prints a character, or adds it to the one just printed.
func (t *Terminal) print(r rune) {
	if r < 0x80 {
		t.put(t.mapped(r), 1)
		return
	}
	if r < 0xa0 { // the 8-bit controls have no effect and no form
		return
	}
	c := t.widths.of(r)
	if t.join(r, c) {
		return
	}
	if width := int(c & columns); width > 0 {
		t.put(r, width)
	}
}

// mapped applies the character set in use.
func (t *Terminal) mapped(r rune) rune {
	switch t.cur.sets[t.cur.shift] {
	case '0':
		const graphics = " ◆▒␉␌␍␊°±␤␋┘┐┌└┼⎺⎻─⎼⎽├┤┴┬│≤≥π≠£·"
		if r < '_' || r > '~' {
			return r
		}
		i := int(r - '_')
		for _, g := range graphics {
			if i == 0 {
				return g
			}
			i--
		}
	case 'A':
		if r == '#' {
			return '£'
		}
	}
	return r
}

// wrap goes on in the next row.
func (t *Terminal) wrap() {
	if t.cur.y == t.bottom || t.cur.y < t.rows-1 {
		t.on.lines[t.cur.y].wrapped = true
	}
	t.cur.x = 0
	t.index()
}

// put writes a character of one or two columns at the cursor.
func (t *Terminal) put(r rune, width int) {
	if width > t.cols {
		return
	}
	if t.cur.pending {
		t.wrap()
	}
	if width == 2 && t.cur.x == t.cols-1 {
		if !t.private.autowrap {
			return
		}
		l := t.on.lines[t.cur.y]
		l.orphan(t.cur.x)
		l.cells[t.cur.x] = t.blank()
		t.wrap()
	}
	x := t.cur.x
	if t.private.insert {
		t.insertCells(width)
	}
	l := t.on.lines[t.cur.y]
	l.orphan(x)
	c := t.cur.pen
	c.glyph = uint32(r)
	if width == 2 {
		l.widen(x, c)
	} else {
		l.cells[x] = c
	}
	t.last = place{x, t.cur.y}
	t.advance(width)
}

// widen writes a wide character into columns x and x+1.
func (l *line) widen(x int, c Cell) {
	l.orphan(x + 1)
	c.attr |= wideHead
	l.cells[x] = c
	c.glyph, c.attr = 0, c.attr&^wideHead|wideTail
	l.cells[x+1] = c
}

// advance moves the cursor over what was just written.
func (t *Terminal) advance(width int) {
	t.cur.x += width
	if t.cur.x >= t.cols {
		t.cur.x = t.cols - 1
		t.cur.pending = t.private.autowrap
	}
}

// join adds r to the character just printed if Unicode counts both as one.
func (t *Terminal) join(r rune, c class) bool {
	x := t.last.x
	if x < 0 {
		return false
	}
	l := t.on.lines[t.last.y]
	cell := l.cells[x]
	if !t.mayJoin(cell.glyph, r, c) {
		return false
	}
	s := t.glyphText(cell.glyph) + string(r)
	g, _, width, _ := uniseg.FirstGraphemeClusterInString(s, -1)
	if len(g) != len(s) {
		return false
	}
	grows := width >= 2 && cell.Width() == 1 && (r != emojiVariant || t.private.wideEmoji)
	if grows && x+1 == t.cols {
		if r != emojiVariant {
			return false // no room: it goes to the next row by itself
		}
		grows = false
	}
	glyph, ok := t.cluster(s)
	if len(s) > maxCluster || !ok {
		return true // the character stays as it is
	}
	cell.glyph = glyph
	l.cells[x] = cell
	if grows {
		l.widen(x, cell)
		t.advance(1)
	}
	return true
}

// repeat is REP: the character just printed, again, up to the end of the row.
func (t *Terminal) repeat(n int) {
	if t.last.x < 0 {
		return
	}
	cell := t.on.lines[t.last.y].cells[t.last.x]
	var r rune
	for _, r = range t.glyphText(cell.glyph) {
		break
	}
	if r == 0 {
		return
	}
	width := int(t.widths.of(r) & columns)
	if r < 0x80 {
		width = 1
	}
	if width == 0 {
		return
	}
	for range min(n, (t.cols-t.cur.x)/width) {
		t.put(r, width)
	}
}

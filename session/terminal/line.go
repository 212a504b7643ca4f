package terminal

import (
	"encoding/binary"
	"slices"
)

// line is a row of a screen. wrapped says that the text goes on in the next row.
type line struct {
	cells   []Cell
	wrapped bool
}

func newLines(cols, rows int) []*line {
	lines := make([]*line, rows)
	for i := range lines {
		lines[i] = &line{cells: make([]Cell, cols)}
	}
	return lines
}

// fill sets all cells.
func fill(cells []Cell, c Cell) {
	if c == (Cell{}) {
		clear(cells)
		return
	}
	for i := range cells {
		cells[i] = c
	}
}

// clear erases the whole row.
func (l *line) clear(blank Cell) {
	fill(l.whole(), blank)
	l.wrapped = false
}

// empty reports whether nothing was ever written in the row.
func (l *line) empty() bool { return written(l.cells) == 0 }

// written returns the number of cells up to the last that is not zero.
func written(cells []Cell) int {
	for n := len(cells); n > 0; n-- {
		if c := &cells[n-1]; c.glyph|uint32(c.Foreground|c.Background) != 0 || c.attr != 0 || c.extra != 0 {
			return n
		}
	}
	return 0
}

// orphan erases the other half of the wide character that column x is part of,
// because x is about to be overwritten.
func (l *line) orphan(x int) {
	c := l.cells[x]
	if c.attr&layout == 0 {
		return
	}
	if c.attr&wideTail != 0 && x > 0 {
		l.cells[x-1] = Cell{Background: l.cells[x-1].Background}
	}
	if c.attr&wideHead != 0 && x+1 < len(l.cells) {
		l.cells[x+1] = Cell{Background: l.cells[x+1].Background}
	}
}

// split erases a wide character that straddles the border left of column x.
func (l *line) split(x int) {
	if x > 0 && x < len(l.cells) && l.cells[x].attr&wideTail != 0 {
		l.cells[x-1] = Cell{Background: l.cells[x-1].Background}
		l.cells[x] = Cell{Background: l.cells[x].Background}
	}
}

// setWidth shows more or less of the row. What is hidden comes back when the row
// is wide again, unless the row was cleared.
func (l *line) setWidth(cols int) {
	all := line{cells: l.whole()}
	if len(all.cells) < cols {
		all.cells = append(make([]Cell, 0, cols), all.cells...)[:cols]
	}
	all.split(cols)
	l.cells = all.cells[:cols]
}

// whole returns the cells of the row with those that are hidden.
func (l *line) whole() []Cell { return l.cells[:cap(l.cells)] }

// packed is a row of the scrollback in few bytes: a byte that says whether the
// row is wrapped, then runs of cells that look alike. A run is
//
//	1 byte   bytes for each character (1 or 4), styledRun if a style follows
//	2 bytes  number of characters
//	12 bytes style: foreground, background, attributes, extra
//	         the characters; a wide one stands for both of its cells
//
// Plain text takes one byte a column where a Cell takes sixteen.
type packed []byte

const (
	styledRun  = 0x80
	styleBytes = 12
)

// wrapped reports whether the row goes on in the next.
func (p packed) wrapped() bool { return p[0] != 0 }

// pack appends the row to p.
func pack(p packed, l *line) packed {
	cells := l.cells
	if l.wrapped {
		p = append(p, 1)
	} else {
		p = append(p, 0)
		cells = cells[:written(cells)]
	}
	for len(cells) > 0 {
		n := 0
		p, n = packRun(p, cells)
		cells = cells[n:]
	}
	return p
}

// packRun appends one run from the head of cells and returns the number of cells.
func packRun(p packed, cells []Cell) (packed, int) {
	first := &cells[0]
	head := len(p)
	size := byte(4)
	if first.glyph < 256 {
		size = 1
	}
	p = append(p, size, 0, 0)
	if first.Foreground|first.Background != 0 || first.attr != 0 || first.extra != 0 {
		p[head] |= styledRun
		p = binary.LittleEndian.AppendUint32(p, uint32(first.Foreground))
		p = binary.LittleEndian.AppendUint32(p, uint32(first.Background))
		p = binary.LittleEndian.AppendUint16(p, uint16(first.attr))
		p = binary.LittleEndian.AppendUint16(p, first.extra)
	}
	var count, n int
	switch {
	case first.attr&wideHead != 0:
		for n < len(cells) && cells[n].sameStyle(first) && (cells[n].glyph < 256) == (size == 1) {
			p = appendGlyph(p, size, cells[n].glyph)
			n += 2
		}
		n = min(n, len(cells))
		count = (n + 1) / 2
	case size == 1:
		p, n = packSmall(p, cells)
		count = n
	default:
		for n < len(cells) && cells[n].sameStyle(first) && cells[n].glyph >= 256 {
			p = binary.LittleEndian.AppendUint32(p, cells[n].glyph)
			n++
		}
		count = n
	}
	binary.LittleEndian.PutUint16(p[head+1:], uint16(count))
	return p, n
}

// packSmall appends the glyphs of a run that take a byte each: most of all text.
func packSmall(p packed, cells []Cell) (packed, int) {
	p = slices.Grow(p, len(cells))
	to := p[len(p) : len(p)+len(cells)]
	first := &cells[0]
	n := 0
	for i := range to {
		c := &cells[i]
		if c.glyph >= 256 || !c.sameStyle(first) {
			break
		}
		to[i] = byte(c.glyph)
		n++
	}
	return p[:len(p)+n], n
}

func appendGlyph(p packed, size byte, glyph uint32) packed {
	if size == 1 {
		return append(p, byte(glyph))
	}
	return binary.LittleEndian.AppendUint32(p, glyph)
}

// run is the head of a run.
type run struct {
	style Cell
	count int
	size  int
}

// run reads the head of the run at the beginning of p, which is not the row's
// first byte, and returns what follows it.
func (p packed) run() (run, packed) {
	r := run{size: int(p[0] &^ styledRun), count: int(binary.LittleEndian.Uint16(p[1:]))}
	styled := p[0]&styledRun != 0
	p = p[3:]
	if styled {
		r.style = Cell{
			Foreground: Color(binary.LittleEndian.Uint32(p)),
			Background: Color(binary.LittleEndian.Uint32(p[4:])),
			attr:       Attr(binary.LittleEndian.Uint16(p[8:])),
			extra:      binary.LittleEndian.Uint16(p[10:]),
		}
		p = p[styleBytes:]
	}
	return r, p
}

// glyph reads character i of a run.
func (r run) glyph(p packed, i int) uint32 {
	if r.size == 1 {
		return uint32(p[i])
	}
	return binary.LittleEndian.Uint32(p[4*i:])
}

// unpack appends the cells of the row to cells.
func (p packed) unpack(cells []Cell) []Cell {
	for p = p[1:]; len(p) > 0; {
		r, rest := p.run()
		c := r.style
		for i := range r.count {
			c.glyph = r.glyph(rest, i)
			cells = append(cells, c)
			if c.attr&wideHead != 0 {
				tail := c
				tail.glyph, tail.attr = 0, c.attr&^wideHead|wideTail
				cells = append(cells, tail)
			}
		}
		p = rest[r.count*r.size:]
	}
	return cells
}

// refer calls mark with each glyph and extra of the row.
func (p packed) refer(mark func(glyph uint32, extra uint16)) {
	for p = p[1:]; len(p) > 0; {
		r, rest := p.run()
		if r.size == 1 {
			mark(0, r.style.extra)
		} else {
			for i := range r.count {
				mark(r.glyph(rest, i), r.style.extra)
			}
		}
		p = rest[r.count*r.size:]
	}
}

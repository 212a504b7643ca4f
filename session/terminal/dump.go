package terminal

import (
	"bytes"
	"fmt"
	"math/bits"
)

// Dump returns bytes that put a terminal of the same size, ours or another, into
// the state of this one: at most history rows of the scrollback, both screens,
// pen, margins, modes, tabs, titles and what is begun but not complete, be it a
// frame, a sequence or a character. Bytes that this terminal gets afterwards have
// the same effect there. What the other replies while it reads them is to be
// dropped.
func (t *Terminal) Dump(history int) []byte {
	t.mu.Lock()
	defer t.mu.Unlock()
	d := dumper{t: t, pen: home().pen}
	d.text("\x1bc\x1b[3J")
	d.saved(&t.main)
	d.begin()
	n := min(max(history, 0), t.history.n)
	d.history(n)
	d.lines(t.main.lines)
	d.keyboard(&t.main)
	if t.on == &t.alt {
		d.setPen(Cell{})
		d.text("\x1b[?47h")
		d.saved(&t.alt)
		d.begin()
		d.lines(t.alt.lines)
		d.keyboard(&t.alt)
	}
	d.tabs()
	d.labels()
	d.modes()
	d.cursor()
	d.text(t.parser.unfinished())
	return d.out.Bytes()
}

// dumper writes a terminal down.
type dumper struct {
	t         *Terminal
	out       bytes.Buffer
	pen       Cell // of the terminal that reads this
	wideEmoji bool // and its mode 2027
	before    Cell // the cell just written, which the next must not join
	unpacked  line
}

func (d *dumper) text(s string) { d.out.WriteString(s) }

func (d *dumper) printf(format string, args ...any) { fmt.Fprintf(&d.out, format, args...) }

// setPen writes what makes the pen that of a cell.
func (d *dumper) setPen(c Cell) {
	c.glyph, c.attr = 0, c.attr&^layout
	if c == d.pen {
		return
	}
	d.text("\x1b[" + d.t.renditionOf(c) + "m")
	if link := d.t.extras.values[c.extra].link; link != d.t.extras.values[d.pen.extra].link {
		id := ""
		if link.ID != "" {
			id = "id=" + link.ID
		}
		d.printf("\x1b]8;%s;%s\x1b\\", id, link.Address)
	}
	if protected := c.attr & Protected; protected != d.pen.attr&Protected {
		d.printf("\x1b[%d\"q", setting(protected != 0)%2)
	}
	d.pen = c
}

// renditionOf returns the parameters of SGR that make the pen that of a cell.
func (t *Terminal) renditionOf(c Cell) string {
	b := []byte("0")
	numbers := [8]int{1, 2, 3, 5, 7, 8, 9, 53}
	for attr := c.attr & (Overline<<1 - 1); attr != 0; attr &= attr - 1 {
		b = fmt.Appendf(b, ";%d", numbers[bits.TrailingZeros16(uint16(attr))])
	}
	if u := c.Underline(); u != NoUnderline {
		b = fmt.Appendf(b, ";4:%d", u)
	}
	b = appendColor(b, 38, c.Foreground)
	b = appendColor(b, 48, c.Background)
	return string(appendColor(b, 58, t.extras.values[c.extra].underline))
}

// appendColor adds the parameters of a colour.
func appendColor(b []byte, param int, c Color) []byte {
	if r, g, blue, ok := c.RGB(); ok {
		return fmt.Appendf(b, ";%d:2::%d:%d:%d", param, r, g, blue)
	}
	if i, ok := c.Index(); ok {
		return fmt.Appendf(b, ";%d:5:%d", param, i)
	}
	return b
}

// sets writes the character sets of a cursor.
func (d *dumper) sets(c cursor) {
	for i, set := range c.sets {
		d.printf("\x1b%c%c", "()*+"[i], set)
	}
	d.text([4]string{"\x0f", "\x0e", "\x1bn", "\x1bo"}[c.shift])
}

// saved writes the cursor that a screen has saved. It comes before what is on
// the screen, since a pending wrap needs a character to be written.
func (d *dumper) saved(s *screen) {
	c := s.saved
	if c == home() {
		return
	}
	d.printf("\x1b[%d;%dH", c.y+1, c.x+1)
	if c.pending {
		d.text("x")
	}
	d.setPen(c.pen)
	d.sets(c)
	if c.origin {
		// Setting it moves the cursor, and there are no margins yet.
		d.printf("\x1b[?6h\x1b[%d;%dH", c.y+1, c.x+1)
		if c.pending {
			d.text("\x1b(B\x0fx")
			d.sets(c)
		}
	}
	d.text("\x1b7\x1b[?6l")
	d.sets(home())
}

// begin empties the screen and goes to its first cell.
func (d *dumper) begin() {
	d.setPen(Cell{})
	d.text("\x1b[H\x1b[2J")
	d.before = Cell{}
}

// history writes the newest n rows of the scrollback.
func (d *dumper) history(n int) {
	h := &d.t.history
	next := d.t.main.lines[0]
	for i := h.n - n; i < h.n; i++ {
		p := h.row(i)
		l := &line{cells: p.unpack(d.unpacked.cells[:0]), wrapped: p.wrapped()}
		d.unpacked.cells = l.cells
		first := next.cells[0]
		if i+1 < h.n {
			first = h.row(i + 1).head()
		}
		d.row(l)
		d.goOn(l, first)
	}
}

// head returns the first cell of the row.
func (p packed) head() Cell {
	if len(p) == 1 {
		return Cell{}
	}
	r, rest := p[1:].run()
	c := r.style
	c.glyph = r.glyph(rest, 0)
	return c
}

// lines writes the rows of a screen.
func (d *dumper) lines(lines []*line) {
	for i, l := range lines {
		d.row(l)
		if i+1 < len(lines) {
			d.goOn(l, lines[i+1].cells[0])
		}
	}
}

// row writes the cells of a row from its first column.
func (d *dumper) row(l *line) {
	cells := l.cells[:written(l.cells)]
	for x := 0; x < len(cells); {
		c := cells[x]
		if !c.Blank() {
			if c.attr&wideTail == 0 {
				d.cell(x, c)
			}
			x++
			continue
		}
		n := 1
		for x+n < len(cells) && cells[x+n] == c {
			n++
		}
		if c != (Cell{}) {
			d.setPen(c)
			d.printf("\x1b[%dX", n)
		}
		if x += n; x < d.t.cols {
			d.printf("\x1b[%dG", x+1)
		}
		d.before = Cell{}
	}
}

// cell writes a character in column x.
func (d *dumper) cell(x int, c Cell) {
	if d.before.glyph != 0 && d.joins(c) {
		d.printf("\x1b[%dG", x+1) // between the two
	}
	d.setPen(c)
	d.widthMode(c)
	d.text(d.t.glyphText(c.glyph))
	d.before = c
}

// joins reports whether a character would become part of the one before it.
func (d *dumper) joins(c Cell) bool {
	for _, r := range d.t.glyphText(c.glyph) {
		return r >= 0x80 && d.t.mayJoin(d.before.glyph, r, d.t.widths.of(r))
	}
	return false
}

// widthMode sets mode 2027 as it was when an emoji with a variation selector was
// printed, which its width tells.
func (d *dumper) widthMode(c Cell) {
	if c.glyph&clusterBit == 0 {
		return
	}
	s := d.t.glyphText(c.glyph)
	for i, r := range s {
		if i > 0 && r == emojiVariant {
			d.setWideEmoji(c.Width() == 2)
			return
		}
	}
}

func (d *dumper) setWideEmoji(on bool) {
	if on != d.wideEmoji {
		d.wideEmoji = on
		d.printf("\x1b[?2027%c", onOff(on))
	}
}

// onOff is the final byte that sets a mode or resets it.
func onOff(on bool) byte {
	if on {
		return 'h'
	}
	return 'l'
}

// goOn goes to the next row, whose first cell is given. A wrapped row is left by
// printing on, so that the terminal knows that it is wrapped.
func (d *dumper) goOn(l *line, first Cell) {
	if !l.wrapped {
		d.setPen(Cell{})
		d.text("\r\n")
		d.before = Cell{}
		return
	}
	last := l.cells[len(l.cells)-1]
	switch {
	case last.Blank(): // a wide character found no room: that can be done again
		d.setPen(Cell{})
		d.printf("\x1b[%dG", d.t.cols)
		d.setPen(last)
		d.text("\u3000")
	case !first.Blank() && first.Background == Default && !d.joins(first):
		return // its first character will do; a coloured one would colour the row
	default:
		d.setPen(Cell{})
		d.text(" ")
	}
	d.setPen(Cell{})
	d.text("\r\x1b[K")
	d.before = Cell{}
}

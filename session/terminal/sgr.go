package terminal

// rendition is SGR.
func (t *Terminal) rendition() {
	p := &t.parser
	if len(p.params) == 0 {
		p.params = append(p.params, 0)
	}
	for i := 0; i < len(p.params); {
		next := i + 1 // the parameter after those that follow a colon
		for next < len(p.params) && p.sub>>next&1 != 0 {
			next++
		}
		switch v := max(p.params[i], 0); v {
		case 38, 48, 58:
			c, used, ok := colorParams(p.params[i+1:], next-i-1)
			next = i + 1 + used
			if ok {
				t.setColor(v, c)
			}
		case 4:
			kind := Single
			if next > i+1 && p.params[i+1] >= 0 && p.params[i+1] <= int32(Dashed) {
				kind = Underline(p.params[i+1])
			}
			t.cur.pen.setUnderline(kind)
		default:
			t.setAttribute(v)
		}
		i = next
	}
}

// colorParams reads a colour from the parameters after 38, 48 or 58, of which the
// first sub follow colons. used is how many of them belong to it. Numbers above
// 255 are no colour.
func colorParams(p []int32, sub int) (c Color, used int, ok bool) {
	good := true
	part := func(i int) uint8 {
		good = good && p[i] <= 255
		return uint8(max(p[i], 0))
	}
	rgb := func(i int) Color { return RGB(part(i), part(i+1), part(i+2)) }
	switch used = sub; {
	case sub >= 2 && p[0] == 5 && p[1] >= 0:
		c = Indexed(part(1))
	case sub >= 5 && p[0] == 2: // 2:space:r:g:b
		c = rgb(2)
	case sub == 4 && p[0] == 2: // 2:r:g:b, as many programs write it
		c = rgb(1)
	case sub > 0:
		good = false
	case len(p) >= 2 && p[0] == 5:
		c, used = Indexed(part(1)), 2
		good = good && p[1] >= 0
	case len(p) >= 4 && p[0] == 2:
		c, used = rgb(1), 4
	case len(p) > 0 && (p[0] == 5 || p[0] == 2):
		used, good = len(p), false
	default:
		used, good = min(len(p), 1), false
	}
	return c, used, good
}

// setColor sets one of the pen's colours by the number of its parameter.
func (t *Terminal) setColor(param int32, c Color) {
	switch param {
	case 38:
		t.cur.pen.Foreground = c
	case 48:
		t.cur.pen.Background = c
	case 58:
		t.setExtra(func(e *extra) { e.underline = c })
	}
}

func (c *Cell) setUnderline(u Underline) {
	c.attr = c.attr&^underlineMask | Attr(u)<<underlineShift
}

// setAttribute acts on a parameter that stands alone.
func (t *Terminal) setAttribute(v int32) {
	pen := &t.cur.pen
	switch {
	case v == 0:
		t.resetPen()
	case v <= 9:
		on := [10]Attr{1: Bold, 2: Dim, 3: Italic, 5: Blink, 6: Blink, 7: Reverse, 8: Hidden, 9: Strike}
		pen.attr |= on[v]
	case v == 21:
		pen.setUnderline(Double)
	case v == 24:
		pen.setUnderline(NoUnderline)
	case v >= 22 && v <= 29:
		off := [8]Attr{0: Bold | Dim, 1: Italic, 3: Blink, 5: Reverse, 6: Hidden, 7: Strike}
		pen.attr &^= off[v-22]
	case v >= 30 && v <= 37:
		pen.Foreground = Indexed(uint8(v - 30))
	case v == 39:
		pen.Foreground = Default
	case v >= 40 && v <= 47:
		pen.Background = Indexed(uint8(v - 40))
	case v == 49:
		pen.Background = Default
	case v == 53:
		pen.attr |= Overline
	case v == 55:
		pen.attr &^= Overline
	case v == 59:
		t.setExtra(func(e *extra) { e.underline = Default })
	case v >= 90 && v <= 97:
		pen.Foreground = Indexed(uint8(v - 90 + 8))
	case v >= 100 && v <= 107:
		pen.Background = Indexed(uint8(v - 100 + 8))
	}
}

// resetPen is SGR 0: a link and the protection stay.
func (t *Terminal) resetPen() {
	pen := &t.cur.pen
	*pen = Cell{attr: pen.attr & Protected, extra: pen.extra}
	if pen.extra != 0 {
		t.setExtra(func(e *extra) { e.underline = Default })
	}
}

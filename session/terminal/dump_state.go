package terminal

import (
	"bytes"
	"fmt"
)

// keyboard writes the stack of keyboard flags of the screen that is shown.
func (d *dumper) keyboard(s *screen) {
	for _, flags := range s.kitty {
		d.printf("\x1b[>%du", flags)
	}
}

// tabs writes the tab stops unless they are the usual ones.
func (d *dumper) tabs() {
	usual := true
	for x, on := range d.t.tabs[:d.t.cols] {
		usual = usual && on == defaultTab(x)
	}
	if usual {
		return
	}
	d.text("\x1b[3g")
	for x, on := range d.t.tabs[:d.t.cols] {
		if on {
			d.printf("\x1b[%dG\x1bH", x+1)
		}
	}
}

// labels writes what the program says of itself.
func (d *dumper) labels() {
	l := d.t.labels
	for _, title := range l.stack {
		d.printf("\x1b]2;%s\x1b\\\x1b[22t", title)
	}
	d.printf("\x1b]2;%s\x1b\\", l.title)
	if l.directory != "" {
		d.printf("\x1b]7;%s\x1b\\", l.directory)
	}
	if l.progress != (Progress{}) {
		d.printf("\x1b]9;4;%d;%d\x1b\\", l.progress.State, l.progress.Percent)
	}
}

// mode writes a mode if it is not as after a reset.
func (d *dumper) mode(number int, on, usual bool) {
	if on != usual {
		d.printf("\x1b[?%d%c", number, onOff(on))
	}
}

// modes writes margins and modes, but for those that change how the rest of the
// dump is read.
func (d *dumper) modes() {
	t := d.t
	if t.top != 0 || t.bottom != t.rows-1 {
		d.printf("\x1b[%d;%dr", t.top+1, t.bottom+1)
	}
	for _, m := range []int{1, 5, 12, 66, 1004, 1007, 2004, 2031, 2048} {
		d.mode(m, *t.privateFlag(m), false)
	}
	d.mode(25, t.private.cursorVisible, true)
	d.mode(int(t.modes.Mouse), t.modes.Mouse != NoMouse, false)
	d.mode(int(t.modes.MouseEncoding), t.modes.MouseEncoding != MouseBytes, false)
	if t.private.newline {
		d.text("\x1b[20h")
	}
	if t.modes.ModifyOtherKeys != 0 {
		d.printf("\x1b[>4;%dm", t.modes.ModifyOtherKeys)
	}
	if t.shape != UsualShape {
		d.printf("\x1b[%d q", t.shape)
	}
}

// cursor writes the cursor, and prints the last character again so that a mark
// may join it and a wrap is pending. Then come the modes that would have been in
// the way.
func (d *dumper) cursor() {
	t := d.t
	c := t.cur
	top := 0
	if c.origin {
		d.text("\x1b[?6h")
		top = t.top
	}
	again := t.last
	if c.pending {
		again = place{c.x, c.y}
		if t.on.lines[c.y].cells[c.x].attr&wideTail != 0 {
			again.x--
		}
	}
	if again.x < 0 {
		d.printf("\x1b[%d;%dH", c.y-top+1, c.x+1)
	} else {
		d.printf("\x1b[%d;%dH", again.y-top+1, again.x+1)
		d.before = Cell{}
		if !c.pending {
			d.text("\x1b[?7l")
		}
		d.cell(again.x, t.on.lines[again.y].cells[again.x])
		if !c.pending {
			d.text("\x1b[?7h")
		}
		if t.last.x < 0 {
			d.forget()
		}
	}
	d.setPen(c.pen)
	d.sets(c)
	d.setWideEmoji(t.private.wideEmoji)
	d.mode(7, t.private.autowrap, true)
	if t.private.insert {
		d.text("\x1b[4h")
	}
	if !t.held.IsZero() {
		d.text("\x1b[?2026h")
	}
}

// forget makes the other terminal forget what it has printed last without moving
// its cursor: an erasure that erases nothing.
func (d *dumper) forget() { d.text("\x1b[9K") }

// unfinished returns the bytes of the sequence or character that the parser is
// in the middle of, or others that mean the same.
func (p *parser) unfinished() string {
	var b bytes.Buffer
	switch p.state {
	case ground:
		b.Write(p.char.bytes[:p.char.n])
	case escape:
		b.WriteByte(0x1b)
		b.Write(p.intermediates)
		if p.bad {
			b.WriteByte(' ') // one too many
		}
	case sequence:
		p.unfinishedSequence(&b)
	case command:
		b.WriteString("\x1b]")
		p.unfinishedText(&b)
	case device:
		b.WriteString("\x1bP")
		p.unfinishedText(&b)
	case ignoredText:
		b.WriteString("\x1bX")
		p.unfinishedText(&b)
	}
	return b.String()
}

// unfinishedSequence writes a control sequence without its final byte.
func (p *parser) unfinishedSequence(b *bytes.Buffer) {
	b.WriteString("\x1b[")
	if p.bad {
		b.WriteString("0?") // a prefix has no place there
		return
	}
	if p.prefix != 0 {
		b.WriteByte(p.prefix)
	}
	for i, v := range p.params {
		if i > 0 {
			separator := byte(';')
			if p.sub>>i&1 != 0 {
				separator = ':'
			}
			b.WriteByte(separator)
		}
		if v != missing {
			fmt.Fprint(b, v)
		}
	}
	b.Write(p.intermediates)
}

// unfinishedText writes what was kept of a string. One that was too long to keep
// has no effect, nor has one that begins with an exclamation mark.
func (p *parser) unfinishedText(b *bytes.Buffer) {
	if p.overflow {
		b.WriteByte('!')
	}
	b.Write(p.text)
	if p.textEscape {
		b.WriteByte(0x1b)
	}
}

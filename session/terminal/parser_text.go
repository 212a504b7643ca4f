package terminal

// feedText takes bytes of a string up to its end.
func (t *Terminal) feedText(b []byte) []byte {
	p := &t.parser
	if p.textEscape {
		if b[0] != '\\' {
			p.beginEscape()
			return b
		}
		p.bell = false
		t.endText()
		return b[1:]
	}
	n := 0
	for n < len(b) && (b[n] >= 0x20 || !endsText(b[n], p.state)) {
		n++
	}
	p.keep(b[:n])
	if n == len(b) {
		return nil
	}
	switch b[n] {
	case 0x1b:
		p.textEscape = true
	case 0x07:
		p.bell = true
		t.endText()
	default:
		p.state = ground
		p.release()
	}
	return b[n+1:]
}

// endsText reports whether a control byte ends a string.
func endsText(c byte, s state) bool {
	return c == 0x1b || cancels(c) || c == 0x07 && s == command
}

// keep adds bytes of a string to what is kept of it.
func (p *parser) keep(b []byte) {
	limit := 0
	switch p.state {
	case command:
		limit = maxCommand
	case device:
		limit = maxDevice
	default:
		return
	}
	if len(p.text)+len(b) > limit {
		p.overflow = true
		p.text = p.text[:0]
	}
	if !p.overflow {
		p.text = append(p.text, b...)
	}
}

// release gives a large buffer back.
func (p *parser) release() {
	if cap(p.text) > keptText {
		p.text = nil
	}
}

// endText acts on a string that has ended.
func (t *Terminal) endText() {
	p := &t.parser
	s := p.state
	p.state = ground
	if !p.overflow {
		switch s {
		case command:
			t.command(p.text)
		case device:
			t.device(string(p.text))
		default: // nothing acts on other strings
		}
	}
	p.release()
}

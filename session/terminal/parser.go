package terminal

import "unicode/utf8"

// state is what the parser is in the middle of.
type state uint8

const (
	ground      state = iota
	escape            // after ESC and perhaps intermediate bytes
	sequence          // after ESC [
	command           // after ESC ]
	device            // after ESC P
	ignoredText       // after ESC X, ESC ^ or ESC _
)

// Bounds of what the parser keeps of one sequence. A command or device string
// beyond them is read to its end and has no effect.
const (
	maxParams        = 32
	maxParam         = 99999
	maxIntermediates = 2
	maxCommand       = 1 << 20
	maxDevice        = 4 << 10
	keptText         = 64 << 10 // a longer buffer is given back after use
)

// parser turns bytes into characters, controls and sequences. The grammar is
// that of ECMA-48 as terminals have it today: UTF-8, no 8-bit controls.
type parser struct {
	state         state
	intermediates []byte
	prefix        byte // one of < = > ?, or 0
	params        []int32
	sub           uint64 // bit i: parameter i follows a colon
	bad           bool   // no sequence that we know is written like this
	text          []byte
	overflow      bool // text is longer than we keep
	textEscape    bool // an ESC ended the text, if \ follows
	bell          bool // the command ended with BEL
	char          unfinishedRune
}

// missing is a parameter that is not given.
const missing = -1

// feed takes bytes of the program.
func (t *Terminal) feed(b []byte) {
	for len(b) > 0 {
		switch t.parser.state {
		case ground:
			b = t.feedGround(b)
		case sequence:
			b = t.feedSequence(b)
		case escape:
			t.feedEscape(b[0])
			b = b[1:]
		default:
			b = t.feedText(b)
		}
	}
}

// feedGround takes bytes until a sequence begins.
func (t *Terminal) feedGround(b []byte) []byte {
	for len(b) > 0 {
		c := b[0]
		switch {
		case t.parser.char.n > 0:
			b = t.continueRune(b)
		case c >= 0x20 && c < 0x7f:
			n := 1
			for n < len(b) && b[n] >= 0x20 && b[n] < 0x7f {
				n++
			}
			t.printASCII(b[:n])
			b = b[n:]
		case c >= 0x80:
			r, n := utf8.DecodeRune(b)
			if r != utf8.RuneError || n == 3 {
				t.print(r)
				b = b[n:]
				continue
			}
			if !t.parser.char.begin(c) {
				t.print(utf8.RuneError)
			}
			b = b[1:]
		case c == 0x1b:
			t.parser.beginEscape()
			return b[1:]
		default:
			t.control(c)
			b = b[1:]
		}
	}
	return b
}

func (p *parser) beginEscape() {
	p.state = escape
	p.intermediates = p.intermediates[:0]
	p.bad = false
}

func (p *parser) begin(s state) {
	p.state = s
	p.params, p.sub, p.prefix = p.params[:0], 0, 0
	p.text, p.overflow, p.textEscape = p.text[:0], false, false
}

// intermediate keeps an intermediate byte.
func (p *parser) intermediate(c byte) {
	if len(p.intermediates) == maxIntermediates {
		p.bad = true
		return
	}
	p.intermediates = append(p.intermediates, c)
}

// cancels reports whether the byte ends any sequence without effect.
func cancels(c byte) bool { return c == 0x18 || c == 0x1a }

// feedEscape takes a byte after ESC.
func (t *Terminal) feedEscape(c byte) {
	p := &t.parser
	alone := len(p.intermediates) == 0
	switch {
	case cancels(c):
		p.state = ground
	case c == 0x1b:
		p.beginEscape()
	case c < 0x20:
		t.control(c)
	case c < 0x30:
		p.intermediate(c)
	case alone && c == '[':
		p.begin(sequence)
	case alone && c == ']':
		p.begin(command)
	case alone && c == 'P':
		p.begin(device)
	case alone && (c == 'X' || c == '^' || c == '_'):
		p.begin(ignoredText)
	case c < 0x7f:
		p.state = ground
		if !p.bad {
			t.escape(c)
		}
	}
}

// feedSequence takes bytes after ESC [ up to the final one.
func (t *Terminal) feedSequence(b []byte) []byte {
	p := &t.parser
	for i, c := range b {
		switch {
		case c >= '0' && c <= '9':
			p.digit(c)
		case c == ';' || c == ':':
			p.separator(c)
		case c >= 0x40 && c < 0x7f:
			p.state = ground
			if !p.bad {
				t.sequence(c)
			}
			return b[i+1:]
		case c == 0x1b:
			p.beginEscape()
			return b[i+1:]
		case cancels(c):
			p.state = ground
			return b[i+1:]
		case c < 0x20:
			t.control(c)
		case c < 0x30:
			p.intermediate(c)
		case c < 0x40: // < = > ?
			if len(p.params) > 0 || len(p.intermediates) > 0 || p.prefix != 0 {
				p.bad = true
			}
			p.prefix = c
		}
	}
	return nil
}

// digit adds a digit to the last parameter.
func (p *parser) digit(c byte) {
	if len(p.params) == 0 {
		p.params = append(p.params, missing)
	}
	v := &p.params[len(p.params)-1]
	*v = min(max(*v, 0)*10+int32(c-'0'), maxParam)
}

// separator begins the next parameter. Those beyond the bound are one with the
// last: no sequence that we know has so many.
func (p *parser) separator(c byte) {
	if len(p.params) == 0 {
		p.params = append(p.params, missing)
	}
	if len(p.params) == maxParams {
		p.bad = true
		return
	}
	if c == ':' {
		p.sub |= 1 << len(p.params)
	}
	p.params = append(p.params, missing)
}

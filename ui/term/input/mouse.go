package input

import (
	"bytes"
	"fmt"
	"slices"
	"unicode/utf8"

	"github.com/gdamore/tcell/v2"

	"coppice/session/terminal"
)

// Codes of what the mouse did. Buttons are 0 to 2.
const (
	noButton = 3
	withMods = 4 // Shift; Alt is twice that, Ctrl four times
	moved    = 32
	wheelUp  = 64
)

// wheelRows is how many arrows one step of the wheel is.
const wheelRows = 3

// Mouse turns events of the mouse over one pane into reports. It remembers what is
// pressed, since tcell says of a release only that nothing is pressed any more.
// The zero Mouse has nothing pressed.
type Mouse struct {
	down []int // codes of the buttons that are pressed, the oldest first
	x, y int   // where the last event was
	seen bool  // there was one
}

// Event returns the reports for an event at a cell of the pane, counted from 0,
// or nil when the program has not asked for any or the encoding cannot say them.
// Each event is to be given once, and a release wherever the press was given. A
// step of the wheel is three arrow keys on the alternate screen of a program that
// has not asked for the mouse, unless it has switched that off.
func (s *Mouse) Event(ev *tcell.EventMouse, x, y int, m terminal.Modes) []byte {
	x, y = max(x, 0), max(y, 0)
	still := s.seen && x == s.x && y == s.y
	s.x, s.y, s.seen = x, y, true
	r := report{mods: modsOf(ev.Modifiers()), x: x, y: y}

	if code, ok := wheelOf(ev.Buttons()); ok {
		if m.Mouse == terminal.NoMouse {
			return arrows(code, m)
		}
		r.code = code
		return r.encode(m)
	}
	code, pressed := buttonOf(ev.Buttons())
	switch {
	case !pressed && len(s.down) > 0:
		return s.release(r, m)
	case pressed && !slices.Contains(s.down, code):
		s.down = append(s.down, code)
		r.code = code
	case still:
		return nil
	case pressed:
		r.code, r.held = code+moved, true
	default:
		r.code = noButton + moved
	}
	return r.encode(m)
}

// release returns the release of everything that is pressed.
func (s *Mouse) release(r report, m terminal.Modes) (out []byte) {
	r.up = true
	for _, r.code = range s.down {
		out = append(out, r.encode(m)...)
	}
	s.down = s.down[:0]
	return out
}

// buttonOf returns the code of the button that an event names, if it names one.
func buttonOf(b tcell.ButtonMask) (code int, ok bool) {
	for code, mask := range [...]tcell.ButtonMask{tcell.ButtonPrimary, tcell.ButtonMiddle, tcell.ButtonSecondary} {
		if b&mask != 0 {
			return code, true
		}
	}
	return 0, false
}

// wheelOf returns the code of the wheel's step that an event is, if it is one.
func wheelOf(b tcell.ButtonMask) (code int, ok bool) {
	for i, mask := range [...]tcell.ButtonMask{tcell.WheelUp, tcell.WheelDown, tcell.WheelLeft, tcell.WheelRight} {
		if b&mask != 0 {
			return wheelUp + i, true
		}
	}
	return 0, false
}

// arrows returns the keys that a step of the wheel is.
func arrows(code int, m terminal.Modes) []byte {
	if !m.WheelArrows || !m.Alternate {
		return nil
	}
	key := [...]tcell.Key{tcell.KeyUp, tcell.KeyDown, tcell.KeyLeft, tcell.KeyRight}[code-wheelUp]
	return bytes.Repeat(Key(tcell.NewEventKey(key, 0, tcell.ModNone), m), wheelRows)
}

// report is one report of the mouse.
type report struct {
	code int
	mods mods
	x, y int
	up   bool // it is a release
	held bool // it is a motion with a button pressed
}

// wanted reports whether a program has asked for reports of this kind.
func (r report) wanted(mode terminal.Mouse) bool {
	switch mode {
	case terminal.MouseX10:
		return !r.up && r.code < noButton
	case terminal.MouseButtons:
		return r.code&moved == 0
	case terminal.MouseDrag:
		return r.code&moved == 0 || r.held
	case terminal.MouseMotion:
		return true
	case terminal.NoMouse:
	}
	return false
}

// Greatest values of the encodings that have one.
const (
	maxByte = 0xff
	maxUTF8 = 0x7ff
)

// encode returns the report in the form that the program has asked for.
func (r report) encode(m terminal.Modes) []byte {
	if !r.wanted(m.Mouse) {
		return nil
	}
	code, column, row := r.code, r.x+1, r.y+1
	if m.MouseEncoding != terminal.MouseSGR && r.up {
		code = noButton
	}
	if m.Mouse != terminal.MouseX10 {
		code += int(r.mods&(shift|alt|ctrl)) * withMods
	}
	switch m.MouseEncoding {
	case terminal.MouseSGR:
		end := 'M'
		if r.up {
			end = 'm'
		}
		return fmt.Appendf(nil, "\x1b[<%d;%d;%d%c", code, column, row, end)
	case terminal.MouseURXVT:
		return fmt.Appendf(nil, "\x1b[%d;%d;%dM", code+' ', column, row)
	case terminal.MouseUTF8:
		return r.plain(code, maxUTF8, utf8.AppendRune)
	case terminal.MouseBytes:
	}
	return r.plain(code, maxByte, func(b []byte, v rune) []byte { return append(b, byte(v)) })
}

// plain returns the report of three values, each put by put after a space is added
// to it, or nil if one is too great.
func (r report) plain(code, most int, put func([]byte, rune) []byte) []byte {
	out := []byte("\x1b[M")
	for _, v := range [...]int{code, r.x + 1, r.y + 1} {
		if v += ' '; v > most {
			return nil
		}
		out = put(out, rune(v))
	}
	return out
}

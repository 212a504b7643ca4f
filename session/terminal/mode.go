package terminal

import "time"

// Modes is what a program has asked of the keyboard, the mouse and the viewer.
type Modes struct {
	AppCursor       bool // cursor keys send ESC O (DECCKM)
	AppKeypad       bool // the keypad sends its own keys (DECKPAM)
	Paste           bool // pasted text is bracketed (2004)
	Focus           bool // changes of the focus are reported (1004)
	WheelArrows     bool // the wheel sends arrows on the alternate screen (1007)
	Mouse           Mouse
	MouseEncoding   MouseEncoding
	Kitty           uint8 // keyboard flags in force; see KittyFlags
	ModifyOtherKeys uint8 // level, 0 to 2
	Reverse         bool  // light and dark are swapped on the whole screen (DECSCNM)
	Alternate       bool  // the alternate screen is shown
}

// Mouse says which events of a mouse are reported, by the number of the mode.
type Mouse uint16

// What a program can ask of the mouse.
const (
	NoMouse      Mouse = 0
	MouseX10     Mouse = 9    // presses, without modifiers
	MouseButtons Mouse = 1000 // presses and releases
	MouseDrag    Mouse = 1002 // and motion while a button is down
	MouseMotion  Mouse = 1003 // and any motion
)

// MouseEncoding says how they are reported, by the number of the mode.
type MouseEncoding uint16

// The ways to report an event of the mouse.
const (
	MouseBytes MouseEncoding = 0
	MouseUTF8  MouseEncoding = 1005
	MouseSGR   MouseEncoding = 1006
	MouseURXVT MouseEncoding = 1015
)

// KittyFlags are the flags of the kitty keyboard protocol that a program can
// set. Others are taken off what it asks for, and it is told so when it asks.
// There is one, "disambiguate escape codes": the dashboard's own terminal
// library reports neither releases nor alternate keys.
const KittyFlags uint8 = 1

// Shape is the shape of the cursor, as DECSCUSR numbers them.
type Shape uint8

// The shapes of the cursor. With UsualShape the viewer decides.
const (
	UsualShape Shape = iota
	BlinkingBlock
	SteadyBlock
	BlinkingUnderline
	SteadyUnderline
	BlinkingBar
	SteadyBar
)

// privateModes are those that no viewer needs to know.
type privateModes struct {
	autowrap      bool // DECAWM
	insert        bool // IRM
	newline       bool // LNM
	cursorVisible bool // DECTCEM
	cursorBlinks  bool // 12: kept, and told to whom asks
	wideEmoji     bool // 2027: a variation selector can make an emoji wide
	scheme        bool // 2031: changes between light and dark are reported
	sizes         bool // 2048: changes of the size are reported
}

// ansiFlag returns the flag of an ANSI mode, nil for those that we do not have.
func (t *Terminal) ansiFlag(mode int) *bool {
	switch mode {
	case 4:
		return &t.private.insert
	case 20:
		return &t.private.newline
	}
	return nil
}

// privateFlag returns the flag of a DEC private mode, nil for those that we do
// not have or that are more than a flag.
func (t *Terminal) privateFlag(mode int) *bool {
	switch mode {
	case 1:
		return &t.modes.AppCursor
	case 5:
		return &t.modes.Reverse
	case 6:
		return &t.cur.origin
	case 7:
		return &t.private.autowrap
	case 12:
		return &t.private.cursorBlinks
	case 25:
		return &t.private.cursorVisible
	case 66:
		return &t.modes.AppKeypad
	case 1004:
		return &t.modes.Focus
	case 1007:
		return &t.modes.WheelArrows
	case 2004:
		return &t.modes.Paste
	case 2027:
		return &t.private.wideEmoji
	case 2031:
		return &t.private.scheme
	case 2048:
		return &t.private.sizes
	}
	return nil
}

// setPrivateMode sets or resets a DEC private mode.
func (t *Terminal) setPrivateMode(mode int, on bool) {
	if flag := t.privateFlag(mode); flag != nil {
		*flag = on
	}
	switch mode {
	case 3: // DECCOLM: the size is not the program's, but the screen is erased
		t.top, t.bottom = 0, t.rows-1
		t.eraseDisplay(2, false)
		t.moveTo(0, 0)
	case 6:
		t.moveTo(0, 0)
	case 7:
		t.cur.pending = t.cur.pending && on
	case 9, 1000, 1002, 1003:
		t.modes.Mouse = NoMouse
		if on {
			t.modes.Mouse = Mouse(mode)
		}
	case 1005, 1006, 1015:
		if on {
			t.modes.MouseEncoding = MouseEncoding(mode)
		} else if t.modes.MouseEncoding == MouseEncoding(mode) {
			t.modes.MouseEncoding = MouseBytes
		}
	case 47, 1047, 1048, 1049:
		t.setAlternate(mode, on)
	case 2026:
		t.hold(on)
	case 2048:
		if on {
			t.reportSize()
		}
	}
}

// setAlternate goes to the alternate screen or back; 1048 and 1049 save the
// cursor on the way there and restore it on the way back.
func (t *Terminal) setAlternate(mode int, on bool) {
	switch {
	case mode == 1048 && on:
		t.save()
	case mode == 1048:
		t.restore()
	case mode == 1049 && on && t.on == &t.main:
		t.save()
		t.showAlternate(true)
	case mode == 1049 && !on:
		t.showAlternate(false)
		t.restore()
	case mode != 1049:
		t.showAlternate(on)
	}
}

// hold begins or ends a frame that is shown when it is complete (mode 2026).
func (t *Terminal) hold(on bool) {
	switch {
	case !on:
		t.held = time.Time{}
	case t.held.IsZero():
		t.held = time.Now()
	}
}

// keyboard returns the keyboard flags in force.
func (s *screen) keyboard() uint8 {
	if n := len(s.kitty); n > 0 {
		return s.kitty[n-1]
	}
	return 0
}

// keyboardSequence acts on sequences that begin with <, = or >: those of the
// keyboard, and questions for what terminal this is.
func (t *Terminal) keyboardSequence(prefix, c byte) {
	flags := uint8(t.paramOrZero(0, 0)) & KittyFlags
	s := t.on
	switch string([]byte{prefix, c}) {
	case ">c":
		t.reply("\x1b[>1;10;0c")
	case "=c":
		t.reply("\x1bP!|00000000\x1b\\")
	case ">q":
		t.reply("\x1bP>|%s\x1b\\", t.program)
	case ">m":
		if len(t.parser.params) == 0 || t.param(0, 0) == 4 {
			t.modes.ModifyOtherKeys = uint8(min(t.paramOrZero(1, 0), 2))
		}
	case ">n":
		if t.param(0, 0) == 4 {
			t.modes.ModifyOtherKeys = 0
		}
	case ">u":
		if len(s.kitty) == maxStack {
			s.kitty = append(s.kitty[:0], s.kitty[1:]...)
		}
		s.kitty = append(s.kitty, flags)
	case "<u":
		s.kitty = s.kitty[:len(s.kitty)-min(t.param(0, 1), len(s.kitty))]
	case "=u":
		if len(s.kitty) == 0 {
			s.kitty = append(s.kitty, 0)
		}
		top := &s.kitty[len(s.kitty)-1]
		switch t.param(1, 1) {
		case 1:
			*top = flags
		case 2:
			*top |= flags
		case 3:
			*top &^= flags
		}
	}
}

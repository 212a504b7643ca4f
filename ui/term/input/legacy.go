package input

import (
	"fmt"
	"unicode/utf8"

	"github.com/gdamore/tcell/v2"
)

// letterOf returns the letter that ends the sequence of a function key, 0 if it
// ends in a tilde. F1 to F4 send it after ESC O, the others do with application
// cursor keys.
func letterOf(k tcell.Key) byte {
	switch {
	case k >= tcell.KeyUp && k <= tcell.KeyLeft:
		return 'A' + byte(k-tcell.KeyUp)
	case k == tcell.KeyEnd:
		return 'F'
	case k == tcell.KeyHome:
		return 'H'
	case k >= tcell.KeyF1 && k <= tcell.KeyF4:
		return 'P' + byte(k-tcell.KeyF1)
	}
	return 0
}

// numberOf returns the number of a function key whose sequence ends in a tilde, 0
// if there is none.
func numberOf(k tcell.Key) int {
	switch {
	case k == tcell.KeyInsert:
		return 2
	case k == tcell.KeyDelete:
		return 3
	case k == tcell.KeyPgUp:
		return 5
	case k == tcell.KeyPgDn:
		return 6
	case k == tcell.KeyMenu:
		return 29
	case k == tcell.KeyF5:
		return 15
	case k >= tcell.KeyF6 && k <= tcell.KeyF10:
		return 17 + int(k-tcell.KeyF6)
	case k == tcell.KeyF11 || k == tcell.KeyF12:
		return 23 + int(k-tcell.KeyF11)
	}
	return 0
}

// function returns the sequence of a function key.
func function(s stroke, app bool) []byte {
	s = lowFunction(s)
	letter, number := letterOf(s.key), numberOf(s.key)
	switch {
	case letter != 0 && s.mods != 0:
		return fmt.Appendf(nil, "\x1b[1;%d%c", s.mods+1, letter)
	case letter != 0 && (app || letter >= 'P'):
		return []byte{escape, 'O', letter}
	case letter != 0:
		return []byte{escape, '[', letter}
	case number != 0 && s.mods != 0:
		return fmt.Appendf(nil, "\x1b[%d;%d~", number, s.mods+1)
	case number != 0:
		return fmt.Appendf(nil, "\x1b[%d~", number)
	}
	return nil
}

// lowFunction returns the key that a high function key is on a keyboard with
// twelve: F13 is Shift-F1, F25 Ctrl-F1, F37 Ctrl-Shift-F1, F49 Alt-F1, as in
// xterm's description.
func lowFunction(s stroke) stroke {
	if s.key >= tcell.KeyF13 && s.key <= tcell.KeyF60 {
		n := s.key - tcell.KeyF1
		s.mods |= [...]mods{0, shift, ctrl, ctrl | shift, alt}[n/12]
		s.key = tcell.KeyF1 + n%12
	}
	return s
}

// character returns what a key with a character sends. Shift-Enter and Ctrl-Enter
// send what Alt-Enter does, since Enter alone is all that the protocol has for
// them and the client takes ESC CR for a new line (verified with its prompt).
func character(s stroke) []byte {
	if s.mods&(super|hyper) != 0 {
		return nil
	}
	var out []byte
	if s.mods&alt != 0 || s.char == enter && s.mods != 0 {
		out = append(out, escape)
	}
	switch {
	case s.char == tab && s.mods&shift != 0:
		return append(out, "\x1b[Z"...)
	case s.char == backspace && s.mods&ctrl != 0:
		return append(out, '\b')
	case s.mods&ctrl != 0:
		if c, ok := control(s.text()); ok {
			return append(out, c)
		}
	}
	return utf8.AppendRune(out, s.text())
}

// control returns the control character that a character makes with Ctrl, if it
// makes one: those of ASCII, and those that X gives to digits and the slash.
func control(r rune) (byte, bool) {
	switch {
	case r >= '@' && r <= '~':
		return byte(r) & 0x1f, true
	case r == ' ' || r == '2':
		return 0, true
	case r >= '3' && r <= '7':
		return byte(r) - '3' + escape, true
	case r == '8':
		return backspace, true
	case r == '/':
		return 0x1f, true
	}
	return 0, false
}

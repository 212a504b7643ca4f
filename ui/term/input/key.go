package input

import (
	"fmt"
	"unicode/utf8"

	"github.com/gdamore/tcell/v2"

	"coppice/session/terminal"
)

// Key returns what a key press sends to a program: by the kitty keyboard protocol
// if the program has set its flag, else by xterm's modifyOtherKeys if it has set a
// level, else as terminals always did. It returns nil for a key that has no form
// there. Tcell does not tell the keys of the keypad from others, so that
// Modes.AppKeypad changes nothing.
func Key(ev *tcell.EventKey, m terminal.Modes) []byte {
	s := strokeOf(ev)
	switch {
	case !utf8.ValidRune(s.char), nameless(s.char) && m.Kitty&terminal.KittyFlags == 0:
		return nil
	case m.Kitty&terminal.KittyFlags != 0 && s.char == 0:
		return kittyFunction(s)
	case m.Kitty&terminal.KittyFlags != 0:
		return kittyCharacter(s)
	case s.char == 0:
		return function(s, m.AppCursor)
	case m.ModifyOtherKeys >= 2 && coded(s), m.ModifyOtherKeys == 1 && codedAtOne(s):
		return fmt.Appendf(nil, "\x1b[27;%d;%d~", s.mods+1, s.text())
	}
	return character(s)
}

// nameless reports whether a character is a key that the kitty protocol alone
// knows: the middle of the keypad, those that play music, modifiers by themselves.
// Tcell has no name for them and takes their numbers for private characters.
func nameless(r rune) bool { return r >= 57427 && r <= 57454 }

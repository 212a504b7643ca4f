package input

import (
	"fmt"
	"unicode/utf8"

	"github.com/gdamore/tcell/v2"
)

// kittyCharacter returns what a key with a character sends under the flag
// "disambiguate escape codes": its text while there is no modifier but Shift, else
// a sequence with the character that it has without Shift. Enter, Tab and
// Backspace stay what they are, so that a person can type a command in a shell
// that was left with the flag set; Esc never does.
func kittyCharacter(s stroke) []byte {
	special := s.char == enter || s.char == tab || s.char == backspace
	switch {
	case s.mods == 0 && (s.char == escape || nameless(s.char)):
		return fmt.Appendf(nil, "\x1b[%du", s.char)
	case s.char == escape, special && s.mods != 0, s.mods&^shift != 0:
		return fmt.Appendf(nil, "\x1b[%d;%du", s.char, s.mods+1)
	}
	return utf8.AppendRune(nil, s.text())
}

// kittyFunction returns what a function key sends, whatever the cursor keys'
// mode is.
func kittyFunction(s stroke) []byte {
	number, end := numberOf(s.key), byte('~')
	switch k := s.key; {
	case k == tcell.KeyF3: // its letter would be that of a report of the cursor
		number = 13
	case k >= tcell.KeyF13 && k <= tcell.KeyF35:
		number, end = 57376+int(k-tcell.KeyF13), 'u'
	case k == tcell.KeyPrint:
		number, end = 57361, 'u'
	case k == tcell.KeyPause:
		number, end = 57362, 'u'
	case k == tcell.KeyMenu:
		number, end = 57363, 'u'
	case letterOf(k) != 0:
		number, end = 1, letterOf(k)
	}
	switch {
	case number == 0:
		return nil
	case s.mods != 0:
		return fmt.Appendf(nil, "\x1b[%d;%d%c", number, s.mods+1, end)
	case number == 1:
		return []byte{escape, '[', end}
	}
	return fmt.Appendf(nil, "\x1b[%d%c", number, end)
}

package input

import (
	"strings"
	"unicode"

	"github.com/gdamore/tcell/v2"
)

// stroke is a key with its modifiers: one that has a character, or a function key.
type stroke struct {
	char rune      // as it is without Shift, if there are modifiers; 0 for a function key
	key  tcell.Key // the function key
	mods mods
}

// mods are modifiers, with the bits that all protocols have for them.
type mods uint8

const (
	shift mods = 1 << iota
	alt
	ctrl
	super
	hyper
)

// Characters of the keys that write none.
const (
	tab       = '\t'
	enter     = '\r'
	escape    = 0x1b
	backspace = 0x7f
)

// strokeOf returns the key that an event means. Tcell 2.13 has several events for
// one key, and one for several keys; where it has to be a guess, it is the key
// that more people press.
func strokeOf(ev *tcell.EventKey) stroke {
	s := stroke{char: ev.Rune(), mods: modsOf(ev.Modifiers())}
	switch k := ev.Key(); {
	case k == tcell.KeyRune:
		s.char = alone(s.char, s.mods)
	case k == tcell.KeyBacktab:
		s.char, s.mods = tab, s.mods|shift
	case k == tcell.KeyBackspace && s.char == backspace && s.mods == ctrl|alt:
		s.char = '_' // ESC 0x1f
	case k == tcell.KeyBackspace || k == tcell.KeyDEL:
		s.char = backspace
	case k == tcell.KeyTab || k == tcell.KeyEnter || k == tcell.KeyEsc:
		s.char = rune(k)
	case k >= 0 && k < ' ':
		s.char, s.mods = controlled(rune(k)+'@'), s.mods|ctrl
	case k >= tcell.KeyCtrlSpace && k <= tcell.KeyCtrlUnderscore:
		s.char, s.mods = controlled(rune(k)), s.mods|ctrl
	default:
		s.char, s.key = 0, k
		return s
	}
	if s.char == enter && ev.Key() == tcell.KeyRune {
		s.mods &^= ctrl
	}
	if s.mods == 0 {
		return s
	}
	if lower := unshifted(s.char); lower != s.char && (unicode.IsUpper(s.char) || s.mods&shift != 0) {
		s.char, s.mods = lower, s.mods|shift
	}
	return s
}

// controlled returns the key that makes a control character with Ctrl, from the
// character that is '@' above it.
func controlled(r rune) rune {
	if r == '@' {
		return ' '
	}
	return unicode.ToLower(r)
}

// alone undoes what tcell does to a control character after ESC: it takes the
// character 0x60 above it, which is not the key's but for letters. ESC CR could
// be Ctrl-Alt-M as well.
func alone(r rune, m mods) rune {
	if m != ctrl|alt {
		return r
	}
	switch r {
	case 'm':
		return enter
	case '`':
		return ' '
	case '|', '}', '~':
		return r - ' '
	}
	return r
}

// modsOf returns modifiers. Tcell does not tell Super from Meta.
func modsOf(m tcell.ModMask) (out mods) {
	for i, bit := range [...]tcell.ModMask{tcell.ModShift, tcell.ModAlt, tcell.ModCtrl, tcell.ModMeta, tcell.ModHyper} {
		if m&bit != 0 {
			out |= shift << i
		}
	}
	return out
}

// The keys of a keyboard with the American layout that change with Shift, letters
// aside. Which layout a person has is not known: terminals assume this one, too.
const (
	plainKeys = "`1234567890-=[]\\;',./"
	shiftKeys = "~!@#$%^&*()_+{}|:\"<>?"
)

// shifted returns the character that a key writes with Shift.
func shifted(r rune) rune {
	if i := strings.IndexRune(plainKeys, r); i >= 0 {
		return rune(shiftKeys[i])
	}
	return unicode.ToUpper(r)
}

// unshifted returns the character that the key writes without Shift.
func unshifted(r rune) rune {
	if i := strings.IndexRune(shiftKeys, r); i >= 0 {
		return rune(plainKeys[i])
	}
	return unicode.ToLower(r)
}

// text returns the character that a key writes with its modifiers.
func (s stroke) text() rune {
	if s.mods&shift != 0 {
		return shifted(s.char)
	}
	return s.char
}

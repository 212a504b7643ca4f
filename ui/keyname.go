package ui

import (
	"strings"
	"unicode"

	"github.com/gdamore/tcell/v2"
)

// keyOf names a key press the way the configuration writes it: "Enter",
// "Ctrl-W", "Shift-Tab", "PgDn", "Alt-x", or the character itself.
func keyOf(ev *tcell.EventKey) keyed {
	k, mods := ev.Key(), ev.Modifiers()
	if k == tcell.KeyRune {
		return runeKey(ev.Rune(), mods)
	}
	name := plainKeys()[k]
	switch {
	case name != "":
	case k == tcell.KeyBacktab:
		return keyed{name: "Shift-Tab"}
	case k >= tcell.KeyCtrlA && k <= tcell.KeyCtrlZ:
		return keyed{name: "Ctrl-" + string(rune('A'+k-tcell.KeyCtrlA))}
	case k >= tcell.KeyCtrlLeftSq && k <= tcell.KeyCtrlUnderscore:
		return keyed{name: "Ctrl-" + string(rune('['+k-tcell.KeyCtrlLeftSq))}
	default:
		return keyed{name: tcell.KeyNames[k]}
	}
	if k == tcell.KeyTab && mods&tcell.ModShift != 0 {
		return keyed{name: "Shift-Tab"}
	}
	if mods&tcell.ModAlt != 0 {
		name = "Alt-" + name
	}
	if mods&tcell.ModCtrl != 0 && k != tcell.KeyEnter && k != tcell.KeyTab && k != tcell.KeyBackspace && k != tcell.KeyEscape {
		name = "Ctrl-" + name
	}
	return keyed{name: name}
}

// runeKey names a printable key with its modifiers.
func runeKey(r rune, mods tcell.ModMask) keyed {
	name := string(r)
	if r == ' ' {
		name = "Space"
	}
	switch {
	case mods&tcell.ModCtrl != 0:
		return keyed{name: "Ctrl-" + strings.ToUpper(name)}
	case mods&(tcell.ModAlt|tcell.ModMeta) != 0:
		return keyed{name: "Alt-" + name}
	case !unicode.IsPrint(r):
		return keyed{name: "U+" + strings.ToUpper(string(r))}
	}
	return keyed{name: name, r: r}
}

// plainKeys names the keys that are neither characters nor control codes.
func plainKeys() map[tcell.Key]string {
	return map[tcell.Key]string{
		tcell.KeyEnter: "Enter", tcell.KeyTab: "Tab", tcell.KeyEscape: "Esc",
		tcell.KeyBackspace: "Backspace", tcell.KeyBackspace2: "Backspace",
		tcell.KeyDelete: "Delete", tcell.KeyInsert: "Insert",
		tcell.KeyUp: "Up", tcell.KeyDown: "Down", tcell.KeyLeft: "Left", tcell.KeyRight: "Right",
		tcell.KeyPgUp: "PgUp", tcell.KeyPgDn: "PgDn", tcell.KeyHome: "Home", tcell.KeyEnd: "End",
	}
}

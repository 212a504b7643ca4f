package ui

import (
	"fmt"
	"unicode"

	"github.com/gdamore/tcell/v2"

	"coppice/config"
)

// keyOf names a key press the way the configuration spells it: "Enter",
// "Ctrl-W", "Shift-Tab", "PgDn", "Alt-x", or the character itself.
func keyOf(ev *tcell.EventKey) keyed {
	code, mods := ev.Key(), ev.Modifiers()
	k := config.Key{
		Ctrl:  mods&tcell.ModCtrl != 0,
		Alt:   mods&(tcell.ModAlt|tcell.ModMeta) != 0,
		Shift: mods&tcell.ModShift != 0,
		Name:  plainKeys()[code],
	}
	switch {
	case code == tcell.KeyRune:
		return runeKey(k, ev.Rune())
	case code == tcell.KeyBacktab:
		k = config.Key{Shift: true, Name: "Tab"}
	case code == tcell.KeyEnter || code == tcell.KeyTab || code == tcell.KeyBackspace || code == tcell.KeyEscape:
		k.Ctrl = false // they are control codes themselves
	case k.Name != "":
	case code >= tcell.KeyCtrlA && code <= tcell.KeyCtrlUnderscore:
		k = config.Key{Ctrl: true, Rune: rune('A' + code - tcell.KeyCtrlA)}
	default:
		return keyed{name: tcell.KeyNames[code]}
	}
	return keyed{name: k.String()}
}

// runeKey names a printable key with its modifiers. The character is the shifted
// one already, and Alt beside Ctrl may be an Esc pressed just before.
func runeKey(k config.Key, r rune) keyed {
	k.Shift, k.Alt = false, k.Alt && !k.Ctrl
	switch {
	case r == ' ':
		k.Name = "Space"
	case unicode.IsPrint(r):
		k.Rune = r
	default:
		return keyed{name: fmt.Sprintf("%U", r)}
	}
	if k.Ctrl || k.Alt {
		r = 0
	}
	return keyed{name: k.String(), r: r}
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

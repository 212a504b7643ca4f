package config

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Key is one key press as a person writes it in the file. Either Rune or Name
// is set.
type Key struct {
	Ctrl  bool
	Alt   bool
	Shift bool   // with a Name only: with a Rune, the rune is the shifted one
	Rune  rune   // a printable character; with Ctrl a lower-case letter or one of \ ] ^ _
	Name  string // one of KeyNames
}

// KeyNames returns the names of the keys that print nothing, and of Space.
func KeyNames() []string {
	return []string{
		"Enter", "Esc", "Tab", "Space", "Backspace", "Delete", "Insert",
		"Up", "Down", "Left", "Right", "Home", "End", "PgUp", "PgDn",
		"F1", "F2", "F3", "F4", "F5", "F6", "F7", "F8", "F9", "F10", "F11", "F12",
	}
}

// KeySpelling says how a key is written, for messages.
const KeySpelling = `a character, or a name such as Enter, Esc, Tab, Space, PgUp or F2, after "Ctrl-", "Alt-" or "Shift-" where wanted`

// ParseKey reads a key such as "x", "Ctrl-]", "Alt-b", "F2" or "Shift-Tab".
// Modifiers and names may be written in any case, and modifiers in any order.
// What a terminal cannot tell apart is an error: Ctrl-I is Tab.
func ParseKey(s string) (Key, error) {
	k, rest, err := parseModifiers(s)
	if err != nil {
		return Key{}, err
	}
	for _, name := range KeyNames() {
		if strings.EqualFold(name, rest) {
			k.Name = name
			return k, nil
		}
	}
	r, size := utf8.DecodeRuneInString(rest)
	switch {
	case rest == "":
		return Key{}, fmt.Errorf("key %q: empty; write %s", s, KeySpelling)
	case size != len(rest):
		return Key{}, fmt.Errorf("key %q: %q is not the name of a key; write %s", s, rest, KeySpelling)
	case r == utf8.RuneError || !unicode.IsPrint(r) || unicode.IsMark(r) || unicode.IsSpace(r):
		return Key{}, fmt.Errorf("key %q: not a character that a key sends; write %s", s, KeySpelling)
	case k.Shift:
		return Key{}, fmt.Errorf("key %q: Shift goes with a name only; write the shifted character itself", s)
	}
	k.Rune = r
	if k.Ctrl {
		return k.control(s)
	}
	return k, nil
}

// parseModifiers splits the modifiers off s.
func parseModifiers(s string) (Key, string, error) {
	var k Key
	for rest := s; ; {
		name, after, found := strings.Cut(rest, "-")
		if !found || name == "" || after == "" {
			return k, rest, nil
		}
		var flag *bool
		switch strings.ToLower(name) {
		case "ctrl":
			flag = &k.Ctrl
		case "alt":
			flag = &k.Alt
		case "shift":
			flag = &k.Shift
		default:
			return Key{}, "", fmt.Errorf("key %q: %q is not a modifier; allowed are Ctrl, Alt and Shift", s, name)
		}
		if *flag {
			return Key{}, "", fmt.Errorf("key %q: %s is there twice", s, name)
		}
		*flag = true
		rest = after
	}
}

// control checks that a terminal can send Ctrl with the rune of k.
func (k Key) control(s string) (Key, error) {
	if unicode.IsUpper(k.Rune) && k.Rune <= unicode.MaxASCII {
		k.Rune = unicode.ToLower(k.Rune)
	}
	same := ""
	switch k.Rune {
	case 'h':
		same = "Backspace"
	case 'i':
		same = "Tab"
	case 'm':
		same = "Enter"
	case '[':
		same = "Esc"
	}
	if same != "" {
		return Key{}, fmt.Errorf("key %q: a terminal sends the same for %s; write %s", s, same, same)
	}
	if (k.Rune >= 'a' && k.Rune <= 'z') || strings.ContainsRune(`\]^_`, k.Rune) {
		return k, nil
	}
	return Key{}, fmt.Errorf(`key %q: a terminal cannot send it; Ctrl goes with a letter or one of \ ] ^ _`, s)
}

// String returns the key as ParseKey reads it: "Ctrl-R", "Alt-x", "Shift-Tab".
func (k Key) String() string {
	var b strings.Builder
	if k.Ctrl {
		b.WriteString("Ctrl-")
	}
	if k.Alt {
		b.WriteString("Alt-")
	}
	if k.Shift {
		b.WriteString("Shift-")
	}
	switch {
	case k.Name != "":
		b.WriteString(k.Name)
	case k.Ctrl:
		b.WriteRune(unicode.ToUpper(k.Rune))
	default:
		b.WriteRune(k.Rune)
	}
	return b.String()
}

package screentest

import (
	"fmt"
	"strings"
)

// Type types text as it is, a key at a time.
func (term *Terminal) Type(s string) { term.tty.send([]byte(s)) }

// Press presses keys by the names that the configuration uses: "Enter", "Esc",
// "Ctrl-W", "Alt-x", "Shift-Tab", "PgDn", "F1", "Ctrl-Up" or a character. An
// unknown name ends the test.
func (term *Terminal) Press(keys ...string) {
	term.t.Helper()
	for _, key := range keys {
		seq, ok := keySequence(key)
		if !ok {
			term.t.Fatalf("no key is called %q", key)
		}
		term.Type(seq)
	}
}

// keySequence returns what a terminal with the kitty keyboard's first level sends
// for a key. Esc is not a lone byte there, so it never waits for what follows.
func keySequence(key string) (string, bool) {
	mods, name := 0, key
	for cut := true; cut; {
		cut = false
		for i, mod := range [...]string{"Shift-", "Alt-", "Ctrl-"} {
			if rest, ok := strings.CutPrefix(name, mod); ok && rest != "" {
				mods, name, cut = mods|1<<i, rest, true
			}
		}
	}
	const shift, alt, ctrl = 1, 2, 4
	if code, ok := codeKeys()[name]; ok {
		switch {
		case mods == 0 && name == "Esc":
			return "\x1b[27u", true
		case mods == 0:
			return string(rune(code)), true
		case mods == shift && name == "Tab":
			return "\x1b[Z", true
		}
		return fmt.Sprintf("\x1b[%d;%du", code, mods+1), true
	}
	if final, ok := letterKeys()[name]; ok {
		if mods == 0 {
			return "\x1b[" + final, true
		}
		return fmt.Sprintf("\x1b[1;%d%s", mods+1, final), true
	}
	if code, ok := tildeKeys()[name]; ok {
		if mods == 0 {
			return fmt.Sprintf("\x1b[%d~", code), true
		}
		return fmt.Sprintf("\x1b[%d;%d~", code, mods+1), true
	}
	runes := []rune(name)
	if len(runes) != 1 {
		return "", false
	}
	switch {
	case mods == 0:
		return name, true
	case mods == ctrl && runes[0] >= '@' && runes[0] <= '_':
		return string(runes[0] - '@'), true
	case mods == ctrl && runes[0] >= 'a' && runes[0] <= 'z':
		return string(runes[0] - '`'), true
	case mods == alt:
		return "\x1b" + name, true
	}
	return fmt.Sprintf("\x1b[%d;%du", runes[0], mods+1), true
}

// codeKeys are the keys that have a character code.
func codeKeys() map[string]int {
	return map[string]int{"Enter": 13, "Tab": 9, "Esc": 27, "Backspace": 127, "Space": 32}
}

// letterKeys are the keys whose sequence ends in a letter.
func letterKeys() map[string]string {
	return map[string]string{
		"Up": "A", "Down": "B", "Right": "C", "Left": "D", "End": "F", "Home": "H",
		"F1": "P", "F2": "Q", "F3": "R", "F4": "S",
	}
}

// tildeKeys are the keys whose sequence ends in a tilde.
func tildeKeys() map[string]int {
	return map[string]int{
		"Insert": 2, "Delete": 3, "PgUp": 5, "PgDn": 6,
		"F5": 15, "F6": 17, "F7": 18, "F8": 19, "F9": 20, "F10": 21, "F11": 23, "F12": 24,
	}
}

// Paste pastes text: bracketed where the program asked for that.
func (term *Terminal) Paste(s string) {
	term.mu.Lock()
	bracketed := term.parse.modes["?2004"]
	term.mu.Unlock()
	if bracketed {
		s = "\x1b[200~" + s + "\x1b[201~"
	}
	term.Type(s)
}

// Click presses and releases the left mouse button on a cell.
func (term *Terminal) Click(x, y int) {
	term.mouse(0, x, y, 'M')
	term.mouse(0, x, y, 'm')
}

// Wheel turns the wheel over a cell, n notches down, or up when n is negative.
func (term *Terminal) Wheel(x, y, n int) {
	button := 65
	if n < 0 {
		button, n = 64, -n
	}
	for range n {
		term.mouse(button, x, y, 'M')
	}
}

// mouse sends a mouse report, if the program asked for any.
func (term *Terminal) mouse(button, x, y int, final rune) {
	term.mu.Lock()
	on := term.parse.modes["?1000"] || term.parse.modes["?1002"] || term.parse.modes["?1003"]
	term.mu.Unlock()
	if on {
		term.Type(fmt.Sprintf("\x1b[<%d;%d;%d%c", button, x+1, y+1, final))
	}
}

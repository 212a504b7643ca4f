package input

import (
	"unicode/utf8"

	"coppice/session/terminal"
)

// Brackets of pasted text, and reports of the focus.
const (
	pasteStart = "\x1b[200~"
	pasteEnd   = "\x1b[201~"
	focusIn    = "\x1b[I"
	focusOut   = "\x1b[O"
)

// Paste returns what pasted text sends to a program: in brackets if it has asked
// for them. Newlines of any kind become CR, as if Enter was pressed. Other control
// characters but Tab are left out, and what is not UTF-8: nothing in the text can
// end the brackets or be taken for a key. An empty text in brackets is sent, too:
// programs look at the clipboard by themselves then.
func Paste(text string, m terminal.Modes) []byte {
	out := make([]byte, 0, len(text)+len(pasteStart)+len(pasteEnd))
	if m.Paste {
		out = append(out, pasteStart...)
	}
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		switch {
		case r == '\n' && i > 0 && text[i-1] == '\r':
		case r == '\n' || r == '\r':
			out = append(out, '\r')
		case r == '\t', r >= ' ' && r < 0x7f, r > 0x9f && (r != utf8.RuneError || size > 1):
			out = append(out, text[i:i+size]...)
		}
		i += size
	}
	if m.Paste {
		out = append(out, pasteEnd...)
	}
	return out
}

// Focus returns the report that the pane got or lost the focus, nil if the program
// has not asked for it.
func Focus(in bool, m terminal.Modes) []byte {
	switch {
	case !m.Focus:
		return nil
	case in:
		return []byte(focusIn)
	}
	return []byte(focusOut)
}

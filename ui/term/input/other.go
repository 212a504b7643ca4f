package input

// coded reports whether modifyOtherKeys 2 gives a key with a character a sequence:
// whenever there is a modifier, unless it is Shift and all that it does is in the
// character. Shift-Tab has always had a sequence of its own.
func coded(s stroke) bool {
	switch s.char {
	case enter, escape, backspace:
		return s.mods != 0
	}
	return s.mods&^shift != 0
}

// codedAtOne reports whether modifyOtherKeys 1 does: only where the key would
// otherwise be the same as another one. Alt means ESC before the key.
func codedAtOne(s stroke) bool {
	if s.mods&(super|hyper) != 0 {
		return true
	}
	switch s.char {
	case escape, backspace:
		return false
	case enter:
		return s.mods != 0 && (s.mods&alt == 0 || s.mods&shift != 0)
	case tab:
		return s.mods&ctrl != 0 && s.mods&alt == 0
	}
	if s.mods&ctrl == 0 {
		return false
	}
	text := s.text()
	if _, ok := control(text); !ok {
		return true
	}
	return s.mods == ctrl|shift && text >= '@' && text <= '~'
}

package input_test

import (
	"bytes"
	"testing"
	"unicode/utf8"

	"github.com/gdamore/tcell/v2"
	"pgregory.net/rapid"

	"coppice/session/terminal"
	"coppice/ui/term/input"
)

// modes are any that a program can ask for.
func modes(t *rapid.T) terminal.Modes {
	flag := rapid.Bool()
	return terminal.Modes{
		AppCursor: flag.Draw(t, "application cursor"), AppKeypad: flag.Draw(t, "application keypad"),
		WheelArrows: flag.Draw(t, "wheel"), Alternate: flag.Draw(t, "alternate"),
		Kitty:           rapid.Uint8Max(terminal.KittyFlags).Draw(t, "kitty"),
		ModifyOtherKeys: rapid.Uint8Max(2).Draw(t, "other keys"),
		Mouse: rapid.SampledFrom([]terminal.Mouse{
			terminal.NoMouse, terminal.MouseX10, terminal.MouseButtons, terminal.MouseDrag, terminal.MouseMotion,
		}).Draw(t, "mouse"),
		MouseEncoding: rapid.SampledFrom([]terminal.MouseEncoding{
			terminal.MouseBytes, terminal.MouseUTF8, terminal.MouseSGR, terminal.MouseURXVT,
		}).Draw(t, "encoding"),
	}
}

// TestAnyKey checks that any event at all sends one key: nothing, a character
// perhaps after ESC, or one sequence perhaps after ESC.
func TestAnyKey(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		key := tcell.Key(rapid.OneOf(rapid.Int16(), rapid.Int16Range(0, 400)).Draw(t, "key"))
		if rapid.Bool().Draw(t, "is a rune") {
			key = tcell.KeyRune
		}
		char := rapid.OneOf(rapid.Rune(), rapid.Int32()).Draw(t, "rune")
		ev := tcell.NewEventKey(key, char, tcell.ModMask(rapid.Int16().Draw(t, "modifiers")))
		got := input.Key(ev, modes(t))
		rest := got
		if len(rest) > 1 && rest[0] == 0x1b && rest[1] != '[' && rest[1] != 'O' || bytes.HasPrefix(rest, []byte("\x1b\x1b")) {
			rest = rest[1:]
		}
		_, size := utf8.DecodeRune(rest)
		switch {
		case len(rest) == size:
		case len(rest) == 3 && rest[1] == 'O':
		case rest[0] == 0x1b && rest[1] == '[' && bytes.IndexFunc(rest[2:], isFinal) == len(rest)-3:
		default:
			t.Errorf("%v sends %q", ev.Name(), got)
		}
	})
}

// isFinal reports whether a character ends a control sequence.
func isFinal(r rune) bool { return r >= '@' && r <= '~' }

// TestAnyMouse checks that a program that hears of presses and releases hears of a
// release for each press, whatever the mouse does, and of no other.
func TestAnyMouse(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var mouse, other input.Mouse
		down := 0
		for range rapid.IntRange(0, 50).Draw(t, "events") {
			button := tcell.ButtonMask(rapid.OneOf(rapid.Int16(), rapid.SampledFrom([]int16{0, 1, 2, 4, 256, 512})).Draw(t, "button"))
			ev := tcell.NewEventMouse(0, 0, button, tcell.ModMask(rapid.Int16().Draw(t, "modifiers")))
			x, y := rapid.Int().Draw(t, "x"), rapid.Int().Draw(t, "y")
			other.Event(ev, x, y, modes(t))
			got := mouse.Event(ev, x, y, sgr(terminal.MouseButtons))
			if button&(tcell.WheelUp|tcell.WheelDown|tcell.WheelLeft|tcell.WheelRight) != 0 {
				continue // it has no release
			}
			down += bytes.Count(got, []byte("M")) - bytes.Count(got, []byte("m"))
			if down < 0 || button == tcell.ButtonNone && down != 0 {
				t.Fatalf("%d buttons are down after %q", down, got)
			}
		}
	})
}

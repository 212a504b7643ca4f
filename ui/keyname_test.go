package ui

import (
	"testing"

	"github.com/gdamore/tcell/v2"
)

func TestKeyOf(t *testing.T) {
	t.Parallel()
	tests := []struct {
		key  tcell.Key
		r    rune
		mods tcell.ModMask
		want keyed
	}{
		{tcell.KeyRune, 'x', 0, keyed{name: "x", r: 'x'}},
		{tcell.KeyRune, 'X', tcell.ModShift, keyed{name: "X", r: 'X'}},
		{tcell.KeyRune, '世', 0, keyed{name: "世", r: '世'}},
		{tcell.KeyRune, ' ', 0, keyed{name: "Space", r: ' '}},
		{tcell.KeyRune, 'b', tcell.ModAlt, keyed{name: "Alt-b"}},
		{tcell.KeyRune, 'b', tcell.ModMeta, keyed{name: "Alt-b"}},
		{tcell.KeyRune, 'b', tcell.ModCtrl, keyed{name: "Ctrl-B"}},
		{tcell.KeyRune, 'c', tcell.ModCtrl | tcell.ModAlt, keyed{name: "Ctrl-C"}},
		{tcell.KeyRune, '\u202e', 0, keyed{name: "U+202E"}},
		{tcell.KeyCtrlW, 0, tcell.ModCtrl, keyed{name: "Ctrl-W"}},
		{tcell.KeyCtrlRightSq, 0, tcell.ModCtrl, keyed{name: "Ctrl-]"}},
		{tcell.KeyCtrlUnderscore, 0, tcell.ModCtrl, keyed{name: "Ctrl-_"}},
		{tcell.KeyCtrlX, 0, tcell.ModCtrl | tcell.ModAlt, keyed{name: "Ctrl-X"}},
		{tcell.KeyEnter, 0, tcell.ModCtrl, keyed{name: "Enter"}},
		{tcell.KeyTab, 0, 0, keyed{name: "Tab"}},
		{tcell.KeyTab, 0, tcell.ModShift, keyed{name: "Shift-Tab"}},
		{tcell.KeyBacktab, 0, 0, keyed{name: "Shift-Tab"}},
		{tcell.KeyBackspace, 0, tcell.ModCtrl, keyed{name: "Backspace"}},
		{tcell.KeyBackspace2, 0, 0, keyed{name: "Backspace"}},
		{tcell.KeyUp, 0, tcell.ModShift, keyed{name: "Shift-Up"}},
		{tcell.KeyPgDn, 0, tcell.ModCtrl, keyed{name: "Ctrl-PgDn"}},
		{tcell.KeyF2, 0, 0, keyed{name: "F2"}},
	}
	for _, tt := range tests {
		got := keyOf(tcell.NewEventKey(tt.key, tt.r, tt.mods))
		if got != tt.want {
			t.Errorf("keyOf(%v %q %v) = %+v, want %+v", tt.key, tt.r, tt.mods, got, tt.want)
		}
		if tt.r == 0 && spelled(got.name) != got.name {
			t.Errorf("the configuration spells %s as %s", got.name, spelled(got.name))
		}
	}
}

// Shift with a key that nothing binds so is that key; a binding may ask for it.
func TestShift(t *testing.T) {
	t.Parallel()
	b := newBench(t, sampleOptions(), 80, 24, sample())
	b.press("Home", "Shift-Down")
	if b.list.at != 1 {
		t.Errorf("at row %d after Shift-Down, want 1", b.list.at)
	}
	opt := sampleOptions()
	opt.Config.Keys = map[string]string{"quit": "shift-down"}
	b = newBench(t, opt, 80, 24, sample())
	if b.press("Shift-Down"); !b.quitting {
		t.Error("Shift-Down does not do what the configuration says")
	}
}

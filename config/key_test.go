package config_test

import (
	"strings"
	"testing"

	"coppice/config"
)

func TestParseKey(t *testing.T) {
	t.Parallel()
	tests := map[string]config.Key{
		"x":              {Rune: 'x'},
		"X":              {Rune: 'X'},
		"/":              {Rune: '/'},
		"-":              {Rune: '-'},
		"'":              {Rune: '\''},
		"é":              {Rune: 'é'},
		"世":              {Rune: '世'},
		"Ctrl-]":         {Ctrl: true, Rune: ']'},
		"ctrl-r":         {Ctrl: true, Rune: 'r'},
		"Ctrl-R":         {Ctrl: true, Rune: 'r'},
		"Alt-b":          {Alt: true, Rune: 'b'},
		"Alt-B":          {Alt: true, Rune: 'B'},
		"Alt--":          {Alt: true, Rune: '-'},
		"Alt-Ctrl-x":     {Ctrl: true, Alt: true, Rune: 'x'},
		"F2":             {Name: "F2"},
		"f12":            {Name: "F12"},
		"Shift-Tab":      {Shift: true, Name: "Tab"},
		"SHIFT-CTRL-End": {Shift: true, Ctrl: true, Name: "End"},
		"space":          {Name: "Space"},
		"Ctrl-Space":     {Ctrl: true, Name: "Space"},
		"pgup":           {Name: "PgUp"},
	}
	for text, want := range tests {
		got, err := config.ParseKey(text)
		if err != nil || got != want {
			t.Errorf("ParseKey(%q) = %+v, %v, want %+v", text, got, err, want)
		}
	}
}

func TestParseKeyErrors(t *testing.T) {
	t.Parallel()
	tests := map[string]string{
		"":              "empty",
		" ":             "not a character",
		"\t":            "not a character",
		"\xff":          "not a character",
		"\u0301":        "not a character",
		"\u202e":        "not a character",
		"xy":            `"xy" is not the name of a key`,
		"F13":           `"F13" is not the name`,
		"Ctrl-":         "is not the name",
		"Hyper-x":       `"Hyper" is not a modifier; allowed are Ctrl, Alt and Shift`,
		"Ctrl-Ctrl-x":   "there twice",
		"Shift-a":       "Shift goes with a name only",
		"Ctrl-i":        "write Tab",
		"Ctrl-M":        "write Enter",
		"Ctrl-[":        "write Esc",
		"Ctrl-h":        "write Backspace",
		"Ctrl-1":        "cannot send it",
		"Ctrl-é":        "cannot send it",
		"Ctrl-É":        "cannot send it",
		"Ctrl-Backtick": "is not the name",
	}
	for text, want := range tests {
		got, err := config.ParseKey(text)
		if err == nil {
			t.Errorf("ParseKey(%q) = %+v, want an error", text, got)
			continue
		}
		if !strings.Contains(err.Error(), want) {
			t.Errorf("ParseKey(%q): %v, want %q", text, err, want)
		}
	}
}

func FuzzParseKey(f *testing.F) {
	for _, s := range []string{"x", "Ctrl-]", "Alt-Shift-Tab", "-", "Ctrl--", "ſhift-Tab", "F1", "Ctrl-K"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		k, err := config.ParseKey(s)
		if err != nil {
			return
		}
		if (k.Rune == 0) == (k.Name == "") {
			t.Fatalf("ParseKey(%q) = %+v: want a rune or a name", s, k)
		}
		again, err := config.ParseKey(k.String())
		if err != nil || again != k {
			t.Fatalf("ParseKey(%q) = %+v, but its String %q reads as %+v, %v", s, k, k.String(), again, err)
		}
	})
}

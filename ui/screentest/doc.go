// Package screentest is a terminal for tests: a tcell.Tty in memory whose output
// goes into a terminal emulator, so that a test can type, resize and wait, and
// then read what a person would see, cell by cell, or draw it as SVG.
//
// It runs the real tcell screen, byte for byte, and needs no terminal. Tests
// wait for a condition, never for a time. Packages that use it call Main from
// their TestMain, because tcell reads the environment.
package screentest

import (
	"os"
	"testing"
)

// Main runs the tests of a package in the environment of a UTF-8 terminal, and
// returns the exit code: func TestMain(m *testing.M) { os.Exit(screentest.Main(m)) }.
func Main(m *testing.M) int {
	for _, name := range [...]string{
		"NO_COLOR", "COLORTERM", "LINES", "COLUMNS", "TCELL_TRUECOLOR", "TCELL_ALTSCREEN",
		"RUNEWIDTH_EASTASIAN", "LC_CTYPE", "LANG", "TMUX", "WAYLAND_DISPLAY", "DISPLAY",
	} {
		if err := os.Unsetenv(name); err != nil {
			panic(err)
		}
	}
	for name, value := range map[string]string{"LC_ALL": "C.UTF-8", "TERM": "xterm-256color"} {
		if err := os.Setenv(name, value); err != nil {
			panic(err)
		}
	}
	return m.Run()
}

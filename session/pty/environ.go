package pty

import (
	"slices"
	"strings"
)

// environ returns an environment that describes our terminal, and not the one
// that it was made in.
func environ(env []string) []string {
	ours := slices.DeleteFunc(slices.Clone(env), func(entry string) bool {
		name, _, _ := strings.Cut(entry, "=")
		return slices.Contains(outer(), name) || strings.HasPrefix(name, "KITTY_") || strings.HasPrefix(name, "ITERM_")
	})
	return append(ours, "TERM=xterm-256color", "COLORTERM=truecolor")
}

// outer lists the variables by which terminals and multiplexers tell what they
// are. Programs send what those understand, or talk to them past us.
func outer() []string {
	return []string{
		"TERM", "COLORTERM", "COLUMNS", "LINES", "WINDOWID",
		"TERM_PROGRAM", "TERM_PROGRAM_VERSION", "TERM_SESSION_ID", "LC_TERMINAL", "LC_TERMINAL_VERSION",
		"TMUX", "TMUX_PANE", "STY", "ZELLIJ", "ZELLIJ_PANE_ID", "ZELLIJ_SESSION_NAME",
		"VTE_VERSION", "KONSOLE_VERSION", "WT_SESSION", "ALACRITTY_WINDOW_ID", "GHOSTTY_RESOURCES_DIR", "WEZTERM_PANE",
	}
}

// lookup returns the value of a variable; the last entry counts.
func lookup(env []string, name string) string {
	for _, entry := range slices.Backward(env) {
		if value, ok := strings.CutPrefix(entry, name+"="); ok {
			return value
		}
	}
	return ""
}

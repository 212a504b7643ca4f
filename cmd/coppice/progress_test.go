package main

import (
	"os"
	"strings"
	"testing"
	"time"
)

// Long work tells how far it is, not too often, and leaves no line behind; short
// work, and work that no terminal sees, tells nothing.
func TestProgress(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name     string
		terminal bool
		term     string
		each     time.Duration // that a part takes
		want     string
	}{
		{"long", true, "xterm", 60 * time.Millisecond, "\r9 of 12 trees felled\x1b[K\r11 of 12 trees felled\x1b[K\r\x1b[K"},
		{"short", true, "xterm", time.Millisecond, ""},
		{"no terminal", false, "xterm", time.Second, ""},
		{"dumb", true, "dumb", time.Second, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			out, err := os.Create(t.TempDir() + "/out")
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = out.Close() }()
			clock := time.Date(2026, 3, 4, 9, 0, 0, 0, time.UTC)
			a := newApp(Env{Stderr: out, ErrTerminal: tt.terminal, Environ: []string{"TERM=" + tt.term}, Now: func() time.Time { return clock }})
			p := a.progress("trees felled", 12)
			for range 12 {
				clock = clock.Add(tt.each)
				p.step()
			}
			p.end()
			data, err := os.ReadFile(out.Name())
			if err != nil || string(data) != tt.want {
				t.Errorf("it wrote %q, %v", strings.ReplaceAll(string(data), "\r", "\n"), err)
			}
		})
	}
}

package difftest_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"coppice/session/terminal"
)

// BenchmarkPlain has a detached tmux and our terminal read the same text. tmux
// gets it through a pseudo-terminal from cat, which alone is slower than our
// terminal: it is a figure beside ours, not a floor.
func BenchmarkPlain(b *testing.B) {
	var text strings.Builder
	for n := range 100_000 {
		fmt.Fprintf(&text, "%010d: %s\r\n", n, strings.Repeat("some words ", 11)[:118])
	}
	b.Run("ours", func(b *testing.B) {
		e := terminal.New(terminal.Options{Columns: 200, Rows: 60, Scrollback: 10_000})
		b.SetBytes(int64(text.Len()))
		in := []byte(text.String())
		for b.Loop() {
			_, _ = e.Write(in)
		}
	})
	b.Run("tmux", func(b *testing.B) {
		if _, err := exec.LookPath("tmux"); err != nil {
			b.Skip("tmux is not installed")
		}
		dir, err := os.MkdirTemp("", "dt")
		if err != nil {
			b.Fatal(err)
		}
		defer func() { _ = os.RemoveAll(dir) }()
		file, socket := filepath.Join(dir, "text"), filepath.Join(dir, "tmux")
		if err := os.WriteFile(file, []byte(text.String()), 0o600); err != nil {
			b.Fatal(err)
		}
		tmux := func(args ...string) {
			cmd := exec.Command("tmux", append([]string{"-u", "-f", "/dev/null", "-S", socket}, args...)...)
			cmd.Env = environment(dir)
			if out, err := cmd.CombinedOutput(); err != nil {
				b.Fatalf("tmux %v: %v: %s", args, err, out)
			}
		}
		tmux("new-session", "-d", "-x", "200", "-y", "60", "sh")
		defer tmux("kill-server")
		b.SetBytes(int64(text.Len()))
		for b.Loop() {
			tmux("send-keys", fmt.Sprintf("cat %s; tmux -S %s wait-for -S read", file, socket), "Enter")
			tmux("wait-for", "read")
		}
	})
}

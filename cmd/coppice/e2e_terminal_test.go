package main

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"coppice/ui/screentest"
)

// testNoColour checks that NO_COLOR leaves every colour to the terminal.
func testNoColour(t *testing.T, bin string) {
	w := newWorld(t, bin)
	w.env["NO_COLOR"] = "1"
	p := w.open(120, 30, w.sample())
	snap := chosen(p, "tidy the parser")
	for y, row := range snap.Cells {
		for x, c := range row {
			if c.Style.Fg != nil || c.Style.Bg != nil {
				t.Fatalf("cell %d,%d is %v:\n%s", x, y, c.Style, snap.Text())
			}
		}
	}
	leaves(t, p, "q")
}

// testLocaleC checks that only ASCII goes to a terminal that knows no more.
func testLocaleC(t *testing.T, bin string) {
	w := newWorld(t, bin)
	w.env["LANG"] = "C"
	app := w.repo("app").Dir
	w.session(1, app, "main", time.Hour, "tidy the 漢字 parser — naïve 👩‍🍳")
	p := w.open(120, 30, app)
	p.WaitText("tidy the")
	p.Press("?")
	p.WaitText("Keys")
	p.Press("Esc", "y", "Esc", "Space")
	p.WaitGone("Sessions")
	leaves(t, p, "q")
	for _, line := range strings.SplitAfter(p.Output(), "\x1b") {
		if i := strings.IndexFunc(line, func(r rune) bool { return r >= 0x80 }); i >= 0 {
			t.Fatalf("wrote %q", line)
		}
	}
}

// testDumb says what is wrong with a terminal that is not enough, or not known.
func testDumb(t *testing.T, bin string) {
	w := newWorld(t, bin)
	dir := w.sample()
	for _, term := range []string{"dumb", "no-such-terminal"} {
		w.env["TERM"] = term
		p := w.open(80, 24, dir)
		if code := p.Exit(); code != 1 {
			t.Errorf("exit code %d", code)
		}
		if out := p.Output(); !strings.Contains(out, "set TERM") || strings.Contains(out, "\x1b") || strings.Contains(out, "lost") {
			t.Errorf("said %q", out)
		}
	}
}

// testNoTerminal says what to do instead where there is no terminal.
func testNoTerminal(t *testing.T, bin string) {
	w := newWorld(t, bin)
	cmd := w.command(w.sample())
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != 1 || stdout.Len() > 0 || !strings.Contains(stderr.String(), "needs a terminal") {
		t.Errorf("%v, standard output %q, standard error %q", err, &stdout, &stderr)
	}
}

// testTmux runs the dashboard in tmux: it draws, and what is copied is in tmux.
func testTmux(t *testing.T, bin string) {
	program, err := exec.LookPath("tmux")
	if err != nil {
		t.Skip("needs tmux")
	}
	w := newWorld(t, bin)
	sockets, err := os.MkdirTemp("", "tmux") // short, as names of sockets are
	if err != nil {
		t.Fatal(err)
	}
	w.env["TMUX_TMPDIR"] = sockets
	tmux := func(args ...string) string {
		cmd := exec.Command(program, append([]string{"-f", os.DevNull}, args...)...)
		cmd.Dir, cmd.Env = w.home, w.environ()
		out, err := cmd.CombinedOutput()
		if err != nil && args[0] != "kill-server" {
			t.Errorf("tmux %q: %v: %s", args, err, out)
		}
		return string(out)
	}
	t.Cleanup(func() {
		tmux("kill-server")
		if err := os.RemoveAll(sockets); err != nil {
			t.Error(err)
		}
	})
	cmd := w.command(w.sample())
	tmux("new-session", "-d", "-x", "100", "-y", "30", "-c", cmd.Dir, cmd.Path)
	shown := func(text string) {
		t.Helper()
		until(t, text+" in tmux", func() bool { return strings.Contains(tmux("capture-pane", "-p"), text) })
	}
	shown("▸  tidy the parser")
	shown("┌")
	shown("grow the index")
	tmux("send-keys", "Down")
	shown("▸  grow the index")
	tmux("send-keys", "y")
	shown("resume command")
	tmux("send-keys", "Enter")
	shown("copied to tmux")
	if got := tmux("show-buffer"); got != "00000002-1111-4222-8333-000000000002" {
		t.Errorf("the buffer holds %q", got)
	}
	tmux("resize-window", "-x", "60", "-y", "20")
	shown("▸Sessions")
	tmux("send-keys", "q")
	until(t, "the end of the session", func() bool {
		cmd := exec.Command(program, "has-session")
		cmd.Env = w.environ()
		return cmd.Run() != nil
	})
}

// until polls for a condition of another program.
func until(t *testing.T, what string, cond func() bool) {
	t.Helper()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for limit := time.After(screentest.Patience); !cond(); {
		select {
		case <-tick.C:
		case <-limit:
			t.Fatalf("never saw %s", what)
		}
	}
}

package difftest_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/creack/pty"

	"coppice/session/terminal"
)

// size is a number of columns and rows.
type size struct{ cols, rows int }

// step is what a program wrote between two looks at the screen, and the size
// that the terminal had then.
type step struct {
	size
	bytes []byte
}

// action is something that a person does: keys, or another size. Then the screen
// shows a text, and nothing moves any more.
type action struct {
	keys  string
	size  size
	shows string
}

// recorder runs a program in a pseudo-terminal.
type recorder struct {
	t     *testing.T
	emu   *terminal.Terminal
	file  *os.File
	bytes chan []byte
	size  size
	steps []step
}

// Waiting: longest for a text, and how long silence lasts until it counts as the
// end of what a program has to say.
const (
	patience = 30 * time.Second
	silence  = 120 * time.Millisecond
)

// program is what a recording is made of. Every program is run with a home and an
// environment of its own.
type program struct {
	name    string
	args    []string
	files   map[string]string // written to its directory
	sizes   []size
	actions []action
	prepare func(t *testing.T, dir string, env []string)
	env     func(dir string) []string // instead of environment
}

// environment returns the environment of a program that runs in dir.
func environment(dir string) []string {
	return []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + dir, "TMUX_TMPDIR=" + dir, "TERM=xterm-256color", "COLORTERM=truecolor", "LANG=C.UTF-8", "LC_ALL=C.UTF-8",
		"GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1", "GIT_PAGER=less -R", "LESS=", "LESSHISTFILE=-", "PS1=$ ",
		"GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.org", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@example.org",
		"GIT_AUTHOR_DATE=2020-01-01T00:00:00Z", "GIT_COMMITTER_DATE=2020-01-01T00:00:00Z",
	}
}

// record runs a program and does what its actions say.
func record(t *testing.T, p program, start size) []step {
	t.Helper()
	if _, err := exec.LookPath(p.args[0]); err != nil {
		t.Skipf("%s is not installed", p.args[0])
	}
	dir, err := os.MkdirTemp("", "dt") // a socket's path must be short
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	for name, text := range p.files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	env := environment(dir)
	if p.env != nil {
		env = p.env(dir)
	}
	if p.prepare != nil {
		p.prepare(t, dir, env)
	}
	cmd := exec.Command(p.args[0], p.args[1:]...)
	cmd.Dir, cmd.Env = dir, env
	file, err := pty.StartWithSize(cmd, &pty.Winsize{Cols: uint16(start.cols), Rows: uint16(start.rows)})
	if err != nil {
		t.Fatal(err)
	}
	r := &recorder{
		t: t, file: file, size: start, bytes: make(chan []byte, 1000),
		emu: terminal.New(terminal.Options{Columns: start.cols, Rows: start.rows, Scrollback: 1000, Program: "difftest"}),
	}
	go r.read()
	defer func() {
		_ = cmd.Process.Kill()
		_ = file.Close()
		for range r.bytes { // until the reader has ended
		}
		_ = cmd.Wait()
	}()
	for _, a := range p.actions {
		r.do(a)
	}
	return r.steps
}

// read hands on what the program writes.
func (r *recorder) read() {
	defer close(r.bytes)
	for {
		b := make([]byte, 64<<10)
		n, err := r.file.Read(b)
		if n > 0 {
			r.bytes <- b[:n]
		}
		if err != nil {
			return
		}
	}
}

// do does one action and takes what the program writes then as a step.
func (r *recorder) do(a action) {
	r.t.Helper()
	if a.size != (size{}) {
		r.size = a.size
		r.emu.Resize(a.size.cols, a.size.rows)
		if err := pty.Setsize(r.file, &pty.Winsize{Cols: uint16(a.size.cols), Rows: uint16(a.size.rows)}); err != nil {
			r.t.Fatal(err)
		}
	}
	if _, err := r.file.WriteString(a.keys); err != nil {
		r.t.Fatal(err)
	}
	s := step{size: r.size}
	deadline := time.After(patience)
	for {
		select {
		case b, more := <-r.bytes:
			if !more && strings.Contains(r.emu.Text(), a.shows) {
				r.steps = append(r.steps, s)
				return
			}
			if !more {
				r.t.Fatalf("the program ended before the screen showed %q:\n%s", a.shows, r.emu.Text())
			}
			s.bytes = append(s.bytes, b...)
			_, _ = r.emu.Write(b)
			_, _ = r.file.Write(r.emu.Take().Replies)
		case <-time.After(silence):
			if strings.Contains(r.emu.Text(), a.shows) && complete(r.emu, r.size) {
				r.steps = append(r.steps, s)
				return
			}
		case <-deadline:
			r.t.Fatalf("the screen does not show %q:\n%s", a.shows, r.emu.Text())
		}
	}
}

// complete reports whether the terminal is not in the middle of a sequence or a
// character: a question is answered then, and changes nothing.
func complete(e *terminal.Terminal, s size) bool {
	probe := newOurs(s)
	_, _ = probe.Write(e.Dump(0))
	probe.Take()
	before := probe.Text()
	_, _ = probe.Write([]byte("\x1b[5n"))
	return string(probe.Take().Replies) == "\x1b[0n" && probe.Text() == before
}

package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/creack/pty"
	"github.com/rogpeppe/go-internal/testscript"
)

// ttyLimit is how long a program on a pseudo-terminal may take.
const ttyLimit = time.Minute

// tty runs a program on a pseudo-terminal of its own and plays a dialogue with
// it: tty CODE COLUMNS DIALOGUE PROGRAM ARGS…
//
// DIALOGUE is a file with lines of two kinds: "< text" waits until the program
// has written text after the one before, "> keys" types, with JSON's escapes.
// What the program wrote is in the file tty afterwards.
func tty(ts *testscript.TestScript, neg bool, args []string) {
	var size pty.Winsize
	if neg || len(args) < 4 {
		ts.Fatalf("usage: tty CODE COLUMNS DIALOGUE PROGRAM ARGS...")
	}
	if _, err := fmt.Sscan(args[1], &size.Cols); err != nil {
		ts.Fatalf("columns: %v", err)
	}
	size.Rows = 24
	dialogue := ts.ReadFile(args[2])
	ts.Check(ts.Exec("env"))
	cmd := &exec.Cmd{Args: args[3:], Dir: ts.MkAbs("."), Env: strings.Split(strings.TrimSpace(ts.ReadFile("stdout")), "\n")}
	cmd.Path = lookPath(ts, args[3])
	p, err := pty.StartWithSize(cmd, &size)
	ts.Check(err)
	timer := time.AfterFunc(ttyLimit, func() { _ = cmd.Process.Kill() })
	defer timer.Stop()
	t := talk{file: p}
	failure := t.play(ts, dialogue)
	if failure == nil {
		for t.read() == nil { // to its end
		}
	}
	_ = p.Close()
	err = cmd.Wait()
	ts.Check(os.WriteFile(ts.MkAbs("tty"), []byte(t.out.String()), 0o600))
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		ts.Fatalf("%v", err)
	}
	if failure != nil {
		ts.Fatalf("%v (%v)\n%q", failure, cmd.ProcessState, t.out.String())
	}
	if got := fmt.Sprint(cmd.ProcessState.ExitCode()); got != args[0] {
		ts.Fatalf("exit code %s, want %s\n%q", got, args[0], t.out.String())
	}
}

// talk is a dialogue with a program.
type talk struct {
	file *os.File
	out  strings.Builder
	seen int // how much of out the dialogue has passed
}

// play goes through a dialogue. The error says what did not come.
func (t *talk) play(ts *testscript.TestScript, dialogue string) error {
	for line := range strings.SplitSeq(dialogue, "\n") {
		want, waits := strings.CutPrefix(line, "< ")
		keys, types := strings.CutPrefix(line, "> ")
		switch {
		case waits:
			for !strings.Contains(t.out.String()[t.seen:], want) {
				if err := t.read(); err != nil {
					return fmt.Errorf("it ended before it wrote %q: %w", want, err)
				}
			}
			t.seen += strings.Index(t.out.String()[t.seen:], want) + len(want)
		case types:
			if _, err := t.file.WriteString(unescape(ts, keys)); err != nil {
				return fmt.Errorf("type %q: %w", keys, err)
			}
		case line != "":
			return fmt.Errorf("dialogue: %q", line)
		}
	}
	return nil
}

// read reads once. The error is the end.
func (t *talk) read() error {
	buf := make([]byte, 4096)
	n, err := t.file.Read(buf)
	t.out.Write(buf[:n])
	return err
}

// lookPath finds a program in the PATH of a script.
func lookPath(ts *testscript.TestScript, program string) string {
	for _, dir := range filepath.SplitList(ts.Getenv("PATH")) {
		path := filepath.Join(dir, program)
		if fi, err := os.Stat(path); err == nil && fi.Mode()&0o111 != 0 {
			return path
		}
	}
	ts.Fatalf("no program %q", program)
	return ""
}

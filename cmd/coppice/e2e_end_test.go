package main

import (
	"errors"
	"fmt"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"coppice/session/sessiontest"
	"coppice/ui/screentest"
)

// endLimit is how long the end of the program may take: 2 s for a person, more
// where other tests, or the race detector, have the processors too.
const endLimit = 6 * time.Second

// endsSoon does what should end the program and checks that it does in time.
func endsSoon(t *testing.T, p *screentest.Process, end func()) int {
	t.Helper()
	began := time.Now()
	end()
	code := p.Exit()
	if took := time.Since(began); took > endLimit {
		t.Errorf("it took %v to end", took)
	}
	if err := syscall.Kill(p.Pid(), 0); !errors.Is(err, syscall.ESRCH) {
		t.Errorf("its process is still there: %v", err)
	}
	return code
}

// testQuitUnderLoad quits a hundred times while a store is being read for the
// first time (report G3).
func testQuitUnderLoad(t *testing.T, bin string) {
	w := newWorld(t, bin)
	gen, err := sessiontest.Generate(t.Context(), w.path("store"), sessiontest.Spec{
		Sessions: 300, Bytes: 48 << 20, Repositories: 3, Branches: 20, Worktrees: 1, Now: time.Now(),
	})
	if err != nil {
		t.Fatal(err)
	}
	w.env["CLAUDE_CONFIG_DIR"] = gen.Root
	const runs, lanes = 100, 4
	var running sync.WaitGroup
	for lane := range lanes {
		running.Go(func() {
			for i := lane; i < runs; i += lanes {
				t.Run(fmt.Sprint(i), func(t *testing.T) { quitOnce(t, w, gen.Main[0], i) })
			}
		})
	}
	running.Wait()
}

// quitOnce opens the dashboard without a cache, lets it come as far as i says,
// and quits in one of several ways.
func quitOnce(t *testing.T, w *world, dir string, i int) {
	cmd := w.command(dir)
	cmd.Env = append(cmd.Env, "XDG_CACHE_HOME="+w.path("caches", fmt.Sprint(i)))
	p := screentest.Start(t, 80, 24, cmd)
	p.WaitText([]string{"coppice", "Sessions", " msg "}[i%3])
	p.Type([]string{"", "jjA", "/x", "jj?", "AjW "}[i%5])
	code := endsSoon(t, p, func() {
		if i%2 == 0 {
			p.Press("Ctrl-C", "Ctrl-C")
		} else {
			p.Press("Esc", "Esc", "Esc", "q")
		}
	})
	if code != 0 {
		t.Errorf("exit code %d:\n%s", code, p.Snapshot().Text())
	}
	restored(t, p)
}

// testSignals ends the program from outside, also while an agent has the
// terminal: it is as before.
func testSignals(t *testing.T, bin string) {
	w := newWorld(t, bin)
	dir := w.sample()
	w.script("MODES=1", "WAIT=1")
	for _, sig := range []syscall.Signal{syscall.SIGTERM, syscall.SIGHUP, syscall.SIGINT, syscall.SIGQUIT} {
		if signal.Ignored(sig) {
			continue // the tests run under nohup, and so does what they start
		}
		p := w.open(80, 24, dir)
		chosen(p, "tidy the parser")
		if code := endsSoon(t, p, func() { p.Signal(sig) }); code < 0 {
			t.Errorf("%v: exit code %d", sig, code)
		}
		restored(t, p)
	}
	p := w.open(80, 24, dir)
	agent := lent(p, w)
	endsSoon(t, p, func() { p.Signal(syscall.SIGTERM) })
	gone(t, agent)
	restored(t, p)
}

// testTerminalGone takes the terminal away: from a program that hears SIGHUP, from
// one that was started with nohup, and from one that has lent it to an agent
// (report G13).
func testTerminalGone(t *testing.T, bin string) {
	w := newWorld(t, bin)
	dir := w.sample()
	w.script("WAIT=1")
	for _, trap := range []string{"", "trap '' HUP; "} {
		cmd := w.command(dir)
		shell := exec.Command("/bin/sh", "-c", trap+"exec "+cmd.Path)
		shell.Dir, shell.Env = cmd.Dir, cmd.Env
		p := screentest.Start(t, 80, 24, shell)
		chosen(p, "tidy the parser")
		endsSoon(t, p, p.HangUp)
	}
	p := w.open(80, 24, dir)
	agent := lent(p, w)
	endsSoon(t, p, p.HangUp)
	gone(t, agent)
}

// lent resumes the selected session and returns the process of the agent, which
// waits for a line.
func lent(p *screentest.Process, w *world) int {
	chosen(p, "tidy the parser")
	p.Press("Enter")
	p.WaitText("fakeagent waits")
	starts := w.starts()
	return starts[len(starts)-1].PID
}

// gone checks that a process ends.
func gone(t *testing.T, pid int) {
	t.Helper()
	until(t, "the end of the agent", func() bool { return errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) })
}

// testJobControl stops the program from a shell and goes on with it.
func testJobControl(t *testing.T, bin string) {
	w := newWorld(t, bin)
	dir := w.sample()
	shell := exec.Command("/bin/sh", "-i")
	w.env["PS1"] = "ready> "
	w.env["PATH"] = bin + string(filepath.ListSeparator) + w.env["PATH"]
	shell.Dir, shell.Env = dir, w.environ()
	p := screentest.Start(t, 80, 24, shell)
	p.WaitText("ready>")
	prompt := p.Left() // what the shell itself turns on
	asBefore := func(prompts int) {
		t.Helper()
		p.Wait("another prompt", func(s *screentest.Snapshot) bool { return strings.Count(s.Text(), "ready>") == prompts })
		if left := p.Left(); !slices.Equal(left, prompt) {
			t.Errorf("on are %q, before %q", left, prompt)
		}
	}
	p.Type("coppice\n")
	chosen(p, "tidy the parser")
	p.Press("Ctrl-Z")
	asBefore(2)
	p.Type("fg\n")
	chosen(p, "tidy the parser")
	p.WaitText("grow the index")
	p.Press("Down")
	chosen(p, "grow the index")
	p.Press("q")
	asBefore(3)
	p.Type("exit\n")
	p.Exit()
}

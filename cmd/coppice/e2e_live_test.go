package main

import (
	"encoding/json"
	"strings"
	"syscall"
	"testing"
	"time"

	"coppice/session/host"
	"coppice/session/sessiontest"
)

// testLive resumes a session behind the window: it fills the window, goes on when
// the window is left, closed or killed, and shows the same screen afterwards.
func testLive(t *testing.T, bin string) {
	w := newWorld(t, bin)
	dirs := w.behind()
	app := w.repo("app")
	path := w.session(1, app.Dir, "main", time.Hour, "prune the roses")
	w.script("PRINT=the agent is here", "APPEND="+path, "REGISTER="+string(w.root), "MODES=1", "WAIT=1")

	p := w.open(100, 30, app.Dir)
	chosen(p, "prune the roses")
	p.Press("Enter")
	p.WaitText("fakeagent waits")
	p.WaitText("▸1 ◌ prune the roses")
	p.Press("Ctrl-]", "Esc")
	p.WaitText("Sessions")
	p.WaitText("[1]")
	leaves(t, p, "q")

	p = w.open(80, 24, app.Dir) // again, and killed
	chosen(p, "prune the roses")
	p.WaitText("[1]")
	p.Press("1")
	p.WaitText("▸1 ◌")
	p.WaitText("fakeagent waits")
	p.Signal(syscall.SIGKILL)
	p.Exit()

	p = w.open(60, 20, app.Dir)
	p.WaitText("[1]")
	p.Press("Enter")
	p.WaitText("▸1 ◌")
	p.WaitText("fakeagent waits")
	p.Type("q\r") // to the agent
	p.WaitText("back from the session")
	p.WaitText("prune the roses")
	leaves(t, p, "q")
	if starts := w.starts(); len(starts) != 1 || starts[0].Cwd != app.Dir {
		t.Errorf("the agent was started %+v", starts)
	}
	if id, held, err := host.Held(dirs, string(w.root), sessiontest.ID(1)); held || err != nil {
		t.Errorf("host %q still has the session: %v", id, err)
	}
}

// testLiveEnds ends one session from the dashboard; another fails by itself, and
// what it said stays on the screen.
func testLiveEnds(t *testing.T, bin string) {
	w := newWorld(t, bin)
	w.behind()
	app := w.repo("app")
	w.session(1, app.Dir, "main", time.Hour, "prune the roses")
	w.script("REGISTER="+string(w.root), "WAIT=1", "COMPLAIN=no water", "EXIT=3")

	p := w.open(100, 30, app.Dir)
	chosen(p, "prune the roses")
	p.Press("n")
	p.WaitText("▸1 ")
	p.WaitText("fakeagent waits")
	p.Type("\r")
	p.WaitText("exit status 3")
	p.WaitText("no water")
	p.Press("j")
	p.WaitText("Sessions")
	p.Press("Enter")
	p.WaitText("fakeagent waits")
	p.WaitText("▸1 ◌ prune the roses")
	p.Press("Ctrl-]", "Esc")
	p.WaitText("[1]")
	var rows []psJSON
	out, err := w.command(app.Dir, "ps", "--all", "--json").Output()
	if err == nil {
		err = json.Unmarshal(out, &rows)
	}
	if err != nil || len(rows) != 2 {
		t.Fatalf("ps says %s, %v", out, err)
	}
	if one := rows[0]; one.State != "ended" || !strings.Contains(one.Why, "exit status 3") {
		t.Errorf("ps says of the first %+v", one)
	}
	if two := rows[1]; two.ID != sessiontest.ID(1) || two.State != "idle" || two.Cwd != app.Dir {
		t.Errorf("ps says of the second %+v", two)
	}
	p.Press("x")
	p.WaitText("End this session?")
	p.Press("Enter")
	p.WaitText("has ended")
	p.Press("Enter")
	p.WaitText("▸1 ")
	p.WaitText("fakeagent waits")
	if out, err := w.command(app.Dir, "stop", "none").CombinedOutput(); err == nil || !strings.Contains(string(out), "is not live") {
		t.Errorf("stop says %s, %v", out, err)
	}
	if out, err := w.command(app.Dir, "stop", sessiontest.ID(1)[:8]).Output(); err != nil || !strings.Contains(string(out), "has ended") {
		t.Errorf("stop says %s, %v", out, err)
	}
	p.WaitText("ended by a signal")
	p.Press("Esc")
	p.WaitText("Sessions")
	leaves(t, p, "q")
}

// testLiveWithoutRegister: what an agent that keeps no register has open behind the
// window is neither moved, deleted nor resumed once more, and the way out is said. Its
// worktree has a live user. A name that it gets begins on a line of its own.
func testLiveWithoutRegister(t *testing.T, bin string) {
	w := newWorld(t, bin)
	w.behind()
	app, tree := w.repo("app"), w.repo("tree")
	leaf := app.Worktree(app.Path(".claude", "worktrees", "leaf"), "leaf")
	path := w.session(1, leaf.Dir, "leaf", time.Hour, "prune the roses")
	w.script("WAIT=1")
	p := w.open(100, 30, leaf.Dir)
	chosen(p, "prune the roses")
	p.Press("Enter")
	p.WaitText("fakeagent waits")

	id := sessiontest.ID(1)
	fails := func(args ...string) string {
		t.Helper()
		out, err := w.command(app.Dir, args...).CombinedOutput()
		if err == nil {
			t.Errorf("%q went well: %s", args, out)
		}
		return string(out)
	}
	var stop string
	for _, args := range [][]string{{"rm", id}, {"mv", id, "--to", tree.Dir}, {"resume", id}} {
		out := fails(args...)
		_, rest, _ := strings.Cut(out, "the session is live behind the window: `coppice stop ")
		if stop, _, _ = strings.Cut(rest, "`"); stop == "" {
			t.Errorf("%q says %s", args, out)
		}
	}
	if out := fails("worktree", "rm", "leaf"); !strings.Contains(out, "prune the roses (00000001), which is live") {
		t.Errorf("worktree rm says %s", out)
	}
	if starts := w.starts(); len(starts) != 1 {
		t.Errorf("the agent was started %d times", len(starts))
	}
	was := stateOf(t, path)
	if out, err := w.command(app.Dir, "rename", id, "roses").CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, out)
	}
	if now := stateOf(t, path); !strings.HasPrefix(now.text, was.text+"\n{") || !now.time.After(was.time) {
		t.Errorf("the transcript of a live session ends in %q", strings.TrimPrefix(now.text, was.text))
	}
	if out, err := w.command(app.Dir, "stop", stop).CombinedOutput(); err != nil {
		t.Errorf("stop %s: %v: %s", stop, err, out)
	}
	if out, err := w.command(app.Dir, "rm", id).CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, out)
	}
	p.Press("Esc")
	p.WaitText("Sessions")
	leaves(t, p, "q")
}

// testNoBehind: where no host can be, agents run in the foreground, and a key that
// needs one says why.
func testNoBehind(t *testing.T, bin string) {
	w := newWorld(t, bin)
	app := w.repo("app")
	w.session(1, app.Dir, "main", time.Hour, "prune the roses")
	p := w.open(100, 30, app.Dir)
	chosen(p, "prune the roses")
	p.Press("n")
	p.WaitText("is not a directory: remove it")
	leaves(t, p, "q")
}

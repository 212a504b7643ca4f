package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"coppice/session/host"
	"coppice/session/sessiontest"
	"coppice/ui/screentest"
)

// twoLive opens a dashboard with two live sessions, the second one shown.
func twoLive(t *testing.T, bin string, width, height int) (*world, *screentest.Process) {
	t.Helper()
	w := newWorld(t, bin)
	w.behind()
	app := w.repo("app")
	w.session(1, app.Dir, "main", time.Hour, "prune the roses")
	w.session(2, app.Dir, "main", 2*time.Hour, "mow the lawn")
	w.script("REGISTER="+string(w.root), "WAIT=1")
	p := w.open(width, height, app.Dir)
	chosen(p, "prune the roses")
	p.Press("Enter")
	p.WaitText("▸1 ◌ prune")
	p.Press("Ctrl-]", "Esc")
	chosen(p, "prune the roses")
	p.WaitText("[1]")
	p.Press("j")
	chosen(p, "mow the lawn")
	p.Press("Enter")
	p.WaitText("▸2 ◌ mow")
	p.WaitText("fakeagent waits")
	return w, p
}

// testGlance looks at a live session in the preview, and sends it a line from there.
func testGlance(t *testing.T, bin string) {
	w, p := twoLive(t, bin, 120, 30)
	p.Press("Ctrl-]", "Esc")
	chosen(p, "mow the lawn")
	p.WaitText("Screen")
	p.WaitText("fakeagent waits")
	p.Press("v")
	p.WaitText("I will mow the lawn.")
	p.Press("v")
	p.WaitText("fakeagent waits")
	p.Press("a")
	p.WaitText("Answer mow the lawn")
	p.Type("enough")
	p.WaitText("send enough")
	p.Press("Enter")
	p.WaitText("ended") // until somebody reads how
	chosen(p, "mow the lawn")
	p.Press("Enter")
	p.WaitText("back from the session")
	p.WaitGone("[2]")
	p.WaitText("[1]")
	var rows []psJSON
	out, err := w.command(w.home, "ps", "--json").Output()
	if err == nil {
		err = json.Unmarshal(out, &rows)
	}
	if err != nil || !slices.ContainsFunc(rows, func(r psJSON) bool { return r.ID == sessiontest.ID(1) && r.State == "idle" }) {
		t.Errorf("ps says %s, %v", out, err)
	}
	leaves(t, p, "q")
	if s := p.Snapshot(); s.Title != "" {
		t.Errorf("the title is left: %q", s.Title)
	}
}

// testTwoPanes shows two live sessions at once, each in a size of its own.
func testTwoPanes(t *testing.T, bin string) {
	w, p := twoLive(t, bin, 120, 30)
	p.Press("Ctrl-]", "|")
	both := func(s *screentest.Snapshot) bool {
		return strings.Count(s.Text(), "fakeagent waits") == 2 && s.Contains("+2 ◌ mow") && s.Contains("▸1 ◌ prune")
	}
	p.Wait("two panes", both)
	p.Resize(80, 24)
	p.Wait("two panes, one above the other", both)
	p.Resize(40, 12)
	p.Wait("one pane", func(s *screentest.Snapshot) bool { return strings.Count(s.Text(), "fakeagent waits") == 1 })
	p.Resize(120, 30)
	p.Wait("two panes again", both)
	p.Type("\r") // the one on the right ends, and the other one has the keyboard
	p.WaitText("prune the roses has ended")
	p.Type("\r")
	p.WaitText("Sessions")
	leaves(t, p, "q")
	if starts := w.starts(); len(starts) != 2 {
		t.Errorf("the agent was started %+v", starts)
	}
}

// testSwitch switches a live session to another one: the first agent ends before
// the other one starts.
func testSwitch(t *testing.T, bin string) {
	w := newWorld(t, bin)
	dirs := w.behind()
	app := w.repo("app")
	w.session(1, app.Dir, "main", time.Hour, "prune the roses")
	w.session(2, app.Dir, "main", 2*time.Hour, "mow the lawn")
	w.script("REGISTER="+string(w.root), "WAIT=1")
	p := w.open(100, 30, app.Dir)
	chosen(p, "prune the roses")
	p.Press("Enter")
	p.WaitText("▸1 ◌ prune")
	p.Press("Ctrl-]", "s")
	p.WaitText("instead of prune the roses")
	p.Type("lawn")
	chosen(p, "mow the lawn")
	p.Press("Enter")
	p.WaitText("switched from prune the roses to mow the lawn")
	p.WaitText("fakeagent waits")
	p.Type("\r")
	p.WaitText("Sessions")
	leaves(t, p, "q")
	starts := w.starts()
	if len(starts) != 2 || !slices.Contains(starts[1].Args, sessiontest.ID(2)) {
		t.Errorf("the agents were started %+v", starts)
	}
	if id, held, err := host.Held(dirs, string(w.root), sessiontest.ID(1)); held || err != nil {
		t.Errorf("host %q still has the session: %v", id, err)
	}
}

// testLost kills the host of a session: the next window lists it, and one key brings
// it back.
func testLost(t *testing.T, bin string) {
	w := newWorld(t, bin)
	dirs := w.behind()
	app := w.repo("app")
	w.session(1, app.Dir, "main", time.Hour, "prune the roses")
	w.script("REGISTER="+string(w.root), "WAIT=1")
	p := w.open(100, 30, app.Dir)
	chosen(p, "prune the roses")
	p.Press("Enter")
	p.WaitText("▸1 ◌ prune")
	p.Press("Ctrl-]", "Esc")
	p.WaitText("Sessions")
	leaves(t, p, "q")
	w.killHosts(dirs)

	p = w.open(80, 24, app.Dir)
	says(p, "Lost while they were live", "prune the roses", "killed or crashed")
	p.Press("Esc")
	p.WaitText("L 1 session lost")
	p.Press("L", "Enter")
	p.WaitText("1 session brought back")
	p.WaitText("[1]")
	p.Press("1")
	p.WaitText("▸1 ◌")
	p.WaitText("fakeagent waits")
	p.Type("\r")
	p.WaitText("Sessions")
	leaves(t, p, "q")
}

// killHosts kills all hosts, and waits until they are known to be gone.
func (w *world) killHosts(dirs host.Dirs) {
	w.t.Helper()
	records, err := filepath.Glob(filepath.Join(dirs.State, "hosts", "*.json"))
	if err != nil || len(records) == 0 {
		w.t.Fatalf("no records of hosts: %v", err)
	}
	for _, path := range records {
		data, err := os.ReadFile(path)
		var record struct {
			Process struct{ PID int }
			PID     int
		}
		if err == nil {
			err = json.Unmarshal(data, &record)
		}
		if err == nil {
			err = syscall.Kill(record.Process.PID, syscall.SIGKILL)
		}
		if err != nil {
			w.t.Fatal(err)
		}
		w.waitFor("the agent is gone", func() bool { return syscall.Kill(record.PID, 0) != nil })
	}
	w.waitFor("the hosts are gone", func() bool {
		all, err := host.List(w.t.Context(), dirs)
		return err == nil && !slices.ContainsFunc(all, func(h host.Host) bool { return h.State != host.Gone })
	})
}

package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"coppice/session"
	"coppice/session/host"
	"coppice/session/sessiontest"
)

// run runs coppice without a terminal and returns what it printed.
func (w *world) run(dir string, args ...string) (out string, err error) {
	w.t.Helper()
	printed, err := w.command(dir, args...).Output()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		printed = append(printed, exit.Stderr...)
	}
	return string(printed), err
}

// runJSON runs coppice and reads what it printed.
func runJSON[T any](w *world, dir string, args ...string) (v T) {
	w.t.Helper()
	out, err := w.run(dir, args...)
	if err == nil {
		err = json.Unmarshal([]byte(out), &v)
	}
	if err != nil {
		w.t.Fatalf("%q: %v\n%s", args, err, out)
	}
	return v
}

// waitFor waits until something is so that no screen shows.
func (w *world) waitFor(what string, ok func() bool) {
	w.t.Helper()
	again := time.NewTicker(20 * time.Millisecond)
	defer again.Stop()
	for end := time.Now().Add(ttyLimit); !ok(); <-again.C {
		if time.Now().After(end) {
			w.t.Fatalf("waited in vain for %s", what)
		}
	}
}

// runs reports whether a process is there and not only waiting to be buried.
func runs(pid int) bool {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	return err == nil && !strings.Contains(string(stat), ") Z")
}

// testNewBehind starts a session behind the window, shows it, and is shown it
// again instead of starting it twice.
func testNewBehind(t *testing.T, bin string) {
	w := newWorld(t, bin)
	w.behind()
	app := w.repo("app")
	w.script("REGISTER="+string(w.root), "WAIT=1")
	made := runJSON[startedJSON](w, app.Dir, "new", "--bg", "--json", "--name", "roses", "prune them", "--", "--verbose")
	if made.Host == "" || made.ID == "" || made.PID == 0 || made.Cwd != app.Dir {
		t.Fatalf("new says %+v", made)
	}
	w.waitFor("the agent to start", func() bool { return len(w.starts()) == 1 })
	want := []string{"--session-id", made.ID, "--name", "roses", "--verbose", "--", "prune them"}
	if got := w.starts()[0]; !slices.Equal(got.Args[max(0, len(got.Args)-len(want)):], want) || got.Cwd != app.Dir || got.PID != made.PID {
		t.Errorf("the agent was started %+v, want %q", got, want)
	}
	w.waitFor("it to be live", func() bool {
		rows := runJSON[[]psJSON](w, app.Dir, "ps", "--json")
		return len(rows) == 1 && rows[0].Host == made.Host && rows[0].State == "idle"
	})
	if out, err := w.run(app.Dir, "new", "--bg", "--id", made.ID); err == nil || !strings.Contains(out, "live") {
		t.Errorf("a second one says %s, %v", out, err)
	}

	for _, name := range []string{made.ID, made.ID[:8], "Roses", made.Host} {
		if again := runJSON[startedJSON](w, app.Dir, "resume", name, "--bg", "--json"); again != made {
			t.Errorf("resume %s, which has no transcript yet, says %+v", name, again)
		}
		if plan := runJSON[session.Plan](w, app.Dir, "resume", name, "--plan", "--json"); plan.Action != session.ActionJoin || plan.Live == nil {
			t.Errorf("the plan for %s is %+v", name, plan)
		}
	}

	p := w.open(100, 30, app.Dir, "attach", "roses")
	p.WaitText("fakeagent waits")
	p.WaitText("▸1")
	p.Press("Ctrl-]", "Esc")
	p.WaitText("Sessions")
	leaves(t, p, "q")
	if out, err := w.run(app.Dir, "attach", "nobody"); err == nil || !strings.Contains(out, "is not live") {
		t.Errorf("attach says %s, %v", out, err)
	}

	w.session(1, app.Dir, "main", time.Hour, "water the seeds")
	p = w.open(100, 30, app.Dir, "resume", sessiontest.ID(1))
	p.WaitText("fakeagent waits")
	p.WaitText("water the seeds")
	p.Press("Ctrl-]", "Esc")
	leaves(t, p, "q")
	again := runJSON[startedJSON](w, app.Dir, "resume", sessiontest.ID(1), "--bg", "--json")
	if again.ID != sessiontest.ID(1) || len(w.starts()) != 2 {
		t.Errorf("it was started again: %+v, %d starts", again, len(w.starts()))
	}
	if plan := runJSON[session.Plan](w, app.Dir, "resume", sessiontest.ID(1), "--plan", "--json"); plan.Action != session.ActionJoin || plan.Cwd != app.Dir {
		t.Errorf("its plan is %+v", plan)
	}
	if out, err := w.run(app.Dir, "rename", sessiontest.ID(1), "seedlings"); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for range 2 { // the second time it has ended, and that is said
		if out, err := w.run(app.Dir, "stop", "seedlings"); err != nil || !strings.Contains(out, "has ended") {
			t.Errorf("stop says %s, %v", out, err)
		}
	}
	if rows := runJSON[[]psJSON](w, app.Dir, "ps", "--json"); len(rows) != 1 || rows[0].ID != made.ID {
		t.Errorf("once its end was read, ps lists %+v", rows)
	}
	if rows := runJSON[[]psJSON](w, app.Dir, "ps", "--all", "--json"); len(rows) != 2 {
		t.Errorf("of all, ps lists %+v", rows)
	}
}

// testBringBack: what was live when its hosts were killed is listed, and started
// again in its order; what cannot be is named.
func testBringBack(t *testing.T, bin string) {
	w := newWorld(t, bin)
	dirs := w.behind()
	app, lib := w.repo("app"), w.repo("lib")
	w.session(1, app.Dir, "main", time.Hour, "prune the roses")
	w.session(2, lib.Dir, "main", time.Hour, "water the seeds")
	w.script("REGISTER="+string(w.root), "WAIT=1")
	var pids []int
	kill := func() {
		all, err := host.List(t.Context(), dirs)
		if err != nil {
			t.Fatal(err)
		}
		for _, h := range all {
			pids = append(pids, h.PID)
			if h.State == host.Running {
				_ = syscall.Kill(h.HostPID, syscall.SIGKILL)
			}
		}
		w.waitFor("the agents to end", func() bool {
			return !slices.ContainsFunc(pids, runs)
		})
	}
	for _, args := range [][]string{
		{"resume", sessiontest.ID(2), "--bg"}, {"resume", sessiontest.ID(1), "--bg"}, {"new", app.Dir, "--bg", "--name", "seedlings"},
	} {
		if out, err := w.run(app.Dir, args...); err != nil {
			t.Fatalf("%q: %v\n%s", args, err, out)
		}
	}
	kill()
	if err := os.Rename(lib.Dir, lib.Dir+"-gone"); err != nil {
		t.Fatal(err)
	}
	lost := runJSON[[]lostJSON](w, app.Dir, "bring-back", "--list", "--json")
	if len(lost) != 3 || lost[0].ID != sessiontest.ID(2) || lost[1].ID != sessiontest.ID(1) || lost[2].Name != "seedlings" || lost[0].Why == "" {
		t.Fatalf("listed are %+v", lost)
	}
	out, err := w.run(app.Dir, "bring-back")
	if err == nil || !strings.Contains(out, "1 of 3 sessions could not") || !strings.Contains(out, "directories exists here") {
		t.Errorf("bring-back says %s, %v", out, err)
	}
	var live []string
	for _, r := range runJSON[[]psJSON](w, app.Dir, "ps", "--json") {
		if r.State != string(host.Gone) {
			live = append(live, r.ID)
		}
	}
	if want := []string{sessiontest.ID(1), lost[2].ID}; !slices.Equal(live, want) {
		t.Errorf("live are %q, want %q", live, want)
	}
	if again := runJSON[[]lostJSON](w, app.Dir, "bring-back", "--list", "--json"); len(again) != 1 || again[0].ID != sessiontest.ID(2) {
		t.Errorf("left are %+v", again)
	}
	if out, err := w.run(app.Dir, "bring-back", "--forget", sessiontest.ID(2)[:8]); err != nil {
		t.Errorf("%v: %s", err, out)
	}
	if out, err := w.run(app.Dir, "bring-back", "--list"); err != nil || !strings.Contains(out, "nothing was live") {
		t.Errorf("left are %s, %v", out, err)
	}
}

// testTakeOver: a session that is live elsewhere is ended there before it is
// started, and only when that is asked for.
func testTakeOver(t *testing.T, bin string) {
	w := newWorld(t, bin)
	w.behind()
	app := w.repo("app")
	w.session(1, app.Dir, "main", time.Hour, "prune the roses")
	w.script("REGISTER="+string(w.root), "WAIT=1")
	elsewhere := exec.Command(filepath.Join(bin, "fakeagent"), "--resume", sessiontest.ID(1))
	elsewhere.Dir, elsewhere.Env = app.Dir, w.environ()
	in, err := elsewhere.StdinPipe()
	if err == nil {
		err = elsewhere.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = in.Close() }()
	ended := make(chan error, 1)
	go func() { ended <- elsewhere.Wait() }()
	w.waitFor("it to be live", func() bool {
		_, ok := session.ReadLive(string(w.root), "/proc")[sessiontest.ID(1)]
		return ok
	})
	if out, err := w.run(app.Dir, "resume", sessiontest.ID(1), "--bg"); err == nil || !strings.Contains(out, "--take-over") {
		t.Fatalf("resume says %s, %v", out, err)
	}
	p := w.open(100, 30, app.Dir, "resume", sessiontest.ID(1), "--take-over")
	p.WaitText("is ended first")
	p.Type("y\r")
	p.WaitText("fakeagent waits")
	if err := <-ended; err == nil || !strings.Contains(err.Error(), "terminated") {
		t.Errorf("the other agent ended with %v", err)
	}
	p.Press("Ctrl-]", "Esc")
	leaves(t, p, "q")
	if n := len(w.starts()); n != 2 {
		t.Errorf("there were %d starts", n)
	}
}

// testOtherAgents runs a scripted stand-in for Codex and a real shell, as
// docs/config.md says: without sessions they have rows and tabs, too.
func testOtherAgents(t *testing.T, bin string) {
	w := newWorld(t, bin)
	w.behind()
	app := w.repo("app")
	w.configure("agent = \"codex\"\n[agents.codex]\ncommand = [" + sessiontest.Quote(filepath.Join(bin, "fakeagent")) +
		"]\nresume = [\"resume\", \"{id}\"]\nprompt = [\"{prompt}\"]\n[agents.shell]\ncommand = [\"/bin/sh\", \"-i\"]\n")
	w.script("WAIT=1")
	codex := runJSON[startedJSON](w, app.Dir, "new", "--bg", "--json", "prune the roses")
	w.waitFor("the agent to start", func() bool { return len(w.starts()) == 1 })
	if got := w.starts()[0]; !slices.Equal(got.Args, []string{"prune the roses"}) || codex.ID != "" {
		t.Errorf("started was %+v as %+v", got, codex)
	}
	w.session(1, app.Dir, "main", time.Hour, "water the seeds")
	plan := runJSON[session.Plan](w, app.Dir, "resume", sessiontest.ID(1), "--plan", "--json", "go on")
	if want := []string{"resume", sessiontest.ID(1), "go on"}; !slices.Equal(plan.Command[1:], want) {
		t.Errorf("resumed would be %q, want %q", plan.Command, want)
	}
	shell := runJSON[startedJSON](w, app.Dir, "new", "--agent", "shell", "--bg", "--json")
	var agents []string
	for _, r := range runJSON[[]psJSON](w, app.Dir, "ps", "--json") {
		agents = append(agents, r.Agent)
	}
	if !slices.Equal(agents, []string{"codex", "shell"}) {
		t.Errorf("ps lists %q", agents)
	}
	p := w.open(100, 30, app.Dir, "attach", shell.Host)
	p.WaitText("shell in app")
	p.Type("echo $((6 * 7)) is what\r")
	p.WaitText("42 is what")
	p.Type("exit\r")
	p.WaitText("Sessions")
	leaves(t, p, "q")
}

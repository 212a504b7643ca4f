package main

import (
	"os"
	"slices"
	"syscall"
	"testing"
	"time"

	"coppice/session/sessiontest"
	"coppice/worktree/worktreetest"
)

// testResume resumes a session of a worktree from another repository: the agent
// has the terminal, runs where the session belongs with a clean environment
// (reports B17, E7), and the dashboard comes back with what changed.
func testResume(t *testing.T, bin string) {
	w := newWorld(t, bin)
	feat := w.repo("app").Worktree(w.src("feat-x"), "feat-x")
	lib := w.repo("lib")
	path := w.session(1, feat.Dir, "feat-x", time.Hour, "prune the roses")
	w.session(2, lib.Dir, "main", 2*time.Hour, "water the seeds")
	w.script("PRINT=the agent is here", "APPEND="+path, "MODES=1", "WAIT=1")

	p := w.open(120, 30, lib.Dir)
	chosen(p, "water the seeds")
	p.Press("A")
	p.WaitText("prune the roses")
	p.Press("Home")
	chosen(p, "prune the roses")
	p.Press("Enter")
	p.WaitText("fakeagent waits")
	if s := p.Snapshot(); s.Contains("Sessions") {
		t.Errorf("the dashboard shows through:\n%s", s.Text())
	}
	p.Type("q\n") // to the agent
	p.WaitText("back from the session")
	p.WaitText("answered by the fake agent")
	p.Press("Down")
	chosen(p, "water the seeds")
	leaves(t, p, "q")
	snap := p.Snapshot()
	if _, y, ok := snap.Find("the agent is here"); !ok || snap.CursorY <= y {
		t.Errorf("the cursor is in row %d, not below what the agent left:\n%s", snap.CursorY, snap.Text())
	}

	starts := w.starts()
	if len(starts) != 1 {
		t.Fatalf("the agent was started %d times", len(starts))
	}
	s := starts[0]
	if s.Cwd != feat.Dir || s.Env["PWD"] != feat.Dir {
		t.Errorf("it ran in %s (PWD %s), want %s", s.Cwd, s.Env["PWD"], feat.Dir)
	}
	if i := slices.Index(s.Args, "--resume"); i < 0 || i+1 >= len(s.Args) || s.Args[i+1] != sessiontest.ID(1) {
		t.Errorf("its arguments were %q", s.Args)
	}
	for _, name := range []string{"CLAUDECODE", "CLAUDE_CODE_SESSION_ID", "GIT_DIR", "CLAUDE_CONFIG_DIR"} {
		if v, ok := s.Env[name]; ok {
			t.Errorf("it inherited %s=%s", name, v)
		}
	}
	if s.Env["HOME"] != w.home || s.Env["TERM"] != "xterm-256color" {
		t.Errorf("it did not inherit what is a person's own: %q", s.Env)
	}
}

// testResumeFails checks that what a failing agent said, and a command to retry,
// stay on the screen, and that Enter tries again.
func testResumeFails(t *testing.T, bin string) {
	w := newWorld(t, bin)
	app := w.repo("app").Dir
	w.session(1, app, "main", time.Hour, "tidy the parser")
	w.script("COMPLAIN=the roof fell in", "EXIT=3")
	p := w.open(120, 30, app)
	chosen(p, "tidy the parser")
	p.Press("Enter")
	p.WaitText("Enter goes back")
	for _, text := range []string{"the roof fell in", "ended with exit status 3", "to try again: cd " + app + " && "} {
		p.WaitText(text)
	}
	p.Press("Enter")
	says(p, "The agent failed", "exit status 3", "cd "+app+" && ", "fakeagent --resume "+sessiontest.ID(1))
	w.script("EXIT=0")
	p.Press("Enter")
	p.WaitText("back from the session")
	leaves(t, p, "q")
	if n := len(w.starts()); n != 2 {
		t.Errorf("the agent was started %d times", n)
	}
}

// testAgentKilled kills an agent that has turned every mode on (report G9).
func testAgentKilled(t *testing.T, bin string) {
	w := newWorld(t, bin)
	app := w.repo("app").Dir
	w.session(1, app, "main", time.Hour, "tidy the parser")
	w.script("MODES=1", "WAIT=1")
	p := w.open(100, 30, app)
	chosen(p, "tidy the parser")
	p.Press("Enter")
	p.WaitText("fakeagent waits")
	if err := syscall.Kill(w.starts()[0].PID, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	p.WaitText("Enter goes back")
	p.WaitText("killed")
	p.Press("Enter")
	p.WaitText("The agent failed")
	p.Press("Esc")
	chosen(p, "tidy the parser")
	leaves(t, p, "q")
}

// testAgentGroup runs an agent that takes the terminal for a process group of its
// own and keeps it: the dashboard has it back all the same.
func testAgentGroup(t *testing.T, bin string) {
	w := newWorld(t, bin)
	app := w.sample()
	w.script("GROUP=1", "MODES=1")
	p := w.open(100, 30, app)
	chosen(p, "tidy the parser")
	p.Press("Enter")
	p.WaitText("back from the session")
	p.Press("Down")
	chosen(p, "grow the index")
	leaves(t, p, "q")
}

// testNoAgent says plainly what is missing.
func testNoAgent(t *testing.T, bin string) {
	w := newWorld(t, bin)
	w.configure("[agents.claude]\ncommand = [\"no-such-agent\"]\n")
	app := w.repo("app").Dir
	w.session(1, app, "main", time.Hour, "tidy the parser")
	p := w.open(100, 30, app)
	chosen(p, "tidy the parser")
	p.Press("Enter")
	says(p, "Cannot resume", "the agent program no-such-agent cannot be run", "set agents.claude.command")
	p.Press("Esc")
	p.WaitGone("Cannot resume")
	leaves(t, p, "q")
}

// testWorktreeGone resumes a session whose worktree was deleted: the plan shows
// first and offers where else (report B14).
func testWorktreeGone(t *testing.T, bin string) {
	w := newWorld(t, bin)
	app := w.repo("app")
	old := app.Worktree(w.src("old-idea"), "old-idea")
	w.session(1, old.Dir, "old-idea", time.Hour, "prune the roses")
	worktreetest.RemoveAll(t, old.Dir)
	small := w.open(40, 12, app.Dir)
	chosen(small, "prune the roses")
	small.Press("Enter")
	says(small, "Before it starts", "! its worktree", "make the worktree again", "resume in")
	leaves(t, small, "Esc", "q")

	p := w.open(100, 30, app.Dir)
	chosen(p, "prune the roses")
	p.Press("Enter")
	says(p, "Before it starts", "its worktree "+old.Dir+" is gone", "resume in "+app.Dir)
	p.Press("Esc")
	p.WaitGone("Before it starts")
	if n := len(w.starts()); n != 0 {
		t.Fatalf("the agent was started %d times", n)
	}
	p.Press("Enter")
	says(p, "Before it starts", "make the worktree again (branch old-idea)", "resume in "+app.Dir)
	p.Press("Down", "Enter")
	p.WaitText("back from the session")
	leaves(t, p, "q")
	if starts := w.starts(); len(starts) != 1 || starts[0].Cwd != app.Dir {
		t.Errorf("the agent was started like this: %+v", starts)
	}
}

// testLiveElsewhere never starts a second process on a session (report F1).
func testLiveElsewhere(t *testing.T, bin string) {
	w := newWorld(t, bin)
	app := w.repo("app").Dir
	w.session(1, app, "main", time.Hour, "tidy the parser")
	w.register(os.Getpid(), sessiontest.ID(1), "waiting", "permission", time.Minute)
	p := w.open(120, 30, app)
	p.WaitText("! tidy the parser")
	p.WaitText("1 needs you")
	p.Press("Enter")
	says(p, "Cannot resume", "it is live in pid", "waiting: permission")
	p.Press("Enter")
	p.WaitGone("Cannot resume")
	leaves(t, p, "q")
	if n := len(w.starts()); n != 0 {
		t.Errorf("the agent was started %d times", n)
	}
}

// testOtherBranch shows first that another branch is checked out (report B16).
func testOtherBranch(t *testing.T, bin string) {
	w := newWorld(t, bin)
	app := w.repo("app")
	w.session(1, app.Dir, "main", time.Hour, "tidy the parser")
	app.Git("checkout", "-q", "-b", "other")
	p := w.open(120, 30, app.Dir)
	chosen(p, "tidy the parser")
	p.Press("Enter")
	says(p, "Before it starts", "it was on the branch main", "is now on other", "resume as planned")
	p.Press("Enter")
	p.WaitText("back from the session")
	leaves(t, p, "q")
	if starts := w.starts(); len(starts) != 1 || starts[0].Cwd != app.Dir {
		t.Errorf("the agent was started like this: %+v", starts)
	}
}

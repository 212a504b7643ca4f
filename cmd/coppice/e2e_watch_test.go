package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"coppice/transcript/transcripttest"
	"coppice/ui/screentest"
	"coppice/worktree/worktreetest"
)

// testChanges looks on while transcripts grow, appear and vanish.
func testChanges(t *testing.T, bin string) {
	w := newWorld(t, bin)
	app := w.repo("app").Dir
	w.session(1, app, "main", time.Hour, "tidy the parser")
	grown := w.talk(2, app, "main", 2*time.Hour).User("grow the index").
		Assistant(transcripttest.Text("I will grow the index."))
	path := w.save(grown)
	p := w.open(120, 30, app)
	chosen(p, "tidy the parser")
	p.WaitText("grow the index")
	p.Press("Down")
	chosen(p, "grow the index")
	p.WaitText("2 msg")

	grown.Reset()
	grown.Time = time.Now()
	grown.User("and shrink it again").Assistant(transcripttest.Text("It is small now.")).Title("the index breathes")
	worktreetest.AppendFile(t, path, string(grown.Bytes()))
	chosen(p, "the index breathes") // the cursor stays on its session
	p.WaitText("4 msg")
	p.WaitText("It is small now.")
	p.Wait("the session that changed first", func(s *screentest.Snapshot) bool {
		_, y1, ok1 := s.Find("the index breathes")
		_, y2, ok2 := s.Find("tidy the parser")
		return ok1 && ok2 && y1 < y2
	})

	w.session(3, w.repo("lib").Dir, "main", time.Second, "water the seeds") // in a new folder
	p.Press("A")
	p.WaitText("water the seeds")

	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	p.WaitGone("the index breathes")
	leaves(t, p, "q")
}

// testFirstRun starts with nothing at all, and sees the first session come.
func testFirstRun(t *testing.T, bin string) {
	w := newWorld(t, bin)
	worktreetest.RemoveAll(t, string(w.root))
	worktreetest.RemoveAll(t, w.path(".config"))
	p := w.open(80, 24, w.home)
	p.WaitText("Nothing here yet.")
	p.WaitText("Start claude in a project")
	w.session(1, w.src(), "", time.Second, "mow the lawn")
	chosen(p, "mow the lawn")
	leaves(t, p, "q")
}

// testGoRun runs the command of the README.
func testGoRun(t *testing.T, bin string) {
	w := newWorld(t, bin)
	for _, name := range []string{"GOCACHE", "GOMODCACHE", "GOFLAGS", "GOPROXY", "GOTOOLCHAIN"} {
		out, err := exec.Command("go", "env", name).Output()
		if err != nil {
			t.Fatal(err)
		}
		w.env[name] = strings.TrimSpace(string(out))
	}
	delete(w.env, "GIT_DIR")
	if raced() { // what the tests have compiled already
		w.env["GOFLAGS"] += " -race"
	}
	cmd := exec.Command("go", "run", "./cmd/coppice")
	var err error
	if cmd.Dir, err = filepath.Abs("../.."); err != nil {
		t.Fatal(err)
	}
	cmd.Env = w.environ()
	p := screentest.Start(t, 80, 24, cmd)
	p.WaitText("Nothing here yet.")
	leaves(t, p, "q")
}

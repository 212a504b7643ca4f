package main

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"coppice/ui/screentest"
)

// inTree gives the keys to the tree and goes to the node with a label.
func inTree(p *screentest.Process, label string) {
	p.Press("Esc", "Shift-Tab", "A", "Home")
	for range 40 {
		if onNode(p.Snapshot(), label) {
			break
		}
		at := p.Snapshot().Text()
		p.Press("Down")
		p.Wait("the next node", func(s *screentest.Snapshot) bool { return s.Text() != at })
	}
	p.Wait("the cursor on "+label, func(s *screentest.Snapshot) bool { return onNode(s, label) })
}

// testShell opens a shell and an editor in what is selected, with the environment
// that an agent gets.
func testShell(t *testing.T, bin string) {
	w := newWorld(t, bin)
	app := w.repo("app")
	feat := app.Worktree(w.src("feat-x"), "feat-x")
	w.session(1, app.Dir, "main", time.Hour, "prune the roses")
	w.env["SHELL"] = filepath.Join(bin, "fakeagent")
	w.env["EDITOR"] = filepath.Join(bin, "fakeagent") + " --wait"
	w.script("PRINT=the shell is here", "WAIT=1", "EXIT=3")

	p := w.open(120, 30, app.Dir)
	chosen(p, "prune the roses")
	p.Press("$")
	p.WaitText("fakeagent waits")
	p.Type("q\n")
	p.WaitText("back from fakeagent")
	inTree(p, "feat-x")
	p.Press("e")
	p.WaitText("fakeagent waits")
	p.Type("q\n")
	p.WaitText("back from fakeagent")
	leaves(t, p, "q")

	starts := w.starts()
	if len(starts) != 2 {
		t.Fatalf("started %+v", starts)
	}
	for i, want := range []struct {
		dir  string
		args []string
	}{{app.Dir, nil}, {feat.Dir, []string{"--wait", "."}}} {
		s := starts[i]
		if s.Cwd != want.dir || s.Env["PWD"] != want.dir || !slices.Equal(s.Args, want.args) {
			t.Errorf("ran %q in %s (PWD %s), want %q in %s", s.Args, s.Cwd, s.Env["PWD"], want.args, want.dir)
		}
		for _, name := range []string{"CLAUDECODE", "GIT_DIR"} {
			if v, ok := s.Env[name]; ok {
				t.Errorf("it inherited %s=%s", name, v)
			}
		}
	}
}

// onNode reports whether the cursor of the tree is on the node with a label.
func onNode(s *screentest.Snapshot, label string) bool {
	for y := range s.Height {
		if c := s.Line(y); len(c) > 0 && strings.HasPrefix(c, "│▸") && strings.HasPrefix(strings.TrimLeft(strings.TrimPrefix(c, "│▸"), " ▸▾◉○⎇·"), label) {
			return true
		}
	}
	return false
}

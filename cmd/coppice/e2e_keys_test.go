package main

import (
	"fmt"
	"testing"
	"time"

	"coppice/ui/screentest"
)

// sample fills a world: three sessions in a repository with a worktree, one each
// in another repository and a plain directory, and a hidden one. It returns the
// main checkout.
func (w *world) sample() string {
	w.t.Helper()
	app := w.repo("app")
	feat := app.Worktree(w.src("feat-x"), "feat-x")
	lib := w.repo("lib")
	w.session(1, app.Dir, "main", 2*time.Minute, "tidy the parser")
	w.session(2, app.Dir, "topic", time.Hour, "grow the index")
	w.session(3, feat.Dir, "feat-x", 3*time.Hour, "prune the roses")
	w.session(4, lib.Dir, "main", 5*time.Hour, "water the seeds")
	w.session(5, w.src(), "", 50*time.Hour, "mow the lawn")
	hidden := w.talk(6, app.Dir, "main", 80*time.Hour)
	hidden.Entrypoint = "sdk-cli"
	w.save(hidden.User("count the ants").Assistant().Title("count the ants"))
	return app.Dir
}

// testSizes goes through the dashboard at several sizes: start, move, filter,
// search, preview, rename, copy, help, resume, return.
func testSizes(t *testing.T, bin string) {
	for _, size := range []struct{ w, h int }{{40, 12}, {80, 24}, {200, 60}} {
		t.Run(fmt.Sprintf("%dx%d", size.w, size.h), func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, bin)
			p := w.open(size.w, size.h, w.sample())
			chosen(p, "tidy the parser")
			p.WaitText("grow the index") // rows may come one by one

			p.Press("Down")
			chosen(p, "grow the index")
			p.Press("k")
			chosen(p, "tidy the parser")
			filters(t, p)
			searches(p)
			looks(p)

			p.Press("r", "Ctrl-U")
			p.Type("cut the hedge")
			p.Press("Enter")
			p.WaitText("renamed to cut the hedge")
			chosen(p, "cut the hedge")

			p.Press("y")
			p.WaitText("resume command")
			p.Press("Enter")
			snap := p.WaitText("sent to the terminal")
			if want := "00000001-1111-4222-8333-000000000001"; snap.Clipboard != want {
				t.Errorf("clipboard %q, want %q", snap.Clipboard, want)
			}

			p.Press("?")
			p.WaitText("Keys")
			p.Press("Esc")
			p.WaitGone("Keys")

			p.Press("Enter")
			p.WaitText("back from the session")
			if starts := w.starts(); len(starts) != 1 {
				t.Errorf("the agent was started %d times", len(starts))
			}
			p.Press("Down") // the first key counts (report G4)
			chosen(p, "grow the index")
			leaves(t, p, "q")
		})
	}
}

// filters goes through the scopes: it starts at the main checkout and ends at the
// newest session of everything.
func filters(t *testing.T, p *screentest.Process) {
	t.Helper()
	shows(t, p, "prune the roses", false)
	p.Press("W") // all worktrees of the repository
	p.WaitText("prune the roses")
	shows(t, p, "water the seeds", false)
	p.Press("A") // everything
	p.WaitText("water the seeds")
	p.WaitText("mow the lawn")
	p.Press("Down")
	chosen(p, "grow the index")
	p.Press("B") // its branch only
	p.WaitGone("tidy the parser")
	p.Press("B")
	p.WaitText("tidy the parser")
	p.Press("H") // hidden ones too
	p.WaitText("count the ants")
	p.Press("H")
	p.WaitGone("count the ants")
	p.Press("Home")
	chosen(p, "tidy the parser")
}

// shows checks whether a text is on the screen now.
func shows(t *testing.T, p *screentest.Process, text string, want bool) {
	t.Helper()
	if snap := p.Snapshot(); snap.Contains(text) != want {
		t.Errorf("%q on the screen: %t, want %t:\n%s", text, !want, want, snap.Text())
	}
}

// searches finds by words, pasted pull requests included, and ends where it began.
func searches(p *screentest.Process) {
	p.Press("/")
	p.Type("rose")
	p.WaitText("1 of 5")
	chosen(p, "prune the roses")
	p.Press("Esc")
	p.WaitText("5 of 5")
	p.Type("nothing is called so")
	p.WaitText("Nothing matches")
	p.Press("Esc", "Esc")
	p.WaitGone("Nothing matches")
	p.Press("Home")
	chosen(p, "tidy the parser")
}

// looks opens the preview at full size and comes back.
func looks(p *screentest.Process) {
	p.Press("Space")
	p.WaitText("I will tidy the parser.")
	p.WaitGone("Sessions")
	p.Press("Space")
	p.WaitText("Sessions")
	chosen(p, "tidy the parser")
}

// testResizeStorm changes the size while the screen is drawn: nothing breaks, and
// the last size is the one shown.
func testResizeStorm(t *testing.T, bin string) {
	w := newWorld(t, bin)
	p := w.open(80, 24, w.sample())
	chosen(p, "tidy the parser")
	for i := range 60 {
		p.Resize(1+(i*37)%150, 1+(i*11)%50)
		p.Press([]string{"Down", "Tab", "Up", "Space", "A"}[i%5])
	}
	p.Resize(100, 30)
	p.Wait("a whole window", func(s *screentest.Snapshot) bool {
		return s.Line(0) != "" && s.Cells[s.Height-2][s.Width-1].Text == "┘" && s.Cells[s.Height-2][0].Text == "└"
	})
	leaves(t, p, "q")
}

// testMouse selects and opens with the mouse, and turns the wheel.
func testMouse(t *testing.T, bin string) {
	w := newWorld(t, bin)
	p := w.open(120, 30, w.sample())
	p.WaitText("grow the index")
	x, y, _ := chosen(p, "tidy the parser").Find("grow the index")
	p.Click(x, y)
	chosen(p, "grow the index")
	p.Wheel(x, y, -3)
	p.Click(x, y-1)
	chosen(p, "tidy the parser")
	p.WaitText("I will tidy the parser.")
	p.Click(x, y-1)
	p.Click(x, y-1) // a double click opens
	p.WaitText("back from the session")
	leaves(t, p, "q")
	if n := len(w.starts()); n != 1 {
		t.Errorf("the agent was started %d times", n)
	}
}

package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"coppice/session/sessiontest"
	"coppice/transcript/transcripttest"
	"coppice/ui/screentest"
	"coppice/worktree/worktreetest"
)

// inTree gives the keys to the tree and goes to the node with a label.
func inTree(p *screentest.Process, label string) {
	on := func(label string) *screentest.Snapshot {
		return p.Wait("the cursor on "+label, func(s *screentest.Snapshot) bool { return onNode(s, label) })
	}
	p.Press("Esc")
	keys := func(s *screentest.Snapshot) int { return strings.Index(s.Line(1), "┌▸") } // the pane that has them
	for s := p.WaitText("Projects"); !strings.Contains(s.Line(1), "▸Projects"); {
		at := keys(s)
		p.Press("Shift-Tab")
		s = p.Wait("the keys elsewhere", func(s *screentest.Snapshot) bool { return keys(s) >= 0 && keys(s) != at })
	}
	p.Press("Home")
	for s := on("everything"); !onNode(s, label); {
		at := cursorRow(s)
		if below := strings.TrimPrefix(s.Line(at+1), "│"); strings.TrimSpace(strings.SplitN(below, "│", 2)[0]) == "" {
			p.Press("Home") // the row came while the cursor was below it
			s = on("everything")
			continue
		}
		p.Press("Down")
		s = p.Wait("another node", func(s *screentest.Snapshot) bool { return cursorRow(s) != at })
	}
}

// cursorRow is the row of the screen that the cursor of the tree is in, -1 for none.
func cursorRow(s *screentest.Snapshot) int {
	for y := range s.Height {
		if strings.HasPrefix(s.Line(y), "│▸") {
			return y
		}
	}
	return -1
}

// onNode reports whether the cursor of the tree is on the node with a label.
func onNode(s *screentest.Snapshot, label string) bool {
	y := cursorRow(s)
	return y >= 0 && strings.HasPrefix(strings.TrimLeft(strings.TrimPrefix(s.Line(y), "│▸"), " ▸▾◉○⎇·"), label)
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

// there reports whether something is at a path.
func there(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// testNewWorktree makes a worktree from the window and starts a session in it.
func testNewWorktree(t *testing.T, bin string) {
	w := newWorld(t, bin)
	w.behind()
	app := w.repo("app")
	w.session(1, app.Dir, "main", time.Hour, "prune the roses")
	w.configure("[agents.claude]\ncommand = [" + sessiontest.Quote(filepath.Join(bin, "fakeagent")) + "]\n" +
		"[worktree]\nsetup = [\"sh\", \"-c\", \"echo planting; pwd > planted\"]\n")
	w.script("REGISTER="+string(w.root), "WAIT=1")
	p := w.open(120, 34, app.Dir)
	chosen(p, "prune the roses")
	p.WaitText("◉ main")
	p.Press("w")
	says(p, "New worktree", "of app", "from a new branch")
	p.Type("tidy/it")
	says(p, "New worktree", "~/src/app/.claude/worktrees/tidy+it", "worktree-tidy+it", "set-up sh -c echo planting")
	p.Press("Enter")
	says(p, "The worktree is there", "on the branch worktree-tidy+it, from HEAD", "start a session in it")
	tree := filepath.Join(app.Dir, ".claude", "worktrees", "tidy+it")
	p.Wait("its row chosen", func(s *screentest.Snapshot) bool { return onNode(s, "tidy+it") })
	if data, err := os.ReadFile(filepath.Join(tree, "planted")); err != nil || strings.TrimSpace(string(data)) != tree {
		t.Errorf("the set-up command ran in %q, %v", data, err)
	}
	p.Press("Enter")
	p.WaitText("fakeagent waits")
	p.Type("q\r")
	p.WaitText("back from the session")
	leaves(t, p, "q")
	if starts := w.starts(); len(starts) != 1 || starts[0].Cwd != tree {
		t.Errorf("started %+v", starts)
	}
	if branch := worktreetest.At(t, tree).Git("branch", "--show-current"); branch != "worktree-tidy+it" {
		t.Errorf("on the branch %q", branch)
	}
}

// testSetUpStopped cancels the making of a worktree while its set-up command runs:
// its output shows, and nothing is left behind.
func testSetUpStopped(t *testing.T, bin string) {
	w := newWorld(t, bin)
	app := w.repo("app")
	w.session(1, app.Dir, "main", time.Hour, "prune the roses")
	w.configure("[worktree]\nsetup = [\"sh\", \"-c\", \"touch planted; echo planting; sleep 600\"]\n")
	p := w.open(100, 30, app.Dir)
	chosen(p, "prune the roses")
	p.WaitText("◉ main")
	before := app.Git("for-each-ref") + app.Git("worktree", "list")
	p.Press("w")
	says(p, "New worktree", "of app")
	p.Type("x")
	p.Press("Enter")
	says(p, "Making the worktree", "planting")
	tree := filepath.Join(app.Dir, ".claude", "worktrees", "x")
	if !there(filepath.Join(tree, "planted")) {
		t.Error("the set-up command did not run")
	}
	p.Press("Esc")
	p.WaitText("was cancelled; nothing is left behind")
	if there(filepath.Join(app.Dir, ".claude")) {
		t.Error("a directory is left")
	}
	if after := app.Git("for-each-ref") + app.Git("worktree", "list"); after != before {
		t.Errorf("was\n%s, is\n%s", before, after)
	}
	leaves(t, p, "q")
}

// testBranch opens a branch without a worktree: it is checked out where that is
// clean, and gets a worktree.
func testBranch(t *testing.T, bin string) {
	w := newWorld(t, bin)
	app := w.repo("app")
	app.Git("branch", "topic")
	app.Write("README", "changed\n")
	w.session(1, app.Dir, "main", time.Hour, "prune the roses")
	w.session(2, app.Dir, "topic", 2*time.Hour, "water the seeds")
	p := w.open(120, 34, app.Dir)
	chosen(p, "prune the roses")
	p.WaitText("topic")
	inTree(p, "topic")
	p.WaitText("water the seeds")
	p.Press("Enter")
	says(p, "A branch without a worktree", "topic", "make a worktree for it", "check it out in the main checkout, ~/src/app", "show its 1 session")
	p.Press("Down", "Enter")
	p.WaitText("not clean: 1 changed file")
	if branch := app.Git("branch", "--show-current"); branch != "main" {
		t.Fatalf("on the branch %s", branch)
	}
	app.Git("checkout", "README")
	p.Press("Enter")
	says(p, "A branch without a worktree", "topic")
	p.Press("Down", "Enter")
	p.WaitText("topic is checked out in the main checkout")
	if branch := app.Git("branch", "--show-current"); branch != "topic" {
		t.Fatalf("on the branch %s", branch)
	}
	p.Wait("main as a branch", func(s *screentest.Snapshot) bool { return s.Contains("◉ topic") && s.Contains("⎇  main") })
	inTree(p, "main")
	p.Press("Enter")
	says(p, "A branch without a worktree", "main", "make a worktree for it")
	p.Press("Enter")
	says(p, "New worktree", "name main", "from the branch main", "~/src/app/.claude/worktrees/main")
	p.Press("Enter")
	says(p, "The worktree is there", "on the branch main")
	p.Press("Esc")
	leaves(t, p, "q")
	if branch := worktreetest.At(t, filepath.Join(app.Dir, ".claude", "worktrees", "main")).Git("branch", "--show-current"); branch != "main" {
		t.Errorf("on the branch %s", branch)
	}
}

// testRemoveWorktree removes worktrees: at once where nothing would be lost, else
// by the typed name only.
func testRemoveWorktree(t *testing.T, bin string) {
	w := newWorld(t, bin)
	app := w.repo("app")
	clean := app.Worktree(w.src("clean"), "clean")
	dirty := app.Worktree(w.src("dirty"), "dirty")
	dirty.Write("notes", "mine\n")
	path := w.session(1, dirty.Dir, "dirty", time.Hour, "prune the roses")
	was := stateOf(t, path)
	p := w.open(120, 34, app.Dir)
	p.WaitText("prune the roses")
	p.WaitText("◉ dirty")
	inTree(p, "main")
	p.Press("D")
	p.WaitText("this is the main checkout, which is never removed")
	inTree(p, "clean")
	p.Press("D")
	says(p, "Remove this worktree?", "~/src/clean", "nothing would be lost", "its branch clean stays", "remove it and its branch clean")
	p.Press("Esc")
	p.WaitGone("Remove this worktree?")
	if !there(clean.Dir) {
		t.Fatal("Esc removed it")
	}
	p.Press("D")
	says(p, "Remove this worktree?", "~/src/clean")
	p.Press("Down", "Enter")
	p.WaitText("removed clean")
	p.WaitGone("◉ clean")
	if there(clean.Dir) || app.Git("branch", "--list", "clean") != "" {
		t.Error("the worktree or its branch is still there")
	}
	inTree(p, "dirty")
	p.Press("D")
	says(p, "Something would be lost", "1 untracked file", "notes", "1 ended session", "type dirty:")
	p.Type("dirt")
	p.Press("Enter")
	p.WaitText("type dirty to remove it all the same")
	if !there(dirty.Path("notes")) {
		t.Fatal("half a name removed it")
	}
	p.Type("y")
	p.Press("Enter")
	p.WaitText("removed dirty")
	leaves(t, p, "q")
	if there(dirty.Dir) || app.Git("branch", "--list", "dirty") == "" {
		t.Error("the worktree is still there, or its branch is not")
	}
	if stateOf(t, path) != was {
		t.Error("the transcript changed")
	}
}

// testMergedWorktrees removes the merged worktrees that nothing is in.
func testMergedWorktrees(t *testing.T, bin string) {
	w := newWorld(t, bin)
	app := w.repo("app")
	done := app.Worktree(w.src("done"), "done")
	busy := app.Worktree(w.src("busy"), "busy")
	busy.Write("notes", "mine\n")
	open := app.Worktree(w.src("open"), "open")
	open.Commit("new", "x\n")
	w.session(1, app.Dir, "main", time.Hour, "prune the roses")
	p := w.open(120, 34, app.Dir)
	chosen(p, "prune the roses")
	p.WaitText("◉ open")
	p.Press("M")
	snap := says(p, "Merged worktrees of app", "[x] done merged into main", "– busy merged into main")
	if words, _ := box(snap, "Merged worktrees of app"); strings.Contains(words, "open") {
		t.Errorf("offers one that is not merged:\n%s", snap.Text())
	}
	p.Press("Enter")
	p.WaitText("removed done")
	leaves(t, p, "q")
	if there(done.Dir) || !there(busy.Path("notes")) || !there(open.Dir) {
		t.Error("removed the wrong ones")
	}
}

// testLastUser: the end of the session that a worktree was made for offers to
// remove it, unless another one refers to it.
func testLastUser(t *testing.T, bin string) {
	w := newWorld(t, bin)
	app := w.repo("app")
	tree := app.Worktree(filepath.Join(app.Dir, ".claude", "worktrees", "tidy"), "worktree-tidy")
	bound := func(n int, title string, age time.Duration) {
		b := w.talk(n, tree.Dir, "worktree-tidy", age)
		w.save(b.User("please "+title).Worktree(app.Dir, tree.Dir, "tidy", "worktree-tidy").Assistant(transcripttest.Text("Done.")).Title(title))
	}
	bound(1, "prune the roses", time.Hour)
	p := w.open(120, 34, tree.Dir)
	chosen(p, "prune the roses")
	p.WaitText("◉ tidy")
	p.Press("Enter")
	says(p, "Nobody uses this worktree now", "nothing would be lost", "keep it", "remove it; its branch worktree-tidy stays")
	p.Press("Enter")
	p.WaitGone("Nobody uses this worktree now")
	if !there(tree.Dir) {
		t.Fatal("keeping it removed it")
	}
	bound(2, "water the seeds", 2*time.Hour)
	p.WaitText("water the seeds")
	p.Press("Enter")
	p.WaitText("back from the session")
	if n := len(w.starts()); n != 2 {
		t.Errorf("%d starts", n)
	}
	p.Press("Down")
	p.Wait("no offer", func(s *screentest.Snapshot) bool { return !s.Contains("Nobody uses") && !s.Contains("back from") })
	leaves(t, p, "q")
	if !there(tree.Dir) {
		t.Error("the worktree is gone")
	}
}

// testPullRequests shows what gh says of a branch, whatever it says.
func testPullRequests(t *testing.T, bin string) {
	w := newWorld(t, bin)
	app := w.repo("app")
	app.Worktree(w.src("feat"), "feat")
	app.Git("config", "remote.origin.url", "git@github.com:ann/app.git")
	w.session(1, app.Dir, "main", time.Hour, "prune the roses")
	gh := w.path("bin", "gh")
	worktreetest.WriteFile(t, gh, "#!/bin/sh\necho \"$PWD $*\" >> "+w.path("asked")+"\n"+
		`echo '[{"number":7,"title":"Prune \u001b[2J\u001b]0;x\u0007 all","url":"https://x/7","state":"OPEN","headRefName":"feat","baseRefName":"main",`+
		`"statusCheckRollup":[{"status":"COMPLETED","conclusion":"SUCCESS"}]}]'`+"\n")
	if err := os.Chmod(gh, 0o755); err != nil {
		t.Fatal(err)
	}
	w.env["PATH"] = filepath.Dir(gh) + string(filepath.ListSeparator) + w.env["PATH"]
	p := w.open(140, 30, app.Dir)
	chosen(p, "prune the roses")
	p.WaitText("#7✓")
	inTree(p, "feat")
	p.WaitText("#7 open, checks pass: Prune ␛[2J␛]0;x␇ all")
	p.WaitText("no commit apart")
	leaves(t, p, "q")
	if data, err := os.ReadFile(w.path("asked")); err != nil || !strings.HasPrefix(string(data), "/ pr list --repo github.com/ann/app ") || strings.Count(string(data), "\n") != 1 {
		t.Errorf("asked %q, %v", data, err)
	}
	w.configure("[worktree]\npr = false\n")
	p = w.open(140, 30, app.Dir)
	chosen(p, "prune the roses")
	p.WaitText("◉ feat")
	leaves(t, p, "q")
	if data, _ := os.ReadFile(w.path("asked")); strings.Count(string(data), "\n") != 1 {
		t.Errorf("asked although it is not wanted: %q", data)
	}
}

// testForkInto forks a session into a worktree of its own, with what is not
// committed; the original keeps its files.
func testForkInto(t *testing.T, bin string) {
	w := newWorld(t, bin)
	w.behind()
	app := w.repo("app")
	app.Write("README", "changed\n")
	app.Write("notes", "mine\n")
	path := w.session(1, app.Dir, "main", time.Hour, "prune the roses")
	was := stateOf(t, path)
	w.script("REGISTER="+string(w.root), "WAIT=1")
	p := w.open(120, 36, app.Dir)
	chosen(p, "prune the roses")
	p.WaitText("±2")
	p.Press("F")
	says(p, "Fork into a new worktree", "of prune the roses", "name prune-the-roses", "~/src/app/.claude/worktrees/prune-the-roses", "copy its 2 uncommitted changes")
	p.Press("Ctrl-U")
	p.Type("try")
	p.Press("Down", "Enter")
	says(p, "Before it starts", "prune the roses (fork)", "made first, from HEAD, with the uncommitted changes of", "make the worktree, and fork into it")
	tree := filepath.Join(app.Dir, ".claude", "worktrees", "try")
	if there(tree) {
		t.Fatal("made before it was agreed to")
	}
	p.Press("Enter")
	p.WaitText("fakeagent waits")
	p.WaitText("▸1 ◌ prune the roses (fork)")
	p.Press("Ctrl-]", "Esc")
	p.Wait("the new worktree", func(s *screentest.Snapshot) bool { return s.Contains("◉ try") })
	p.Press("/")
	p.Type("(fork")
	p.Press("Enter")
	chosen(p, "prune the roses (")
	p.Press("x")
	p.WaitText("End this session?")
	p.Press("Enter")
	p.WaitText("has ended")
	leaves(t, p, "q")
	for _, dir := range []string{app.Dir, tree} {
		at := worktreetest.At(t, dir)
		if data, _ := os.ReadFile(at.Path("README")); string(data) != "changed\n" {
			t.Errorf("README in %s is %q", dir, data)
		}
		if data, _ := os.ReadFile(at.Path("notes")); string(data) != "mine\n" {
			t.Errorf("notes in %s is %q", dir, data)
		}
	}
	if stateOf(t, path) != was {
		t.Error("the source changed")
	}
	starts := w.starts()
	if len(starts) != 1 || starts[0].Cwd != tree || slices.Contains(starts[0].Args, sessiontest.ID(1)) {
		t.Errorf("started %+v", starts)
	}
}

// testRestore has the missing worktree of a session made again, and the session
// resumed in it; another one is moved to the main checkout.
func testRestore(t *testing.T, bin string) {
	w := newWorld(t, bin)
	w.behind()
	app := w.repo("app")
	tree := app.Worktree(filepath.Join(app.Dir, ".claude", "worktrees", "tidy"), "worktree-tidy")
	tree.Commit("more", "x\n")
	b := w.talk(1, tree.Dir, "worktree-tidy", time.Hour)
	w.save(b.User("please prune").Worktree(app.Dir, tree.Dir, "tidy", "worktree-tidy").Assistant(transcripttest.Text("Done.")).Title("prune the roses"))
	app.Git("worktree", "remove", tree.Dir)
	w.script("REGISTER="+string(w.root), "WAIT=1")
	p := w.open(120, 36, app.Dir)
	p.WaitText("◉ main")
	p.Press("A")
	chosen(p, "prune the roses")
	p.Press("Enter")
	snap := says(p, "Before it starts", "its worktree", "is gone", "make the worktree again (branch worktree-tidy)", "resume in another directory", "move the session to "+app.Dir)
	if words, _ := box(snap, "Before it starts"); strings.Index(words, "make the worktree again") > strings.Index(words, "resume in ") {
		t.Errorf("it is not offered first:\n%s", snap.Text())
	}
	p.Press("Enter")
	p.WaitText("fakeagent waits")
	p.Type("q\r")
	p.WaitText("back from the session")
	leaves(t, p, "q")
	if starts := w.starts(); len(starts) != 1 || starts[0].Cwd != tree.Dir {
		t.Errorf("started %+v", starts)
	}
	if data, err := os.ReadFile(tree.Path("more")); err != nil || string(data) != "x\n" || tree.Git("branch", "--show-current") != "worktree-tidy" {
		t.Errorf("the worktree has %q, %v", data, err)
	}
}

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
)

// others returns the transcripts beside one, sorted.
func others(t *testing.T, path string) []string {
	t.Helper()
	all, err := filepath.Glob(filepath.Join(filepath.Dir(path), "*.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	return slices.DeleteFunc(all, func(p string) bool { return p == path })
}

// testFork forks a session in the window: the name is offered, the fork is chosen
// when it is there, and the source is as it was.
func testFork(t *testing.T, bin string) {
	w := newWorld(t, bin)
	app := w.repo("app")
	tree := app.Worktree(w.src("tree"), "topic")
	path := w.session(1, app.Dir, "main", time.Hour, "tidy the parser")
	was := stateOf(t, path)
	p := w.open(140, 30, app.Dir)
	chosen(p, "tidy the parser")
	p.Press("f")
	says(p, "Fork", "of tidy the parser", "name tidy the parser (fork)", "work on the same files there", "in ~/src/app")
	p.Press("Esc")
	p.Wait("no dialog", func(s *screentest.Snapshot) bool { return !s.Contains("work on the same files there") })
	if made := others(t, path); len(made) > 0 {
		t.Fatalf("made %q", made)
	}
	p.Press("f")
	says(p, "Fork", "name tidy the parser (fork)")
	p.Type(" 漢字")
	p.Press("Enter")
	p.WaitText("forked as tidy the parser (fork) 漢字")
	p.WaitText("the same files as its source")
	chosen(p, "tidy the parser (fork) 漢字")

	p.Press("f") // a fork of the fork, in the other worktree
	says(p, "Fork", "of tidy the parser (fork) 漢字", "in ~/src/tree")
	p.Press("Down")
	says(p, "Fork", "it has files of its own there")
	p.Press("Ctrl-U")
	p.Type("in the tree")
	p.Press("Enter")
	p.WaitText("forked as in the tree")
	chosen(p, "in the tree")
	p.WaitText("app · all worktrees")
	leaves(t, p, "q")

	if stateOf(t, path) != was {
		t.Error("the source changed")
	}
	made := others(t, path)
	if len(made) != 1 {
		t.Fatalf("made %q", made)
	}
	fork := stateOf(t, made[0])
	id := strings.TrimSuffix(filepath.Base(made[0]), ".jsonl")
	for _, want := range []string{`"customTitle":"tidy the parser (fork) 漢字"`, `"forkedFrom":{"sessionId":"` + sessiontest.ID(1), `"sessionId":"` + id + `"`} {
		if !strings.Contains(fork.text, want) {
			t.Errorf("the fork lacks %s:\n%s", want, fork.text)
		}
	}
	if time.Since(fork.time) > time.Hour/2 {
		t.Errorf("the fork is as old as %v (report F5)", fork.time)
	}
	if in, err := filepath.Glob(filepath.Join(w.root.Folder(tree.Dir), "*.jsonl")); err != nil || len(in) != 1 {
		t.Errorf("in the folder of the worktree: %q, %v", in, err)
	}
}

// testDelete deletes a session after a question, and brings it back.
func testDelete(t *testing.T, bin string) {
	w := newWorld(t, bin)
	app := w.repo("app").Dir
	w.session(1, app, "main", time.Minute, "tidy the parser")
	path := w.session(2, app, "main", time.Hour, "grow the index")
	side := strings.TrimSuffix(path, ".jsonl")
	if err := os.MkdirAll(filepath.Join(side, "tool-results"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(side, "tool-results", "x.txt"), []byte("output"), 0o644); err != nil {
		t.Fatal(err)
	}
	was := stateOf(t, path)
	p := w.open(140, 30, app)
	chosen(p, "tidy the parser")
	p.WaitText("grow the index")
	p.Press("Down")
	chosen(p, "grow the index")
	p.Press("D")
	says(p, "Delete this session?", "grow the index", "To the trash, from where", "coppice undo")
	p.Press("Esc")
	chosen(p, "grow the index")
	if stateOf(t, path) != was {
		t.Error("Esc deleted it")
	}
	p.Press("D", "Enter")
	p.WaitText("deleted grow the index; u brings it back")
	chosen(p, "tidy the parser")
	if _, err := os.Lstat(path); !os.IsNotExist(err) {
		t.Errorf("the transcript is still there: %v", err)
	}
	if _, err := os.Lstat(side); !os.IsNotExist(err) {
		t.Errorf("the directory beside it is still there: %v", err)
	}
	p.Press("u")
	p.WaitText("grow the index is back")
	chosen(p, "grow the index")
	leaves(t, p, "q")
	if got := stateOf(t, path); got.text != was.text || got.time.Sub(was.time).Abs() > time.Second {
		t.Errorf("it came back as of %v, was of %v", got.time, was.time)
	}
	if out, err := os.ReadFile(filepath.Join(side, "tool-results", "x.txt")); err != nil || string(out) != "output" {
		t.Errorf("beside it: %q, %v", out, err)
	}
}

// broken writes a session of four turns whose second answer is lost: the client
// would drop all that came before (observed A.2).
func (w *world) broken(n int, dir string) string {
	b := w.talk(n, dir, "main", time.Hour)
	b.User("plant an oak").Assistant(transcripttest.Text("Planted."))
	b.User("water it")
	head := b.Len()
	b.Assistant(transcripttest.Text("lost words"))
	text := string(b.Bytes())[:head]
	b.Reset()
	b.Time = b.Time.Add(time.Minute)
	b.User("prune it").Assistant(transcripttest.Text("Pruned.")).Title("care for the oak")
	tail := string(b.Bytes())
	b.Reset()
	return w.save(b.Raw(text + tail))
}

// testRepairedFork resumes a session of which the client would drop a part: the
// plan says so and offers a repaired fork, on which the agent is started.
func testRepairedFork(t *testing.T, bin string) {
	w := newWorld(t, bin)
	app := w.repo("app").Dir
	path := w.broken(1, app)
	was := stateOf(t, path)
	w.script("PRINT=the agent is here", "WAIT=1")
	p := w.open(140, 34, app)
	chosen(p, "care for the oak")
	p.Press("Enter")
	snap := says(p, "Before it starts", "the agent would drop 3 messages", "resume a repaired fork, which drops nothing", "resume as planned")
	if words, _ := box(snap, "Before it starts"); strings.Index(words, "a repaired fork, which") > strings.Index(words, "as planned") {
		t.Errorf("the repaired fork is not offered first:\n%s", snap.Text())
	}
	p.Press("Enter")
	p.WaitText("fakeagent waits")
	p.Type("\n")
	p.WaitText("back from the session")
	chosen(p, "care for the oak (fork)")
	for _, said := range []string{"plant an oak", "water it", "Pruned."} {
		p.WaitText(said)
	}
	leaves(t, p, "q")
	if stateOf(t, path) != was {
		t.Error("the source changed")
	}
	made := others(t, path)
	if len(made) != 1 {
		t.Fatalf("made %q", made)
	}
	starts := w.starts()
	if len(starts) != 1 || !slices.Contains(starts[0].Args, strings.TrimSuffix(filepath.Base(made[0]), ".jsonl")) || starts[0].Cwd != app {
		t.Errorf("started %+v", starts)
	}
}

// testDamageShown looks at a damaged session: what is wrong with it, and what a
// fork does about it, stands in the preview.
func testDamageShown(t *testing.T, bin string) {
	w := newWorld(t, bin)
	app := w.repo("app").Dir
	b := w.talk(1, app, "main", time.Hour).User("plant an oak").Assistant(transcripttest.Text("Planted.")).Title("torn apart").Raw("{\"type\":\"us")
	w.save(b)
	p := w.open(140, 30, app)
	chosen(p, "torn apart")
	p.Wait("what is wrong", func(s *screentest.Snapshot) bool {
		return s.Contains("is cut off") && s.Contains("f makes a repaired fork")
	})
	leaves(t, p, "q")
}

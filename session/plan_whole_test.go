package session_test

import (
	"os"
	"path/filepath"
	"testing"

	"coppice/session"
	"coppice/transcript"
	"coppice/transcript/transcripttest"
	"coppice/worktree/worktreetest"
)

// A row of which only the head and the tail were read knows neither the
// worktree binding nor the mode in the middle of its file: the plan does.
func TestPlanReadsWhatARowDoesNotKnowYet(t *testing.T) {
	t.Parallel()
	repo := worktreetest.New(t, filepath.Join(worktreetest.Dir(t), "app"))
	main, tree := repo.Dir, repo.Worktree(filepath.Join(filepath.Dir(repo.Dir), "side"), "worktree-side").Dir
	b := transcripttest.New(idA)
	b.Dir = main
	b.Head().User("begin").Assistant(transcripttest.Text("yes"))
	b.Request(300 << 10)
	b.Worktree(main, tree, "side", "worktree-side").Modes("normal", "plan")
	b.Request(300 << 10)
	path := filepath.Join(t.TempDir(), idA+".jsonl")
	if err := os.WriteFile(path, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	peeked, err := transcript.Peek(t.Context(), f, int64(b.Len()))
	if err != nil {
		t.Fatal(err)
	}
	if peeked.Complete || peeked.Worktree != nil {
		t.Fatalf("the fixture is too small: its head and tail tell everything")
	}
	s := sessionIn(main, "main")
	s.Path, s.Copies, s.Summary = path, []session.Copy{{Path: path, Dir: main}}, peeked

	got := plan(t, planner(), s, nil, session.Request{})
	if got.Cwd != tree || got.Permission.Mode != "plan" {
		t.Errorf("cwd %q, mode %q; want %q and plan", got.Cwd, got.Permission.Mode, tree)
	}
}

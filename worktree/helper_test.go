package worktree_test

import (
	"context"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"coppice/worktree"
	"coppice/worktree/worktreetest"
)

// real is a Git with the real program and no configuration but the
// repository's.
func real(t testing.TB) worktree.Git {
	t.Helper()
	return worktree.Git{
		Program: worktreetest.Program(t),
		Env:     worktreetest.Env(t.TempDir()),
		Timeout: time.Minute,
	}
}

func open(t testing.TB, g worktree.Git, dir string) worktree.Repository {
	t.Helper()
	repo, err := g.Open(context.Background(), dir)
	if err != nil {
		t.Fatal(err)
	}
	if repo.Worktrees == nil || repo.Branches == nil {
		t.Fatal("a slice is nil")
	}
	return repo
}

// find returns the worktree with the path.
func find(t testing.TB, repo worktree.Repository, path string) worktree.Worktree {
	t.Helper()
	for _, w := range repo.Worktrees {
		if w.Path == path {
			return w
		}
	}
	t.Fatalf("no worktree at %s in %+v", path, repo.Worktrees)
	return worktree.Worktree{}
}

func branch(t testing.TB, repo worktree.Repository, name string) worktree.Branch {
	t.Helper()
	for _, b := range repo.Branches {
		if b.Name == name {
			return b
		}
	}
	t.Fatalf("no branch %q in %+v", name, repo.Branches)
	return worktree.Branch{}
}

func wantProblem(t testing.TB, problem, part string) {
	t.Helper()
	if !strings.Contains(problem, part) || (part == "") != (problem == "") {
		t.Errorf("problem %q, want one with %q", problem, part)
	}
	if strings.ContainsAny(problem, "\n\x1b") {
		t.Errorf("problem %q is not one clean line", problem)
	}
}

func sub(dir string, elem ...string) string {
	return filepath.Join(append([]string{dir}, elem...)...)
}

// fifo makes a pipe that nobody writes to: whoever opens it waits for ever.
func fifo(t testing.TB, path string) {
	t.Helper()
	worktreetest.MkdirAll(t, filepath.Dir(path))
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
}

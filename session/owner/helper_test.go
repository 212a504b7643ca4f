package owner_test

import (
	"maps"
	"path/filepath"
	"testing"
	"time"

	"coppice/config"
	"coppice/session"
	"coppice/session/owner"
	"coppice/transcript"
	"coppice/worktree"
	"coppice/worktree/worktreetest"
)

// The sessions of a test.
const (
	first  = "11111111-1111-4111-8111-111111111111"
	second = "22222222-2222-4222-8222-222222222222"
	third  = "33333333-3333-4333-8333-333333333333"
)

// world is a repository and a keeper that looks at no process of this machine.
type world struct {
	repo   worktreetest.Repo
	keeper owner.Keeper
	live   map[string]session.Live
}

func newWorld(t *testing.T) *world {
	t.Helper()
	base := worktreetest.Dir(t)
	w := &world{repo: worktreetest.New(t, filepath.Join(base, "app")), live: map[string]session.Live{}}
	w.keeper = owner.Keeper{
		Git:   worktree.Git{Program: worktreetest.Program(t), Env: worktreetest.Env(filepath.Join(base, "home")), Timeout: time.Minute},
		State: filepath.Join(base, "state"), Config: config.Default().Worktree,
		Live: func() map[string]session.Live { return maps.Clone(w.live) },
	}
	return w
}

// tree makes a worktree by git alone.
func (w *world) tree(name string) worktreetest.Repo {
	return w.repo.Worktree(w.repo.Path(".claude", "worktrees", name), "worktree-"+name)
}

// row is a session that belongs to a directory; minute is when it began.
func row(id, dir string, minute int) session.Session {
	return session.Session{
		ID: id, Title: "work " + id[:1], Dir: dir, Place: worktree.Locate(dir),
		Summary: transcript.Summary{Created: time.Date(2026, 3, 1, 12, minute, 0, 0, time.UTC)},
	}
}

// bound is row for one that the client bound to the worktree.
func bound(id, dir string, minute int) session.Session {
	s := row(id, dir, minute)
	s.Summary.Worktree = &transcript.Worktree{Path: dir}
	return s
}

// fork is row for a fork of another.
func fork(id, of, dir string, minute int) session.Session {
	s := row(id, dir, minute)
	s.Parent = of
	return s
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

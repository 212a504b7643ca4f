package session_test

import (
	"os"
	"path/filepath"
	"testing"

	"coppice/session"
	"coppice/session/sessiontest"
	"coppice/worktree"
)

// A refresh looks at everything, at places too.
func TestWatchRefresh(t *testing.T) {
	t.Parallel()
	root := sessiontest.New(t)
	dir := filepath.Join(t.TempDir(), "app")
	write(t, root, 1, dir)
	store := session.NewStore(options(root))
	w := watch(t, store)
	w.until("a row", func(s state) bool { return s.rows[sessiontest.ID(1)].Place.State == worktree.Gone })
	repository(t, dir)
	store.Refresh()
	s := w.until("a repository", func(s state) bool {
		return s.rows[sessiontest.ID(1)].Place.State == worktree.Present && len(s.repos) == 1 && len(s.statuses) == 1
	})
	for path, status := range s.statuses {
		if status.Problem != "" || status.Path != path {
			t.Errorf("%+v", status)
		}
	}
	remove(t, filepath.Join(dir, ".git"))
	store.Refresh()
	w.until("no repository", func(s state) bool {
		return s.rows[sessiontest.ID(1)].Place.State == worktree.Plain && len(s.repos) == 0
	})
}

// A refresh finds repositories that were made below the roots.
func TestWatchRefreshRoots(t *testing.T) {
	t.Parallel()
	opt := options(sessiontest.New(t))
	opt.Roots = []string{t.TempDir()}
	store := session.NewStore(opt)
	w := watch(t, store)
	w.complete()
	app := repository(t, filepath.Join(opt.Roots[0], "group", "app"))
	store.Refresh()
	w.until("a repository", func(s state) bool { return s.repos[filepath.Join(app, ".git")].Main == app })
}

// A repository that is broken for a while is forgotten and found again.
func TestWatchRepositoryBroken(t *testing.T) {
	t.Parallel()
	root := sessiontest.New(t)
	app := repository(t, filepath.Join(t.TempDir(), "app"))
	for n := range 20 {
		write(t, root, n, app)
	}
	w := watch(t, session.NewStore(options(root)))
	found := func(s state) bool { return len(s.repos) == 1 && s.RepositoriesPending == 0 }
	w.until("the repository", found)
	head := filepath.Join(app, ".git", "HEAD")
	if err := os.Rename(head, head+".away"); err != nil {
		t.Fatal(err)
	}
	w.until("none", func(s state) bool {
		return len(s.repos) == 0 && s.rows[sessiontest.ID(1)].Place.State == worktree.Plain
	})
	if err := os.Rename(head+".away", head); err != nil {
		t.Fatal(err)
	}
	w.until("the repository again", found)
	w.until("its sessions", func(s state) bool { return s.rows[sessiontest.ID(1)].Place.State == worktree.Present })
}

// Branches and worktrees that come and go are noticed.
func TestWatchRepository(t *testing.T) {
	t.Parallel()
	root := sessiontest.New(t)
	app := repository(t, filepath.Join(t.TempDir(), "app"))
	tree := filepath.Join(filepath.Dir(app), "tree")
	write(t, root, 1, app)
	write(t, root, 2, tree, bound(tree, app))
	w := watch(t, session.NewStore(options(root)))
	branches := func(n, trees int) func(state) bool {
		return func(s state) bool {
			r := s.repos[filepath.Join(app, ".git")]
			return len(r.Branches) == n && len(r.Worktrees) == trees
		}
	}
	w.until("one branch", branches(1, 1))
	git(t, app, "branch", "two")
	w.until("two branches", branches(2, 1))
	git(t, app, "worktree", "add", "-q", tree)
	w.until("a worktree", branches(3, 2))
	w.until("its session", func(s state) bool {
		row := s.rows[sessiontest.ID(2)]
		return row.Place.State == worktree.Present && row.Place.Root == tree && row.Project == app
	})
	git(t, app, "worktree", "remove", tree)
	w.until("no worktree", branches(3, 1))
	w.until("its session", func(s state) bool {
		row := s.rows[sessiontest.ID(2)]
		return row.Place.State == worktree.Gone && row.Project == app
	})
}

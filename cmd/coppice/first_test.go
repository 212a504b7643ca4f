package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"coppice/session"
	"coppice/worktree"
	"coppice/worktree/worktreetest"
)

// What was restored for a start that then fails goes again, but a worktree that was
// only lost from sight, and was not made, stays with all that is in it.
func TestTakeBackRestored(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		lose func(t *testing.T, root string) (repository string)
		left bool
	}{
		"directory gone": {func(t *testing.T, root string) string {
			worktreetest.RemoveAll(t, root+"/trees/n")
			return root + "/app"
		}, false},
		"repository moved": {func(t *testing.T, root string) string {
			worktreetest.Rename(t, root+"/app", root+"/moved")
			return root + "/moved"
		}, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			root := worktreetest.Dir(t)
			r := worktreetest.New(t, root+"/app")
			r.Commit(".gitignore", ".env\n")
			w := r.Worktree(root+"/trees/n", "n")
			w.Write(".env", "the only one")
			repository := tc.lose(t, root)
			a := newApp(Env{
				Environ: worktreetest.Env(root), Home: root, Cwd: repository, Stderr: os.Stderr,
				LookPath: exec.LookPath, Now: time.Now,
			})
			_, err := a.prepare(t.Context(), session.Plan{
				Cwd: w.Dir, Fork: &session.PlanFork{}, // of no session, which is refused
				Worktree: session.PlanWorktree{Path: w.Dir, Action: session.TreeRestore, Branch: "n", From: repository},
			}, nil)
			if err == nil {
				t.Fatal("a fork of no session was made")
			}
			if _, err := os.Stat(filepath.Join(w.Dir, ".env")); (err == nil) != tc.left {
				t.Errorf("its only .env: %v", err)
			}
			if state := worktree.Locate(w.Dir).State; (state == worktree.Present) != tc.left {
				t.Errorf("the worktree is %s after %v", state, err)
			}
		})
	}
}

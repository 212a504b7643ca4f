package change_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"coppice/worktree"
	"coppice/worktree/change"
	"coppice/worktree/worktreetest"
)

// stopper is a Git whose run number n hangs, before or after git did its work.
// It cancels the context when that run is reached.
func stopper(t *testing.T, n int, after bool) (worktree.Git, context.Context, func() bool) {
	t.Helper()
	g := real(t)
	dir := t.TempDir()
	program := filepath.Join(dir, "git")
	run, hang := `exec "$real" "$@"`, `touch "$dir/reached"; exec sleep 100`
	at := hang
	if after {
		at = `"$real" "$@"; ` + hang
	}
	worktreetest.WriteScript(t, program, fmt.Sprintf(`real=%s dir=%s
echo x >>"$dir/count"
if [ $(wc -l <"$dir/count") = %d ]; then %s; fi
%s
`, g.Program, dir, n, at, run))
	g.Program = program
	ctx, cancel := context.WithCancel(context.Background())
	reached := filepath.Join(dir, "reached")
	done := make(chan struct{})
	go func() {
		defer close(done)
		for ctx.Err() == nil {
			if _, err := os.Lstat(reached); err == nil {
				cancel()
			}
			select {
			case <-ctx.Done():
			case <-time.After(2 * time.Millisecond):
			}
		}
	}()
	return g, ctx, func() bool {
		cancel()
		<-done
		_, err := os.Lstat(reached)
		return err == nil
	}
}

func wantNothingLeft(t *testing.T, r worktreetest.Repo, before string, err error) {
	t.Helper()
	if !errors.Is(err, context.Canceled) {
		t.Fatalf("error %v, want one of the context", err)
	}
	var left *change.LeftError
	if errors.As(err, &left) {
		t.Errorf("left: %v", left.Left)
	}
	if now := snapshot(t, r); now != before {
		t.Errorf("left:\n%s\nbefore:\n%s", now, before)
	}
}

func TestCancelledCreateLeavesNothing(t *testing.T) {
	t.Parallel()
	for name, from := range map[string]change.Source{
		"base": {}, "remote": {Remote: "origin/topic"}, "request": {PullRequest: 7}, "branch": {Branch: "old"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			origin := worktreetest.New(t, "")
			origin.Git("branch", "topic")
			origin.Git("update-ref", "refs/pull/7/head", "HEAD")
			r := worktreetest.At(t, filepath.Join(worktreetest.Dir(t), "app"))
			worktreetest.MkdirAll(t, r.Dir)
			r.Git("clone", "-q", origin.Dir, ".")
			r.Git("branch", "old")
			r.Write(".worktreeinclude", ".env")
			r.Write(".git/info/exclude", ".env\n")
			r.Write(".env", "x")
			before := snapshot(t, r)
			everyRun(t, func(ctx context.Context, g worktree.Git, stopped func() bool) bool {
				o := options(r, "n")
				o.From = from
				made, err := change.Create(ctx, g, o)
				if !stopped() {
					if err != nil {
						t.Fatal(err)
					}
					r.Git("worktree", "remove", "--force", made.Path)
					if from.Branch == "" {
						r.Git("branch", "-D", made.Branch)
					}
					worktreetest.RemoveAll(t, r.Path(".claude"))
					return false
				}
				wantNothingLeft(t, r, before, err)
				return true
			})
		})
	}
}

// everyRun calls do with a Git that is stopped at its first run, its second, and
// so on, until do ends before it is.
func everyRun(t *testing.T, do func(ctx context.Context, g worktree.Git, stopped func() bool) (more bool)) {
	t.Helper()
	for _, after := range []bool{false, true} {
		n := 1
		for more := true; more; n++ {
			g, ctx, stopped := stopper(t, n, after)
			more = do(ctx, g, stopped)
		}
		if n < 3 {
			t.Errorf("only %d runs of git", n-2)
		}
	}
}

func TestCancelledSetupLeavesNothing(t *testing.T) {
	t.Parallel()
	r := worktreetest.New(t, "")
	before := snapshot(t, r)
	ctx, cancel := context.WithCancel(context.Background())
	o := options(r, "n")
	o.Fill.Setup = []string{"sh", "-c", "(while :; do date >>more; done) & echo ready; wait"}
	o.Fill.Output = writer(func([]byte) { cancel() })
	_, err := change.Create(ctx, real(t), o)
	wantNothingLeft(t, r, before, err)
}

type writer func([]byte)

func (w writer) Write(p []byte) (int, error) {
	w(p)
	return len(p), nil
}

func TestCancelledRestoreLeavesNothing(t *testing.T) {
	t.Parallel()
	for name, prepare := range map[string]func(worktreetest.Repo, worktreetest.Repo){
		"registered": func(_, w worktreetest.Repo) { worktreetest.RemoveAll(t, w.Dir) },
		"forgotten":  func(r, w worktreetest.Repo) { r.Git("worktree", "remove", w.Dir) },
		"no branch": func(r, w worktreetest.Repo) {
			r.Git("worktree", "remove", w.Dir)
			r.Git("branch", "-D", "n")
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := worktreetest.New(t, "")
			w := r.Worktree(".claude/worktrees/n", "n")
			commit := w.Git("rev-parse", "HEAD")
			prepare(r, w)
			before := snapshot(t, r)
			everyRun(t, func(ctx context.Context, g worktree.Git, stopped func() bool) bool {
				_, err := change.Restore(ctx, g, change.RestoreOptions{Repository: r.Dir, Path: w.Dir, Branch: "n", Commit: commit})
				if !stopped() {
					if err != nil {
						t.Fatal(err)
					}
					if got := read(t, filepath.Join(w.Dir, "README")); got != "one\n" {
						t.Errorf("README holds %q", got)
					}
					prepare(r, w)
					return false
				}
				wantNothingLeft(t, r, before, err)
				return true
			})
		})
	}
}

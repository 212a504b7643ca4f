package change_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"coppice/worktree"
	"coppice/worktree/change"
	"coppice/worktree/worktreetest"
)

func restore(t *testing.T, r worktreetest.Repo, path, branch, commit string) (change.Created, error) {
	t.Helper()
	o := change.RestoreOptions{Repository: r.Dir, Path: path, Branch: branch, Commit: commit}
	before := snapshot(t, r)
	seen, errSeen := change.PreviewRestore(context.Background(), real(t), o)
	if after := snapshot(t, r); after != before {
		t.Errorf("looking changed\n%s to\n%s", before, after)
	}
	made, err := change.Restore(context.Background(), real(t), o)
	made.Notes = nil
	if diff := cmp.Diff(made, seen); diff != "" && err == nil || (err == nil) != (errSeen == nil) {
		t.Errorf("foretold %+v, %v, made %+v, %v", seen, errSeen, made, err)
	}
	return made, err
}

// TestRestore is the table of what is left of a worktree and what restoring it
// brings.
func TestRestore(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		lose   func(r, w worktreetest.Repo)
		commit bool
		want   error
		head   string // what HEAD is, short
		status string
	}{
		"registered, staged": {lose: func(_, w worktreetest.Repo) {
			w.Write("staged", "bytes")
			w.Git("add", "staged")
			must(os.RemoveAll(w.Dir))
		}, head: "n", status: "A  staged"},
		"registered, detached": {lose: func(_, w worktreetest.Repo) {
			w.Git("checkout", "-q", "--detach")
			must(os.RemoveAll(w.Dir))
		}, head: "HEAD"},
		"registered, no index": {lose: func(r, w worktreetest.Repo) {
			must(os.RemoveAll(w.Dir))
			must(os.Remove(r.Path(".git/worktrees/n/index")))
		}, head: "n"},
		"registered, locked": {lose: func(r, w worktreetest.Repo) {
			r.Git("worktree", "lock", w.Dir)
			must(os.RemoveAll(w.Dir))
		}, head: "n"},
		"forgotten": {lose: func(r, w worktreetest.Repo) { r.Git("worktree", "remove", w.Dir) }, head: "n"},
		"branch gone": {lose: func(r, w worktreetest.Repo) {
			r.Git("worktree", "remove", w.Dir)
			r.Git("branch", "-qD", "n")
		}, commit: true, head: "n"},
		"all gone": {lose: func(r, w worktreetest.Repo) {
			r.Git("worktree", "remove", w.Dir)
			r.Git("branch", "-qD", "n")
		}, want: change.ErrNothing},
		"branch elsewhere": {lose: func(r, w worktreetest.Repo) {
			r.Git("worktree", "remove", w.Dir)
			r.Git("worktree", "add", "-q", "other", "n")
		}, want: change.ErrInUse},
		"still there": {lose: func(_, _ worktreetest.Repo) {}, want: change.ErrExists},
		"something else there": {lose: func(_, w worktreetest.Repo) {
			must(os.Remove(w.Path(".git")))
		}, want: change.ErrExists},
		"a ghost there": {lose: func(r, w worktreetest.Repo) {
			r.Git("worktree", "remove", w.Dir)
			w.Write("file", "precious")
		}, want: change.ErrExists},
		"symlink there": {lose: func(r, w worktreetest.Repo) {
			r.Git("worktree", "remove", w.Dir)
			must(os.Symlink(r.Dir, w.Dir))
		}, want: change.ErrExists},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := worktreetest.New(t, "")
			w := r.Worktree(".claude/worktrees/n", "n")
			commit := ""
			if tc.commit {
				commit = w.Git("rev-parse", "HEAD")
			}
			other := r.Worktree("stale", "stale")
			worktreetest.RemoveAll(t, other.Dir)
			tc.lose(r, w)
			before := everything(t, r, w)
			made, err := restore(t, r, w.Dir, "n", commit)
			wantErr(t, err, tc.want)
			if err != nil {
				if now := everything(t, r, w); now != before {
					t.Errorf("a refusal wrote:\n%s\nbefore:\n%s", now, before)
				}
				return
			}
			if made.Path != w.Dir || worktree.Locate(w.Dir).State != worktree.Present {
				t.Errorf("made %+v", made)
			}
			if got := w.Git("rev-parse", "--abbrev-ref", "HEAD"); got != tc.head {
				t.Errorf("HEAD is %s, want %s", got, tc.head)
			}
			if got := w.Git("status", "--porcelain"); got != tc.status {
				t.Errorf("status %q, want %q", got, tc.status)
			}
			r.Git("rev-parse", "--verify", "--quiet", "stale")
			if _, err := os.Stat(r.Path(".git/worktrees/stale")); err != nil {
				t.Errorf("another entry was forgotten: %v", err)
			}
		})
	}
}

// TestRestoreAfterAMove: report E17, the repository was moved, alone or with its
// worktrees; report E24, the worktree was.
func TestRestoreAfterAMove(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		worktree func(root string) string
		move     func(root, worktree string) (repository, path string)
	}{
		"repository": {
			func(root string) string { return filepath.Join(root, "trees/n") },
			func(root, w string) (string, string) {
				must(os.Rename(filepath.Join(root, "app"), filepath.Join(root, "moved")))
				return filepath.Join(root, "moved"), w
			},
		},
		"both": {
			func(root string) string { return filepath.Join(root, "app/.claude/worktrees/n") },
			func(root, _ string) (string, string) {
				must(os.Rename(filepath.Join(root, "app"), filepath.Join(root, "moved")))
				return filepath.Join(root, "moved"), filepath.Join(root, "moved/.claude/worktrees/n")
			},
		},
		"worktree": {
			func(root string) string { return filepath.Join(root, "app/.claude/worktrees/n") },
			func(root, w string) (string, string) {
				must(os.Rename(w, w+"2"))
				return filepath.Join(root, "app"), w + "2"
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			root := worktreetest.Dir(t)
			first := worktreetest.New(t, filepath.Join(root, "app"))
			w := first.Worktree(tc.worktree(root), "n")
			w.Write("README", "mine")
			repository, path := tc.move(root, w.Dir)
			r := worktreetest.At(t, repository)
			made, err := restore(t, r, path, "n", "")
			if err != nil {
				t.Fatal(err)
			}
			if made.Path != path {
				t.Errorf("made %+v", made)
			}
			at := worktreetest.At(t, path)
			if got := at.Git("status", "--porcelain"); got != " M README" {
				t.Errorf("status %q", got)
			}
			if place := worktree.Locate(path); place.State != worktree.Present || place.CommonDir != r.Path(".git") {
				t.Errorf("located as %+v", place)
			}
		})
	}
}

func TestLock(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	r := worktreetest.New(t, "")
	w := r.Worktree("n", "n")
	reason := func() string {
		repo, err := real(t).Open(ctx, r.Dir)
		if err != nil {
			t.Fatal(err)
		}
		return repo.Worktrees[1].LockReason
	}
	must(change.Unlock(ctx, real(t), r.Dir, w.Dir)) // not locked: nothing to do
	r.Git("worktree", "lock", "--reason", "claude session n (pid 12 start 345)", w.Dir)
	if got := change.ReadLock(reason()); got != (change.Holder{Kind: change.Client, Note: "n", PID: 12, Start: 345}) {
		t.Errorf("read %+v", got)
	}
	wantErr(t, change.Unlock(ctx, real(t), r.Dir, w.Dir), change.ErrLocked)
	must(change.Lock(ctx, real(t), r.Dir, w.Dir, "used by 2 sessions\nmore"))
	if got := change.ReadLock(reason()); got != (change.Holder{Kind: change.Ours, Note: "used by 2 sessions"}) {
		t.Errorf("read %+v", got)
	}
	must(change.Lock(ctx, real(t), r.Dir, w.Dir, "used by 3 sessions"))
	must(change.Unlock(ctx, real(t), r.Dir, w.Dir))
	missing(t, r.Path(".git/worktrees/n/locked"))
	r.Git("worktree", "lock", "--reason", "a person's", w.Dir)
	wantErr(t, change.Lock(ctx, real(t), r.Dir, w.Dir, "x"), change.ErrLocked)
	wantErr(t, change.Unlock(ctx, real(t), r.Dir, w.Dir), change.ErrLocked)
	if got := change.ReadLock(reason()); got != (change.Holder{Kind: change.Other, Note: "a person's"}) {
		t.Errorf("read %+v", got)
	}
}

package change_test

import (
	"context"
	"errors"
	"os"
	"strings"
	"testing"

	"coppice/worktree"
	"coppice/worktree/change"
	"coppice/worktree/worktreetest"
)

// Every state in which another branch would lose something, or take it along, is
// refused, and all stays as it was. What stays in place does not matter.
func TestCheckout(t *testing.T) {
	t.Parallel()
	nothing := func(worktreetest.Repo) {}
	tests := []struct {
		name   string
		branch string
		make   func(worktreetest.Repo)
		want   error // nil: it is checked out
	}{
		{"clean", "topic", nothing, nil},
		{"untracked files stay", "topic", func(r worktreetest.Repo) { r.Write("notes", "mine") }, nil},
		{"an untracked file in the way", "topic", func(r worktreetest.Repo) { r.Write("new", "mine") }, errGit},
		{"an ignored file in the way", "topic", func(r worktreetest.Repo) {
			r.Write(".git/info/exclude", "new\n")
			r.Write("new", "mine")
		}, errGit},
		{"changed", "topic", func(r worktreetest.Repo) { r.Write("README", "mine") }, change.ErrDirty},
		{"staged", "topic", func(r worktreetest.Repo) {
			r.Write("more", "mine")
			r.Git("add", "more")
		}, change.ErrDirty},
		{"hidden from git", "topic", func(r worktreetest.Repo) {
			r.Git("update-index", "--assume-unchanged", "README")
			r.Write("README", "mine")
		}, change.ErrDirty},
		{"detached, with commits of no branch", "topic", func(r worktreetest.Repo) {
			r.Git("checkout", "-q", "--detach")
			r.Commit("lone", "mine")
		}, change.ErrDirty},
		{"detached at a branch", "topic", func(r worktreetest.Repo) { r.Git("checkout", "-q", "--detach") }, nil},
		{"a merge under way", "topic", func(r worktreetest.Repo) {
			r.Git("switch", "-q", "topic")
			r.Commit("README", "theirs")
			r.Git("switch", "-q", "main")
			r.Commit("README", "ours")
			_, _ = r.Try("merge", "topic")
			r.Git("checkout", "--ours", "README")
			r.Git("add", "README")
		}, change.ErrDirty},
		{"checked out elsewhere", "busy", func(r worktreetest.Repo) { r.Worktree("../busy", "busy") }, change.ErrInUse},
		{"no such branch", "nowhere", nothing, change.ErrNothing},
		{"a tag is no branch", "v1", func(r worktreetest.Repo) { r.Git("tag", "v1") }, change.ErrNothing},
		{"a file is no branch", "README", nothing, change.ErrNothing},
		{"only at the remote", "far", func(r worktreetest.Repo) {
			r.Git("update-ref", "refs/remotes/origin/far", "HEAD")
		}, change.ErrNothing},
		{"named like an option", "--force", func(r worktreetest.Repo) {
			r.Git("update-ref", "refs/heads/--force", "HEAD")
		}, change.ErrName},
		{"named like nothing good", "a;$(x)|`y`'\"\u202eé漢", func(r worktreetest.Repo) {
			r.Git("branch", "a;$(x)|`y`'\"\u202eé漢", "topic")
		}, nil},
		{"named like a commit", strings.Repeat("a", 40), func(r worktreetest.Repo) {
			r.Git("update-ref", "refs/heads/"+strings.Repeat("a", 40), "topic")
		}, nil},
		{"named like the head", "HEAD", func(r worktreetest.Repo) {
			r.Git("update-ref", "refs/heads/HEAD", "topic")
		}, nil},
		{"beside a tag of its name", "twin", func(r worktreetest.Repo) {
			r.Git("tag", "twin")
			r.Git("branch", "twin", "topic")
		}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			r := worktreetest.New(t, "")
			r.Git("switch", "-q", "-c", "topic")
			r.Commit("new", "theirs")
			r.Git("switch", "-q", "main")
			tt.make(r)
			head, before := read(t, r.Path(".git", "HEAD")), snapshot(t, r)
			err := change.Checkout(context.Background(), real(t), r.Dir, tt.branch)
			switch {
			case tt.want == nil && err != nil:
				t.Fatal(err)
			case tt.want == nil:
				if got := r.Git("symbolic-ref", "HEAD"); got != "refs/heads/"+tt.branch {
					t.Errorf("on %s", got)
				}
				if tt.name == "untracked files stay" && read(t, r.Path("notes")) != "mine" {
					t.Error("an untracked file is gone")
				}
				return
			case errors.Is(tt.want, errGit):
				if err == nil {
					t.Error("no error")
				}
			default:
				wantErr(t, err, tt.want)
			}
			if got := read(t, r.Path(".git", "HEAD")); got != head {
				t.Errorf("went from %s to %s", head, got)
			}
			if after := snapshot(t, r); after != before {
				t.Errorf("changed:\n%s\nto\n%s", before, after)
			}
		})
	}
}

// errGit stands for any error of git itself.
var errGit = &worktree.GitError{}

// A repository without a main checkout has nowhere to check a branch out, and no
// hook of a repository is run.
func TestCheckoutElsewhere(t *testing.T) {
	t.Parallel()
	bare := worktreetest.BareLayout(t, worktreetest.Dir(t))
	wantErr(t, change.Checkout(context.Background(), real(t), bare.Dir, "main"), change.ErrPlace)

	r := worktreetest.New(t, "")
	r.Git("branch", "topic")
	trace := r.Path("..", "trace")
	hook := r.Path(".git", "hooks", "post-checkout")
	worktreetest.WriteFile(t, hook, "#!/bin/sh\ntouch "+trace+"\n")
	if err := os.Chmod(hook, 0o755); err != nil {
		t.Fatal(err)
	}
	tree := r.Worktree("../tree", "other") // asked from a worktree, it is the main checkout all the same
	if err := os.Remove(trace); err != nil {
		t.Fatalf("the hook does not run for git itself: %v", err)
	}
	if err := change.Checkout(context.Background(), real(t), tree.Dir, "topic"); err != nil {
		t.Fatal(err)
	}
	if got := r.Git("branch", "--show-current"); got != "topic" {
		t.Errorf("on %s", got)
	}
	missing(t, trace)
}

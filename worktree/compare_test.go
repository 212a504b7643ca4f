package worktree_test

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"coppice/worktree"
	"coppice/worktree/worktreetest"
)

func TestCompare(t *testing.T) {
	t.Parallel()
	r := worktreetest.New(t, "")
	feat := r.Worktree("../feat", "feat")
	feat.Commit("a\tb\nc", "one\ntwo\n")
	feat.Write("pixel", "\x00\x01")
	feat.Git("add", "pixel")
	feat.Git("commit", "-q", "-m", "A subject \x1b[31m")
	feat.Write("README", "not committed\n")
	r.Commit("README", "one\ntwo\n")
	git := real(t)

	got := git.Compare(context.Background(), feat.Dir, "HEAD")
	want := worktree.Comparison{
		Base: "main", Ahead: 2, Behind: 1, Changed: 2, Added: 2,
		Commits: []worktree.Commit{
			{Hash: feat.Git("rev-parse", "--short", "HEAD"), Subject: "A subject \x1b[31m"},
			{Hash: feat.Git("rev-parse", "--short", "HEAD^"), Subject: "Change a\tb c"},
		},
		Files: []worktree.Change{{Name: "a\tb\nc", Added: 2}, {Name: "pixel", Binary: true}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("a worktree (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(want, git.Compare(context.Background(), r.Dir, "refs/heads/feat")); diff != "" {
		t.Errorf("a branch (-want +got):\n%s", diff)
	}
	if got := git.Compare(context.Background(), r.Dir, "refs/heads/main"); got.Base != "" || got.Problem != "" {
		t.Errorf("the base itself: %+v", got)
	}

	r.Git("update-ref", "refs/remotes/origin/trunk", "feat")
	r.Git("symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/trunk")
	if got := git.Compare(context.Background(), r.Dir, "HEAD"); got.Base != "origin/trunk" || got.Ahead != 1 || got.Behind != 2 {
		t.Errorf("with a remote: %+v", got)
	}
	r.Git("checkout", "-q", "--orphan", "lone")
	r.Commit("lone", "x")
	if got := git.Compare(context.Background(), r.Dir, "HEAD"); !strings.Contains(got.Problem, "no commit in common with origin/trunk") {
		t.Errorf("without a common commit: %+v", got)
	}
}

// A comparison runs nothing that the repository configures, in no directory that
// is no checkout, and lists only so much.
func TestCompareIsQuiet(t *testing.T) {
	t.Parallel()
	r := worktreetest.New(t, "")
	trap := r.Path("..", "trap.sh")
	sprung := r.Path("..", "sprung")
	worktreetest.WriteFile(t, trap, "#!/bin/sh\ntouch "+sprung+"\ncat\n")
	if err := os.Chmod(trap, 0o755); err != nil {
		t.Fatal(err)
	}
	r.Write(".gitattributes", "* filter=trap diff=trap\n")
	r.Git("switch", "-q", "-c", "feat")
	for i := range 250 {
		r.Write(fmt.Sprintf("file%d", i), "x\n")
	}
	r.Git("add", ".")
	r.Git("commit", "-q", "-m", "many")
	r.Git("update-ref", "refs/remotes/origin/main", "main")
	r.Git("symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/main")
	for _, key := range []string{"filter.trap.clean", "filter.trap.smudge", "diff.trap.textconv", "diff.trap.command", "diff.external", "core.fsmonitor", "core.pager", "gpg.program"} {
		r.Git("config", key, trap)
	}
	r.Git("config", "log.showSignature", "true")
	got := real(t).Compare(context.Background(), r.Dir, "HEAD")
	if got.Problem != "" || got.Changed != 251 || len(got.Files) != 200 || got.Ahead != 1 {
		t.Errorf("%s: %d changed, %d listed, %d ahead", got.Problem, got.Changed, len(got.Files), got.Ahead)
	}
	if _, err := os.Stat(sprung); err == nil {
		t.Error("something that the repository configures was run")
	}
	ghost := r.Path("ghost")
	worktreetest.WriteFile(t, r.Path("ghost", ".git"), "gitdir: /nowhere/.git/worktrees/ghost\n")
	if got := real(t).Compare(context.Background(), ghost, "HEAD"); got.Problem == "" {
		t.Errorf("a ghost: %+v", got)
	}
}

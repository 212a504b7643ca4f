package change_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"coppice/worktree/change"
	"coppice/worktree/worktreetest"
)

// states of a worktree called n on branch n, and what of it must be named where
// it is to be removed. kept ones lose nothing.
var states = map[string]struct {
	make  func(r, w worktreetest.Repo)
	found func(l change.Losses) bool
	kept  bool
	gone  bool // nothing can be carried from it
}{
	"clean":        {make: func(_, _ worktreetest.Repo) {}, kept: true},
	"changed":      {make: func(_, w worktreetest.Repo) { w.Write("README", "mine") }, found: changed},
	"same size":    {make: func(_, w worktreetest.Repo) { w.Write("README", "two\n") }, found: changed},
	"staged":       {make: func(_, w worktreetest.Repo) { w.Write("README", "mine"); w.Git("add", "."); w.Write("README", "one\n") }, found: changed},
	"deleted":      {make: func(_, w worktreetest.Repo) { must(os.Remove(w.Path("README"))) }, found: changed},
	"mode":         {make: func(_, w worktreetest.Repo) { must(os.Chmod(w.Path("README"), 0o755)) }, found: changed},
	"renamed":      {make: func(_, w worktreetest.Repo) { w.Git("mv", "README", "new name") }, found: changed},
	"untracked":    {make: func(_, w worktreetest.Repo) { w.Write("-new\n\u202efile", "x") }, found: untracked},
	"untracked in": {make: func(_, w worktreetest.Repo) { w.Write("a/b/c", "x") }, found: untracked},
	"binary":       {make: func(_, w worktreetest.Repo) { w.Write("bin", "\x00\xff\r\n\x00") }, found: untracked},
	"symlink":      {make: func(_, w worktreetest.Repo) { must(os.Symlink("/etc", w.Path("etc"))) }, found: untracked},
	"type changed": {make: func(_, w worktreetest.Repo) {
		must(os.Remove(w.Path("README")))
		must(os.Symlink("nowhere", w.Path("README")))
	}, found: changed},
	"directory for file": {make: func(_, w worktreetest.Repo) {
		must(os.Remove(w.Path("README")))
		w.Write("README/x", "y")
	}, found: changed},
	"file for directory": {make: func(_, w worktreetest.Repo) {
		must(os.RemoveAll(w.Path("dir")))
		w.Write("dir", "y")
	}, found: changed},
	"intended": {make: func(_, w worktreetest.Repo) { w.Write("later", "x"); w.Git("add", "-N", "later") }, found: changed},
	"conflict": {make: func(_, w worktreetest.Repo) {
		w.Git("checkout", "-q", "-b", "side")
		w.Commit("README", "side\n")
		w.Git("checkout", "-q", "n")
		w.Commit("README", "ours\n")
		_, _ = w.Try("merge", "side")
	}, found: func(l change.Losses) bool { return changed(l) && l.Operation == "merge" }},
	"assume unchanged": {make: func(_, w worktreetest.Repo) {
		w.Git("update-index", "--assume-unchanged", "README")
		w.Write("README", "mine")
	}, found: func(l change.Losses) bool { return l.Hidden.Count == 1 }},
	"ignored": {make: func(_, w worktreetest.Repo) { w.Write("x.log", "bytes") }, found: func(l change.Losses) bool {
		return l.Ignored.Count == 1 && !l.Unsaved()
	}},
	"nested repository": {make: func(_, w worktreetest.Repo) { worktreetest.New(w.T(), w.Path("inner")) }, found: untracked},
	"nested worktree": {make: func(_, w worktreetest.Repo) { w.Worktree("logs.log", "inner") }, found: func(l change.Losses) bool {
		return len(l.Nested) == 1
	}},
	"detached commit": {make: func(_, w worktreetest.Repo) {
		w.Git("checkout", "-q", "--detach")
		w.Commit("lone", "x")
	}, found: unnamed},
	"left commit": {make: func(_, w worktreetest.Repo) {
		w.Git("checkout", "-q", "--detach")
		w.Commit("lone", "x")
		w.Git("checkout", "-q", "n")
	}, found: unnamed},
	"amended": {make: func(_, w worktreetest.Repo) {
		w.Commit("x", "x")
		w.Git("commit", "-q", "--amend", "-m", "other")
	}, kept: true},
	"commit": {make: func(_, w worktreetest.Repo) { w.Commit("x", "x") }, kept: true},
	"stash":  {make: func(_, w worktreetest.Repo) { w.Write("README", "stashed"); w.Git("stash") }, kept: true},
	"rebase": {make: func(_, w worktreetest.Repo) {
		w.Commit("README", "ours\n")
		w.Git("checkout", "-q", "-b", "side", "HEAD~1")
		w.Commit("README", "side\n")
		w.Git("checkout", "-q", "n")
		_, _ = w.Try("rebase", "side")
	}, found: func(l change.Losses) bool { return l.Operation == "rebase" && l.Branch == "n" }},
	"bisect": {make: func(_, w worktreetest.Repo) { w.Git("bisect", "start") }, found: func(l change.Losses) bool {
		return l.Operation == "bisect"
	}},
	"locked": {make: func(r, w worktreetest.Repo) { r.Git("worktree", "lock", "--reason", "mine", w.Dir) }, found: func(l change.Losses) bool {
		return l.Locked && l.LockReason == "mine"
	}},
	"gone": {make: func(_, w worktreetest.Repo) { must(os.RemoveAll(w.Dir)) }, kept: true, gone: true},
	"gone, staged": {make: func(_, w worktreetest.Repo) {
		w.Write("README", "mine")
		w.Git("add", ".")
		must(os.RemoveAll(w.Dir))
	}, found: changed, gone: true},
	"gone, detached commit": {make: func(_, w worktreetest.Repo) {
		w.Git("checkout", "-q", "--detach")
		w.Commit("lone", "x")
		must(os.RemoveAll(w.Dir))
	}, found: unnamed, gone: true},
	"no worktree any more": {make: func(_, w worktreetest.Repo) {
		w.Write("new", "x")
		must(os.Remove(w.Path(".git")))
	}, kept: true, gone: true},
	"submodule, clean":     {make: func(_, w worktreetest.Repo) { submodule(w) }, kept: true},
	"submodule, changed":   {make: func(_, w worktreetest.Repo) { submodule(w).Write("README", "mine") }, found: submodules},
	"submodule, untracked": {make: func(_, w worktreetest.Repo) { submodule(w).Write("new", "mine") }, found: submodules},
	"submodule, commit": {make: func(_, w worktreetest.Repo) {
		sub := submodule(w)
		sub.Git("checkout", "-q", "-b", "other")
		sub.Commit("x", "x")
		sub.Git("checkout", "-q", "--detach", "origin/main")
	}, found: submodules},
	"submodule, stash": {make: func(_, w worktreetest.Repo) {
		sub := submodule(w)
		sub.Write("README", "x")
		sub.Git("stash")
	}, found: submodules},
	"submodule, not checked out any more": {make: func(_, w worktreetest.Repo) {
		sub := submodule(w)
		sub.Commit("x", "x")
		w.Git("submodule", "deinit", "-q", "--force", "lib/sub")
	}, found: submodules},
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

func changed(l change.Losses) bool    { return l.Changed.Count > 0 }
func untracked(l change.Losses) bool  { return l.Untracked.Count == 1 }
func unnamed(l change.Losses) bool    { return len(l.Unnamed) == 1 }
func submodules(l change.Losses) bool { return len(l.Submodules) == 1 }

// submodule adds and commits a submodule, with its commits on the branch n, and
// returns its checkout.
func submodule(w worktreetest.Repo) worktreetest.Repo {
	lib := worktreetest.New(w.T(), "")
	w.Git("-c", "protocol.file.allow=always", "submodule", "add", "-q", lib.Dir, "lib/sub")
	w.Git("commit", "-qm", "Add a submodule")
	return worktreetest.At(w.T(), w.Path("lib/sub"))
}

// inState makes a repository with a worktree in a state.
func inState(t *testing.T, name string) (r, w worktreetest.Repo) {
	t.Helper()
	r = worktreetest.New(t, "")
	r.Commit(".gitignore", "*.log\n")
	r.Commit("dir/file", "x\n")
	w = r.Worktree("n", "n")
	states[name].make(r, w)
	return r, w
}

// everything is what git and the file system have: each file of both checkouts,
// each object, each reference.
func everything(t *testing.T, r, w worktreetest.Repo) string {
	t.Helper()
	parts := []string{snapshot(t, r), r.Git("cat-file", "--batch-all-objects", "--batch-check")}
	if _, err := os.Stat(w.Path(".git")); err == nil {
		parts = append(parts, w.Git("ls-files", "--stage"), w.Git("rev-parse", "HEAD"), w.Git("log", "-g", "--format=%H %gs"))
	}
	return strings.Join(parts, "\n")
}

// TestRemoval is the table of what is in a worktree and what is asked of it: no
// byte that git or the file system had goes without force.
func TestRemoval(t *testing.T) {
	t.Parallel()
	for name, state := range states {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r, w := inState(t, name)
			before := everything(t, r, w)
			l, err := change.FindLosses(context.Background(), real(t), r.Dir, w.Dir)
			if err != nil {
				t.Fatal(err)
			}
			if state.found != nil && (!state.found(l) || len(l.Summary()) == 0) {
				t.Errorf("losses %+v", l)
			}
			if now := everything(t, r, w); now != before {
				t.Fatalf("looking wrote:\n%s\nbefore:\n%s", now, before)
			}
			err = change.Remove(context.Background(), real(t), r.Dir, w.Dir, change.RemoveOptions{})
			if state.kept {
				if err != nil {
					t.Fatal(err)
				}
				wantForgotten(t, r, w, name)
				return
			}
			var loss *change.LossError
			if !errors.As(err, &loss) || !errors.Is(err, change.ErrLosses) {
				t.Fatalf("removed, or failed with %v", err)
			}
			if now := everything(t, r, w); now != before {
				t.Fatalf("a refusal wrote:\n%s\nbefore:\n%s", now, before)
			}
			if err := change.Remove(context.Background(), real(t), r.Dir, w.Dir, change.RemoveOptions{Force: true}); err != nil {
				t.Fatal(err)
			}
			wantForgotten(t, r, w, name)
		})
	}
}

func wantForgotten(t *testing.T, r, w worktreetest.Repo, name string) {
	t.Helper()
	if name == "no worktree any more" {
		if got := read(t, w.Path("new")); got != "x" {
			t.Errorf("what lay there is gone: %q", got)
		}
	} else {
		missing(t, w.Dir)
	}
	missing(t, r.Path(".git/worktrees/n"))
	r.Git("rev-parse", "--verify", "refs/heads/n") // the branch stays
	if got := read(t, "/etc/passwd"); got == "" {
		t.Error("a link was followed")
	}
}

func TestRemoveDropsIgnoredFilesWhenTold(t *testing.T) {
	t.Parallel()
	r, w := inState(t, "ignored")
	if err := change.Remove(context.Background(), real(t), r.Dir, w.Dir, change.RemoveOptions{DropIgnored: true}); err != nil {
		t.Fatal(err)
	}
	missing(t, w.Dir)
}

// TestRemoveWhatWasMade: copies of .worktreeinclude and links into the main
// checkout are no losses, and what links lead to stays.
func TestRemoveWhatWasMade(t *testing.T) {
	t.Parallel()
	r := worktreetest.New(t, "")
	r.Commit(".gitignore", "*.log\nmodules/\n")
	r.Commit(".worktreeinclude", "*.log\n")
	r.Write("a.log", "x")
	r.Write("modules/x", "precious")
	o := options(r, "n")
	o.Fill.Links = []string{"modules"}
	made := create(t, o)
	if err := change.Remove(context.Background(), real(t), r.Dir, made.Path, change.RemoveOptions{Branch: true}); err != nil {
		t.Fatal(err)
	}
	missing(t, made.Path)
	if read(t, r.Path("modules/x")) != "precious" {
		t.Error("the link was followed")
	}
	if out, err := r.Try("rev-parse", "--verify", "refs/heads/"+made.Branch); err == nil {
		t.Errorf("the branch is there: %s", out)
	}

	made = create(t, o)
	worktreetest.WriteFile(t, filepath.Join(made.Path, "a.log"), "y")
	err := change.Remove(context.Background(), real(t), r.Dir, made.Path, change.RemoveOptions{})
	wantErr(t, err, change.ErrLosses)
}

func TestRemoveAsksForUsersAndBranch(t *testing.T) {
	t.Parallel()
	r, w := inState(t, "commit")
	err := change.Remove(context.Background(), real(t), r.Dir, w.Dir, change.RemoveOptions{Users: []string{"the fork"}})
	wantErr(t, err, change.ErrLosses)
	if !strings.Contains(err.Error(), "the fork") {
		t.Errorf("error %v does not name the user", err)
	}
	err = change.Remove(context.Background(), real(t), r.Dir, w.Dir, change.RemoveOptions{Branch: true})
	wantErr(t, err, change.ErrLosses)
	err = change.Remove(context.Background(), real(t), r.Dir, r.Dir, change.RemoveOptions{Force: true})
	wantErr(t, err, change.ErrNoWorktree)
}

// TestRemoveForgetsOne: a general prune would take the other one too (report
// E18).
func TestRemoveForgetsOne(t *testing.T) {
	t.Parallel()
	r, w := inState(t, "gone")
	other := r.Worktree("other", "other")
	worktreetest.RemoveAll(t, other.Dir)
	if err := change.Remove(context.Background(), real(t), r.Dir, w.Dir, change.RemoveOptions{}); err != nil {
		t.Fatal(err)
	}
	if list := r.Git("worktree", "list"); strings.Contains(list, w.Dir+" ") || !strings.Contains(list, other.Dir+" ") {
		t.Errorf("now registered: %s", list)
	}
}

func TestMerged(t *testing.T) {
	t.Parallel()
	r := worktreetest.New(t, "")
	work := func(name string) worktreetest.Repo {
		w := r.Worktree(name, name)
		w.Commit(name+"1", "x\n")
		w.Commit(name+"2", "\x00"+name)
		return w
	}
	r.Worktree("fresh", "fresh")
	for _, name := range []string{"plain", "picked", "squashed", "partly", "open", "binary", "merging"} {
		work(name)
	}
	r.Git("merge", "-q", "--no-ff", "-m", "Merge", "plain")
	r.Git("cherry-pick", "picked~1", "picked")
	r.Git("merge", "-q", "--squash", "squashed")
	r.Git("commit", "-qm", "Squash")
	r.Git("cherry-pick", "partly~1")
	r.Git("merge", "-q", "--squash", "binary")
	r.Write("binary2", "\x00other")
	r.Git("add", ".")
	r.Git("commit", "-qm", "Squash, but other bytes")
	r.Commit("later", "x")
	rows, err := change.FindMerged(context.Background(), real(t), r.Dir)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, row := range rows {
		got[row.Branch] = row.Reason
	}
	want := map[string]string{
		"fresh": "merged into main", "plain": "merged into main", "picked": "its changes are in main",
		"squashed": "squashed into main as ",
	}
	for branch, reason := range want {
		if !strings.HasPrefix(got[branch], reason) || got[branch] == "" {
			t.Errorf("%s: %q, want %q", branch, got[branch], reason)
		}
	}
	if len(got) != len(want) {
		t.Errorf("got %v", got)
	}
	// A squash merge lets the branch go without force.
	if err := change.Remove(context.Background(), real(t), r.Dir, r.Path("squashed"), change.RemoveOptions{Branch: true}); err != nil {
		t.Error(err)
	}
}

package worktree_test

import (
	"context"
	"errors"
	"os"
	"slices"
	"strings"
	"testing"

	"coppice/worktree"
	"coppice/worktree/worktreetest"

	"github.com/google/go-cmp/cmp"
)

func TestOpen(t *testing.T) {
	t.Parallel()
	top := worktreetest.Dir(t)
	app := worktreetest.New(t, sub(top, "app"))
	one := app.Git("rev-parse", "HEAD")
	feat := app.Worktree("../feat", "feat/x")
	two := feat.Commit("b.txt", "b")
	app.Git("worktree", "add", "-q", "--detach", sub(top, "loose"), one)
	app.Git("branch", "plain", one)
	app.Git("pack-refs", "--all")
	app.Git("branch", "later", two)
	app.Git("worktree", "lock", "--reason", "on a stick\nsecond line", feat.Dir)

	want := worktree.Repository{
		CommonDir: app.Path(".git"),
		Name:      "app",
		Main:      app.Dir,
		Worktrees: []worktree.Worktree{
			{Path: app.Dir, Name: "app", Branch: "main", Head: one, Main: true, State: worktree.Present},
			{Path: feat.Dir, Name: "feat", Admin: "feat", Branch: "feat/x", Head: two, Locked: true, LockReason: "on a stick", State: worktree.Present},
			{Path: sub(top, "loose"), Name: "loose", Admin: "loose", Head: one, Detached: true, State: worktree.Present},
		},
		Branches: []worktree.Branch{
			{Name: "feat/x", Head: two, Worktree: feat.Dir},
			{Name: "later", Head: two},
			{Name: "main", Head: one, Worktree: app.Dir},
			{Name: "plain", Head: one},
		},
	}
	for _, g := range []worktree.Git{real(t), {}} { // files say it all: no program is needed
		for _, dir := range []string{app.Dir, feat.Dir, sub(top, "loose"), app.Path(".git"), app.Path("none/there")} {
			if diff := cmp.Diff(want, open(t, g, dir)); diff != "" {
				t.Errorf("open %s: (-want +got)\n%s", dir, diff)
			}
		}
	}
}

func TestOpenNotRepository(t *testing.T) {
	t.Parallel()
	_, err := worktree.Git{}.Open(context.Background(), worktreetest.Dir(t))
	if !errors.Is(err, worktree.ErrNotRepository) {
		t.Errorf("got %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err = worktree.Git{}.Open(ctx, worktreetest.New(t, "").Dir)
	if !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: got %v", err)
	}
}

func TestOpenUnborn(t *testing.T) {
	t.Parallel()
	app := worktreetest.Init(t, "")
	repo := open(t, worktree.Git{}, app.Dir)
	w := find(t, repo, app.Dir)
	if w.Branch != "main" || w.Head != "" || w.Detached || len(repo.Branches) != 0 || repo.Problem != "" {
		t.Errorf("%+v", repo)
	}
}

// TestOpenStates covers what can become of a worktree: reports B14, B18, E14,
// E15, E17, E24.
func TestOpenStates(t *testing.T) {
	t.Parallel()
	top := worktreetest.Dir(t)
	app := worktreetest.New(t, sub(top, "app"))
	for _, name := range []string{"gone", "plain", "taken", "before", "twice", "inside"} {
		app.Worktree("../"+name, name)
	}
	app.Worktree(".claude/worktrees/kept", "kept")
	app.Worktree(".claude/worktrees/pruned", "pruned")
	worktreetest.RemoveAll(t, app.Path(".git/worktrees/pruned"))
	worktreetest.RemoveAll(t, sub(top, "gone"))
	worktreetest.RemoveAll(t, sub(top, "plain"))
	worktreetest.MkdirAll(t, sub(top, "plain"))
	worktreetest.WriteFile(t, sub(top, "taken/.git"), "gitdir: "+app.Path(".git/worktrees/kept")+"\n")
	worktreetest.Rename(t, sub(top, "before"), sub(top, "after"))
	if err := os.CopyFS(sub(top, "copy"), os.DirFS(sub(top, "twice"))); err != nil {
		t.Fatal(err)
	}
	worktreetest.Rename(t, sub(top, "twice"), sub(top, "twice2"))
	worktreetest.RemoveAll(t, app.Path(".git/worktrees/inside/gitdir"))
	worktreetest.MkdirAll(t, app.Path(".claude/worktrees/ghost"))
	worktreetest.MkdirAll(t, app.Path(".worktrees/ghost"))
	worktreetest.New(t, app.Path(".claude/worktrees/own"))
	before := app.Git("for-each-ref")

	repo := open(t, real(t), app.Dir)
	got := map[string]worktree.State{}
	for _, w := range repo.Worktrees {
		got[strings.TrimPrefix(w.Path, top+"/")] = w.State
		if (w.State == worktree.Present) != (w.Detail == "") || strings.Contains(w.Detail, "\n") {
			t.Errorf("%s: detail %q for %s", w.Path, w.Detail, w.State)
		}
	}
	want := map[string]worktree.State{
		"app":                          worktree.Present,
		"gone":                         worktree.Missing,
		"plain":                        worktree.Prunable,
		"taken":                        worktree.Prunable,
		"after":                        worktree.Moved,
		"twice":                        worktree.Missing, // two directories claim to be it
		"app/.git/worktrees/inside":    worktree.Unknown,
		"app/.claude/worktrees/kept":   worktree.Present,
		"app/.claude/worktrees/pruned": worktree.Moved,
		"app/.claude/worktrees/ghost":  worktree.Ghost,
		"app/.worktrees/ghost":         worktree.Ghost,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if w := find(t, repo, sub(top, "gone")); w.Branch != "gone" || w.Head == "" {
		t.Errorf("a missing worktree keeps its branch: %+v", w)
	}
	if after := app.Git("for-each-ref"); after != before {
		t.Error("refs changed")
	}
	// E18: nothing was pruned.
	if entries, err := os.ReadDir(app.Path(".git/worktrees")); err != nil || len(entries) != 7 {
		t.Errorf("entries %v, %v", entries, err)
	}
}

// TestOpenRepositoryMoved: report E17, seen from the repository.
func TestOpenRepositoryMoved(t *testing.T) {
	t.Parallel()
	top := worktreetest.Dir(t)
	old := worktreetest.New(t, sub(top, "old"))
	old.Worktree("../beside", "beside")
	old.Worktree(".claude/worktrees/inside", "inside")
	worktreetest.Rename(t, sub(top, "old"), sub(top, "new"))
	for _, dir := range []string{"new", "new/.claude/worktrees/inside"} {
		repo := open(t, real(t), sub(top, dir))
		if repo.CommonDir != sub(top, "new/.git") {
			t.Errorf("%s: common directory %s", dir, repo.CommonDir)
		}
		for _, path := range []string{"beside", "new/.claude/worktrees/inside"} {
			if w := find(t, repo, sub(top, path)); w.State != worktree.Moved || w.Branch == "" {
				t.Errorf("%s: %+v", path, w)
			}
		}
		if len(repo.Worktrees) != 3 {
			t.Errorf("%+v", repo.Worktrees)
		}
	}
}

func TestOpenOperations(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		want     worktree.Worktree
		commands []string
	}{
		"merge":             {worktree.Worktree{Operation: "merge", Branch: "main"}, []string{"merge side"}},
		"cherry-pick":       {worktree.Worktree{Operation: "cherry-pick", Branch: "main"}, []string{"cherry-pick side"}},
		"revert":            {worktree.Worktree{Operation: "revert", Branch: "main"}, []string{"revert HEAD~1"}},
		"rebase":            {worktree.Worktree{Operation: "rebase", Branch: "main"}, []string{"rebase side"}},
		"rebase by apply":   {worktree.Worktree{Operation: "rebase", Branch: "main"}, []string{"rebase --apply side"}},
		"rebase, detached":  {worktree.Worktree{Operation: "rebase", Detached: true}, []string{"checkout -q --detach", "rebase side"}},
		"bisect":            {worktree.Worktree{Operation: "bisect", Branch: "main"}, []string{"bisect start HEAD HEAD~2"}},
		"bisect, detached":  {worktree.Worktree{Operation: "bisect", Detached: true}, []string{"checkout -q --detach", "bisect start HEAD HEAD~2"}},
		"am":                {worktree.Worktree{Operation: "am", Branch: "main"}, []string{"format-patch -q -o .. side~1..side", "am ../0001-Change-f.patch"}},
		"nothing under way": {worktree.Worktree{Branch: "main"}, nil},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			app := worktreetest.New(t, "")
			app.Commit("f", "base\n")
			app.Git("checkout", "-q", "-b", "side")
			app.Commit("f", "side\n")
			app.Git("checkout", "-q", "main")
			app.Commit("f", "main\n")
			app.Commit("f", "main again\n")
			for _, command := range c.commands {
				_, _ = app.Try(strings.Fields(command)...) // conflicts are an error
			}
			repo := open(t, worktree.Git{}, app.Dir)
			w := find(t, repo, app.Dir)
			got := worktree.Worktree{Operation: w.Operation, Branch: w.Branch, Detached: w.Detached}
			if got != c.want || w.Head != app.Git("rev-parse", "HEAD") {
				t.Errorf("got %+v, want %+v", w, c.want)
			}
			if c.want.Branch != "" && branch(t, repo, "main").Worktree != app.Dir {
				t.Error("the branch is not shown as checked out")
			}
		})
	}
}

func TestOpenUpstream(t *testing.T) {
	t.Parallel()
	app := worktreetest.New(t, "")
	for _, name := range []string{"local", "mapped", "odd.name", "unmapped", "lost"} {
		app.Git("branch", name)
	}
	app.Configure(`
[remote "origin"]
	url = /nowhere
	fetch = +refs/heads/*:refs/remotes/origin/*
	fetch = ^refs/heads/secret
	fetch = +refs/pull/*/head:refs/remotes/pr/*
[remote "up.stream/x"]
	fetch = refs/heads/main:refs/remotes/up/trunk
	fetch = nonsense:
[branch "main"]
	remote = origin
	merge = refs/heads/main
	rebase = merges
[branch "local"]
	remote = .
	merge = refs/heads/main
[branch "mapped"]
	remote = "up.stream/x"
	merge = refs/heads/main
[branch "odd.name"]
	remote = origin
	merge = refs/pull/7/head
[branch "unmapped"]
	remote = up.stream/x
	merge = refs/heads/other
[branch "lost"]
	remote = none
	merge = refs/heads/main
`)
	repo := open(t, worktree.Git{}, app.Dir)
	want := map[string]string{
		"main": "origin/main", "local": "main", "mapped": "up/trunk", "odd.name": "pr/7", "unmapped": "", "lost": "",
	}
	for name, upstream := range want {
		if got := branch(t, repo, name).Upstream; got != upstream {
			t.Errorf("%s follows %q, want %q", name, got, upstream)
		}
	}
	wantProblem(t, repo.Problem, "")
}

// TestOpenNames: report E20, base names repeat and the register numbers them.
func TestOpenNames(t *testing.T) {
	t.Parallel()
	top := worktreetest.Dir(t)
	app := worktreetest.New(t, sub(top, "x"))
	app.Worktree("../a/y/x", "one")
	app.Worktree("../b/y/x", "two")
	app.Worktree("../b/z", "three")
	app.Worktree("../feat/a-b", "feat/a-b")
	app.Worktree("../feat-a/b", "feat-a/b")
	repo := open(t, worktree.Git{}, app.Dir)
	var got []string
	for _, w := range repo.Worktrees {
		got = append(got, w.Name)
	}
	want := []string{sub(top, "x")[strings.LastIndex(top, "/")+1:], "a/y/x", "b/y/x", "z", "b", "a-b"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if w := find(t, repo, sub(top, "b/y/x")); w.Branch != "two" || !strings.HasPrefix(w.Admin, "x") {
		t.Errorf("%+v", w)
	}
}

// TestOpenCollidingNames: report B9, repositories whose paths are alike in any
// flattened form stay apart.
func TestOpenCollidingNames(t *testing.T) {
	t.Parallel()
	top := worktreetest.Dir(t)
	seen := map[string]bool{}
	for _, dir := range []string{"my-proj", "my/proj", "my_proj", "my.proj", "my proj", "외주/app", "개인/app"} {
		repo := open(t, worktree.Git{}, worktreetest.New(t, sub(top, dir)).Dir)
		seen[repo.CommonDir] = true
		if repo.Main != sub(top, dir) {
			t.Errorf("main %q", repo.Main)
		}
	}
	if len(seen) != 7 {
		t.Errorf("%d repositories", len(seen))
	}
}

// TestOpenHostileNames: paths and branches may hold nearly any byte.
func TestOpenHostileNames(t *testing.T) {
	t.Parallel()
	top := worktreetest.Dir(t)
	app := worktreetest.New(t, sub(top, "a\x1b[31m\nb"))
	app.Git("update-ref", "refs/heads/-dash", "HEAD")
	app.Git("branch", "(red)x")
	app.Git("branch", "b\u202eidi")
	app.Git("branch", "b\xffad")
	dirs := []string{"-rf", "new\nline", " blank ", "esc\x1b]0;x\a", "b\xffad", "worktree HEAD"}
	for i, dir := range dirs {
		app.Git("worktree", "add", "-q", "-b", "w"+string(rune('0'+i)), "--", sub(top, dir))
	}
	// Files that git would not take for branches.
	worktreetest.WriteFile(t, app.Path(".git/refs/heads/empty"), "")
	worktreetest.WriteFile(t, app.Path(".git/refs/heads/zero"), strings.Repeat("0", 40)+"\n")
	worktreetest.WriteFile(t, app.Path(".git/refs/heads/noise"), "noise\n")
	worktreetest.WriteFile(t, app.Path(".git/refs/heads/x.lock"), app.Git("rev-parse", "HEAD")+"\n")
	worktreetest.WriteFile(t, app.Path(".git/refs/heads/a b\x1b"), app.Git("rev-parse", "HEAD")+"\n")
	worktreetest.WriteFile(t, app.Path(".git/refs/heads/huge"), strings.Repeat("a", 1<<20))

	for name, g := range map[string]worktree.Git{"files": {}, "program": real(t)} {
		repo := open(t, g, app.Dir)
		var branches []string
		for _, b := range repo.Branches {
			branches = append(branches, b.Name)
		}
		want := []string{"-dash", "(red)x", "b\u202eidi", "b\xffad", "main", "w0", "w1", "w2", "w3", "w4", "w5"}
		slices.Sort(want)
		if diff := cmp.Diff(want, branches); diff != "" {
			t.Errorf("%s: (-want +got)\n%s", name, diff)
		}
		for _, dir := range dirs {
			if w := find(t, repo, sub(top, dir)); w.State != worktree.Present || w.Branch == "" {
				t.Errorf("%s: %q: %+v", name, dir, w)
			}
		}
	}
}

// TestOpenHostileFiles: nothing in a repository makes Open hang or fail.
func TestOpenHostileFiles(t *testing.T) {
	t.Parallel()
	app := worktreetest.New(t, "")
	app.Worktree("../feat", "feat")
	fifo(t, app.Path(".git/refs/heads/pipe"))
	fifo(t, app.Path(".git/worktrees/feat/locked"))
	fifo(t, app.Path(".git/worktrees/bad/gitdir"))
	fifo(t, app.Path(".git/worktrees/bad/HEAD"))
	fifo(t, app.Path(".git/MERGE_HEAD"))
	if err := os.Symlink(".", app.Path(".git/refs/heads/loop")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("/dev/zero", app.Path(".git/refs/heads/zero")); err != nil {
		t.Fatal(err)
	}
	worktreetest.WriteFile(t, app.Path(".git/worktrees/feat/rebase-merge/head-name"), "refs/heads/\x1b[2J\n")
	repo := open(t, worktree.Git{}, app.Dir)
	if len(repo.Branches) != 2 || len(repo.Worktrees) != 3 {
		t.Errorf("%+v", repo)
	}
	if w := find(t, repo, sub(app.Dir, "../feat")); !w.Locked || w.LockReason != "" {
		t.Errorf("%+v", w)
	}
}

// TestOpenLeaksNothing: report git-pkgs#196 (E1), go-git kept a file open for
// each linked worktree that was opened.
func TestOpenLeaksNothing(t *testing.T) {
	app := worktreetest.New(t, "")
	feat := app.Worktree("../feat", "feat")
	open(t, worktree.Git{}, feat.Dir)
	before := openFiles(t)
	for range 50 {
		open(t, worktree.Git{}, feat.Dir)
	}
	if after := openFiles(t); after > before+5 {
		t.Errorf("%d open files, then %d", before, after)
	}
}

func openFiles(t *testing.T) int {
	t.Helper()
	entries, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Skip("needs /proc")
	}
	return len(entries)
}

// Who does not show branches does not pay for them, and loses nothing else.
func TestOpenNoBranches(t *testing.T) {
	t.Parallel()
	repo := worktreetest.New(t, sub(worktreetest.Dir(t), "app"))
	repo.Worktree("../feat", "feat")
	g := worktree.Git{Program: worktreetest.Program(t), Env: worktreetest.Env(t.TempDir())}
	want, err := g.Open(t.Context(), repo.Dir)
	if err != nil || len(want.Branches) != 2 {
		t.Fatalf("%d branches, %v", len(want.Branches), err)
	}
	want.Branches = nil
	for i := range want.Worktrees {
		want.Worktrees[i].Head = ""
	}
	g.NoBranches = true
	got, err := g.Open(t.Context(), repo.Dir)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("repository (-want +got):\n%s", diff)
	}
}

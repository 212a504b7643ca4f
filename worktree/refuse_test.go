package worktree_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"coppice/worktree"
	"coppice/worktree/worktreetest"
)

// relative makes a linked worktree as git 2.48 does with relative paths; this
// git may not know of them (report E2).
func relative(t *testing.T, extension bool) (app, feat worktreetest.Repo) {
	app = worktreetest.New(t, "")
	feat = app.Worktree("../feat", "feat")
	worktreetest.WriteFile(t, feat.Path(".git"), "gitdir: ../app/.git/worktrees/feat\n")
	worktreetest.WriteFile(t, app.Path(".git/worktrees/feat/gitdir"), "../../../../feat/.git\n")
	if extension {
		app.Configure("[core]\n\trepositoryformatversion = 1\n[extensions]\n\trelativeWorktrees = true\n")
	}
	return app, feat
}

// TestOpenRelativeWorktrees: report E2. go-git refuses the extension, and so
// does an old git; the files say all the same.
func TestOpenRelativeWorktrees(t *testing.T) {
	t.Parallel()
	for _, extension := range []bool{false, true} {
		app, feat := relative(t, extension)
		for _, dir := range []string{app.Dir, feat.Dir} {
			for _, g := range []worktree.Git{real(t), {}} {
				repo := open(t, g, dir)
				wantProblem(t, repo.Problem, "")
				if len(repo.Branches) != 2 || branch(t, repo, "feat").Worktree != feat.Dir {
					t.Errorf("branches %+v", repo.Branches)
				}
				if w := find(t, repo, feat.Dir); w.State != worktree.Present || w.Branch != "feat" {
					t.Errorf("%+v", w)
				}
			}
		}
		status := real(t).Status(t.Context(), feat.Dir)
		if _, err := feat.Try("status"); err != nil {
			wantProblem(t, status.Problem, "unknown repository extension")
		} else {
			wantProblem(t, status.Problem, "")
		}
	}
}

// TestOpenExtensions: report E4. Sparse checkouts and partial clones set
// extensions that go-git refuses.
func TestOpenExtensions(t *testing.T) {
	t.Parallel()
	cases := map[string]func(app worktreetest.Repo){
		"sparse checkout": func(app worktreetest.Repo) { app.Git("sparse-checkout", "set", "src") },
		"worktreeConfig, version 1": func(app worktreetest.Repo) {
			app.Configure("[core]\n\trepositoryformatversion = 1\n[extensions]\n\tworktreeConfig = true\n")
		},
		"partial clone": func(app worktreetest.Repo) {
			app.Configure("[core]\n\trepositoryformatversion = 1\n[extensions]\n\tpartialClone = origin\n")
		},
		"refStorage = files": func(app worktreetest.Repo) {
			app.Configure("[core]\n\trepositoryformatversion = 1\n[extensions]\n\trefStorage = files\n")
		},
		"objectFormat = sha1": func(app worktreetest.Repo) {
			app.Configure("[core]\n\trepositoryformatversion = 1\n[extensions]\n\tobjectFormat = sha1\n")
		},
	}
	for name, change := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			app := worktreetest.New(t, "")
			app.Worktree("../feat", "feat")
			change(app)
			repo := open(t, worktree.Git{}, app.Dir)
			if len(repo.Branches) != 2 || len(repo.Worktrees) != 2 || repo.Problem != "" {
				t.Errorf("%+v", repo)
			}
		})
	}
}

// TestOpenSHA256: report E3. go-git cannot hold the hashes; the git program can.
func TestOpenSHA256(t *testing.T) {
	t.Parallel()
	app := worktreetest.Init(t, "", "--object-format=sha256")
	hash := app.Commit("a", "a")
	feat := app.Worktree("../feat", "feat")
	app.Git("branch", "--track", "follows", "main")
	app.Git("checkout", "-q", "--detach")

	repo := open(t, real(t), feat.Dir)
	wantProblem(t, repo.Problem, "")
	if b := branch(t, repo, "follows"); len(hash) != 64 || b.Head != hash || b.Upstream != "main" {
		t.Errorf("%+v, want head %s", b, hash)
	}
	if w := find(t, repo, app.Dir); w.Head != hash || !w.Detached {
		t.Errorf("%+v", w)
	}

	repo = open(t, worktree.Git{}, feat.Dir)
	wantProblem(t, repo.Problem, "needs the git program (sha256)")
	if w := find(t, repo, feat.Dir); w.Branch != "feat" || w.State != worktree.Present || len(repo.Branches) != 0 {
		t.Errorf("%+v", repo)
	}
}

// reftable makes a repository look as if its refs were in a reftable: a stub
// HEAD, and an extension that this git may not know (report E3).
func reftable(t *testing.T) worktreetest.Repo {
	app := worktreetest.New(t, "")
	app.Worktree("../feat", "feat")
	app.Configure("[core]\n\trepositoryformatversion = 1\n[extensions]\n\trefStorage = reftable\n")
	for _, dir := range []string{".git", ".git/worktrees/feat"} {
		worktreetest.WriteFile(t, app.Path(dir, "HEAD"), "ref: refs/heads/.invalid\n")
	}
	return app
}

func TestOpenReftable(t *testing.T) {
	t.Parallel()
	app := reftable(t)
	repo := open(t, worktree.Git{}, app.Dir)
	wantProblem(t, repo.Problem, "needs the git program (reftable)")
	if w := find(t, repo, app.Dir); w.Branch != "" || w.Head != "" || w.Detached {
		t.Errorf("a stub was taken for a HEAD: %+v", w)
	}
	if w := find(t, repo, sub(app.Dir, "../feat")); w.State != worktree.Present {
		t.Errorf("%+v", w)
	}

	if _, err := app.Try("status"); err != nil { // a git that does not know it either
		repo = open(t, real(t), app.Dir)
		wantProblem(t, repo.Problem, "needs a git program that reads it (reftable)")
	}

	// A git that knows reftables, played by a script with its documented output.
	hash := strings.Repeat("ab", 20)
	script := sub(worktreetest.Dir(t), "git")
	worktreetest.WriteScript(t, script, `case "$*" in
*for-each-ref*)
	printf 'refs/heads/feat\000`+hash+`\000\000\n'
	printf 'refs/heads/main\000`+hash+`\000refs/remotes/origin/main\000\n' ;;
*"worktree list"*)
	printf 'worktree `+app.Dir+`\000HEAD `+hash+`\000branch refs/heads/main\000\000'
	printf 'worktree `+sub(app.Dir, "../feat")+`\000HEAD `+hash+`\000detached\000locked\000\000' ;;
*) exit 9 ;;
esac
`)
	repo = open(t, worktree.Git{Program: script, Env: worktreetest.Env(t.TempDir())}, app.Dir)
	wantProblem(t, repo.Problem, "")
	if b := branch(t, repo, "main"); b.Head != hash || b.Upstream != "origin/main" || b.Worktree != app.Dir {
		t.Errorf("%+v", b)
	}
	if w := find(t, repo, app.Dir); w.Branch != "main" || w.Head != hash {
		t.Errorf("%+v", w)
	}
	if w := find(t, repo, sub(app.Dir, "../feat")); !w.Detached || w.Head != hash {
		t.Errorf("%+v", w)
	}
}

// TestOpenBareLayouts: reports E9, E11 and bare repositories.
func TestOpenBareLayouts(t *testing.T) {
	t.Parallel()
	top := worktreetest.Dir(t)
	proj := worktreetest.BareLayout(t, sub(top, "proj"))
	feat := proj.Worktree("feat", "feat")
	proj.Git("clone", "-q", "--bare", proj.Dir, sub(top, "srv/lib.git"))
	nested := worktreetest.New(t, sub(top, "nested"))
	nested.Worktree("main-tree", "work")
	nested.Git("config", "core.bare", "true")

	for dir, want := range map[string]string{
		"proj": "proj", "proj/feat": "proj", "proj/.bare": "proj", "proj/gone": "proj",
		"srv/lib.git": "lib", "nested": "nested",
	} {
		repo := open(t, worktree.Git{}, sub(top, dir))
		if repo.Name != want || repo.Main != "" || !repo.Bare || repo.Problem != "" {
			t.Errorf("%s: %+v", dir, repo)
		}
		if _, ok := strings.CutPrefix(dir, "proj"); ok {
			if w := find(t, repo, feat.Dir); len(repo.Worktrees) != 1 || w.Branch != "feat" || w.Main {
				t.Errorf("%s: %+v", dir, repo.Worktrees)
			}
		}
	}

	// E9: the extension makes git call the linked worktree bare.
	proj.Git("config", "extensions.worktreeConfig", "true")
	repo := open(t, real(t), proj.Dir)
	if w := find(t, repo, feat.Dir); w.State != worktree.Present || w.Branch != "feat" || !repo.Bare {
		t.Errorf("E9: %+v", repo)
	}
	feat.Write("new", "")
	if status := real(t).Status(t.Context(), feat.Dir); status.Problem != "" || status.Dirty != 1 {
		t.Errorf("E9: %+v", status)
	}
	// The setting may have moved to where the extension keeps it.
	proj.Git("config", "--unset", "core.bare")
	worktreetest.AppendFile(t, proj.Path(".bare/config.worktree"), "[core]\n\tbare = true\n")
	if repo := open(t, real(t), feat.Dir); !repo.Bare || repo.Main != "" {
		t.Errorf("E9, moved: %+v", repo)
	}
	if place := worktree.Locate(proj.Dir); place.State != worktree.Bare {
		t.Errorf("E9, moved: %+v", place)
	}
}

// TestOpenCoreWorktree: report E12.
func TestOpenCoreWorktree(t *testing.T) {
	t.Parallel()
	top := worktreetest.Dir(t)
	home := sub(top, "home")
	dots := worktreetest.Init(t, sub(home, ".dots"), "--bare")
	dots.Git("config", "core.bare", "false")
	dots.Git("config", "core.worktree", home)

	repo := open(t, real(t), dots.Dir)
	if w := find(t, repo, home); w.State != worktree.Unknown || w.Detail == "" || repo.Main != home {
		t.Errorf("dotfiles: %+v", repo)
	}
	if place := worktree.Locate(home); place.State != worktree.Plain {
		t.Errorf("git finds nothing at home: %+v", place)
	}

	app := worktreetest.New(t, sub(top, "app"))
	for _, elsewhere := range []string{sub(top, "none"), "/", "../../home"} {
		app.Git("config", "core.worktree", elsewhere)
		repo := open(t, real(t), app.Dir)
		if len(repo.Worktrees) != 1 || repo.Worktrees[0].State == worktree.Present {
			t.Errorf("core.worktree = %s: %+v", elsewhere, repo.Worktrees)
		}
		wantProblem(t, real(t).Status(t.Context(), app.Dir).Problem, "core.worktree names another directory")
	}
}

// TestOpenSubmodule: report E21. A submodule is a repository of its own.
func TestOpenSubmodule(t *testing.T) {
	t.Parallel()
	top := worktreetest.Dir(t)
	lib := worktreetest.New(t, sub(top, "lib"))
	app := worktreetest.New(t, sub(top, "app"))
	app.Git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", lib.Dir, "deps/lib")
	app.Git("commit", "-q", "-m", "Add lib")
	inner := worktreetest.At(t, app.Path("deps/lib"))
	inner.Write("new", "")

	repo := open(t, real(t), inner.Dir)
	if repo.CommonDir != app.Path(".git/modules/deps/lib") || repo.Main != inner.Dir || repo.Name != "lib" {
		t.Errorf("%+v", repo)
	}
	if w := find(t, repo, inner.Dir); !w.Main || w.State != worktree.Present {
		t.Errorf("%+v", w)
	}
	if status := real(t).Status(t.Context(), inner.Dir); status.Dirty != 1 || status.Problem != "" {
		t.Errorf("%+v", status)
	}
	if status := real(t).Status(t.Context(), app.Dir); status.Dirty != 0 || status.Problem != "" {
		t.Errorf("changed files in a submodule are its own: %+v", status)
	}
	inner.Commit("new", "x")
	if status := real(t).Status(t.Context(), app.Dir); status.Dirty != 1 {
		t.Errorf("another commit in a submodule counts: %+v", status)
	}
}

// TestOpenBrokenConfig: what go-git's parser refuses, git may read.
func TestOpenBrokenConfig(t *testing.T) {
	t.Parallel()
	app := worktreetest.New(t, "")
	app.Configure("[branch \"x\"]\n\tmerge = \"unclosed\n")
	repo := open(t, worktree.Git{}, app.Dir)
	if repo.Problem == "" || len(repo.Worktrees) != 1 || repo.Worktrees[0].Branch != "main" {
		t.Errorf("%+v", repo)
	}
	fifoed := worktreetest.New(t, "")
	worktreetest.RemoveAll(t, fifoed.Path(".git/config"))
	fifo(t, fifoed.Path(".git/config"))
	g := real(t)
	g.Timeout = 200 * time.Millisecond
	repo = open(t, g, fifoed.Dir)
	if repo.Problem == "" || len(repo.Worktrees) != 1 {
		t.Errorf("%+v", repo)
	}
	if err := os.Remove(fifoed.Path(".git/config")); err != nil {
		t.Fatal(err)
	}
	wantProblem(t, open(t, worktree.Git{}, fifoed.Dir).Problem, "")
}

// TestOpenHugeConfig: the time for a configuration made of headings only is in
// proportion to its size.
func TestOpenHugeConfig(t *testing.T) {
	t.Parallel()
	app := worktreetest.New(t, "")
	var text strings.Builder
	for i := 0; text.Len() < 900<<10; i++ {
		fmt.Fprintf(&text, "[a%d]\nb\n[branch \"x%d\"]\nremote=.\n", i, i)
	}
	app.Configure(text.String())
	start := time.Now()
	repo := open(t, worktree.Git{}, app.Dir)
	if took := time.Since(start); took > 10*time.Second {
		t.Errorf("took %v", took)
	}
	wantProblem(t, repo.Problem, "")
	app.Configure(text.String())
	wantProblem(t, open(t, worktree.Git{}, app.Dir).Problem, "file too large")
	wantProblem(t, open(t, real(t), app.Dir).Problem, "")
}

// TestOpenSeparateGitDir: a git directory that is kept elsewhere knows no way
// back to its checkout; the checkout does.
func TestOpenSeparateGitDir(t *testing.T) {
	t.Parallel()
	top := worktreetest.Dir(t)
	apart := worktreetest.Init(t, sub(top, "apart"), "--separate-git-dir="+sub(top, "kept"))
	apart.Commit("a", "a")
	repo := open(t, worktree.Git{}, apart.Dir)
	if repo.CommonDir != sub(top, "kept") || repo.Main != apart.Dir || repo.Name != "apart" || repo.Bare {
		t.Errorf("%+v", repo)
	}
	if w := find(t, repo, apart.Dir); !w.Main || w.State != worktree.Present || w.Branch != "main" {
		t.Errorf("%+v", w)
	}
	if repo := open(t, worktree.Git{}, sub(top, "kept")); repo.Main != "" || len(repo.Branches) != 1 {
		t.Errorf("%+v", repo)
	}
}

// TestGitThatNeverStopsComplaining keeps the beginning of what a program writes to
// standard error, and no more.
func TestGitThatNeverStopsComplaining(t *testing.T) {
	t.Parallel()
	app := worktreetest.New(t, "")
	git := filepath.Join(t.TempDir(), "git")
	worktreetest.WriteScript(t, git, "head -c 3000000 /dev/zero | tr '\\0' x >&2\nexit 3\n")
	status := worktree.Git{Program: git, Env: os.Environ()}.Status(t.Context(), app.Dir)
	if n := len(status.Problem); n == 0 || n > 8192 {
		t.Errorf("a problem of %d bytes", n)
	}
}

package worktree_test

import (
	"context"
	"os"
	"strings"
	"testing"
	"time"

	"coppice/worktree"
	"coppice/worktree/worktreetest"
)

func TestStatus(t *testing.T) {
	t.Parallel()
	top := worktreetest.Dir(t)
	app := worktreetest.New(t, sub(top, "app"))
	for _, file := range []string{"changed", "staged", "deleted", "renamed", "both"} {
		app.Commit(file, file+" with enough text to be found again\n")
	}
	app.Git("clone", "-q", app.Dir, sub(top, "copy"))
	work := worktreetest.At(t, sub(top, "copy"))

	check := func(want worktree.Status) {
		t.Helper()
		got := real(t).Status(t.Context(), work.Dir)
		if got.At.IsZero() {
			t.Error("no time")
		}
		want.Path, want.At = work.Dir, got.At
		if got != want {
			t.Errorf("got  %+v\nwant %+v", got, want)
		}
	}
	check(worktree.Status{Upstream: true})

	work.Write("changed", "x")
	work.Write("staged", "x")
	work.Git("add", "staged")
	worktreetest.RemoveAll(t, work.Path("deleted"))
	work.Git("mv", "renamed", "elsewhere") // two paths: one gone, one new
	work.Write("new\nline \x1b[31m", "")
	work.Write("-dash", "")
	work.Write("dir/a", "")
	work.Write("dir/b", "")
	check(worktree.Status{Dirty: 8, Upstream: true})

	work.Git("reset", "-q", "--hard")
	work.Git("clean", "-qfd")
	app.Commit("theirs", "1")
	work.Git("fetch", "-q")
	work.Commit("mine", "1")
	work.Commit("mine", "2")
	check(worktree.Status{Ahead: 2, Behind: 1, Upstream: true})
	work.Git("config", "status.aheadBehind", "false")
	work.Git("config", "status.showUntrackedFiles", "no")
	work.Write("untracked", "")
	check(worktree.Status{Ahead: 2, Behind: 1, Upstream: true, Dirty: 1})

	app.Write("mine", "conflict")
	app.Git("add", ".")
	app.Git("commit", "-q", "-m", "Conflict")
	work.Git("fetch", "-q")
	_, _ = work.Try("merge", "origin/main")
	check(worktree.Status{Ahead: 2, Behind: 2, Upstream: true, Dirty: 3}) // mine, theirs, untracked

	work.Git("merge", "--abort")
	work.Git("update-ref", "-d", "refs/remotes/origin/main")
	check(worktree.Status{Dirty: 1})
}

// TestStatusUnfit: what is no checkout has no status, and never its parent's
// (report E15).
func TestStatusUnfit(t *testing.T) {
	t.Parallel()
	top := worktreetest.Dir(t)
	app := worktreetest.New(t, sub(top, "app"))
	app.Write("dirt", "")
	app.Worktree("../lost", "lost")
	app.Worktree("../before", "renamed")
	worktreetest.RemoveAll(t, app.Path(".git/worktrees/lost"))
	worktreetest.Rename(t, sub(top, "before"), sub(top, "after"))
	worktreetest.MkdirAll(t, app.Path(".claude/worktrees/ghost"))
	worktreetest.MkdirAll(t, app.Path("src"))
	worktreetest.BareLayout(t, sub(top, "proj"))
	gone := worktreetest.New(t, sub(top, "gone"))
	gone.Worktree("../orphan", "orphan")
	worktreetest.RemoveAll(t, gone.Dir)

	for dir, part := range map[string]string{
		"app/.claude/worktrees/ghost": "not a worktree",
		"app/src":                     "not the top directory",
		"app/none":                    "gone",
		"app/.git":                    "bare",
		"proj":                        "bare",
		"":                            "not a git repository",
		"orphan":                      "repository was moved or is gone",
		"lost":                        "not a git repository",
		"after":                       "",
	} {
		status := real(t).Status(t.Context(), sub(top, dir))
		if status.Dirty != 0 || status.Upstream {
			t.Errorf("%s: %+v", dir, status)
		}
		wantProblem(t, status.Problem, part)
	}
	wantProblem(t, worktree.Git{}.Status(t.Context(), app.Dir).Problem, "needs the git program")
	g := real(t)
	g.Program = sub(top, "none")
	wantProblem(t, g.Status(t.Context(), app.Dir).Problem, "no such file")
}

// TestStatusTakesNoLock: report E6. A file that only its times changed would
// make an ordinary status write the index.
func TestStatusTakesNoLock(t *testing.T) {
	t.Parallel()
	app := worktreetest.New(t, "")
	later := time.Now().Add(time.Hour)
	if err := os.Chtimes(app.Path("README"), later, later); err != nil {
		t.Fatal(err)
	}
	before, err := os.ReadFile(app.Path(".git/index"))
	if err != nil {
		t.Fatal(err)
	}
	for _, locked := range []bool{false, true} {
		if locked {
			worktreetest.WriteFile(t, app.Path(".git/index.lock"), "")
		}
		if status := real(t).Status(t.Context(), app.Dir); status.Problem != "" || status.Dirty != 0 {
			t.Errorf("%+v", status)
		}
	}
	after, err := os.ReadFile(app.Path(".git/index"))
	if err != nil || string(before) != string(after) {
		t.Errorf("the index was written (%v)", err)
	}
	worktreetest.RemoveAll(t, app.Path(".git/index.lock"))
	app.Git("status") // control: this one writes it
	if control, _ := os.ReadFile(app.Path(".git/index")); string(before) == string(control) {
		t.Error("the fixture gives no reason to write the index")
	}
}

// TestStatusIgnored: report E5, ignored trees are not looked into.
func TestStatusIgnored(t *testing.T) {
	t.Parallel()
	app := worktreetest.New(t, "")
	app.Commit(".gitignore", "node_modules/\n")
	for i := range 50 {
		app.Write(sub("node_modules", strings.Repeat("d/", i%5), "f"), "")
	}
	if os.Geteuid() != 0 {
		worktreetest.MkdirAll(t, app.Path("node_modules/shut"))
		if err := os.Chmod(app.Path("node_modules/shut"), 0); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = os.Chmod(app.Path("node_modules/shut"), 0o755) })
	}
	if status := real(t).Status(t.Context(), app.Dir); status.Dirty != 0 || status.Problem != "" {
		t.Errorf("%+v", status)
	}
}

// TestStatusEnvironment: report E7. A git variable that we inherited must not
// send git elsewhere.
func TestStatusEnvironment(t *testing.T) {
	t.Parallel()
	top := worktreetest.Dir(t)
	app := worktreetest.New(t, sub(top, "app"))
	other := worktreetest.New(t, sub(top, "other"))
	other.Write("dirt", "")
	g := real(t)
	inherited := []string{
		"GIT_DIR=" + other.Path(".git"), "GIT_WORK_TREE=" + other.Dir, "GIT_INDEX_FILE=" + other.Path(".git/none"),
		"GIT_PREFIX=x/", "GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=core.worktree", "GIT_CONFIG_VALUE_0=" + other.Dir,
		"GIT_CONFIG_PARAMETERS='core.bare=true'", "GIT_NAMESPACE=n", "GIT_OBJECT_DIRECTORY=/none", "GIT_COMMON_DIR=/none",
	}
	g.Env = append(g.Env, inherited...)
	if status := g.Status(t.Context(), app.Dir); status.Dirty != 0 || status.Problem != "" {
		t.Errorf("%+v", status)
	}
	clean := worktree.CleanEnv(append([]string{"GIT_CONFIG_GLOBAL=/g", "HOME=/h", "GIT_DIRECTION=x", "odd"}, inherited...))
	if got := strings.Join(clean, " "); got != "GIT_CONFIG_GLOBAL=/g HOME=/h GIT_DIRECTION=x odd" {
		t.Errorf("left: %s", got)
	}
}

// TestVariables asks git for its own list.
func TestVariables(t *testing.T) {
	t.Parallel()
	at := worktreetest.At(t, worktreetest.Dir(t))
	for _, name := range strings.Fields(at.Git("rev-parse", "--local-env-vars")) {
		if !worktree.Scrubbed(name) {
			t.Errorf("%s is not removed", name)
		}
	}
	for _, name := range worktree.Variables() {
		if !worktree.Scrubbed(name) {
			t.Errorf("%s is listed but not removed", name)
		}
	}
	for name, want := range map[string]bool{
		"GIT_CONFIG_KEY_12": true, "GIT_CONFIG_VALUE_0": true, "GIT_CONFIG_GLOBAL": false, "GIT_SSH_COMMAND": false, "PATH": false,
	} {
		if worktree.Scrubbed(name) != want {
			t.Errorf("Scrubbed(%s) = %v", name, !want)
		}
	}
}

// TestStatusForeignOwner: git refuses a checkout of somebody else's and says
// "dubious ownership"; the answer says what to do.
func TestStatusForeignOwner(t *testing.T) {
	t.Parallel()
	if os.Geteuid() != 0 {
		t.Skip("only root can give files away")
	}
	app := worktreetest.New(t, sub(worktreetest.Dir(t), "it's"))
	for _, path := range []string{app.Dir, app.Path(".git")} {
		if err := os.Chown(path, 12345, 12345); err != nil {
			t.Fatal(err)
		}
	}
	status := real(t).Status(t.Context(), app.Dir)
	wantProblem(t, status.Problem, "git config --global --add safe.directory '")
	if !strings.HasSuffix(status.Problem, `it'\''s'`) {
		t.Errorf("not quoted: %s", status.Problem)
	}
	if repo := open(t, real(t), app.Dir); len(repo.Branches) != 1 {
		t.Errorf("files are read all the same: %+v", repo)
	}
}

func TestStatusCancelled(t *testing.T) {
	t.Parallel()
	app := worktreetest.New(t, "")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if status := real(t).Status(ctx, app.Dir); status.Problem == "" {
		t.Errorf("%+v", status)
	}
}

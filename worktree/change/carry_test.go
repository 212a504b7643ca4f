package change_test

import (
	"context"
	"errors"
	"os"
	"strings"
	"testing"

	"coppice/worktree/change"
	"coppice/worktree/worktreetest"
)

// TestCarry is the table of what is in a worktree, carried into a new one at the
// same commit: both have it then, byte for byte, and the first is as it was.
func TestCarry(t *testing.T) {
	t.Parallel()
	for name, state := range states {
		if state.gone || strings.HasPrefix(name, "nested") {
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r, w := inState(t, name)
			to := target(t, r, w)
			before := everything(t, r, w)
			if _, err := change.CarryChanges(context.Background(), real(t), w.Dir, to.Dir); err != nil {
				t.Fatal(err)
			}
			wantCarried(t, w, to)
			missing(t, to.Path("x.log"))
			if now := everything(t, r, w); now != before {
				t.Errorf("the first is not as it was:\n%s\nbefore:\n%s", now, before)
			}
		})
	}
}

// target adds a detached worktree at the commit of another, outside the
// repository.
func target(t *testing.T, r, w worktreetest.Repo) worktreetest.Repo {
	t.Helper()
	dir := worktreetest.Dir(t) + "/to"
	r.Git("worktree", "add", "-q", "--detach", "--", dir, w.Git("rev-parse", "HEAD"))
	return worktreetest.At(t, dir)
}

func wantCarried(t *testing.T, w, to worktreetest.Repo) {
	t.Helper()
	status := func(r worktreetest.Repo) string {
		return r.Git("status", "--porcelain=v2", "-z", "--untracked-files=all", "--ignore-submodules=dirty")
	}
	if got, want := status(to), status(w); got != want {
		t.Errorf("status %q, want %q", got, want)
	}
	if got, want := to.Git("ls-files", "--stage"), w.Git("ls-files", "--stage"); got != want {
		t.Errorf("index\n%s\nwant\n%s", got, want)
	}
	for _, name := range strings.Split(strings.Trim(w.Git("ls-files", "-z", "--cached", "--others", "--exclude-standard"), "\x00"), "\x00") {
		info, err := os.Lstat(w.Path(name))
		if err != nil || info.IsDir() {
			if _, err := os.Lstat(to.Path(name)); err == nil && info == nil {
				t.Errorf("%q is there", name)
			}
			continue
		}
		if strings.HasPrefix(name, "README") && info.Mode().IsRegular() && w.Git("ls-files", "-v", "README") == "h README" {
			continue // told not to look at it
		}
		got, errGot := os.Lstat(to.Path(name))
		if errGot != nil || got.Mode() != info.Mode() {
			t.Errorf("%q: %v, %v", name, got, errGot)
			continue
		}
		if info.Mode().IsRegular() && read(t, to.Path(name)) != read(t, w.Path(name)) {
			t.Errorf("%q differs", name)
		}
	}
}

func TestCarryRefuses(t *testing.T) {
	t.Parallel()
	r, w := inState(t, "changed")
	to := target(t, r, w)
	to.Write("own", "x")
	_, err := change.CarryChanges(context.Background(), real(t), w.Dir, to.Dir)
	wantErr(t, err, change.ErrDiffers)
	must(os.Remove(to.Path("own")))
	to.Commit("x", "x")
	_, err = change.CarryChanges(context.Background(), real(t), w.Dir, to.Dir)
	wantErr(t, err, change.ErrDiffers)
	_, err = change.CarryChanges(context.Background(), real(t), w.Dir, w.Dir)
	wantErr(t, err, change.ErrDiffers)
	other := worktreetest.New(t, "")
	_, err = change.CarryChanges(context.Background(), real(t), w.Dir, other.Dir)
	wantErr(t, err, change.ErrDiffers)
	if read(t, to.Path("README")) != "one\n" || read(t, w.Path("README")) != "mine" {
		t.Error("a refusal wrote")
	}
}

// TestCarrySkips: worktrees and repositories inside the checkout stay where they
// are; a repository is named, another worktree goes without saying.
func TestCarrySkips(t *testing.T) {
	t.Parallel()
	r := worktreetest.New(t, "")
	r.Worktree(".claude/worktrees/other", "other")
	r.Write("new", "x")
	worktreetest.New(t, r.Path("inner"))
	to := target(t, r, r)
	carried, err := change.CarryChanges(context.Background(), real(t), r.Dir, to.Dir)
	if err != nil {
		t.Fatal(err)
	}
	if carried.Files != 1 || len(carried.Skipped) != 1 || !strings.Contains(carried.Skipped[0], "inner/") {
		t.Errorf("carried %+v", carried)
	}
	missing(t, to.Path(".claude"))
}

// TestCarryThroughSymlink: a symlink that the receiving checkout has where the
// other has a directory is replaced, not followed.
func TestCarryThroughSymlink(t *testing.T) {
	t.Parallel()
	outside := worktreetest.Dir(t)
	worktreetest.WriteFile(t, outside+"/x", "precious")
	r := worktreetest.New(t, "")
	must(os.Symlink(outside, r.Path("out")))
	r.Write("dir/x", "tracked")
	must(os.Symlink("dir", r.Path("in")))
	r.Git("add", ".")
	r.Git("commit", "-qm", "Links")
	to := target(t, r, r)
	for _, link := range []string{"out", "in"} {
		must(os.Remove(r.Path(link)))
		r.Write(link+"/x", "mine")
	}
	if _, err := change.CarryChanges(context.Background(), real(t), r.Dir, to.Dir); err != nil {
		t.Fatal(err)
	}
	wantCarried(t, r, to)
	if read(t, outside+"/x") != "precious" || read(t, to.Path("dir/x")) != "tracked" {
		t.Error("a link was followed")
	}
}

// TestCarryBreaksOff: a file that the receiving checkout ignores is in the way.
// The error says how far it came, and nothing is taken away on either side.
func TestCarryBreaksOff(t *testing.T) {
	t.Parallel()
	r, w := inState(t, "changed")
	w.Write("a", "x")
	w.Write("z/b", "y")
	to := target(t, r, w)
	to.Write("z", "precious")
	to.Write("../excluded", "z\n")
	to.Git("config", "core.excludesFile", to.Path("../excluded"))
	w.Git("add", "--force", "z/b")
	_, err := change.CarryChanges(context.Background(), real(t), w.Dir, to.Dir)
	var broke *change.CarryError
	if !errors.As(err, &broke) || broke.Done != 2 || broke.Of != 3 || broke.To != to.Dir {
		t.Fatalf("error %v", err)
	}
	if read(t, w.Path("README")) != "mine" || read(t, w.Path("z/b")) != "y" || read(t, to.Path("z")) != "precious" {
		t.Error("something was taken away")
	}
}

// TestCarryWhileItChanges: a file that is written to meanwhile is no carried one.
func TestCarryWhileItChanges(t *testing.T) {
	t.Parallel()
	r, w := inState(t, "untracked")
	to := target(t, r, w)
	g := real(t)
	dir := t.TempDir()
	worktreetest.WriteScript(t, dir+"/git", `
for a; do case "$a" in update-index) ;; status) echo x >>`+dir+`/n; if [ $(wc -l <`+dir+`/n) = 3 ]; then echo late >`+w.Path("late")+`; fi;; esac; done
exec `+g.Program+` "$@"
`)
	g.Program = dir + "/git"
	_, err := change.CarryChanges(context.Background(), g, w.Dir, to.Dir)
	wantErr(t, err, change.ErrChanged)
}

// TestCarryKeepsIgnoredFiles: what the receiving checkout has and ignores is not
// replaced, and links that both were made with are no obstacle.
func TestCarryKeepsIgnoredFiles(t *testing.T) {
	t.Parallel()
	r := worktreetest.New(t, "")
	r.Commit(".gitignore", "*.log\n")
	r.Write("modules/x", "x")
	o := options(r, "a")
	o.Fill.Links = []string{"modules"}
	w := worktreetest.At(t, create(t, o).Path)
	o.Name = "b"
	to := worktreetest.At(t, create(t, o).Path)
	w.Write("new", "x")
	if _, err := change.CarryChanges(context.Background(), real(t), w.Dir, to.Dir); err != nil {
		t.Fatal(err)
	}
	must(os.Remove(to.Path("new")))
	w.Write("x.log", "mine")
	w.Git("add", "--force", "x.log")
	to.Write("x.log", "precious")
	_, err := change.CarryChanges(context.Background(), real(t), w.Dir, to.Dir)
	var broke *change.CarryError
	if !errors.As(err, &broke) || read(t, to.Path("x.log")) != "precious" {
		t.Errorf("error %v", err)
	}
}

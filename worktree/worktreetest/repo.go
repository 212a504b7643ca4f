package worktreetest

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// Repo is a directory in which git runs: a checkout, a bare repository, or any
// place that a test wants to ask git about. Its methods end the test when they
// cannot do their work.
type Repo struct {
	Dir string // absolute, symlinks resolved
	t   testing.TB
	env []string
}

// Program returns the git program. The test is skipped when there is none.
func Program(t testing.TB) string {
	t.Helper()
	program, err := exec.LookPath("git")
	if err != nil {
		t.Skip("needs the git program")
	}
	return program
}

// Env is an environment for git with home as the home directory, no other
// configuration, a fixed identity and fixed times.
func Env(home string) []string {
	const when = "2024-05-06T07:08:09Z"
	return []string{
		"PATH=" + os.Getenv("PATH"),
		"HOME=" + home,
		"LC_ALL=C",
		"GIT_CONFIG_GLOBAL=/dev/null",
		"GIT_CONFIG_NOSYSTEM=1",
		"GIT_TERMINAL_PROMPT=0",
		"GIT_AUTHOR_NAME=Ash", "GIT_AUTHOR_EMAIL=ash@example.org", "GIT_AUTHOR_DATE=" + when,
		"GIT_COMMITTER_NAME=Ash", "GIT_COMMITTER_EMAIL=ash@example.org", "GIT_COMMITTER_DATE=" + when,
	}
}

// Dir returns a new temporary directory, symlinks resolved: git and Coppice
// both print such paths.
func Dir(t testing.TB) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// At returns a Repo for a directory that exists already, or that the test does
// not want made.
func At(t testing.TB, dir string) Repo {
	t.Helper()
	Program(t)
	return Repo{Dir: dir, t: t, env: Env(t.TempDir())}
}

// New makes a repository with one commit on the branch main, at dir, or in a
// new temporary directory called "app" when dir is "".
func New(t testing.TB, dir string) Repo {
	t.Helper()
	r := Init(t, dir)
	r.Commit("README", "one\n")
	return r
}

// Init makes a repository without commits. The arguments go to git init.
func Init(t testing.TB, dir string, args ...string) Repo {
	t.Helper()
	if dir == "" {
		dir = filepath.Join(Dir(t), "app")
	}
	MkdirAll(t, dir)
	r := At(t, dir)
	r.Git(append([]string{"init", "-q", "--initial-branch=main"}, args...)...)
	return r
}

// T is the test that the repository belongs to.
func (r Repo) T() testing.TB { return r.t }

// Git runs git in the directory and returns what it prints, without white space
// at the end.
func (r Repo) Git(args ...string) string {
	r.t.Helper()
	out, err := r.Try(args...)
	if err != nil {
		r.t.Fatalf("git %s in %s: %v\n%s", strings.Join(args, " "), r.Dir, err, out)
	}
	return out
}

// Try is Git for a run that may fail. What git says on its standard error is
// returned too when it does.
func (r Repo) Try(args ...string) (string, error) {
	cmd := exec.Command("git", args...)
	cmd.Dir = r.Dir
	cmd.Env = r.env
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		out = append(out, stderr.Bytes()...)
	}
	return strings.TrimRight(string(out), " \r\n"), err
}

// Commit writes a file, commits it and returns the commit's hash.
func (r Repo) Commit(file, content string) string {
	r.t.Helper()
	r.Write(file, content)
	r.Git("add", "--", file)
	r.Git("commit", "-q", "-m", "Change "+file)
	return r.Git("rev-parse", "HEAD")
}

// Write writes a file below the directory.
func (r Repo) Write(file, content string) {
	r.t.Helper()
	WriteFile(r.t, filepath.Join(r.Dir, file), content)
}

// Path joins the directory and the elements.
func (r Repo) Path(elem ...string) string {
	return filepath.Join(append([]string{r.Dir}, elem...)...)
}

// Worktree adds a linked worktree at path (relative to the directory) on a new
// branch of that name.
func (r Repo) Worktree(path, branch string) Repo {
	r.t.Helper()
	if !filepath.IsAbs(path) {
		path = r.Path(path)
	}
	r.Git("worktree", "add", "-q", "-b", branch, "--", path)
	return Repo{Dir: path, t: r.t, env: r.env}
}

// Branches makes n branches "<prefix>1"… at the current commit, without a
// process for each, and sets them to follow branches of the remote "origin".
func (r Repo) Branches(prefix string, n int) {
	r.t.Helper()
	hash := r.Git("rev-parse", "HEAD")
	var refs, config strings.Builder
	for i := range n {
		name := fmt.Sprintf("%s%d", prefix, i+1)
		fmt.Fprintf(&refs, "create refs/heads/%s %s\n", name, hash)
		fmt.Fprintf(&config, "[branch %q]\n\tremote = origin\n\tmerge = refs/heads/%s\n", name, name)
	}
	cmd := exec.Command("git", "update-ref", "--stdin")
	cmd.Dir, cmd.Env, cmd.Stdin = r.Dir, r.env, strings.NewReader(refs.String())
	if out, err := cmd.CombinedOutput(); err != nil {
		r.t.Fatalf("git update-ref: %v\n%s", err, out)
	}
	r.Configure(config.String())
}

// Configure appends text to the repository's configuration.
func (r Repo) Configure(text string) {
	r.t.Helper()
	common := r.Git("rev-parse", "--git-common-dir")
	if !filepath.IsAbs(common) {
		common = r.Path(common)
	}
	AppendFile(r.t, filepath.Join(common, "config"), text)
}

// BareLayout makes a directory whose repository is in .bare, with a .git file
// that points there and no main checkout (report E11). It has one commit on
// main, and main has no worktree yet.
func BareLayout(t testing.TB, dir string) Repo {
	t.Helper()
	seed := New(t, "")
	MkdirAll(t, dir)
	seed.Git("clone", "-q", "--bare", seed.Dir, filepath.Join(dir, ".bare"))
	WriteFile(t, filepath.Join(dir, ".git"), "gitdir: ./.bare\n")
	return At(t, dir)
}

package change_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"coppice/worktree"
	"coppice/worktree/change"
	"coppice/worktree/worktreetest"
)

func real(t testing.TB) worktree.Git {
	t.Helper()
	return worktree.Git{
		Program: worktreetest.Program(t),
		Env:     worktreetest.Env(t.TempDir()),
		Timeout: time.Minute,
	}
}

// options asks for a worktree as the default configuration has it.
func options(r worktreetest.Repo, name string) change.CreateOptions {
	return change.CreateOptions{
		Repository: r.Dir, Name: name,
		Path: "{repo}/.claude/worktrees/{name}", Branch: "worktree-{name}", Base: change.Fresh,
	}
}

// create makes a worktree, which must be the one that was foretold.
func create(t testing.TB, o change.CreateOptions) change.Created {
	t.Helper()
	seen, err := change.Preview(context.Background(), real(t), o)
	if err != nil {
		t.Fatal(err)
	}
	missing(t, seen.Path)
	made, err := change.Create(context.Background(), real(t), o)
	if err != nil {
		t.Fatal(err)
	}
	if seen.Path != made.Path || seen.Branch != made.Branch || seen.Base != made.Base {
		t.Errorf("foretold %+v, made %+v", seen, made)
	}
	return made
}

func wantErr(t testing.TB, err, want error) {
	t.Helper()
	if !errors.Is(err, want) {
		t.Fatalf("error %v, want %v", err, want)
	}
}

// snapshot lists everything below dir that is not git's own, with what it holds,
// and every reference, worktree and setting of the repository there.
func snapshot(t testing.TB, r worktreetest.Repo) string {
	t.Helper()
	var b strings.Builder
	b.WriteString(r.Git("worktree", "list", "--porcelain") + "\n" + r.Git("for-each-ref") + "\n" + r.Git("config", "--list", "--local") + "\n")
	b.WriteString(tree(t, r.Dir))
	entries, _ := os.ReadDir(r.Path(".git", "worktrees"))
	for _, e := range entries {
		b.WriteString("entry " + e.Name() + "\n")
	}
	return b.String()
}

// tree lists what is below dir and what it holds, without .git.
func tree(t testing.TB, dir string) string {
	t.Helper()
	var b strings.Builder
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.Name() == ".git" {
			if d.IsDir() {
				return fs.SkipDir
			}
			return nil
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		b.WriteString(strings.TrimPrefix(path, dir) + " " + info.Mode().String())
		switch {
		case info.Mode().IsRegular():
			data, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			b.WriteString(" " + string(data))
		case info.Mode()&fs.ModeSymlink != 0:
			target, _ := os.Readlink(path)
			b.WriteString(" -> " + target)
		}
		b.WriteString("\n")
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func read(t testing.TB, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func missing(t testing.TB, path string) {
	t.Helper()
	if _, err := os.Lstat(path); !os.IsNotExist(err) {
		t.Errorf("%s is there (%v)", path, err)
	}
}

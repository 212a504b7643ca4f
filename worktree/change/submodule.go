package change

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"coppice/worktree"
)

// submodules adds what the submodules of a worktree would lose. Their
// repositories lie in its entry, or in its directory, and go with it: their
// changes, and every commit of theirs that no remote is known to have.
func (r repo) submodules(ctx context.Context, w worktree.Worktree, l *Losses) error {
	if w.State == worktree.Present {
		if err := r.checkedOut(ctx, w.Path, "", l); err != nil {
			return err
		}
	}
	modules := filepath.Join(r.admin(w), "modules")
	return filepath.WalkDir(modules, func(path string, d fs.DirEntry, err error) error {
		switch {
		case os.IsNotExist(err) && path == modules:
			return nil
		case err != nil:
			return err
		case !d.IsDir() || !isGitDir(path):
			return nil
		}
		name := strings.TrimPrefix(path, modules+"/")
		if err := r.unpushed(ctx, path, name, l); err != nil {
			return err
		}
		if _, err := os.Lstat(filepath.Join(path, "modules")); err == nil {
			return nil // those inside it are met on the way down
		}
		return fs.SkipDir
	})
}

// hasModules reports whether git knows submodules of a worktree.
func (r repo) hasModules(w worktree.Worktree) bool {
	_, errEntry := os.Lstat(filepath.Join(r.admin(w), "modules"))
	_, errFile := os.Lstat(filepath.Join(w.Path, ".gitmodules"))
	return errEntry == nil || errFile == nil
}

func isGitDir(dir string) bool {
	for _, part := range []string{"HEAD", "objects", "refs"} {
		if _, err := os.Lstat(filepath.Join(dir, part)); err != nil {
			return false
		}
	}
	return true
}

// checkedOut looks at the submodules that are checked out in dir, and at theirs.
func (r repo) checkedOut(ctx context.Context, dir, prefix string, l *Losses) error {
	entries, err := list(ctx, r.git, worktree.Command{Dir: dir, Unhurried: true, Args: []string{"ls-files", "-z", "--stage"}})
	if err != nil {
		return err
	}
	for _, entry := range entries {
		fields, name, _ := strings.Cut(entry, "\t")
		sub := filepath.Join(dir, name)
		if !strings.HasPrefix(fields, "160000 ") {
			continue
		}
		git, err := os.Lstat(filepath.Join(sub, ".git"))
		if err != nil {
			continue // not checked out
		}
		changes, err := r.state(ctx, sub)
		if err != nil {
			return err
		}
		if len(changes) > 0 {
			l.Submodules = append(l.Submodules, fmt.Sprintf("submodule %q has %d changed files", prefix+name, len(changes)))
		}
		if git.IsDir() {
			if err := r.unpushed(ctx, filepath.Join(sub, ".git"), prefix+name, l); err != nil {
				return err
			}
		}
		if err := r.checkedOut(ctx, sub, prefix+name+"/", l); err != nil {
			return err
		}
	}
	return nil
}

// unpushed adds the commits of a submodule's repository that none of its remotes
// is known to have: on branches, in stashes, at HEAD.
func (r repo) unpushed(ctx context.Context, dir, name string, l *Losses) error {
	count := func(tips ...string) (string, error) {
		var out bytes.Buffer
		err := r.git.Run(ctx, worktree.Command{
			Dir: dir, Unhurried: true, Options: []string{"--git-dir=" + dir}, Stdout: &out,
			Args: append(append([]string{"rev-list", "--count", "--all"}, tips...), "--not", "--remotes", "--"),
		})
		return strings.TrimSpace(out.String()), err
	}
	n, err := count("HEAD")
	if said(err) { // HEAD is unborn
		n, err = count()
	}
	if err != nil {
		return err
	}
	if n != "0" {
		l.Submodules = append(l.Submodules, fmt.Sprintf("submodule %q has %s commits that no remote has", name, n))
	}
	return nil
}

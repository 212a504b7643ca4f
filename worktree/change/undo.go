package change

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"coppice/worktree"
)

const (
	undoTime   = time.Minute     // how long taking back an attempt may take
	removeTime = 3 * time.Second // how long a directory may resist
)

// undo takes back what was made, also when ctx has ended, and returns the cause:
// as a LeftError when something is left.
func (s *site) undo(ctx context.Context, cause error) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), undoTime)
	defer cancel()
	var left []string
	keep := func(what string, err error) {
		if err != nil {
			left = append(left, fmt.Sprintf("%s (%v)", what, err))
		}
	}
	if s.made {
		keep("the directory "+s.path, removeTree(ctx, s.path))
	}
	if s.began {
		keep("git's entry for "+s.path, s.dropEntry(ctx))
	}
	for _, dir := range slices.Backward(s.parents) {
		_ = os.Remove(dir) // another worktree may have come to lie there
	}
	if s.own != "" {
		keep("the branch "+s.own, s.dropBranch(ctx))
	}
	if left != nil {
		return &LeftError{Err: cause, Left: left}
	}
	return cause
}

// removeTree removes a directory and what is in it; symlinks are removed, not
// followed. A process that was told to end may still write for a moment.
func removeTree(ctx context.Context, dir string) error {
	ctx, cancel := context.WithTimeout(ctx, removeTime)
	defer cancel()
	for {
		err := os.RemoveAll(dir)
		if err == nil {
			return nil
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(50 * time.Millisecond):
		}
		if os.IsPermission(err) {
			openUp(dir)
		}
	}
}

// openUp makes the directories in dir writable for us: what a set-up command
// fetched may be read-only.
func openUp(dir string) {
	_ = filepath.WalkDir(dir, func(path string, d os.DirEntry, _ error) error {
		if d != nil && d.IsDir() {
			_ = os.Chmod(path, 0o700)
		}
		return nil
	})
}

// dropEntry removes the entry in the register that names our path. There was
// none when we began.
func (s *site) dropEntry(ctx context.Context) error {
	now, err := s.git.Open(ctx, s.info.CommonDir)
	if err != nil {
		return err
	}
	for _, w := range now.Worktrees {
		if w.Admin != "" && w.Path == s.path {
			err = s.forget(w)
		}
	}
	return err
}

// forget removes one worktree's entry in the repository, and nothing else. Git
// too removes the directory of all entries with the last one.
func (r repo) forget(w worktree.Worktree) error {
	err := os.RemoveAll(r.admin(w))
	_ = os.Remove(filepath.Join(r.info.CommonDir, "worktrees"))
	return err
}

// dropBranch removes the branch made for the worktree, when it still is where it
// was made.
func (s *site) dropBranch(ctx context.Context) error {
	now, err := s.ask(ctx, s.home, "rev-parse", "--verify", "--quiet", ref(s.own))
	switch {
	case said(err):
		return nil // it was not made yet
	case err != nil:
		return err
	case s.commit == "":
		s.commit = now
	}
	return s.deleteBranch(ctx, s.own, s.commit)
}

// deleteBranch removes a branch that is at a commit, and its settings.
func (r repo) deleteBranch(ctx context.Context, name, commit string) error {
	err := r.run(ctx, worktree.Command{Dir: r.home, Args: []string{"update-ref", "-d", ref(name), commit}})
	if err != nil {
		return err
	}
	err = r.run(ctx, worktree.Command{Dir: r.home, Args: []string{"config", "--local", "--remove-section", "branch." + name}})
	if said(err) {
		return nil // it had none
	}
	return err
}

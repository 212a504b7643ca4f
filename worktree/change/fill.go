package change

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"

	"coppice/worktree"
)

// fill gives a new worktree what git does not. The notes say what was left out.
func (s *site) fill(ctx context.Context, f Fill) (notes []string, err error) {
	into, err := os.OpenRoot(s.path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = into.Close() }()
	if s.info.Main != "" {
		from, err := os.OpenRoot(s.info.Main)
		if err != nil {
			return nil, err
		}
		defer func() { _ = from.Close() }()
		if err := s.include(ctx, from, into); err != nil {
			return nil, err
		}
		if notes, err = link(from, into, f.Links); err != nil {
			return nil, err
		}
	}
	return notes, s.setUp(ctx, f)
}

// includeFile names, in the syntax of .gitignore, what a new worktree gets of
// the files that git does not track.
const includeFile = ".worktreeinclude"

// maxInclude bounds includeFile, in bytes.
const maxInclude = 1 << 20

// include copies the regular files of the main checkout that includeFile
// matches and that git ignores, as the client does: no file that is merely
// untracked, no symlink, nothing of a repository inside this one. What the
// worktree has already is not replaced.
func (s *site) include(ctx context.Context, from, into *os.Root) error {
	info, err := from.Lstat(includeFile)
	if err != nil || !info.Mode().IsRegular() || info.Size() > maxInclude {
		return nil
	}
	names, err := list(ctx, s.git, worktree.Command{
		Dir: s.info.Main, Unhurried: true,
		Args: []string{"ls-files", "-z", "--others", "--ignored", "--exclude-from=" + filepath.Join(s.info.Main, includeFile)},
	})
	if err != nil || names == nil {
		return err
	}
	names, err = list(ctx, s.git, worktree.Command{
		Dir: s.info.Main, Unhurried: true,
		Args:  []string{"check-ignore", "-z", "--stdin"},
		Stdin: strings.NewReader(strings.Join(names, "\x00") + "\x00"),
	})
	if said(err) {
		return nil // none of them
	}
	if err != nil {
		return err
	}
	for _, name := range names {
		if err := ctx.Err(); err != nil {
			return err
		}
		if info, err := from.Lstat(name); err != nil || !info.Mode().IsRegular() {
			continue
		}
		if err := copyFile(from, into, name); err != nil && !errors.Is(err, os.ErrExist) {
			return fmt.Errorf("copy %s, which %s names: %w", name, includeFile, err)
		}
	}
	return nil
}

// copyFile copies a regular file with its permissions. The copy must be new.
func copyFile(from, into *os.Root, name string) error {
	src, err := from.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return err
	}
	defer func() { _ = src.Close() }()
	info, err := src.Stat()
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		return fmt.Errorf("%s: %w: no regular file any more", name, ErrChanged)
	}
	if err := into.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		return err
	}
	dst, err := into.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(dst, src)
	if err == nil {
		err = dst.Chmod(info.Mode().Perm())
	}
	if errClose := dst.Close(); err == nil {
		err = errClose
	}
	return err
}

// link makes symlinks to directories of the main checkout. A directory that the
// main checkout does not have, or that the worktree has already, is a note.
func link(from, into *os.Root, dirs []string) (notes []string, err error) {
	for _, dir := range dirs {
		dir = filepath.Clean(dir)
		if !filepath.IsLocal(dir) || dir == "." || strings.EqualFold(strings.SplitN(dir, "/", 2)[0], ".git") {
			return nil, fmt.Errorf("link %q: %w: name a directory inside the repository", dir, ErrName)
		}
		if info, err := from.Stat(dir); err != nil || !info.IsDir() {
			notes = append(notes, "not linked: the main checkout has no directory "+dir)
			continue
		}
		if _, err := into.Lstat(dir); err == nil {
			notes = append(notes, "not linked: the worktree has its own "+dir)
			continue
		}
		if err := into.MkdirAll(filepath.Dir(dir), 0o777); err != nil {
			return nil, err
		}
		if err := into.Symlink(filepath.Join(from.Name(), dir), dir); err != nil {
			return nil, err
		}
	}
	return notes, nil
}

// setUp runs the set-up command. It has no terminal and no input; when ctx ends,
// its whole process group does. What it leaves running is left.
func (s *site) setUp(ctx context.Context, f Fill) error {
	if len(f.Setup) == 0 {
		return nil
	}
	cmd := exec.CommandContext(ctx, f.Setup[0], f.Setup[1:]...)
	cmd.Dir = s.path
	cmd.Env = worktree.CleanEnv(s.git.Env)
	cmd.Stdout, cmd.Stderr = f.Output, f.Output
	stop := worktree.EndGently(cmd)
	err := cmd.Run()
	stop()
	if ctx.Err() != nil {
		if cmd.Process != nil {
			_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) // it would write on into what is removed
		}
		return ctx.Err()
	}
	if err != nil && !errors.Is(err, exec.ErrWaitDelay) {
		return fmt.Errorf("set-up command %s: %w", f.Setup[0], err)
	}
	return nil
}

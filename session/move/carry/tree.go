package carry

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// depthMax bounds how deep a tree is walked. The client's own are three deep.
const depthMax = 64

// tree walks a directory without following links: each is called for every entry
// below it, directories before and after what they hold. A src that is not there
// is an empty tree; one that is no directory itself is an error.
type tree struct {
	root   *os.Root
	enter  func(name string, info fs.FileInfo) error
	file   func(name string, info fs.FileInfo) error
	leave  func(name string) error
	tooBig func(name string)
}

// walk walks src.
func (t tree) walk(ctx context.Context, src string) error {
	info, err := os.Lstat(src)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil && !info.IsDir() {
		err = fmt.Errorf("%s is no directory", src)
	}
	if err != nil {
		return err
	}
	if t.root, err = os.OpenRoot(src); err != nil {
		return err
	}
	defer func() { _ = t.root.Close() }()
	return t.dir(ctx, ".", info, 0)
}

func (t tree) dir(ctx context.Context, name string, info fs.FileInfo, depth int) error {
	if depth > depthMax {
		t.tooBig(name)
		return nil
	}
	if err := t.enter(name, info); err != nil {
		return err
	}
	f, err := t.root.Open(name)
	if err != nil {
		return err
	}
	names, err := f.Readdirnames(-1)
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	slices.Sort(names)
	for _, base := range names {
		if err := ctx.Err(); err != nil {
			return err
		}
		child := filepath.Join(name, base)
		info, err := t.root.Lstat(child)
		switch {
		case errors.Is(err, fs.ErrNotExist): // gone meanwhile
		case err != nil:
			return err
		case info.IsDir():
			err = t.dir(ctx, child, info, depth+1)
		default:
			err = t.file(child, info)
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return t.leave(name)
}

// Options say how Gather takes a tree.
type Options struct {
	Link     bool                   // hard links where the file system allows them, copies else
	Symlinks bool                   // make symbolic links again, as they are
	Only     func(name string) bool // which entries at the top to take; nil for all
}

// Gathered says what Gather took.
type Gathered struct {
	Files int
	Left  []string // entries that are no files, relative to the source
}

// Gather makes the directory dst, in a stage, hold what src holds: files with
// their content and mode, synced, and directories. A src that is not there makes
// no dst. Pipes, sockets, devices and, unless asked for, symbolic links are left.
func Gather(ctx context.Context, src, dst string, opt Options) (Gathered, error) {
	var got Gathered
	left := func(name string) { got.Left = append(got.Left, name) }
	skip := func(name string) bool {
		top := name
		for filepath.Dir(top) != "." {
			top = filepath.Dir(top)
		}
		return name != "." && opt.Only != nil && !opt.Only(top)
	}
	t := tree{tooBig: left}
	t.enter = func(name string, info fs.FileInfo) error {
		if skip(name) {
			return nil
		}
		return os.Mkdir(filepath.Join(dst, name), info.Mode().Perm()|0o700)
	}
	t.leave = func(name string) error {
		if skip(name) {
			return nil
		}
		return SyncDir(filepath.Join(dst, name))
	}
	t.file = func(name string, info fs.FileInfo) error {
		from, to := filepath.Join(src, name), filepath.Join(dst, name)
		switch {
		case skip(name):
			return nil
		case info.Mode().IsRegular():
			got.Files++
			return take(ctx, from, to, info, opt.Link)
		case info.Mode()&fs.ModeSymlink != 0 && opt.Symlinks:
			return resymlink(from, to)
		}
		left(name)
		return nil
	}
	err := t.walk(ctx, src)
	return got, err
}

// take makes the file at to from the one at from, which was info a moment ago.
func take(ctx context.Context, from, to string, info fs.FileInfo, link bool) error {
	if link && os.Link(from, to) == nil {
		now, err := os.Lstat(to)
		if err != nil || os.SameFile(info, now) {
			return err
		}
		return errors.Join(fmt.Errorf("link %s: %w", from, ErrChanged), os.Remove(to))
	}
	f, err := Open(from)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }()
	now, err := f.Stat()
	if err != nil {
		return err
	}
	if !os.SameFile(info, now) {
		return fmt.Errorf("copy %s: %w", from, ErrChanged)
	}
	return Copy(ctx, to, f, now.Size(), info.Mode())
}

func resymlink(from, to string) error {
	target, err := os.Readlink(from)
	if err != nil {
		return err
	}
	return os.Symlink(target, to)
}

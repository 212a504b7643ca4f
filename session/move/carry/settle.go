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

// Made lists what Settle made, so that it can be undone.
type Made []string

// Undo removes what was made and nothing else: a directory that holds something
// by now stays.
func (m Made) Undo() {
	for _, path := range slices.Backward(m) {
		_ = os.Remove(path)
	}
}

// Settle puts the gathered tree in a stage under its final name. What is there
// already stays as it is where it is the same; anything else is ErrConflict, and
// what was made until then is in Made. A staged tree that is not there is empty.
func Settle(ctx context.Context, staged, final string) (Made, error) {
	var made Made
	t := tree{tooBig: func(string) {}} // Gather took none of these
	t.enter = func(name string, info fs.FileInfo) error {
		dir := filepath.Join(final, name)
		err := os.Mkdir(dir, info.Mode().Perm())
		if err == nil {
			made = append(made, dir)
		}
		if !errors.Is(err, fs.ErrExist) {
			return err
		}
		if there, err := os.Lstat(dir); err != nil || !there.IsDir() {
			return errors.Join(err, fmt.Errorf("make %s: %w", dir, ErrConflict))
		}
		return nil
	}
	t.file = func(name string, info fs.FileInfo) error {
		from, to := filepath.Join(staged, name), filepath.Join(final, name)
		place := Place
		if info.Mode()&fs.ModeSymlink != 0 {
			place = resymlink
		}
		err := place(from, to)
		if err == nil {
			made = append(made, to)
		}
		if !errors.Is(err, fs.ErrExist) {
			return err
		}
		if same, err := SamePath(ctx, from, to); err != nil || !same {
			return errors.Join(err, fmt.Errorf("make %s: %w", to, ErrConflict))
		}
		return nil
	}
	t.leave = func(name string) error { return SyncDir(filepath.Join(final, name)) }
	err := t.walk(ctx, staged)
	return made, err
}

// Clear removes from src what kept holds the same, and the directories that are
// empty then. It returns what it left, relative to src.
func Clear(ctx context.Context, src, kept string) (left []string, err error) {
	leave := func(name string) { left = append(left, name) }
	t := tree{tooBig: leave}
	t.enter = func(string, fs.FileInfo) error { return nil }
	t.file = func(name string, _ fs.FileInfo) error {
		same, err := SamePath(ctx, filepath.Join(src, name), filepath.Join(kept, name))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		if !same {
			leave(name)
			return nil
		}
		return os.Remove(filepath.Join(src, name))
	}
	t.leave = func(name string) error {
		_ = os.Remove(filepath.Join(src, name)) // no error when something was left in it
		return nil
	}
	return left, t.walk(ctx, src)
}

package carry

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// Place puts a finished file of a stage under its final name on the same file
// system, and never in the place of something: what is there already is an error
// that matches fs.ErrExist. The directory still has to be synced.
func Place(staged, final string) error {
	err := os.Link(staged, final)
	if errors.Is(err, syscall.EPERM) || errors.Is(err, syscall.ENOTSUP) || errors.Is(err, syscall.ENOSYS) {
		return renameNoReplace(staged, final) // a file system without hard links
	}
	return err
}

// PlaceDir puts a finished directory of a stage under its final name. What is
// there already is an error that matches fs.ErrExist.
func PlaceDir(staged, final string) error {
	if _, err := os.Lstat(final); err == nil {
		return fmt.Errorf("make %s: %w", final, fs.ErrExist)
	}
	err := os.Rename(staged, final) // which replaces nothing but an empty directory
	if errors.Is(err, syscall.ENOTEMPTY) || errors.Is(err, syscall.ENOTDIR) {
		return fmt.Errorf("make %s: %w", final, fs.ErrExist)
	}
	return err
}

// MakeDir makes a directory and those above it, durably. made is the topmost one
// that was not there, "" when all were.
func MakeDir(dir string) (made string, err error) {
	for up := filepath.Clean(dir); ; up = filepath.Dir(up) {
		if _, err := os.Stat(up); !errors.Is(err, fs.ErrNotExist) {
			break
		}
		made = up
	}
	if err := os.MkdirAll(dir, 0o755); err != nil || made == "" {
		return "", err
	}
	return made, SyncDir(filepath.Dir(made))
}

// SyncDir makes the names in a directory durable.
func SyncDir(dir string) error {
	f, err := os.Open(dir)
	if err != nil {
		return err
	}
	err = f.Sync()
	if errors.Is(err, syscall.EINVAL) || errors.Is(err, syscall.ENOTSUP) {
		err = nil // a file system that syncs no directories
	}
	return errors.Join(err, f.Close())
}

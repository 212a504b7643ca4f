package carry_test

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"coppice/session/move/carry"
	"coppice/session/move/carry/carrytest"
)

// locked returns a file that another has locked.
func locked(t *testing.T) (path string, holder *os.File) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "f")
	carrytest.Write(t, path, "first")
	holder, err := carry.OpenLocked(t.Context(), path, time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = holder.Close() })
	return path, holder
}

// A lock that another keeps is given up, and got once it is free.
func TestOpenLockedGivesUp(t *testing.T) {
	t.Parallel()
	path, holder := locked(t)
	if f, err := carry.OpenLocked(t.Context(), path, 30*time.Millisecond); !errors.Is(err, carry.ErrLocked) || f != nil {
		t.Errorf("%v, %v", f, err)
	}
	if err := holder.Close(); err != nil {
		t.Fatal(err)
	}
	f, err := carry.OpenLocked(t.Context(), path, time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	_ = f.Close()
}

// Who waits goes on at once when its context ends.
func TestOpenLockedWithAContextThatEnds(t *testing.T) {
	t.Parallel()
	path, _ := locked(t)
	ctx, cancel := context.WithCancel(t.Context())
	waiting := make(chan error)
	go func() {
		f, err := carry.OpenLocked(ctx, path, time.Hour)
		if f != nil {
			err = errors.Join(err, f.Close(), errors.New("it got the lock"))
		}
		waiting <- err
	}()
	cancel()
	if err := <-waiting; !errors.Is(err, context.Canceled) {
		t.Errorf("the error is %v", err)
	}
}

// A file that is replaced before its lock is got is not the one that is got; one
// that is removed is not there.
func TestOpenLockedOfAReplacedFile(t *testing.T) {
	t.Parallel()
	for name, replace := range map[string]func(path string) error{
		"by another": func(path string) error {
			return errors.Join(os.WriteFile(path+".new", []byte("second"), 0o600), os.Rename(path+".new", path))
		},
		"by a link": func(path string) error { return errors.Join(os.Remove(path), os.Symlink("/dev/null", path)) },
		"by a pipe": func(path string) error { return errors.Join(os.Remove(path), syscall.Mkfifo(path, 0o600)) },
		"removed":   os.Remove,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path, holder := locked(t)
			replaced := false
			f, err := carry.Lock(t.Context(), path, time.Minute, func() (*os.File, error) {
				f, err := carry.Open(path)
				if !replaced { // between opening and locking
					replaced = true
					if err := errors.Join(replace(path), holder.Close()); err != nil {
						t.Error(err)
					}
				}
				return f, err
			})
			want := map[string]error{"by a link": carry.ErrNotRegular, "by a pipe": carry.ErrNotRegular, "removed": os.ErrNotExist}[name]
			if want != nil {
				if !errors.Is(err, want) || f != nil {
					t.Errorf("%v, %v, want %v", f, err, want)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			data, err := io.ReadAll(f)
			if err := errors.Join(err, f.Close()); string(data) != "second" || err != nil {
				t.Errorf("%q, %v", data, err)
			}
		})
	}
}

// Many may share the lock of a directory, by whatever name; one alone waits for
// all of them.
func TestLockDir(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(dir, link); err != nil {
		t.Fatal(err)
	}
	var shared []*os.File
	for _, name := range []string{dir, link} {
		f, err := carry.LockDir(t.Context(), name, time.Minute, unix.LOCK_SH)
		if err != nil {
			t.Fatal(err)
		}
		shared = append(shared, f)
	}
	for _, f := range shared {
		if _, err := carry.LockDir(t.Context(), link, 0, unix.LOCK_EX); !errors.Is(err, carry.ErrLocked) {
			t.Errorf("the error is %v", err)
		}
		_ = f.Close()
	}
	f, err := carry.LockDir(t.Context(), dir, time.Minute, unix.LOCK_EX)
	if err != nil {
		t.Fatal(err)
	}
	_ = f.Close()
	if _, err := carry.LockDir(t.Context(), filepath.Join(dir, "none"), 0, unix.LOCK_SH); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the error is %v", err)
	}
}

package carry

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// ErrLocked is returned when another process holds a lock for longer than it is
// waited for.
var ErrLocked = errors.New("another process is working on it; try again when it has ended")

// LockWait is how long to wait for a lock under which a session is moved or taken:
// on another file system it is copied meanwhile.
const LockWait = 10 * time.Second

// OpenLocked is Open for a transcript that is going to be moved: until the file is
// closed nobody else has it from OpenLocked, and nobody appends to it by
// transcript.Append, which takes the same lock.
func OpenLocked(ctx context.Context, path string, wait time.Duration) (*os.File, error) {
	return Lock(ctx, path, wait, func() (*os.File, error) { return Open(path) })
}

// Lock takes an flock on the file that open opens, and holds it until the file is
// closed. A file that has lost the name path meanwhile is opened anew. The lock is
// asked for again and again rather than waited for: a wait in the system could not
// be given up. The error matches ErrLocked, that of ctx or one of the file system.
func Lock(ctx context.Context, path string, wait time.Duration, open func() (*os.File, error)) (*os.File, error) {
	return lock(ctx, path, wait, unix.LOCK_EX, open)
}

// LockDir is Lock for a directory, which must be there; how is unix.LOCK_SH for
// one of many who may have it at a time, or unix.LOCK_EX. Whoever moves a session
// shares the one of the folders of all projects (the client has no locks), so that
// whoever has it alone may look where a session is.
func LockDir(ctx context.Context, dir string, wait time.Duration, how int) (*os.File, error) {
	real, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return nil, err
	}
	return lock(ctx, real, wait, how, func() (*os.File, error) {
		return os.OpenFile(real, os.O_RDONLY|syscall.O_NOFOLLOW|syscall.O_DIRECTORY, 0)
	})
}

func lock(ctx context.Context, path string, wait time.Duration, how int, open func() (*os.File, error)) (*os.File, error) {
	retry := time.NewTicker(10 * time.Millisecond)
	defer retry.Stop()
	for end := time.Now().Add(wait); ; {
		f, err := tryLock(path, how, open)
		if !errors.Is(err, unix.EWOULDBLOCK) {
			return f, err
		}
		if time.Now().After(end) {
			return nil, fmt.Errorf("lock %s: %w", path, ErrLocked)
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-retry.C:
		}
	}
}

// tryLock takes the lock, or fails with EWOULDBLOCK when another has it or the
// file lost its name.
func tryLock(path string, how int, open func() (*os.File, error)) (*os.File, error) {
	f, err := open()
	if err != nil {
		return nil, err
	}
	err = unix.Flock(int(f.Fd()), how|unix.LOCK_NB)
	if errors.Is(err, unix.EINTR) || err == nil && !Names(path, f) {
		err = unix.EWOULDBLOCK
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("lock %s: %w", path, err), f.Close())
	}
	return f, nil
}

// Names reports whether path is the name of the open file.
func Names(path string, f *os.File) bool {
	open, err := f.Stat()
	if err != nil {
		return false
	}
	there, err := os.Lstat(path)
	return err == nil && os.SameFile(open, there)
}

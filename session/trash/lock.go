package trash

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"coppice/session/move/carry"
)

// lockName is the file in Trash.Dir that whoever takes or restores has locked. It
// is empty, and stays there.
const lockName = ".lock"

// lock keeps other processes, and other goroutines of this one, from changing the
// trash until the file is closed. The folder must be there. The error matches
// ErrBusy, that of ctx or one of the file system.
func (t Trash) lock(ctx context.Context) (*os.File, error) {
	path := filepath.Join(t.Dir, lockName)
	f, err := carry.Lock(ctx, path, t.wait(), func() (*os.File, error) {
		return os.OpenFile(path, os.O_RDWR|os.O_CREATE|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0o600)
	})
	if errors.Is(err, carry.ErrLocked) {
		err = fmt.Errorf("lock %s: %w", t.Dir, ErrBusy)
	}
	return f, err
}

// wait is how long to wait for the lock of the trash, or of a transcript.
func (t Trash) wait() time.Duration {
	if t.Wait > 0 {
		return t.Wait
	}
	return carry.LockWait
}

// missing reports whether nothing has the name path.
func missing(path string) bool {
	_, err := os.Lstat(path)
	return errors.Is(err, fs.ErrNotExist)
}

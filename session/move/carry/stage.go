package carry

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// stagePrefix begins the name of every stage. No transcript and no side directory
// is called like that, neither here nor by the client.
const stagePrefix = ".coppice-stage-"

// abandoned is the age from which on a stage that nobody holds is removed.
const abandoned = time.Minute

// Stage is a directory for unfinished files, on the file system on which they
// will have their final names. It is locked as long as its process lives: what a
// killed one leaves behind is removed when the next stage is made there.
type Stage struct {
	Dir  string
	lock *os.File
}

// NewStage makes a stage in the directory parent.
func NewStage(parent string) (*Stage, error) {
	sweep(parent)
	dir, err := os.MkdirTemp(parent, stagePrefix)
	if err != nil {
		return nil, err
	}
	lock, err := lockDir(dir)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("lock %s: %w", dir, err), os.Remove(dir))
	}
	return &Stage{Dir: dir, lock: lock}, nil
}

// Path returns the path of a file in the stage.
func (s *Stage) Path(name string) string { return filepath.Join(s.Dir, name) }

// Close removes the stage and what is in it.
func (s *Stage) Close() error { return errors.Join(os.RemoveAll(s.Dir), s.lock.Close()) }

// sweep removes the stages of killed processes. That it cannot is no reason to
// fail: they are in nobody's way.
func sweep(parent string) {
	entries, _ := os.ReadDir(parent)
	for _, entry := range entries {
		if !strings.HasPrefix(entry.Name(), stagePrefix) || !entry.IsDir() {
			continue
		}
		dir := filepath.Join(parent, entry.Name())
		if info, err := entry.Info(); err != nil || time.Since(info.ModTime()) < abandoned {
			continue
		}
		if lock, err := lockDir(dir); err == nil {
			_ = os.RemoveAll(dir)
			_ = lock.Close()
		}
	}
}

// lockDir takes the lock of a stage, or fails when a process has it.
func lockDir(dir string) (*os.File, error) {
	f, err := os.OpenFile(dir, os.O_RDONLY|syscall.O_NOFOLLOW|syscall.O_DIRECTORY, 0)
	if err != nil {
		return nil, err
	}
	if err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

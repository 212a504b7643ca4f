package session

import (
	"context"
	"errors"
	"io/fs"
	"sync"
	"syscall"
	"time"

	"github.com/fsnotify/fsnotify"
)

// coalesce is how long changes are gathered before they are told.
const coalesce = 100 * time.Millisecond

// watcher tells which names in some directories changed. Only directories are
// watched, so the kernel's limits hold for thousands of transcripts.
type watcher struct {
	fs  *fsnotify.Watcher
	add func(*fsnotify.Watcher, string) error

	mu   sync.Mutex
	dirs map[string]bool
}

// changes are the paths that something happened to. All is true when some were
// lost and everything has to be looked at again.
type changes struct {
	paths map[string]bool
	all   bool
}

// newWatcher starts one. add is fsnotify's, or a test's.
func newWatcher(add func(*fsnotify.Watcher, string) error) (*watcher, error) {
	w, err := fsnotify.NewBufferedWatcher(1024)
	if err != nil {
		return nil, err
	}
	return &watcher{fs: w, add: add, dirs: map[string]bool{}}, nil
}

// watch adds a directory and reports whether it is new. An error means that
// events cannot be had at all, as when the kernel's limit is reached; a
// directory that is missing or may not be read is no error.
func (w *watcher) watch(dir string) (added bool, err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.dirs[dir] {
		return false, nil
	}
	err = w.add(w.fs, dir)
	switch {
	case err == nil:
		w.dirs[dir] = true
		return true, nil
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.ENOTDIR):
		return false, nil
	}
	return false, err
}

// unwatch removes a directory, if it was watched.
func (w *watcher) unwatch(dir string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.dirs[dir] {
		delete(w.dirs, dir)
		_ = w.fs.Remove(dir) // it may be gone, which is all the same
	}
}

// run gathers events and tells them until ctx ends or the watcher is closed.
// Nothing runs while nothing happens.
func (w *watcher) run(ctx context.Context, tell func(changes)) {
	c := changes{paths: map[string]bool{}}
	timer := time.NewTimer(time.Hour)
	timer.Stop()
	defer timer.Stop()
	gather := func() {
		if len(c.paths) == 0 && !c.all {
			timer.Reset(coalesce)
		}
	}
	for {
		select {
		case <-ctx.Done():
			return
		case e, ok := <-w.fs.Events:
			if !ok {
				return
			}
			if e.Op == fsnotify.Chmod {
				continue // times and modes only
			}
			gather()
			c.paths[e.Name] = true
			w.forgetGone(e)
		case _, ok := <-w.fs.Errors:
			if !ok {
				return
			}
			gather()
			c.all = true // an overflow, or something else that may have lost events
		case <-timer.C:
			tell(c)
			c = changes{paths: map[string]bool{}}
		}
	}
}

// forgetGone takes note that a watched directory was removed or renamed, so
// that a new one of that name is watched again.
func (w *watcher) forgetGone(e fsnotify.Event) {
	if !e.Has(fsnotify.Remove) && !e.Has(fsnotify.Rename) {
		return
	}
	w.unwatch(e.Name)
}

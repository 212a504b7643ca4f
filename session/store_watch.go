package session

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"coppice/worktree"
)

// startWatching sets up events before anything is listed, so that no change is
// lost in between.
func (r *run) startWatching(ctx context.Context) {
	w, err := newWatcher(r.store.outside.addWatch)
	if err != nil {
		r.startPolling()
		return
	}
	r.watcher, r.mode = w, WatchEvents
	r.group.Go(func() {
		w.run(ctx, func(c changes) { r.post(ctx, func() { r.changed(ctx, c) }) })
	})
	r.watchRoots()
}

// watchRoots watches the directories that everything else lies in. One that
// does not exist is waited for in the nearest one that does.
func (r *run) watchRoots() {
	above := map[string]bool{}
	for _, dir := range []string{r.projects(), r.registry()} {
		r.watchDir(dir)
		for _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) && dir != filepath.Dir(dir); _, err = os.Stat(dir) {
			dir = filepath.Dir(dir)
			above[dir] = true
			r.watchDir(dir)
		}
	}
	for dir := range r.above {
		if !above[dir] && r.watcher != nil {
			r.watcher.unwatch(dir)
		}
	}
	r.above = above
}

// watchDir watches one directory, or gives up on events altogether. It reports
// whether the directory was not watched before.
func (r *run) watchDir(dir string) (added bool) {
	if r.watcher == nil {
		return false
	}
	added, err := r.watcher.watch(dir)
	if err != nil {
		r.stopWatching()
		r.startPolling()
	}
	return added
}

// watchFolder is watchDir for a listing.
func (r *run) watchFolder(dir string) { r.watchDir(dir) }

func (r *run) stopWatching() {
	if r.watcher != nil {
		_ = r.watcher.fs.Close()
		r.watcher = nil
	}
}

func (r *run) startPolling() {
	r.mode = WatchPolling
	r.poll = r.store.outside.tick(pollEvery)
	r.mark()
}

// changed deals with what the watcher tells. Paths that exist come first: a
// file that was moved is then one session all the time.
func (r *run) changed(ctx context.Context, c changes) {
	if c.all {
		r.lookAgain(ctx)
		return
	}
	var all, live bool
	var gone []string
	for path := range c.paths {
		dir := filepath.Dir(path)
		switch {
		case dir == r.registry():
			live = true
		case path == r.registry(), path == r.opt.Root, worktree.Within(path, r.opt.Root):
			all, live = true, true
		case path == r.projects(), dir == r.projects():
			all = true
		case filepath.Dir(dir) == r.projects():
			if !r.fileChanged(path) {
				gone = append(gone, path)
			}
		default:
			r.repositoryChanged(dir, filepath.Base(path))
		}
	}
	if all {
		r.watchRoots()
		r.relist()
	}
	if live {
		r.readLive(ctx)
	}
	for _, path := range gone {
		if _, ok := lookAt(path); !ok {
			r.idx.drop(path)
		}
	}
	r.mark()
}

// fileChanged looks at something in a project folder again. It is false when
// that is a transcript that no longer exists.
func (r *run) fileChanged(path string) bool {
	name := filepath.Base(path)
	if _, ok := transcriptID(name); ok {
		return r.look(path)
	}
	if f, ok := r.idx.files[path+transcriptExt]; ok { // its side directory
		f.side = hasSide(f.path)
		r.want(f, workPlace)
	}
	return true
}

// pollVisible looks again at what is on the screen.
func (r *run) pollVisible(ctx context.Context) {
	dirs := map[string]bool{}
	for path := range r.visible {
		dirs[filepath.Dir(path)] = true
	}
	for dir := range dirs {
		if filepath.Dir(dir) == r.projects() {
			r.relistFolder(dir)
		}
	}
	if info, err := os.Stat(r.projects()); err == nil && stampOf(info) != r.projectsSeen {
		r.projectsSeen = stampOf(info)
		r.relist()
	}
	r.readLive(ctx)
}

// answer does what SetVisible and Refresh asked for.
func (r *run) answer(ctx context.Context) {
	paths, refresh := r.store.asked()
	r.visible = make(map[string]bool, len(paths))
	for _, p := range paths {
		r.visible[p] = true
	}
	r.queue.prefer(r.visible)
	r.desk.prefer(r.visibleCheckouts())
	if refresh {
		r.lookAgain(ctx)
	}
}

// lookAgain looks at everything again.
func (r *run) lookAgain(ctx context.Context) {
	everywhere := func(worktree.Place) bool { return true }
	r.places.forget(everywhere)
	r.replace(everywhere)
	if r.watcher != nil {
		r.watchRoots()
	}
	r.relist()
	r.readLive(ctx)
	r.desk.again()
	r.findRepositories(ctx)
}

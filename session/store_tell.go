package session

import (
	"context"
	"fmt"
	"maps"
	"slices"
)

// mark says that there may be something to tell soon.
func (r *run) mark() {
	if !r.marked {
		r.marked = true
		r.wait.Reset(batchEvery)
	}
}

// ready reports whether it is time to tell: rows have come together or waited
// long enough, the last one has come, or there is nothing else to do.
func (r *run) ready() bool {
	limit := batch
	if !r.began {
		limit = firstBatch
	}
	switch {
	case !r.marked:
		return false
	case r.due, len(r.idx.dirty) >= limit, r.idx.blank == 0 && !r.told.Progress.Listed:
		return true
	}
	return r.queue.head() == nil && r.working == 0
}

// flush tells what is new, if it is time.
func (r *run) flush(ctx context.Context) {
	if !r.ready() {
		return
	}
	r.marked, r.due = false, false
	r.wait.Stop()
	u := r.out
	r.out = Update{}
	u.Sessions, u.Removed = r.idx.take()
	u.Progress, u.Watch, u.Err = r.progress(), r.mode, r.problem()
	r.permit(u.Progress)
	if u.Progress.Complete {
		r.saveSoon(ctx)
	}
	news := len(u.Sessions) + len(u.Removed) + len(u.Repositories) + len(u.Forgotten) + len(u.Statuses)
	same := u.Progress == r.told.Progress && u.Watch == r.told.Watch && u.Err == r.told.Err
	if news == 0 && same && r.began {
		return
	}
	r.began = true
	r.told = Update{Progress: u.Progress, Watch: u.Watch, Err: u.Err}
	if ctx.Err() == nil {
		r.emit(u)
	}
}

// progress counts. A file is done when nothing more is wanted of it.
func (r *run) progress() Progress {
	p := Progress{Listed: r.idx.blank == 0, RepositoriesPending: r.desk.pending()}
	for _, f := range r.idx.files {
		p.Files++
		p.Bytes += f.stamp.Size
		if f.want == workNone && !f.busy && f.known {
			p.Done++
			p.DoneBytes += f.stamp.Size
		}
	}
	p.Complete = p.Done == p.Files
	return p
}

// problem says what is wrong, the first in order of path and how many more.
func (r *run) problem() string {
	switch paths := slices.Sorted(maps.Keys(r.problems)); len(paths) {
	case 0:
		return ""
	case 1:
		return r.problems[paths[0]]
	default:
		return fmt.Sprintf("%s, and %d more", r.problems[paths[0]], len(paths)-1)
	}
}

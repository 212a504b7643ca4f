package session

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"time"

	"coppice/worktree"
)

// repoWorkers is how many repositories or checkouts are read at once. git is
// not cheap, and the transcripts come first.
const repoWorkers = 2

// repoGrace is how long repositories wait for the late facts once every file has a
// row: both want the processors, and a usual store is read by then.
const repoGrace = 500 * time.Millisecond

// findDepth is how deep below the configured roots repositories are looked for.
const findDepth = 4

// repoJob is a repository to open, or a checkout whose state to read.
type repoJob struct {
	common   string // repository to open
	dir      string // a directory in it
	checkout string // or: the checkout
}

// repo is what the desk knows of one repository.
type repo struct {
	dir  string
	want bool // open it
	busy bool
	read bool
}

// desk says which repositories and checkouts are read next.
type desk struct {
	repos    map[string]*repo // by common directory
	open     []string
	statuses []string
	jobs     chan repoJob
	working  int
	started  bool // the late facts are in, or repoGrace is over: repositories may be opened
	settled  bool // every late fact is in: the states of checkouts may be read
}

func newDesk() *desk { return &desk{repos: map[string]*repo{}, jobs: make(chan repoJob)} }

// want asks for a repository. dir is a directory in it.
func (d *desk) want(common, dir string) {
	p := d.repos[common]
	if p == nil {
		p = &repo{dir: dir}
		d.repos[common] = p
	}
	if !p.want {
		p.want = true
		d.open = append(d.open, common)
	}
}

// wantStatus asks for the state of a checkout.
func (d *desk) wantStatus(checkout string) {
	if !slices.Contains(d.statuses, checkout) {
		d.statuses = append(d.statuses, checkout)
	}
}

// next returns the next job and where to send it; the channel is nil when there
// is none. Repositories come before the states of their checkouts, which the git
// program reads: on a first run it would take the processors from the scan.
func (d *desk) next() (chan<- repoJob, repoJob) {
	if !d.started {
		return nil, repoJob{}
	}
	for _, common := range d.open {
		if p := d.repos[common]; !p.busy {
			return d.jobs, repoJob{common: common, dir: p.dir}
		}
	}
	if d.settled && len(d.statuses) > 0 {
		return d.jobs, repoJob{checkout: d.statuses[0]}
	}
	return nil, repoJob{}
}

// taken notes that a worker has the job that next returned.
func (d *desk) taken(j repoJob) {
	d.working++
	if j.checkout != "" {
		d.statuses = d.statuses[1:]
		return
	}
	p := d.repos[j.common]
	p.want, p.busy = false, true
	d.open = slices.DeleteFunc(d.open, func(common string) bool { return common == j.common })
}

// pending counts the repositories that are not read yet.
func (d *desk) pending() int {
	n := 0
	for _, p := range d.repos {
		if !p.read {
			n++
		}
	}
	return n
}

func (d *desk) busy() bool { return len(d.open)+len(d.statuses)+d.working > 0 }

// again asks for everything anew.
func (d *desk) again() {
	for common, p := range d.repos {
		d.want(common, p.dir)
	}
}

// prefer moves what is on the screen to the front.
func (d *desk) prefer(places []worktree.Place) {
	for _, p := range places {
		toFront(d.open, p.CommonDir)
		toFront(d.statuses, p.Root)
	}
}

// toFront moves s to the front of list, if it is in there.
func toFront(list []string, s string) {
	if i := slices.Index(list, s); i > 0 {
		copy(list[1:i+1], list[:i])
		list[0] = s
	}
}

// permit says what may be read now that the scan is this far.
func (r *run) permit(p Progress) {
	switch d := r.desk; {
	case p.Complete:
		d.started, d.settled = true, true
		r.grace.halt()
	case p.Listed && !d.started && r.grace.c == nil:
		r.grace = r.store.outside.tick(repoGrace)
	}
}

// repoWork is the life of one worker.
func (r *run) repoWork(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case j := <-r.desk.jobs:
			if j.checkout != "" {
				status := r.opt.Git.Status(ctx, j.checkout)
				r.post(ctx, func() { r.statusRead(status) })
				continue
			}
			found, err := r.opt.Git.Open(ctx, j.dir)
			r.post(ctx, func() { r.repositoryRead(j.common, found, err) })
		}
	}
}

// findRepositories looks for repositories below the configured roots.
func (r *run) findRepositories(ctx context.Context) {
	if len(r.opt.Roots) == 0 || r.finding {
		return
	}
	r.finding = true
	r.errand(ctx, func() func() {
		_ = worktree.Find(ctx, r.opt.Roots, r.opt.Exclude, findDepth, func(dir string) {
			place := r.places.place(ctx, dir)
			r.post(ctx, func() { r.meet(place) })
		})
		return func() { r.finding = false }
	})
}

// meet takes note of a repository that something lies in.
func (r *run) meet(place worktree.Place) {
	common := place.CommonDir
	if common == "" || r.desk.repos[common] != nil {
		return
	}
	dir := common
	switch {
	case place.Exists:
		dir = place.Dir
	case filepath.Base(common) == ".git":
		dir = filepath.Dir(common)
	}
	r.watchRepository(common)
	r.desk.want(common, dir)
	r.mark()
}

// repositoryRead takes an opened repository, or that there is none any more.
func (r *run) repositoryRead(common string, found worktree.Repository, err error) {
	r.desk.working--
	p := r.desk.repos[common]
	p.busy = false
	r.mark()
	switch {
	case errors.Is(err, worktree.ErrNotRepository) && p.dir != common:
		p.dir = common // the checkout is gone; is the repository?
		r.desk.want(common, common)
		return
	case errors.Is(err, worktree.ErrNotRepository):
		// It stays on the desk, so that it is not opened again for every session.
		p.read = true
		if _, known := r.idx.repos[common]; known {
			r.idx.forgetRepository(common)
			r.out.Forgotten = append(r.out.Forgotten, common)
		}
		return
	case err != nil:
		return // ctx ended
	}
	p.read = true
	found.CommonDir = common
	if old, ok := r.idx.repos[common]; !ok || !reflect.DeepEqual(old, found) {
		r.idx.setRepository(found)
		if r.emit != nil {
			r.out.Repositories = append(r.out.Repositories, found)
		}
	}
	if r.emit != nil {
		r.wantStatuses(found)
	}
	if r.watchRepository(common) { // something appeared that was not watched while it was read
		r.readAgain(common)
	}
}

// wantStatuses asks for the states of a repository's checkouts.
func (r *run) wantStatuses(found worktree.Repository) {
	for _, w := range found.Worktrees {
		if w.State == worktree.Present {
			r.desk.wantStatus(w.Path)
		}
	}
	r.desk.prefer(r.visibleCheckouts())
}

// visibleCheckouts returns the places of the rows on the screen.
func (r *run) visibleCheckouts() []worktree.Place {
	var places []worktree.Place
	for path := range r.visible {
		if f := r.idx.files[path]; f != nil {
			places = append(places, r.idx.resolve(f))
		}
	}
	return places
}

func (r *run) statusRead(status worktree.Status) {
	r.desk.working--
	r.out.Statuses = append(r.out.Statuses, status)
	r.mark()
}

// repoDirsMax bounds how many directories of repositories are watched.
const repoDirsMax = 1024

// watchRepository watches the few directories in which branches, heads and
// worktrees of a repository come and go, before it is read. It reports whether
// there is one that was not watched yet.
func (r *run) watchRepository(common string) (added bool) {
	if r.watcher == nil {
		return false
	}
	worktrees := filepath.Join(common, "worktrees")
	dirs := []string{common, worktrees, filepath.Join(common, "refs", "heads")}
	entries, _ := os.ReadDir(worktrees) // none is no worktree
	for _, e := range entries {
		dirs = append(dirs, filepath.Join(worktrees, e.Name()))
	}
	r.unwatchRepository(common, dirs)
	for _, dir := range dirs {
		if r.repoDirs[dir] == "" && len(r.repoDirs) >= repoDirsMax {
			return added
		}
		r.repoDirs[dir] = common
		added = r.watchDir(dir) || added
	}
	return added
}

// unwatchRepository stops watching what is watched of a repository, but for the
// directories to keep.
func (r *run) unwatchRepository(common string, keep []string) {
	for dir, c := range r.repoDirs {
		if c == common && !slices.Contains(keep, dir) {
			delete(r.repoDirs, dir)
			if r.watcher != nil {
				r.watcher.unwatch(dir)
			}
		}
	}
}

// repositoryChanged deals with an event in one of them. Locks and scratch files
// come and go without meaning anything.
func (r *run) repositoryChanged(dir, name string) {
	common := r.repoDirs[dir]
	p := r.desk.repos[common]
	if p == nil || strings.HasSuffix(name, ".lock") {
		return
	}
	if checkout := r.checkoutOf(common, dir); name == "index" && checkout != "" {
		r.desk.wantStatus(checkout)
		return
	}
	switch {
	case dir != common:
	case name != "HEAD" && name != "packed-refs" && name != "config" && name != "worktrees" && name != "refs":
		return
	}
	r.watchRepository(common)
	r.readAgain(common)
}

// checkoutOf returns the checkout whose index lies in dir, "" for none.
func (r *run) checkoutOf(common, dir string) string {
	for _, w := range r.idx.repos[common].Worktrees {
		if w.Main && dir == common || w.Admin != "" && dir == filepath.Join(common, "worktrees", w.Admin) {
			return w.Path
		}
	}
	return ""
}

// readAgain reads a repository anew, and where the sessions lie that are in it,
// or may be now.
func (r *run) readAgain(common string) {
	r.desk.want(common, r.desk.repos[common].dir)
	near := func(p worktree.Place) bool { return p.CommonDir == common || p.CommonDir == "" || !p.Exists }
	r.places.forget(near)
	r.replace(near)
}

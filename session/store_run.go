package session

import (
	"context"
	"path/filepath"
	"runtime"
	"sync"
	"time"

	"coppice/worktree"
)

// How news is gathered and how often things are looked at.
const (
	firstBatch = 64  // rows in the first Update: about a screen
	batch      = 200 // rows in a later one
	batchEvery = 50 * time.Millisecond

	pollEvery = 5 * time.Second // visible directories, where events cannot be had
	liveEvery = 2 * time.Second // live agents, while there are any: one that was killed tells nobody
	saveEvery = time.Minute     // the cache

	loadGitTimeout = time.Second // for one run of git in a Load, which somebody waits for
)

// run is one Load or Watch. All its fields belong to the goroutine that runs
// its loop; others send it functions through inbox.
type run struct {
	opt     Options
	store   *Store
	emit    func(Update) // nil in a Load
	idx     *index
	places  *placer
	desk    *desk
	queue   queue
	jobs    chan job
	inbox   chan func()
	group   sync.WaitGroup
	working int  // files that workers have
	errands int  // other work on its way that a Load waits for
	finding bool // one of them looks for repositories below the roots

	watcher      *watcher
	above        map[string]bool   // watched only until projects/ and sessions/ exist
	repoDirs     map[string]string // watched directory of a repository -> common directory
	mode         WatchMode
	visible      map[string]bool
	hosted       map[string]Live // what our hosts keep live
	wheres       map[int]string  // where processes run, "" while that is found out
	projectsSeen stamp           // of projects/, while polling

	out   Update // what is to be told, besides rows
	told  Update // progress, mode and problems as last told
	began bool   // at least one Update was sent
	// marked means that there may be something to tell; wait runs from then
	// until it is due.
	marked, due bool
	wait        *time.Timer

	poll, pulse ticker // polling; looking at live agents
	grace       ticker // until repositories are opened without late facts
	problems    map[string]string
	saver       saver
}

func newRun(s *Store, emit func(Update)) *run {
	r := &run{
		opt:      s.opt,
		store:    s,
		emit:     emit,
		idx:      newIndex(),
		desk:     newDesk(),
		jobs:     make(chan job),
		inbox:    make(chan func(), 256),
		visible:  map[string]bool{},
		repoDirs: map[string]string{},
		wheres:   map[int]string{},
		wait:     time.NewTimer(time.Hour),
		problems: map[string]string{},
	}
	r.wait.Stop()
	r.saver.path, r.idx.folder = s.opt.CacheFile, s.opt.ProjectName
	return r
}

func (r *run) projects() string { return filepath.Join(r.opt.Root, "projects") }

func (r *run) registry() string { return filepath.Join(r.opt.Root, "sessions") }

// once reads everything.
func (r *run) once(ctx context.Context) error {
	defer r.group.Wait()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	r.desk.started, r.desk.settled = true, true
	r.opt.Git.NoBranches = true
	if t := r.opt.Git.Timeout; t <= 0 || t > loadGitTimeout {
		r.opt.Git.Timeout = loadGitTimeout
	}
	if r.opt.Hosted != nil {
		_ = r.opt.Hosted(ctx, false, func(live map[string]Live) { r.hosted = live }) // else the registry has to do
	}
	if err := r.begin(ctx); err != nil {
		return err
	}
	for r.busy() {
		r.step(ctx)
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	r.idx.take()
	_ = r.saver.save(r.idx) // a cache that cannot be written costs time, nothing else
	return nil
}

// watch reads everything and goes on until ctx ends.
func (r *run) watch(ctx context.Context) error {
	inner, cancel := context.WithCancel(ctx)
	defer cancel()
	r.startWatching(inner)
	r.followHosts(inner)
	_ = r.begin(inner) // told as a problem
	for ctx.Err() == nil {
		r.flush(inner)
		r.step(inner)
	}
	cancel()
	r.group.Wait()
	r.stopWatching()
	r.pulse.halt()
	r.poll.halt()
	r.grace.halt()
	r.saver.again.halt()
	_ = r.saver.save(r.idx)
	return nil
}

// begin starts the workers, reads the cache and lists all files.
func (r *run) begin(ctx context.Context) error {
	r.places = newPlacer(r.store.outside.locate, func(dir string) {
		r.post(ctx, func() { r.replace(func(p worktree.Place) bool { return p.Dir == dir }) })
	})
	cached := make(chan struct{})
	r.group.Go(func() {
		defer close(cached)
		r.saver.load()
	})
	for range max(2, min(4, runtime.GOMAXPROCS(0))) {
		r.group.Go(func() { r.work(ctx) })
	}
	for range repoWorkers {
		r.group.Go(func() { r.repoWork(ctx) })
	}
	if r.opt.Start != "" {
		r.errand(ctx, func() func() {
			start := r.places.place(ctx, filepath.Clean(r.opt.Start))
			return func() { r.setStart(start) }
		})
	}
	r.findRepositories(ctx)
	r.readLive(ctx)
	l := listAll(r.projects(), r.watchFolder)
	<-cached
	if err := r.saver.newer; err != nil {
		r.problems[cacheProblem] = err.Error()
	}
	r.apply(l)
	r.saver.cached = nil
	return l.err
}

// work is the life of one worker.
func (r *run) work(ctx context.Context) {
	w := worker{places: r.places}
	for {
		select {
		case <-ctx.Done():
			return
		case j := <-r.jobs:
			res := w.do(ctx, j)
			r.post(ctx, func() { r.done(res) })
		}
	}
}

// post has f run by the owner.
func (r *run) post(ctx context.Context, f func()) {
	select {
	case r.inbox <- f:
	case <-ctx.Done():
	}
}

// errand does work off the owner's goroutine and runs what it returns on it.
func (r *run) errand(ctx context.Context, work func() func()) {
	r.errands++
	r.group.Go(func() {
		finish := work()
		r.post(ctx, func() {
			r.errands--
			finish()
		})
	})
}

// busy reports whether anything is on its way.
func (r *run) busy() bool {
	return r.queue.head() != nil || r.working > 0 || r.errands > 0 || r.desk.busy()
}

// step waits for one thing and deals with it.
func (r *run) step(ctx context.Context) {
	var jobs chan<- job
	var next job
	f := r.queue.head()
	if f != nil {
		jobs, next = r.jobs, jobOf(f)
	}
	repoJobs, repoNext := r.desk.next()
	select {
	case <-ctx.Done():
	case jobs <- next:
		r.queue.pop()
		f.want, f.busy = workNone, true
		r.working++
	case repoJobs <- repoNext:
		r.desk.taken(repoNext)
	case act := <-r.inbox:
		act()
	case <-r.wait.C:
		r.due = true
	case <-r.store.wake:
		r.answer(ctx)
	case <-r.poll.c:
		r.pollVisible(ctx)
	case <-r.pulse.c:
		r.readLive(ctx)
	case <-r.grace.c:
		r.grace.halt()
		r.desk.started = true
	case <-r.saver.again.c:
		r.saver.due = true
		r.mark()
	}
}

package session

import (
	"cmp"
	"path/filepath"
	"slices"

	"coppice/worktree"
)

// triesMax is how often a file is read again because it changed meanwhile; the
// next event starts anew.
const triesMax = 4

// relist lists everything again.
func (r *run) relist() { r.apply(listAll(r.projects(), r.watchFolder)) }

// apply takes a listing of everything as the truth. What lies in a folder that
// could not be read is kept as it was known.
func (r *run) apply(l listing) {
	for dir := range r.problems {
		if _, still := l.problems[dir]; !still && dir != cacheProblem {
			delete(r.problems, dir)
		}
	}
	for dir, why := range l.problems {
		r.problems[dir] = dir + ": " + why
	}
	slices.SortFunc(l.files, func(a, b found) int { return cmp.Compare(b.stamp.ModTime, a.stamp.ModTime) })
	r.replaceFiles(l.files, func(dir string) bool { return l.problems[dir] == "" && l.problems[r.projects()] == "" })
}

// relistFolder lists one project folder again.
func (r *run) relistFolder(dir string) {
	files, err := listFolder(dir)
	if err != nil {
		r.relist()
		return
	}
	r.replaceFiles(files, func(d string) bool { return d == dir })
}

// replaceFiles takes files as all that there are in the folders that whole
// chooses.
func (r *run) replaceFiles(files []found, whole func(dir string) bool) {
	present := make(map[string]bool, len(files))
	for _, n := range files {
		present[n.path] = true
		r.see(n)
	}
	for path := range r.idx.files {
		if !present[path] && whole(filepath.Dir(path)) {
			r.idx.drop(path)
		}
	}
	r.mark()
}

// see takes note of a file and of what it wants. One that could not be read is
// tried again.
func (r *run) see(n found) {
	f, changed := r.idx.put(n)
	if !changed && f.problem == "" {
		return
	}
	if e, ok := r.saver.cached[n.path]; ok && e.State != nil && f.state.Offset == 0 && goesOn(e.Stamp, n.stamp) {
		f.state, f.read = e.State, e.Stamp
	}
	r.plan(f)
}

// look looks at one path again and reports whether a transcript is there.
func (r *run) look(path string) bool {
	n, ok := lookAt(path)
	if ok {
		n.side = hasSide(path)
		r.see(n)
	}
	return ok
}

// plan finds out what a file wants now. A new one is looked at quickly first;
// one that has a row goes straight to the whole.
func (r *run) plan(f *file) {
	switch {
	case f.read == f.stamp && f.state.Summary.Complete:
		r.want(f, workPlace)
	case f.known, r.emit == nil, f.state.Offset > 0 && goesOn(f.read, f.stamp):
		r.want(f, workScan)
	default:
		r.want(f, workPeek)
	}
}

// want asks for work on a file; what was asked before and is more stays.
func (r *run) want(f *file, w work) {
	f.want = max(f.want, w)
	if !f.busy {
		r.queue.add(f)
	}
}

// done takes what a worker found out, unless the file was removed meanwhile: one
// that has its name now is another.
func (r *run) done(res result) {
	r.working--
	f := res.file
	if r.idx.files[f.path] != f {
		return
	}
	f.busy = false
	if res.gone && !r.look(res.path) {
		r.idx.drop(res.path)
		r.mark()
		return
	}
	r.take(f, res)
	if res.changed || res.gone {
		f.tries++
		if f.tries < triesMax {
			r.want(f, workScan)
		}
	} else {
		f.tries = 0
	}
	if f.want != workNone {
		r.queue.add(f)
	}
	r.mark()
}

// take puts a result into its file and tells whom it concerns.
func (r *run) take(f *file, res result) {
	if !f.known {
		f.known = true
		r.idx.blank--
	}
	f.sidecar, f.problem = res.sidecar, res.problem
	if res.changed && f.tries < triesMax {
		f.problem = "" // it is read again
	}
	f.dir, f.place, f.origin = res.dir, res.place, res.origin
	if res.opened {
		f.state, f.read = res.state, res.read
		if f.want == workNone {
			f.stamp = res.read // it may have grown since it was listed
		}
		if res.kind == workPeek && !f.state.Summary.Complete && f.problem == "" {
			f.want = workScan
		}
		r.saver.dirty = true
	}
	r.idx.dirty[f.id] = true
	if w := f.state.Summary.Worktree; w != nil {
		r.idx.learn(w.Path, cmp.Or(f.place.CommonDir, f.origin.CommonDir))
	}
	r.meet(f.place)
	r.meet(f.origin)
}

// replace places the rows again whose place pick chooses.
func (r *run) replace(pick func(worktree.Place) bool) {
	for _, f := range r.idx.files {
		if f.known && f.dir != "" && (pick(f.place) || f.origin.Dir != "" && pick(f.origin)) {
			r.want(f, workPlace)
		}
	}
}

// setStart takes where the person stands.
func (r *run) setStart(start worktree.Place) {
	r.idx.start = start
	r.meet(start)
	r.idx.touch(func(f *file) bool { return len(r.idx.byID[f.id]) > 1 })
	r.mark()
}

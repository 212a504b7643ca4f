package ui

import (
	"sort"

	"coppice/session"
	"coppice/worktree"
)

// data is what the store has told so far.
type data struct {
	rows     map[string]*row // by id
	order    []*row          // all of them, newest first
	repos    map[string]worktree.Repository
	status   map[string]worktree.Status // by path of the checkout
	requests *requests
	progress session.Progress
	watch    session.WatchMode
	err      string // the last directory that could not be read
	ended    string // why no more news will come, "" while it may
}

// row is a session with what is made of it once, when it arrives. A row is
// replaced when its session changes, never altered.
type row struct {
	session.Session
	told *session.Live // as the store knows it; Live is what is known
	home home
	hay  haystack
}

// newData returns an empty index.
func newData() data {
	return data{
		rows:   map[string]*row{},
		repos:  map[string]worktree.Repository{},
		status: map[string]worktree.Status{},

		requests: newRequests(),
	}
}

// apply takes in a batch of news. The rows are out of order until sort.
func (d *data) apply(u session.Update) {
	for _, path := range u.Forgotten {
		delete(d.repos, path)
	}
	for _, r := range u.Repositories {
		d.repos[r.CommonDir] = r
	}
	for _, s := range u.Statuses {
		d.status[s.Path] = s
	}
	places := newPlaces(d.repos)
	if len(u.Repositories)+len(u.Forgotten) > 0 {
		for id, r := range d.rows {
			if h := places.home(r.Session); h != r.home {
				moved := *r
				moved.home = h
				d.rows[id] = &moved
			}
		}
	}
	for _, id := range u.Removed {
		delete(d.rows, id)
	}
	for _, s := range u.Sessions {
		r := &row{Session: s, told: s.Live, home: places.home(s)}
		r.hay = newHaystack(r)
		d.rows[s.ID] = r
	}
	d.progress, d.err = u.Progress, u.Err
	if u.Watch != session.WatchNone {
		d.watch = u.Watch
	}
}

// sort puts the rows in order, newest first. Equal times are ordered by id, so
// that rows never change places without a reason (report B6).
func (d *data) sort() {
	d.order = d.order[:0]
	for _, r := range d.rows {
		d.order = append(d.order, r)
	}
	sort.Slice(d.order, func(i, j int) bool { return newer(d.order[i], d.order[j]) })
}

// newer orders two rows by their last conversational record.
func newer(a, b *row) bool {
	if !a.Updated.Equal(b.Updated) {
		return a.Updated.After(b.Updated)
	}
	return a.ID < b.ID
}

// repositories returns all repositories by common directory.
func (d *data) repositories() []worktree.Repository {
	out := make([]worktree.Repository, 0, len(d.repos))
	for _, r := range d.repos {
		out = append(out, r)
	}
	sort.Slice(out, func(i, j int) bool { return out[i].CommonDir < out[j].CommonDir })
	return out
}

// worktrees counts the worktrees of all repositories.
func (d *data) worktrees() int {
	n := 0
	for _, r := range d.repos {
		n += len(r.Worktrees)
	}
	return n
}

package session

import (
	"maps"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"time"

	"coppice/session/observe"
	"coppice/transcript"
	"coppice/worktree"
)

// file is what the index knows of one transcript file.
type file struct {
	path  string
	id    string
	stamp stamp // the newest version seen
	side  bool

	state   *transcript.State // never nil, replaced and not changed; Offset is 0 while there is nothing to go on from
	read    stamp             // the version that state is of
	sidecar string            // title in custom-title.json
	problem string
	dir     string         // where its records say that it belongs
	place   worktree.Place // of dir
	origin  worktree.Place // where a bound worktree was made from

	used   observe.Usage // at the version usedAt, of a live session
	usedAt stamp

	known bool // there is something to show: it was looked at, or tried
	want  work // what has to be done next
	busy  bool // a worker has it
	tries int  // reads in a row that failed because the file changed
}

func (f *file) updated() time.Time {
	if !f.state.Summary.Updated.IsZero() {
		return f.state.Summary.Updated
	}
	return time.Unix(0, f.stamp.ModTime).UTC()
}

// usage returns what a live session's conversation takes.
func (f *file) usage() observe.Usage {
	if f.usedAt != f.stamp {
		f.used, f.usedAt = observe.ReadUsage(f.path), f.stamp
	}
	return f.used
}

// index holds the files and makes rows of them. It belongs to one goroutine.
type index struct {
	files map[string]*file    // by path
	byID  map[string][]*file  // copies of each session
	rows  map[string]*Session // as last told
	dirty map[string]bool     // ids whose row may have changed
	blank int                 // files that nothing is known of yet

	start  worktree.Place
	folder string // name of every project folder, when the person fixed one
	live   map[string]Live
	repos  map[string]worktree.Repository
	lost   map[string]string // worktree path -> common directory, from all who know
}

func newIndex() *index {
	return &index{
		files: map[string]*file{},
		byID:  map[string][]*file{},
		rows:  map[string]*Session{},
		dirty: map[string]bool{},
		repos: map[string]worktree.Repository{},
		lost:  map[string]string{},
	}
}

// put adds a file or takes note of its new stamp. A file that only moved keeps
// what is known of it.
func (x *index) put(n found) (f *file, changed bool) {
	f, ok := x.files[n.path]
	if ok {
		changed = f.stamp != n.stamp || f.side != n.side
		f.stamp, f.side = n.stamp, n.side
		return f, changed
	}
	id, _ := transcriptID(filepath.Base(n.path))
	f = &file{path: n.path, id: id, stamp: n.stamp, side: n.side, state: new(transcript.State)}
	for _, other := range x.byID[id] {
		if other.read == n.stamp {
			f.state, f.read = other.state, other.read
		}
	}
	x.blank++
	x.files[n.path] = f
	x.byID[id] = append(x.byID[id], f)
	return f, true
}

// drop removes a file.
func (x *index) drop(path string) {
	f, ok := x.files[path]
	if !ok {
		return
	}
	if !f.known {
		x.blank--
	}
	delete(x.files, path)
	x.byID[f.id] = slices.DeleteFunc(x.byID[f.id], func(g *file) bool { return g == f })
	if len(x.byID[f.id]) == 0 {
		delete(x.byID, f.id)
	}
	x.dirty[f.id] = true
}

// take returns what has changed since it was last called: new or changed rows,
// newest first, and ids that have no file any more.
func (x *index) take() (rows []Session, removed []string) {
	changed := make([]*Session, 0, len(x.dirty))
	for id := range x.dirty {
		old := x.rows[id]
		row := x.row(id)
		switch {
		case row != nil && (old == nil || !reflect.DeepEqual(old, row)):
			x.rows[id] = row
			changed = append(changed, row)
		case row == nil && old != nil && len(x.byID[id]) == 0:
			delete(x.rows, id)
			removed = append(removed, id)
		}
	}
	clear(x.dirty)
	slices.Sort(removed)
	return sorted(changed), removed
}

// all returns every row, newest first.
func (x *index) all() []Session { return sorted(slices.Collect(maps.Values(x.rows))) }

// sorted returns copies of rows, newest first.
func sorted(rows []*Session) []Session {
	slices.SortFunc(rows, newestFirst)
	list := make([]Session, len(rows))
	for i, row := range rows {
		list[i] = *row
	}
	return list
}

// newestFirst orders by the newest conversational record, never by mtime while
// there is one (report B6).
func newestFirst(a, b *Session) int {
	if c := b.Updated.Compare(a.Updated); c != 0 {
		return c
	}
	return strings.Compare(a.ID, b.ID)
}

// touch marks the rows that pick chooses as possibly changed.
func (x *index) touch(pick func(*file) bool) {
	for _, f := range x.files {
		if pick(f) {
			x.dirty[f.id] = true
		}
	}
}

// setLive takes the live sessions as they are now.
func (x *index) setLive(live map[string]Live) {
	for id := range x.live {
		x.dirty[id] = true
	}
	for id := range live {
		x.dirty[id] = true
	}
	x.live = live
}

// repositories returns all that are known, by common directory.
func (x *index) repositories() []worktree.Repository {
	repos := make([]worktree.Repository, 0, len(x.repos))
	for _, common := range slices.Sorted(maps.Keys(x.repos)) {
		repos = append(repos, x.repos[common])
	}
	return repos
}

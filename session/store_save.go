package session

import (
	"context"
	"errors"
)

// cacheProblem is the key of the cache among a run's problems.
const cacheProblem = "cache"

// saver keeps the cache of a run.
type saver struct {
	path   string
	cached map[string]cacheEntry // as read, until the first listing has used it
	newer  error                 // the cache is of a newer program and is left alone

	dirty bool   // something is known that the cache does not hold
	saved bool   // it was written once in this run
	due   bool   // the time between two writes is over
	again ticker // until it is
}

// load reads the cache. A damaged one is as good as none.
func (s *saver) load() {
	if s.path == "" {
		return
	}
	cached, err := readCache(s.path)
	if errors.Is(err, errCacheNewer) {
		s.newer = err
	}
	s.cached = cached
}

// usable reports whether there is anything to write, and where.
func (s *saver) usable() bool { return s.path != "" && s.newer == nil && s.dirty }

// entries returns what the cache should hold: all that is known completely.
func (x *index) entries() []cacheEntry {
	entries := make([]cacheEntry, 0, len(x.files))
	for _, f := range x.files {
		if f.state.Summary.Complete && f.problem == "" && f.read != (stamp{}) {
			entries = append(entries, cacheEntry{Path: f.path, Stamp: f.read, State: f.state})
		}
	}
	return entries
}

// save writes the cache now, if there is anything to write.
func (s *saver) save(x *index) error {
	if !s.usable() {
		return nil
	}
	s.dirty = false
	return saveCache(s.path, x.entries())
}

// saveSoon writes the cache in the background: at once the first time, later
// when the last write is long enough ago.
func (r *run) saveSoon(ctx context.Context) {
	s := &r.saver
	if !s.usable() {
		return
	}
	if s.saved && !s.due {
		if s.again.c == nil {
			s.again = r.store.outside.tick(saveEvery)
		}
		return
	}
	s.again.halt()
	s.again = ticker{}
	s.saved, s.due, s.dirty = true, false, false
	path, entries := s.path, r.idx.entries()
	r.errand(ctx, func() func() {
		err := saveCache(path, entries)
		return func() {
			delete(r.problems, cacheProblem)
			if err != nil {
				r.problems[cacheProblem] = err.Error()
				s.dirty = true // tried again when it is due
			}
			r.mark()
		}
	})
}

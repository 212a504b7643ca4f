package term

import (
	"sync"
	"time"

	"coppice/session/terminal"
)

// patience is how long an old frame is shown while the program keeps the next
// one back (mode 2026), however often it does so.
const patience = time.Second

// shown remembers what the last frame was made from. It is used by the goroutine
// that decides whether to draw, too.
type shown struct {
	mu      sync.Mutex
	of      *terminal.Terminal
	changes uint64
	stale   bool      // something of the pane itself changed
	reading bool      // in copy mode, where nothing is kept back
	since   time.Time // from when on changes of the program were not shown
}

// touch says that the next frame will be another one.
func (p *Pane) touch() {
	p.shown.mu.Lock()
	defer p.shown.mu.Unlock()
	p.shown.stale, p.shown.reading = true, p.reader.on
}

// due reports whether a new frame is to be made from v.
func (s *shown) due(t *terminal.Terminal, v terminal.View, now time.Time) bool {
	if t == s.of && v.Changes() == s.changes {
		return s.stale
	}
	return t != s.of || s.reading || !s.hold(v.HeldSince(), now)
}

// hold reports whether a frame that the program holds back since then is still
// waited for.
func (s *shown) hold(since, now time.Time) bool {
	if since.IsZero() {
		s.since = time.Time{}
		return false
	}
	if s.since.IsZero() || since.Before(s.since) {
		s.since = since
	}
	return now.Sub(s.since) < patience
}

// made says that a frame was made from v.
func (s *shown) made(t *terminal.Terminal, v terminal.View, reading bool) {
	s.of, s.changes, s.stale, s.reading = t, v.Changes(), false, reading
	s.since = time.Time{}
}

// Changed reports whether Draw would draw anything else than the last time.
func (p *Pane) Changed() (changed bool) {
	t := p.program.Terminal()
	p.shown.mu.Lock()
	defer p.shown.mu.Unlock()
	t.Look(func(v terminal.View) { changed = p.shown.due(t, v, p.now()) })
	return changed
}

// Due returns when to draw even if nothing happens until then, because the
// program holds a frame back and will not be waited for any longer. It is the
// zero time if there is no such moment.
func (p *Pane) Due() time.Time {
	p.shown.mu.Lock()
	defer p.shown.mu.Unlock()
	if p.shown.since.IsZero() {
		return time.Time{}
	}
	return p.shown.since.Add(patience)
}

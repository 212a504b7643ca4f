package session

import (
	"time"

	"github.com/fsnotify/fsnotify"

	"coppice/worktree"
)

// SetAddWatch replaces how directories are watched.
func (s *Store) SetAddWatch(f func(*fsnotify.Watcher, string) error) { s.outside.addWatch = f }

// SetLocate replaces how directories are located.
func (s *Store) SetLocate(f func(string) worktree.Place) { s.outside.locate = f }

// SetTick replaces the tickers; f is told their period.
func (s *Store) SetTick(f func(every time.Duration) (c <-chan time.Time, stop func())) {
	s.outside.tick = func(every time.Duration) ticker {
		c, stop := f(every)
		return ticker{c: c, stop: stop}
	}
}

// The periods of the tickers.
const (
	PollEvery = pollEvery
	LiveEvery = liveEvery
	SaveEvery = saveEvery
)

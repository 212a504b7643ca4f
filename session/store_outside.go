package session

import (
	"time"

	"github.com/fsnotify/fsnotify"

	"coppice/worktree"
)

// outside is what a Store uses of the world besides files and git, so that a
// test can stand in for it.
type outside struct {
	addWatch func(*fsnotify.Watcher, string) error
	locate   func(dir string) worktree.Place
	tick     func(every time.Duration) ticker
}

// ticker is a running clock that can be stopped.
type ticker struct {
	c    <-chan time.Time
	stop func()
}

func realOutside() outside {
	return outside{
		addWatch: (*fsnotify.Watcher).Add,
		locate:   worktree.Locate,
		tick: func(every time.Duration) ticker {
			t := time.NewTicker(every)
			return ticker{c: t.C, stop: t.Stop}
		},
	}
}

// halt stops a ticker; the zero one too.
func (t ticker) halt() {
	if t.stop != nil {
		t.stop()
	}
}

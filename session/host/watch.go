package host

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/fsnotify/fsnotify"
)

// lookAgain is how often Watch looks for hosts that it could not connect to and that
// were killed, which leaves no trace on disk; only while there is one.
const lookAgain = 5 * time.Second

// gather is how long changes on disk are waited for before Watch looks.
const gather = 30 * time.Millisecond

// ending is how often a host whose connection broke off is looked at soon: a process
// that was killed takes a moment to end.
const ending = 50

// Watch calls emit with what List returns, now and whenever that may have changed,
// until ctx ends.
func Watch(ctx context.Context, d Dirs, emit func([]Host)) error {
	if err := d.makeState(); err != nil {
		return err
	}
	watcher, err := fsnotify.NewWatcher()
	if err != nil {
		return fmt.Errorf("watch hosts: %w", err)
	}
	defer func() { _ = watcher.Close() }()
	if err := watcher.Add(d.hosts()); err != nil {
		return fmt.Errorf("watch hosts: %w", err)
	}
	near := wards{dirs: d, links: map[string]*link{}, broken: make(chan struct{}, 1)}
	defer near.close()
	closely := 0 // looks that follow soon
	next := time.NewTimer(0)
	defer next.Stop()
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case err := <-watcher.Errors:
			if err != nil {
				return fmt.Errorf("watch hosts: %w", err)
			}
		case <-watcher.Events:
			next.Reset(gather)
		case <-near.broken:
			closely = ending
			next.Reset(gather)
		case <-next.C:
			hosts, err := List(ctx, d)
			if err != nil {
				return err
			}
			near.follow(ctx, hosts)
			emit(hosts)
			is := func(state State) bool {
				return slices.ContainsFunc(hosts, func(h Host) bool { return h.State == state })
			}
			if closely--; closely > 0 && is(Unreachable) {
				next.Reset(gather)
			} else if is(Running) || is(Unreachable) {
				next.Reset(lookAgain)
			}
		}
	}
}

// wards are connections to the hosts that run. One breaks off when its host is
// killed.
type wards struct {
	dirs    Dirs
	links   map[string]*link // by host
	broken  chan struct{}    // has room for one
	reading sync.WaitGroup
}

// follow connects to the hosts that run, and to no other.
func (w *wards) follow(ctx context.Context, hosts []Host) {
	runs := map[string]bool{}
	for _, h := range hosts {
		if runs[h.Host] = h.State == Running; runs[h.Host] && w.links[h.Host] == nil {
			w.add(ctx, h.Host)
		}
	}
	for id, l := range w.links {
		if !runs[id] {
			_ = l.conn.Close()
			delete(w.links, id)
		}
	}
}

// add connects to a host. Without a connection its end is noticed later.
func (w *wards) add(ctx context.Context, id string) {
	ctx, cancel := context.WithTimeout(ctx, lookWait)
	defer cancel()
	r, err := w.dirs.readRecord(id)
	if err != nil {
		return
	}
	l, err := dial(ctx, r)
	if err != nil {
		if l != nil {
			_ = l.conn.Close()
		}
		poke(w.broken)
		return
	}
	w.links[id] = l
	w.reading.Go(func() {
		for {
			if _, _, err := l.frames.next(); err != nil {
				poke(w.broken)
				return
			}
		}
	})
}

func (w *wards) close() {
	for _, l := range w.links {
		_ = l.conn.Close()
	}
	w.reading.Wait()
}

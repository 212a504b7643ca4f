package host

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/fsnotify/fsnotify"
)

// lookAgain is how often Watch looks for hosts that were killed, which leaves no
// trace on disk; only while there is one.
const lookAgain = 5 * time.Second

// gather is how long changes on disk are waited for before Watch looks.
const gather = 30 * time.Millisecond

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
		case <-next.C:
			hosts, err := List(ctx, d)
			if err != nil {
				return err
			}
			emit(hosts)
			if slices.ContainsFunc(hosts, func(h Host) bool { return h.State == Running }) {
				next.Reset(lookAgain)
			}
		}
	}
}

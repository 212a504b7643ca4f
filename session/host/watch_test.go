package host_test

import (
	"context"
	"errors"
	"syscall"
	"testing"
	"time"

	"coppice/session/host"
)

// TestWatch tells of a host that begins, and of one that was killed, which leaves
// no trace on disk.
func TestWatch(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ctx, cancel := context.WithCancel(t.Context())
	told, done := make(chan []host.Host, 100), make(chan error, 1)
	go func() {
		done <- host.Watch(ctx, w.Dirs, func(all []host.Host) {
			select {
			case told <- all:
			default:
			}
		})
	}()
	until := func(what string, state host.State) {
		t.Helper()
		w.until(what, func() bool {
			select {
			case all := <-told:
				return len(all) == 1 && all[0].State == state
			default:
				return false
			}
		})
	}
	if all := <-told; len(all) != 0 {
		t.Errorf("there is %+v at first", all)
	}
	info := w.start(w.shell(answering))
	until("it runs", host.Running)
	killed := time.Now()
	if err := syscall.Kill(info.HostPID, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	until("it is gone", host.Gone)
	if after := time.Since(killed); after > 4*time.Second { // the look at intervals comes after 5 s
		t.Errorf("that it is gone was told after %v", after)
	}
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

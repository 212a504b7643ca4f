package ui

import (
	"context"
	"fmt"
	"runtime/debug"
	"sync"
	"time"
)

// PanicError is a panic somewhere in the dashboard. The terminal is restored by
// the time that Run returns it.
type PanicError struct {
	Value any
	Stack []byte
}

// Error names what was panicked with.
func (e *PanicError) Error() string { return fmt.Sprintf("the dashboard broke: %v", e.Value) }

// tasks starts and counts the goroutines of the dashboard: no other code starts
// one.
type tasks struct {
	wg   sync.WaitGroup
	fail func(error)
}

// spawn runs f on a goroutine of its own. A panic ends the dashboard in order.
func (t *tasks) spawn(f func()) {
	t.wg.Go(func() { t.guard(f) })
}

// guard runs f here and turns a panic into the end of the dashboard.
func (t *tasks) guard(f func()) {
	defer func() {
		if v := recover(); v != nil {
			t.fail(&PanicError{Value: v, Stack: debug.Stack()})
		}
	}()
	f()
}

// wait waits for all of them, but not for ever: one may hang in a read from a
// file system that does not answer.
func (t *tasks) wait(limit time.Duration) {
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	done := make(chan struct{})
	t.spawnUncounted(func() {
		t.wg.Wait()
		close(done)
	})
	select {
	case <-done:
	case <-ctx.Done():
	}
}

// spawnUncounted runs f on a goroutine that wait does not wait for.
func (t *tasks) spawnUncounted(f func()) {
	go t.guard(f)
}

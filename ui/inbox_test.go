package ui

import (
	"testing"

	"github.com/gdamore/tcell/v2"
)

// TestInboxNeverHoldsUpWhileHeld checks that a flood of input that nobody takes is
// thrown away while the inbox is held, and that other events stay.
func TestInboxNeverHoldsUpWhileHeld(t *testing.T) {
	t.Parallel()
	b := newInbox()
	key := tcell.NewEventKey(tcell.KeyRune, 'x', 0)
	left := 3 * maxEvents
	filled := make(chan struct{})
	go func() {
		defer close(filled)
		b.fill(func() tcell.Event {
			switch left--; {
			case left == maxEvents:
				return tcell.NewEventResize(80, 24)
			case left > 0:
				return key
			}
			return nil
		})
	}()
	if ev := b.take(); ev != tcell.Event(key) {
		t.Fatalf("took %v, want the first key", ev)
	}
	b.hold(true)
	<-filled
	if _, ok := b.take().(*tcell.EventResize); !ok {
		t.Error("the resize is lost")
	}
	if ev := b.take(); ev != nil {
		t.Errorf("took %v after the end", ev)
	}
}

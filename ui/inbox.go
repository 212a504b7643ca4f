package ui

import (
	"slices"
	"sync"

	"github.com/gdamore/tcell/v2"
)

// maxEvents is how many events wait for tview before the terminal has to.
const maxEvents = 1024

// inbox keeps events between tcell and tview. While it is held, input is thrown
// away as it comes, so that tcell is never stuck with an event that nobody takes:
// it could not be suspended, or ended, then. A paste leaves it as one event.
type inbox struct {
	mu     sync.Mutex
	change sync.Cond // of what follows
	queue  []tcell.Event
	held   bool
	ended  bool
	paste  paste
}

func newInbox() *inbox {
	b := &inbox{}
	b.change.L = &b.mu
	return b
}

// fill takes events until there are no more.
func (b *inbox) fill(poll func() tcell.Event) {
	for b.add(poll()) {
	}
}

// add takes an event, nil for the end, and reports whether more may come.
func (b *inbox) add(ev tcell.Event) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	for len(b.queue) >= maxEvents && !b.held && !b.paste.open {
		b.change.Wait()
	}
	switch {
	case b.collect(ev):
	case ev == nil:
		b.ended = true
	case !b.held || !isInput(ev):
		b.queue = append(b.queue, ev)
	}
	b.change.Broadcast()
	return !b.ended
}

// take waits for the next event; nil when there will be none.
func (b *inbox) take() tcell.Event {
	b.mu.Lock()
	defer b.mu.Unlock()
	for len(b.queue) == 0 && !b.ended {
		b.change.Wait()
	}
	if len(b.queue) == 0 {
		return nil
	}
	ev := b.queue[0]
	b.queue = b.queue[1:]
	b.change.Broadcast()
	return ev
}

// hold throws input away from here on, what waits included, or lets it pass again.
func (b *inbox) hold(held bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.held = held
	if held {
		b.queue = slices.DeleteFunc(slices.Clone(b.queue), isInput)
		b.paste.lose()
	}
	b.change.Broadcast()
}

// isInput reports whether an event comes from a person.
func isInput(ev tcell.Event) bool {
	switch ev.(type) {
	case *tcell.EventKey, *tcell.EventMouse, *pasteEvent:
		return true
	}
	return false
}

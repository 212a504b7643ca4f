package ui

import (
	"context"
	"sync/atomic"
	"time"
)

// Bounds of the pump: messages taken at once, and the time between two frames
// that nobody pressed a key for.
const (
	pumpBatch   = 256
	frameGap    = 16 * time.Millisecond
	frameGapMax = 100 * time.Millisecond
)

// envelope is a message on its way to the loop.
type envelope struct {
	msg     msg
	counted bool // it answers a cmd
}

// pump carries messages from workers to tview's loop. It alone calls
// QueueUpdateDraw: that blocks until the loop has run what it is given, and for
// ever once the loop has ended, so the loop must not end before the pump.
type pump struct {
	inbox   chan envelope
	done    chan struct{} // closed when the pump has ended
	pending atomic.Int64  // cmds whose answer was not applied yet
}

// newPump returns a pump that does not run yet.
func newPump() *pump {
	return &pump{inbox: make(chan envelope, pumpBatch), done: make(chan struct{})}
}

// send hands a message over; it is dropped when ctx ends first.
func (p *pump) send(ctx context.Context, e envelope) {
	select {
	case p.inbox <- e:
	case <-ctx.Done():
	}
}

// run applies batches on the loop until ctx ends.
func (p *pump) run(ctx context.Context, onLoop func([]envelope)) {
	defer close(p.done)
	gap := time.NewTimer(frameGap)
	defer gap.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case e := <-p.inbox:
			began := time.Now()
			onLoop(p.drain(e))
			// Keys come first: however much news there is, the loop is free most of
			// the time. A batch that took very long was no news: an agent ran in it.
			gap.Reset(min(max(frameGap, 2*time.Since(began)), frameGapMax))
		}
		select {
		case <-ctx.Done():
			return
		case <-gap.C:
		}
	}
}

// drain takes what else is there.
func (p *pump) drain(first envelope) []envelope {
	batch := []envelope{first}
	for len(batch) < pumpBatch {
		select {
		case e := <-p.inbox:
			batch = append(batch, e)
		default:
			return batch
		}
	}
	return batch
}

// merge makes one message of news that stand next to each other: the model is
// put in order once for all of them.
func merge(batch []envelope) []envelope {
	out := batch[:0]
	for _, e := range batch {
		next, ok := e.msg.(storeChanged)
		if n := len(out); ok && n > 0 {
			if last, ok := out[n-1].msg.(storeChanged); ok {
				out[n-1].msg = storeChanged{append(last.news, next.news...)}
				continue
			}
		}
		out = append(out, e)
	}
	return out
}

// idle reports whether no answer to a cmd is outstanding.
func (p *pump) idle() bool { return p.pending.Load() == 0 && len(p.inbox) == 0 }

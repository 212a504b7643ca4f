package launch

import (
	"context"
	"fmt"
	"sync"
	"time"
)

// Times of hooks. The client waits for the hooks of its end, but for one that takes
// too long (observed E).
const (
	hooksAgain = 15 * time.Millisecond
	hooksWait  = 3 * time.Second // what outlives its agent for longer was meant to
)

// hooks are the processes that an agent starts while it ends. Each has a session
// (in the sense of the system) of its own and may outlive the agent.
type hooks struct {
	proc  processes
	quit  chan struct{}
	once  sync.Once
	watch sync.WaitGroup
	seen  map[int]string // start by id, of what was started since
}

// watchHooks begins to look for what an agent starts. Where processes cannot be
// looked at, nothing is seen.
func watchHooks(proc processes, agent int) *hooks {
	h := &hooks{proc: proc, quit: make(chan struct{}), seen: map[int]string{}}
	if proc == "" || agent <= 0 {
		return h
	}
	before := proc.below(map[int]string{agent: ""})
	h.watch.Go(func() {
		again := time.NewTicker(hooksAgain)
		defer again.Stop()
		for {
			h.look(agent, before)
			select {
			case <-h.quit:
				return
			case <-again.C:
			}
		}
	})
	return h
}

// look notes what was started since the last look.
func (h *hooks) look(agent int, before map[int]string) {
	roots := map[int]string{agent: ""}
	for pid, start := range h.seen {
		roots[pid] = start
	}
	for pid, start := range h.proc.below(roots) {
		if pid != agent && before[pid] != start {
			h.seen[pid] = start
		}
	}
}

// stop ends the looking.
func (h *hooks) stop() {
	h.once.Do(func() { close(h.quit) })
	h.watch.Wait()
}

// wait waits until what the agent started at its end is gone, for at most
// hooksWait. The note says what is not.
func (h *hooks) wait(ctx context.Context) (note string) {
	h.stop()
	again := time.NewTicker(hooksAgain)
	defer again.Stop()
	late := time.NewTimer(hooksWait)
	defer late.Stop()
	for {
		left := 0
		for pid, start := range h.seen {
			if now, ok := h.proc.start(pid); ok && now == start {
				left = pid
			}
		}
		if left == 0 {
			return ""
		}
		select {
		case <-ctx.Done():
		case <-late.C:
		case <-again.C:
			continue
		}
		return fmt.Sprintf("something that the session before started at its end still runs (process %d)", left)
	}
}

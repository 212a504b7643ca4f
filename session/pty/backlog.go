package pty

import "sync"

// backlogMax is how many bytes of output wait for the emulator before the reading
// does, and the program with it.
const backlogMax = 256 << 10

// backlog holds what was read and is not on the screen yet. The system keeps a few
// kilobytes of a terminal's output only, so that a program stops at each batch
// unless somebody reads while the last one is drawn.
type backlog struct {
	mu      sync.Mutex
	moved   sync.Cond // of mu: something came or went
	waiting []byte
	closed  bool
}

func newBacklog() *backlog {
	b := &backlog{}
	b.moved.L = &b.mu
	return b
}

// put adds bytes, after waiting for room.
func (b *backlog) put(p []byte) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for len(b.waiting) > 0 && len(b.waiting)+len(p) > backlogMax {
		b.moved.Wait()
	}
	b.waiting = append(b.waiting, p...)
	b.moved.Signal()
}

// close says that nothing follows.
func (b *backlog) close() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.closed = true
	b.moved.Signal()
}

// take waits for bytes and takes all there are. The buffer is used for what comes
// next. Without any, nothing follows.
func (b *backlog) take(buffer []byte) []byte {
	b.mu.Lock()
	defer b.mu.Unlock()
	for len(b.waiting) == 0 && !b.closed {
		b.moved.Wait()
	}
	taken := b.waiting
	b.waiting = buffer[:0]
	b.moved.Signal()
	return taken
}

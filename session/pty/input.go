package pty

import (
	"bytes"
	"sync"
)

// MaxInput is how many bytes can wait for a program that does not read.
const MaxInput = 64 << 20

// input is what waits for the program.
type input struct {
	mu    sync.Mutex
	queue [][]byte
	bytes int
	ready chan struct{} // there is something; has room for one
}

// Send queues bytes for the program's input, in the order of the calls, and
// returns at once. It reports false, and takes nothing of p, when MaxInput bytes
// would be waiting or the program has ended.
func (p *Program) Send(b []byte) bool {
	in := &p.input
	in.mu.Lock()
	defer in.mu.Unlock()
	select {
	case <-p.done:
		return false
	default:
	}
	if len(b) > MaxInput-in.bytes {
		return false
	}
	in.queue = append(in.queue, bytes.Clone(b))
	in.bytes += len(b)
	select {
	case in.ready <- struct{}{}:
	default:
	}
	return true
}

// next takes everything that waits.
func (in *input) next() [][]byte {
	in.mu.Lock()
	defer in.mu.Unlock()
	queue := in.queue
	in.queue = nil
	return queue
}

// written makes room.
func (in *input) written(n int) {
	in.mu.Lock()
	defer in.mu.Unlock()
	in.bytes -= n
}

// writeAll hands the input to the program until the terminal is closed. It may
// wait for long in a write, and nobody else does.
func (p *Program) writeAll() {
	for {
		select {
		case <-p.done:
			return
		case <-p.input.ready:
		}
		for _, b := range p.input.next() {
			if _, err := p.master.Write(b); err != nil {
				return
			}
			p.input.written(len(b))
		}
	}
}

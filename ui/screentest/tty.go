package screentest

import (
	"io"
	"sync"

	"github.com/gdamore/tcell/v2"
)

// tty is the program's side of a Terminal.
type tty struct {
	term *Terminal

	mu      sync.Mutex
	cond    *sync.Cond // signals in, drained, closed
	in      []byte     // typed and not yet read
	drained bool       // Read returns at once
	closed  bool
	notify  func()
}

// send types bytes.
func (y *tty) send(p []byte) {
	y.mu.Lock()
	defer y.mu.Unlock()
	y.in = append(y.in, p...)
	y.cond.Broadcast()
}

// resized tells the program that the size changed.
func (y *tty) resized() {
	y.mu.Lock()
	notify := y.notify
	y.mu.Unlock()
	if notify != nil {
		notify()
	}
}

// Start implements tcell.Tty.
func (y *tty) Start() error {
	y.mu.Lock()
	defer y.mu.Unlock()
	y.drained = false
	return nil
}

// Drain implements tcell.Tty.
func (y *tty) Drain() error {
	y.mu.Lock()
	defer y.mu.Unlock()
	y.drained = true
	y.cond.Broadcast()
	return nil
}

// Stop implements tcell.Tty.
func (y *tty) Stop() error { return nil }

// NotifyResize implements tcell.Tty.
func (y *tty) NotifyResize(f func()) {
	y.mu.Lock()
	defer y.mu.Unlock()
	y.notify = f
}

// WindowSize implements tcell.Tty.
func (y *tty) WindowSize() (tcell.WindowSize, error) {
	y.term.mu.Lock()
	defer y.term.mu.Unlock()
	return tcell.WindowSize{Width: y.term.width, Height: y.term.height}, nil
}

// Read implements io.Reader: it waits until something was typed.
func (y *tty) Read(p []byte) (int, error) {
	y.mu.Lock()
	defer y.mu.Unlock()
	for len(y.in) == 0 && !y.drained && !y.closed {
		y.cond.Wait()
	}
	if y.closed {
		return 0, io.EOF
	}
	n := copy(p, y.in)
	y.in = y.in[n:]
	return n, nil
}

// Write implements io.Writer.
func (y *tty) Write(p []byte) (int, error) {
	y.term.write(p)
	return len(p), nil
}

// Close implements io.Closer: the terminal went away.
func (y *tty) Close() error {
	y.mu.Lock()
	defer y.mu.Unlock()
	y.closed = true
	y.cond.Broadcast()
	return nil
}

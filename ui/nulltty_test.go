package ui

import (
	"io"
	"sync"
	"sync/atomic"
	"testing"

	"coppice/ui/screentest"

	"github.com/gdamore/tcell/v2"
)

// nullTty is a terminal that shows nothing, counts what it is sent, and can be
// cut off.
type nullTty struct {
	w, h int
	sent atomic.Int64
	news chan struct{} // poked at each write
	in   chan []byte
	gone chan struct{}

	mu      sync.Mutex
	drained chan struct{}
}

func newNullTty(w, h int) *nullTty {
	return &nullTty{w: w, h: h, in: make(chan []byte, 1024), news: make(chan struct{}, 1), gone: make(chan struct{}), drained: make(chan struct{})}
}

func (y *nullTty) Start() error {
	y.mu.Lock()
	defer y.mu.Unlock()
	y.drained = make(chan struct{})
	return nil
}

func (y *nullTty) Drain() error {
	y.mu.Lock()
	defer y.mu.Unlock()
	close(y.drained)
	return nil
}

func (y *nullTty) Stop() error         { return nil }
func (y *nullTty) Close() error        { return nil }
func (y *nullTty) NotifyResize(func()) {}
func (y *nullTty) WindowSize() (tcell.WindowSize, error) {
	return tcell.WindowSize{Width: y.w, Height: y.h}, nil
}

func (y *nullTty) Read(p []byte) (int, error) {
	y.mu.Lock()
	drained := y.drained
	y.mu.Unlock()
	select {
	case b := <-y.in:
		return copy(p, b), nil
	case <-drained:
		return 0, nil
	case <-y.gone:
		return 0, io.EOF
	}
}

func (y *nullTty) Write(p []byte) (int, error) {
	select {
	case <-y.gone:
		return 0, io.ErrClosedPipe
	default:
	}
	y.sent.Add(int64(len(p)))
	select {
	case y.news <- struct{}{}:
	default:
	}
	return len(p), nil
}

// screen returns a screen on the terminal.
func (y *nullTty) screen(t testing.TB) tcell.Screen {
	t.Helper()
	return screentest.NewScreen(t, y)
}

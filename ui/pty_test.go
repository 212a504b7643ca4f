package ui

import (
	"context"
	"io"
	"testing"
	"time"

	"coppice/ui/screentest"

	"github.com/creack/pty"
	"github.com/gdamore/tcell/v2"
)

// TestWindowClosed is report G13 on a real pseudo-terminal: when its other end
// is closed the dashboard ends, and soon.
func TestWindowClosed(t *testing.T) {
	t.Parallel()
	master, slave, err := pty.Open()
	if err != nil {
		t.Skip("no pseudo-terminals here:", err)
	}
	defer slave.Close()
	if err := pty.Setsize(slave, &pty.Winsize{Cols: 80, Rows: 24}); err != nil {
		t.Fatal(err)
	}
	tty, err := tcell.NewDevTtyFromDev(slave.Name())
	if err != nil {
		t.Fatal(err)
	}
	screen := screentest.NewScreen(t, tty)
	opt := sampleOptions()
	store := newFakeStore(sample())
	opt.Store, opt.Screen = store, screen
	done := make(chan error, 1)
	go func() { done <- Run(context.Background(), opt) }()
	go func() { _, _ = io.Copy(io.Discard, master) }()
	waitFor(t, "the first rows", func() bool { return store.shown() > 0 })
	began := time.Now()
	if err := master.Close(); err != nil {
		t.Fatal(err)
	}
	if err := await(t, done); err == nil {
		t.Error("a lost terminal is no error")
	}
	if took := time.Since(began); took > 2*time.Second {
		t.Errorf("ended after %v", took)
	}
}

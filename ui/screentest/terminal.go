package screentest

import (
	"io"
	"sync"
	"testing"
	"time"

	"github.com/charmbracelet/x/vt"
	"github.com/gdamore/tcell/v2"
)

// Patience is how long Wait waits.
const Patience = time.Minute

// Terminal is a terminal in memory. Its methods may be called from any
// goroutine, those that can fail the test from the test's own only.
type Terminal struct {
	t   testing.TB
	tty tty

	mu      sync.Mutex
	emu     *vt.Emulator
	parse   parser
	width   int
	height  int
	written int64
	changed chan struct{} // closed and replaced at each change
}

// New returns a terminal of the given size. It lives until the test ends.
func New(t testing.TB, width, height int) *Terminal {
	t.Helper()
	term := &Terminal{t: t, width: width, height: height, changed: make(chan struct{})}
	term.emu = vt.NewEmulator(width, height)
	term.emu.SetScrollbackSize(1)
	term.parse.modes = map[string]bool{}
	term.tty = tty{term: term}
	term.tty.cond = sync.NewCond(&term.tty.mu)

	// The emulator answers queries through a pipe and stops until they are read.
	done := make(chan struct{})
	go func() {
		defer close(done)
		buf := make([]byte, 256)
		for {
			n, err := term.emu.Read(buf)
			if err != nil {
				return
			}
			term.tty.send(buf[:n])
		}
	}()
	t.Cleanup(func() {
		if err := term.tty.Close(); err != nil {
			t.Error(err)
		}
		if err := term.emu.InputPipe().(io.Closer).Close(); err != nil {
			t.Error(err)
		}
		<-done
	})
	return term
}

// Screen returns a new tcell screen on the terminal, of 24 bits of colour, not
// yet initialised.
func (term *Terminal) Screen() tcell.Screen {
	term.t.Helper()
	return NewScreen(term.t, &term.tty)
}

// NewScreen returns a tcell screen on any terminal, of 24 bits of colour, not yet
// initialised. Its terminal description is its own: tcell writes into the one it
// is given, and the known ones belong to all the tests of a process.
func NewScreen(t testing.TB, tty tcell.Tty) tcell.Screen {
	t.Helper()
	known, err := tcell.LookupTerminfo("xterm-256color")
	if err != nil {
		t.Fatal(err)
	}
	info := *known
	info.SetFgRGB = "\x1b[38;2;%p1%d;%p2%d;%p3%dm"
	info.SetBgRGB = "\x1b[48;2;%p1%d;%p2%d;%p3%dm"
	info.SetFgBgRGB = "\x1b[38;2;%p1%d;%p2%d;%p3%d;48;2;%p4%d;%p5%d;%p6%dm"
	screen, err := tcell.NewTerminfoScreenFromTtyTerminfo(tty, &info)
	if err != nil {
		t.Fatal(err)
	}
	return screen
}

// Tty returns the terminal as tcell sees it, for screens made elsewhere.
func (term *Terminal) Tty() tcell.Tty { return &term.tty }

// Resize changes the size, as a person does who drags the window.
func (term *Terminal) Resize(width, height int) {
	term.mu.Lock()
	term.width, term.height = width, height
	term.emu.Resize(width, height)
	term.touch()
	term.mu.Unlock()
	term.tty.resized()
}

// write shows what a program printed.
func (term *Terminal) write(p []byte) {
	term.mu.Lock()
	defer term.mu.Unlock()
	term.written += int64(len(p))
	for _, chunk := range term.parse.feed(p) {
		// The emulator never fails while it is open.
		_, _ = term.emu.Write(chunk)
	}
	if !term.parse.modes[modeSync] {
		term.touch()
	}
}

// touch wakes whoever waits. The caller holds mu.
func (term *Terminal) touch() {
	close(term.changed)
	term.changed = make(chan struct{})
}

// Snapshot returns what the terminal shows now, which may be half a frame: Wait
// sees whole ones only.
func (term *Terminal) Snapshot() *Snapshot {
	term.mu.Lock()
	defer term.mu.Unlock()
	return term.snapshot()
}

// Wait waits until cond holds of a whole frame and returns that frame. It ends
// the test, showing the last frame, when cond does not hold within Patience.
func (term *Terminal) Wait(what string, cond func(*Snapshot) bool) *Snapshot {
	term.t.Helper()
	timeout := time.NewTimer(Patience)
	defer timeout.Stop()
	for {
		term.mu.Lock()
		snap, whole, changed := term.snapshot(), !term.parse.modes[modeSync], term.changed
		term.mu.Unlock()
		if whole && cond(snap) {
			return snap
		}
		select {
		case <-changed:
		case <-timeout.C:
			term.t.Fatalf("the screen never showed %s; it shows:\n%s", what, snap.Text())
			return nil
		}
	}
}

// WaitText waits until s is on the screen, within one line.
func (term *Terminal) WaitText(s string) *Snapshot {
	term.t.Helper()
	return term.Wait(s, func(snap *Snapshot) bool { return snap.Contains(s) })
}

// WaitGone waits until s is not on the screen.
func (term *Terminal) WaitGone(s string) *Snapshot {
	term.t.Helper()
	return term.Wait("a frame without "+s, func(snap *Snapshot) bool { return !snap.Contains(s) })
}

// Written returns how many bytes programs have written, to see that nothing is
// drawn when nothing changed (report G12).
func (term *Terminal) Written() int64 {
	term.mu.Lock()
	defer term.mu.Unlock()
	return term.written
}

// Left names the modes that a program left on, in no order: "alternate screen",
// "mouse 1000", "hidden cursor", … A program that ended well leaves none
// (report G9).
func (term *Terminal) Left() []string {
	term.mu.Lock()
	defer term.mu.Unlock()
	return term.parse.left()
}

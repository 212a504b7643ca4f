package term_test

import (
	"strings"
	"testing"
	"time"

	"coppice/session/terminal"
)

// TestHeldFrame: a frame that the program holds back is not shown until it is
// complete, or a second has passed.
func TestHeldFrame(t *testing.T) {
	t.Parallel()
	d := newDesk(t, 20, 3)
	d.program.prints("old")
	d.draw()
	if d.pane.Changed() || !d.pane.Due().IsZero() {
		t.Error("nothing happened")
	}
	d.program.prints("\x1b[?2026h\x1b[2J\x1b[Hhalf")
	d.clock = time.Now()
	shows := func(want string, changed bool) {
		t.Helper()
		if got := d.pane.Changed(); got != changed {
			t.Errorf("changed: %t", got)
		}
		d.draw()
		if got := strings.TrimSpace(d.text()); got != want {
			t.Errorf("shows %q instead of %q", got, want)
		}
	}
	shows("old", false)
	if due := d.pane.Due(); due.Before(d.clock) || due.After(d.clock.Add(time.Second)) {
		t.Errorf("due %v, now %v", due, d.clock)
	}
	d.program.prints(" and half\x1b[?2026l")
	shows("half and half", true)
	if d.pane.Changed() || !d.pane.Due().IsZero() {
		t.Error("the frame was shown")
	}

	// A program that never completes a frame is not waited for any longer.
	d.program.prints("\x1b[?2026h more")
	shows("half and half", false)
	d.clock = d.pane.Due()
	shows("half and half more", true)
	d.program.prints(" still")
	shows("half and half more s\ntill", true)
}

// TestFramesWithoutPause: a program that begins a frame as soon as it has
// completed one is looked at while it holds one back, each time. The clock is the
// real one here, as that of the emulator is.
func TestFramesWithoutPause(t *testing.T) {
	t.Parallel()
	d := newDesk(t, 20, 3)
	d.draw()
	ticker := time.NewTicker(time.Second / 20)
	defer ticker.Stop()
	for began := d.clock; !strings.Contains(d.text(), "x"); d.clock = <-ticker.C {
		if d.clock.Sub(began) > 3*time.Second/2 {
			t.Fatal("nothing was shown for longer than a second")
		}
		d.program.prints("\x1b[?2026l\x1b[?2026hx")
		d.draw()
	}
}

// TestHeldFrameAndThePerson: what the person does is shown at once.
func TestHeldFrameAndThePerson(t *testing.T) {
	t.Parallel()
	d := newDesk(t, 30, 5)
	d.numbered(1, 30)
	d.draw()
	d.program.prints("\x1b[?2026hx")
	d.pane.StartCopy()
	d.press(keys("g")...)
	if !d.pane.Changed() {
		t.Error("the copy mode is not shown")
	}
	d.draw()
	if got := d.text(); !strings.Contains(got, "row 1:") {
		t.Errorf("shows\n%s", got)
	}
	d.press(keys("q")...)
	d.columns = 20
	d.program.prints("\x1b[?2026h")
	d.draw()
	if err := d.check(); err != nil {
		t.Error("at another size:", err)
	}
}

// TestChanged tells of everything that changes the picture, and of nothing else.
func TestChanged(t *testing.T) {
	t.Parallel()
	d := newDesk(t, 30, 5)
	d.numbered(1, 30)
	steps := []struct {
		name string
		do   func()
		want bool
	}{
		{"nothing", func() {}, false},
		{"output", func() { d.program.prints("x") }, true},
		{"focus", func() { d.pane.SetFocus(true) }, true},
		{"the same focus", func() { d.pane.SetFocus(true) }, false},
		{"a key for the program", func() { d.press(keys("x")...) }, false},
		{"copy mode", func() { d.pane.StartCopy() }, true},
		{"a key in copy mode", func() { d.press(keys("k")...) }, true},
		{"the end of copy mode", func() { d.press(keys("q")...) }, true},
		{"a selection", func() { d.gesture(0, "0,0 2,0 up") }, true},
		{"its end", func() { d.press(keys("x")...) }, true},
		{"another terminal", func() {
			d.program.screen = terminal.New(terminal.Options{Columns: 30, Rows: 5})
		}, true},
	}
	d.draw()
	for _, s := range steps {
		s.do()
		if got := d.pane.Changed(); got != s.want {
			t.Errorf("%s: %t", s.name, got)
		}
		d.draw()
		if d.pane.Changed() {
			t.Errorf("%s: changed after it was drawn", s.name)
		}
	}
}

// TestChangedBesideTheLoop asks while another goroutine draws.
func TestChangedBesideTheLoop(t *testing.T) {
	t.Parallel()
	d := newDesk(t, 30, 5)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for range 200 {
			d.program.screen.Resize(30, 5)
			_ = d.pane.Changed()
			_ = d.pane.Due()
		}
	}()
	for range 50 {
		d.program.prints("\x1b[?2026hx\x1b[?2026l")
		d.pane.StartCopy()
		d.draw()
		d.press(keys("q")...)
	}
	<-done
}

package ui

import (
	"context"
	"errors"
	"io"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gdamore/tcell/v2"
	"go.uber.org/goleak"

	"coppice/session"
	"coppice/ui/screentest"
)

// running is a dashboard that runs on a terminal in memory.
type running struct {
	*screentest.Terminal
	t     *testing.T
	store *fakeStore
	end   context.CancelFunc
	done  chan error
}

// start runs the dashboard on a terminal of a size.
func start(t *testing.T, w, h int, change func(*Options)) *running {
	t.Helper()
	r := &running{Terminal: screentest.New(t, w, h), t: t, store: newFakeStore(sample()), done: make(chan error, 1)}
	opt := sampleOptions()
	opt.Store, opt.Screen = r.store, r.Screen()
	if change != nil {
		change(&opt)
	}
	ctx, cancel := context.WithCancel(context.Background())
	r.end = cancel
	t.Cleanup(cancel)
	go func() { r.done <- Run(ctx, opt) }()
	return r
}

// patience is how long a test waits for an end.
const patience = time.Minute

// ended waits until Run has returned and returns its error.
func (r *running) ended() error {
	r.t.Helper()
	return await(r.t, r.done)
}

// await waits for the end of Run.
func await(t *testing.T, done <-chan error) error {
	t.Helper()
	select {
	case err := <-done:
		return err
	case <-time.After(patience):
		t.Fatal("the dashboard does not end")
		return nil
	}
}

// TestSmoke goes through a whole visit.
func TestSmoke(t *testing.T) {
	t.Parallel()
	for _, size := range sizes() {
		var plans []session.Plan
		r := start(t, size[0], size[1], func(o *Options) {
			o.Resume = func(_ context.Context, p session.Plan) error { plans = append(plans, p); return nil }
		})
		r.WaitText("▸● parser-work")
		r.Press("j")
		r.WaitText("▸  └ alt-idea")
		r.Press("A")
		r.WaitText("everything")
		r.Press("/")
		r.Type("tidy")
		r.WaitText("1 of 8")
		r.Press("Enter", "Space")
		r.WaitText("The last word.")
		r.Press("Space")
		r.WaitText("Sessions")
		r.Press("r", "Ctrl-U")
		r.Type("sweep")
		r.Press("Enter")
		r.WaitText("renamed to sweep")
		r.Press("Esc")
		r.WaitText("▸  sweep")
		r.Press("Enter")
		r.WaitText("back from the session")
		r.Press("q")
		if err := r.ended(); err != nil {
			t.Errorf("%v: %v", size, err)
		}
		if len(plans) != 1 || plans[0].Session != id(12) {
			t.Errorf("%v: resumed %+v", size, plans)
		}
		if left := r.Left(); len(left) > 0 {
			t.Errorf("%v: left on: %q", size, left)
		}
	}
}

// TestFirstKeyAfterAgent is report G4: after the agent the first key arrives,
// and keys pressed before it ended do not.
func TestFirstKeyAfterAgent(t *testing.T) {
	t.Parallel()
	var r *running
	runs := make(chan int, 100)
	n := 0
	r = start(t, 80, 24, func(o *Options) {
		o.Resume = func(context.Context, session.Plan) error {
			n++
			tty, _ := o.Screen.Tty()
			// What a careless program leaves behind (report G9).
			_, err := io.WriteString(tty, "agent\x1b[?1003h\x1b[?1004h\x1b[?1049h\x1b[>1u\x1b[?25l")
			runs <- n
			return err
		}
	})
	r.WaitText("▸● parser-work")
	for range 20 {
		r.Press("Enter")
		select {
		case <-runs:
		case <-time.After(patience):
			t.Fatalf("the agent did not run; the screen:\n%s", r.Snapshot().Text())
		}
		r.WaitText("back from the session")
		r.Press("j")
		r.WaitText("▸  └ alt-idea")
		r.Press("k")
		r.WaitText("▸● parser-work")
	}
	r.Press("q")
	if err := r.ended(); err != nil {
		t.Error(err)
	}
	if left := r.Left(); len(left) > 0 {
		t.Errorf("left on: %q", left)
	}
}

func TestResize(t *testing.T) {
	t.Parallel()
	r := start(t, 120, 30, nil)
	r.WaitText("Preview")
	r.Resize(40, 12)
	r.WaitGone("Projects")
	r.WaitText("▸Sessions")
	r.Press("Tab")
	r.WaitText("▸Preview")
	r.Resize(200, 60)
	r.WaitText("Projects")
	r.Press("Tab") // to the tree
	r.WaitText("▸Projects")
	r.end()
	if err := r.ended(); err != nil {
		t.Error(err)
	}
}

// TestHostileScreen checks that nothing foreign is obeyed on the way to the
// terminal (reports G1, G2).
func TestHostileScreen(t *testing.T) {
	t.Parallel()
	r := start(t, 200, 30, func(o *Options) { o.Store = newFakeStore(hostile()) })
	r.Press("A")
	r.WaitText("␛[2J␛]0;owned␇ red")
	snap := r.WaitText(`fix [red] x[yellow]y ["r"]`)
	for y := 1; y < snap.Height-1; y++ { // borders stand straight beside every text
		if c := snap.Cells[y][snap.Width-1].Text; !strings.Contains("│┐┘", c) {
			t.Errorf("row %d ends in %q:\n%s", y, c, snap.Text())
		}
	}
	r.Press("q")
	if err := r.ended(); err != nil {
		t.Error(err)
	}
}

// TestRedraw checks that Ctrl-L mends what another program wrote over the screen.
func TestRedraw(t *testing.T) {
	t.Parallel()
	var tty tcell.Tty
	r := start(t, 80, 24, func(o *Options) { tty, _ = o.Screen.Tty() })
	r.WaitText("▸● parser-work")
	if _, err := io.WriteString(tty, "\x1b[2J\x1b[5;5Hwall message"); err != nil {
		t.Fatal(err)
	}
	r.WaitText("wall message")
	r.Press("Ctrl-L")
	r.WaitGone("wall message")
	r.WaitText("▸● parser-work")
	r.Press("q")
	if err := r.ended(); err != nil {
		t.Error(err)
	}
}

func TestPasteOnTheTerminal(t *testing.T) {
	t.Parallel()
	r := start(t, 120, 30, nil)
	r.WaitText("▸● parser-work")
	r.Paste("https://example.org/ann/app/pull/77/commits\n")
	r.WaitText("▸  tidy the build")
	r.Click(5, 2)
	r.Press("Esc", "Esc", "q")
	if err := r.ended(); err != nil {
		t.Error(err)
	}
}

// TestPanic checks that a panic anywhere restores the terminal and is told.
func TestPanic(t *testing.T) {
	t.Parallel()
	boom := func() { panic("boom") }
	for name, change := range map[string]func(*Options){
		"in a worker": func(o *Options) {
			o.Rename = func(context.Context, session.Session, string) error { boom(); return nil }
		},
		"on the loop": func(o *Options) {
			var calls atomic.Int64
			o.Now = func() time.Time {
				if calls.Add(1) > 20 {
					boom()
				}
				return noon()
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := start(t, 80, 24, change)
			r.WaitText("parser-work")
			r.Press("r")
			r.Type("xxxxxxxxxxxxxxxxxxxxxxxxxxx")
			r.Press("Enter")
			var broke *PanicError
			if err := r.ended(); !errors.As(err, &broke) || broke.Value != "boom" || len(broke.Stack) == 0 {
				t.Errorf("ended with %v", err)
			}
			if left := r.Left(); len(left) > 0 {
				t.Errorf("left on: %q", left)
			}
		})
	}
}

// TestTerminalGone is report G13.
func TestTerminalGone(t *testing.T) {
	t.Parallel()
	tty := newNullTty(80, 24)
	opt := sampleOptions()
	store := newFakeStore(sample())
	opt.Store, opt.Screen = store, tty.screen(t)
	done := make(chan error, 1)
	go func() { done <- Run(context.Background(), opt) }()
	waitFor(t, "the first rows", func() bool { return store.shown() > 0 })
	close(tty.gone)
	began := time.Now()
	if err := await(t, done); !errors.Is(err, ErrTerminal) {
		t.Errorf("ended with %v", err)
	}
	if took := time.Since(began); took > 2*time.Second {
		t.Errorf("ended after %v", took)
	}
}

// shown is how many transcripts are said to be on the screen.
func (s *fakeStore) shown() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.visible)
}

// waitFor waits until cond holds.
func waitFor(t testing.TB, what string, cond func() bool) {
	t.Helper()
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	limit := time.After(patience)
	for !cond() {
		select {
		case <-tick.C:
		case <-limit:
			t.Fatalf("never saw %s", what)
		}
	}
}

// TestUnchangedSendsNothing is report G12: a frame like the last one costs no
// byte.
func TestUnchangedSendsNothing(t *testing.T) {
	t.Parallel()
	tty := newNullTty(200, 60)
	opt := sampleOptions()
	store := newFakeStore(sample())
	opt.Store = store
	a := newApp(context.Background(), opt, tty.screen(t))
	if err := a.screen.Init(); err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() { done <- a.run() }()
	waitFor(t, "the first rows", func() bool { return store.shown() > 0 && a.idle() })
	unchanged := func(what string) {
		a.tv.QueueUpdateDraw(func() {})
		before := tty.sent.Load()
		for range 10 {
			a.tv.QueueUpdateDraw(func() {})
		}
		if sent := tty.sent.Load() - before; sent > 0 {
			t.Errorf("ten unchanged frames of %s cost %d bytes", what, sent)
		}
	}
	unchanged("the dashboard")
	screen, _ := newFakeHosts(id(41)).Attach(t.Context(), "h1", 200, 59)
	screen.(*fakeScreen).say("\x1b[4 q\x1b[31mred \x1b]8;;https://example.org/\x1b\\a link\x1b]8;;\x1b\\ \u6f22\u5b57")
	a.tv.QueueUpdateDraw(func() { a.apply(attached{host: "h1", screen: screen}) })
	unchanged("a pane")
	a.end(nil)
	if err := await(t, done); err != nil {
		t.Error(err)
	}
}

// TestQuitUnderLoad quits a hundred times in the middle of news and work, and
// leaves no goroutine (report G3).
func TestQuitUnderLoad(t *testing.T) { //nolint:paralleltest // it counts goroutines
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	for i := range 100 {
		store := &floodStore{}
		tty := newNullTty(40, 12)
		opt := sampleOptions()
		opt.Store, opt.Screen = store, tty.screen(t)
		done := make(chan error, 1)
		ctx, cancel := context.WithCancel(context.Background())
		go func() { done <- Run(ctx, opt) }()
		waitFor(t, "news", func() bool { return store.sent.Load() > int64(i%20) })
		for range 5 {
			tty.in <- []byte("jjA/x\x1b")
		}
		if i%2 == 0 {
			tty.in <- []byte("\x03\x03")
		} else {
			cancel()
		}
		if err := await(t, done); err != nil {
			t.Fatal(err)
		}
		cancel()
	}
}

// floodStore never stops telling.
type floodStore struct{ sent atomic.Int64 }

func (s *floodStore) Watch(ctx context.Context, emit func(session.Update)) error {
	u := sample()
	for ctx.Err() == nil {
		emit(u)
		s.sent.Add(1)
		runtime.Gosched()
	}
	return ctx.Err()
}

func (s *floodStore) SetVisible([]string) {}
func (s *floodStore) Refresh()            {}

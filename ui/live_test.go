package ui

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"coppice/session"
	"coppice/session/launch"
	"coppice/session/terminal"
	"coppice/ui/screentest"
)

// fakeHosts runs no process: what is typed to an agent comes back on its screen.
type fakeHosts struct {
	changed chan struct{} // running changed
	told    chan struct{} // closed when the window was told for the first time

	mu      sync.Mutex
	made    int
	running []Running
	screens map[string]*fakeScreen // the last one attached, by host
	glances map[string]*fakeScreen // the last one glanced at
	tried   []session.Plan         // plans that another session was switched to, or taken over by
	ended   []string
	lost    []launch.Lost
	note    string // of a switch
	refuse  error  // what Start and Attach answer
}

// newFakeHosts runs agents of sessions, in order.
func newFakeHosts(sessions ...string) *fakeHosts {
	h := &fakeHosts{changed: make(chan struct{}, 1), told: make(chan struct{}), screens: map[string]*fakeScreen{}, glances: map[string]*fakeScreen{}}
	for _, s := range sessions {
		h.add(s)
	}
	return h
}

// add runs one more agent.
func (h *fakeHosts) add(session string) string {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.made++
	host := fmt.Sprintf("h%d", h.made)
	h.running = append(h.running, Running{Host: host, Session: session, Agent: "claude", Dir: "/home/ann/src/app"})
	select {
	case h.changed <- struct{}{}:
	default:
	}
	return host
}

func (h *fakeHosts) Watch(ctx context.Context, emit func([]Running, []string)) error {
	for first := true; ; first = false {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-h.changed:
		}
		h.mu.Lock()
		running := append([]Running(nil), h.running...)
		h.mu.Unlock()
		emit(running, nil)
		if first {
			close(h.told)
		}
	}
}

func (h *fakeHosts) Start(_ context.Context, plan session.Plan, _, _ int) (string, error) {
	if h.refuse != nil {
		return "", h.refuse
	}
	return h.add(plan.Session), nil
}

func (h *fakeHosts) Attach(_ context.Context, host string, columns, rows int) (Screen, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.refuse != nil {
		return nil, h.refuse
	}
	glance := columns == 0
	if glance {
		columns, rows = 80, 24
	}
	s := &fakeScreen{
		term:    terminal.New(terminal.Options{Columns: columns, Rows: rows, Scrollback: 100}),
		changed: make(chan struct{}, 1), done: make(chan struct{}),
	}
	if glance {
		s.say("glance at " + host + "\r\n")
		h.glances[host] = s
	} else {
		s.say("screen of " + host + "\r\n")
		h.screens[host] = s
	}
	return s, nil
}

func (h *fakeHosts) End(_ context.Context, host string) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.ended = append(h.ended, host)
	return nil
}

func (h *fakeHosts) Switch(ctx context.Context, host string, plan session.Plan, columns, rows int) (next, note string, err error) {
	if h.refuse != nil {
		return "", "", h.refuse
	}
	h.mu.Lock()
	h.ended = append(h.ended, host)
	h.running = slices.DeleteFunc(h.running, func(r Running) bool { return r.Host == host })
	h.mu.Unlock()
	h.mu.Lock()
	h.tried = append(h.tried, plan)
	h.mu.Unlock()
	next, err = h.Start(ctx, plan, columns, rows)
	return next, h.note, err
}

func (h *fakeHosts) TakeOver(ctx context.Context, plan session.Plan, columns, rows int) (string, error) {
	h.mu.Lock()
	h.tried = append(h.tried, plan)
	h.mu.Unlock()
	return h.Start(ctx, plan, columns, rows)
}

func (h *fakeHosts) Lost(context.Context) ([]launch.Lost, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.Clone(h.lost), nil
}

func (h *fakeHosts) BringBack(_ context.Context, lost []launch.Lost, _, _ int) []launch.Brought {
	var back []launch.Brought
	for _, one := range lost {
		if h.refuse != nil {
			back = append(back, launch.Brought{Lost: one, Err: h.refuse})
			continue
		}
		back = append(back, launch.Brought{Lost: one, Host: h.add(one.Session)})
	}
	return back
}

func (h *fakeHosts) Dismiss(_ context.Context, lost []launch.Lost) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.lost = slices.DeleteFunc(h.lost, func(l launch.Lost) bool {
		return slices.ContainsFunc(lost, func(one launch.Lost) bool { return one.Host == l.Host })
	})
	return nil
}

// glance is the screen of a host that was glanced at last, nil for none.
func (h *fakeHosts) glance(host string) *fakeScreen {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.glances[host]
}

// set changes what an agent does.
func (h *fakeHosts) set(host string, s session.Status) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for i := range h.running {
		if h.running[i].Host == host {
			h.running[i].Status = s
		}
	}
	select {
	case h.changed <- struct{}{}:
	default:
	}
}

// screen is the screen of a host that was attached last.
func (h *fakeHosts) screen(host string) *fakeScreen {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.screens[host]
}

// fakeScreen is the screen of an agent that echoes.
type fakeScreen struct {
	term    *terminal.Terminal
	changed chan struct{}
	done    chan struct{}
	once    sync.Once
	err     error

	mu     sync.Mutex
	typed  strings.Builder
	closed bool
}

func (s *fakeScreen) Terminal() *terminal.Terminal { return s.term }
func (s *fakeScreen) Resize(columns, rows int)     { s.term.Resize(columns, rows) }
func (s *fakeScreen) Changed() <-chan struct{}     { return s.changed }
func (s *fakeScreen) Done() <-chan struct{}        { return s.done }
func (s *fakeScreen) Err() error                   { return s.err }

func (s *fakeScreen) News() terminal.Output { return s.term.Take() }

func (s *fakeScreen) Send(p []byte) {
	s.mu.Lock()
	s.typed.Write(p)
	s.mu.Unlock()
	s.say(string(p))
}

func (s *fakeScreen) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	return nil
}

// say is output of the agent.
func (s *fakeScreen) say(output string) {
	_, _ = s.term.Write([]byte(output))
	select {
	case s.changed <- struct{}{}:
	default:
	}
}

// end ends the agent.
func (s *fakeScreen) end(err error) {
	s.once.Do(func() {
		s.err = err
		close(s.done)
	})
}

// got is what was typed to the agent.
func (s *fakeScreen) got() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.typed.String()
}

// startHosted runs the dashboard with agents behind it, which it knows of before
// it has rows.
func startHosted(t *testing.T, w, h int, hosts *fakeHosts) *running {
	t.Helper()
	store := newFakeStore()
	r := start(t, w, h, func(o *Options) {
		o.Hosts, o.Store = hosts, store
		o.PlanNew = func(_ context.Context, req session.StartRequest) session.Plan {
			return session.Plan{Session: id(70), Action: session.ActionStart, Agent: "claude", Cwd: req.Dir}
		}
	})
	if len(hosts.running) > 0 {
		<-hosts.told
	}
	store.news <- sample()
	r.WaitText("▸● parser-work")
	return r
}

// leavesPane goes back to the dashboard and quits, which leaves nothing on.
func (r *running) leavesPane() {
	r.t.Helper()
	r.Press("Ctrl-]", "Esc")
	r.WaitText("Sessions")
	r.Press("q")
	if err := r.ended(); err != nil {
		r.t.Error(err)
	}
	if left := r.Left(); len(left) > 0 {
		r.t.Errorf("left on: %q", left)
	}
}

// TestLive goes through a visit to two live sessions.
func TestLive(t *testing.T) {
	t.Parallel()
	for _, size := range sizes() {
		hosts := newFakeHosts(id(41), id(8))
		r := startHosted(t, size[0], size[1], hosts)
		r.Press("Enter")
		r.WaitText("screen of h1")
		r.WaitText("▸1 ● parser")
		r.Type("qj?/")
		r.WaitText("qj?/")
		r.Press("Ctrl-]")
		r.WaitText("any key back")
		r.Press("2")
		r.WaitText("screen of h2")
		r.WaitText("▸2 !")
		r.Press("Ctrl-]", "'")
		r.WaitText("screen of h1")
		r.Press("Ctrl-]", "Ctrl-]")
		waitFor(t, "the key itself", func() bool { return strings.HasSuffix(hosts.screen("h1").got(), "\x1d") })
		r.Press("Ctrl-]", "Esc")
		r.WaitText("▸● parser-work")
		r.Press("x")
		r.WaitText("End this session?")
		r.Press("Enter")
		r.WaitText("has ended")
		r.Press("q")
		if err := r.ended(); err != nil {
			t.Errorf("%v: %v", size, err)
		}
		if len(hosts.ended) != 1 || hosts.ended[0] != "h1" {
			t.Errorf("%v: ended %v", size, hosts.ended)
		}
		if got := hosts.screen("h1").got(); strings.Contains(got, "x") {
			t.Errorf("%v: the agent got %q", size, got)
		}
		if left := r.Left(); len(left) > 0 {
			t.Errorf("%v: left on: %q", size, left)
		}
	}
}

// TestStartBehind: a resumed session runs behind the window and is shown; when it
// ends well the dashboard is back, else what it said stays.
func TestStartBehind(t *testing.T) {
	t.Parallel()
	hosts := newFakeHosts()
	r := startHosted(t, 100, 30, hosts)
	r.Press("j", "Enter")
	r.WaitText("screen of h1")
	hosts.screen("h1").end(nil)
	r.WaitText("back from the session")
	r.Press("n")
	r.WaitText("screen of h2")
	r.WaitText("▸2 ● claude in app")
	hosts.screen("h2").say("its last words")
	hosts.screen("h2").end(errors.New("claude ended with exit status 3"))
	r.WaitText("exit status 3")
	r.WaitText("its last words")
	r.Press("j")
	r.WaitText("Sessions")
	hosts.refuse = errors.New("no room for a host")
	r.Press("n")
	r.WaitText("no room for a host")
	r.Press("Esc", "q")
	if err := r.ended(); err != nil {
		t.Error(err)
	}
}

// TestNeedsYou: ! goes to the sessions that wait, one after the other.
func TestNeedsYou(t *testing.T) {
	t.Parallel()
	opt := sampleOptions()
	opt.Hosts = newFakeHosts()
	b := newBench(t, opt, 120, 30, sample())
	b.press("!")
	b.shows("it waits for you, elsewhere: ! shows only what runs behind this window")
	if got := b.selectedID(); got != id(8) {
		t.Errorf("selected %s", got)
	}
	hosts := newFakeHosts(id(41), id(8))
	b.opt.Hosts = hosts
	b.send(runningChanged{running: hosts.running})
	b.press("!")
	if b.live.shown != "h2" {
		t.Errorf("shows %q", b.live.shown)
	}
	b.press("Ctrl-]", "!")
	b.shows("no session waits for you")
}

// TestWhyNotLive: a key that cannot act says why.
func TestWhyNotLive(t *testing.T) {
	t.Parallel()
	opt := sampleOptions()
	opt.NoHosts = "the disk is full"
	b := newBench(t, opt, 120, 30, sample())
	for key, want := range map[string]string{
		"]": "can run behind this window: the disk is full", "n": "can be started behind this window: the disk is full",
		"x": "live in pid 4711, not behind this window",
	} {
		b.press(key)
		b.shows(want)
	}
	opt.Hosts = newFakeHosts()
	b = newBench(t, opt, 120, 30, sample())
	for _, key := range []string{"]", "[", "'", "3"} {
		b.press(key)
		b.shows("no session is live behind this window")
	}
	b.send(runningChanged{running: newFakeHosts(id(41)).running})
	b.press("3")
	b.shows("there is no live session 3: 1 session is live behind this window")
}

// TestManyTabs: the line of tabs holds the shown one however many there are.
func TestManyTabs(t *testing.T) {
	t.Parallel()
	var sessions []string
	for n := range 12 {
		sessions = append(sessions, id(100+n))
	}
	hosts := newFakeHosts(sessions...)
	for _, size := range sizes() {
		opt := sampleOptions()
		opt.Hosts = hosts
		b := newBench(t, opt, size[0], size[1], sample())
		b.send(runningChanged{running: hosts.running})
		for n := range 12 {
			b.send(attached{wish: b.live.wish, host: fmt.Sprintf("h%d", n+1), screen: hosts.attachNow()})
			b.shows(fmt.Sprintf("▸%d ", n+1))
		}
	}
}

func (h *fakeHosts) attachNow() Screen {
	s, _ := h.Attach(context.Background(), "h1", 20, 5)
	return s
}

// TestAgentNews: what an agent has for others is told in words, and the clipboard
// is not its own.
func TestAgentNews(t *testing.T) {
	t.Parallel()
	hosts := newFakeHosts(id(41))
	r := startHosted(t, 100, 30, hosts)
	r.Press("Enter")
	r.WaitText("screen of h1")
	s := hosts.screen("h1")
	s.say("\x1b]777;notify;done;all of it\a")
	r.WaitText("done: all of it")
	s.say("\x1b]52;c;aGVsbG8=\a")
	r.WaitText("[ui] clipboard = true allows it")
	r.leavesPane()
}

// TestFloodLeavesKeys: however much an agent writes, keys come through.
func TestFloodLeavesKeys(t *testing.T) {
	t.Parallel()
	hosts := newFakeHosts(id(41))
	r := startHosted(t, 120, 40, hosts)
	r.Press("Enter")
	r.WaitText("screen of h1")
	s, stop, done := hosts.screen("h1"), make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		for n := 0; ; n++ {
			select {
			case <-stop:
				return
			default:
				s.say(fmt.Sprintf("line %d of a flood\r\n", n))
			}
		}
	}()
	began := time.Now()
	r.Press("Ctrl-]", "Esc")
	r.WaitText("Sessions")
	if took := time.Since(began); took > 2*time.Second {
		t.Errorf("leaving took %v", took)
	}
	close(stop)
	<-done
	r.Press("q")
	if err := r.ended(); err != nil {
		t.Error(err)
	}
}

// TestPasteIntoPane: a paste of 1 MB arrives once and in order, without anything
// in it that could end it.
func TestPasteIntoPane(t *testing.T) {
	t.Parallel()
	hosts := newFakeHosts(id(41))
	r := startHosted(t, 80, 24, hosts)
	r.Press("Enter")
	r.WaitText("screen of h1")
	s := hosts.screen("h1")
	s.say("\x1b[?2004h\x1b[8m")
	var text strings.Builder
	for n := 0; text.Len() < 1<<20; n++ {
		fmt.Fprintf(&text, "line %d, with \ttabs and 漢字\n", n)
	}
	r.Paste(text.String())
	want := "\x1b[200~" + strings.ReplaceAll(text.String(), "\n", "\r") + "\x1b[201~"
	waitFor(t, "the whole paste", func() bool { return strings.HasSuffix(s.got(), "\x1b[201~") })
	if s.got() != want {
		t.Errorf("%d bytes arrived, which differ from the %d that were pasted", len(s.got()), len(want))
	}
	r.leavesPane()
}

// TestHostileAgent: whatever an agent writes, the line of tabs is the window's,
// the terminal's clipboard is not read or written, and no mode is left on.
func TestHostileAgent(t *testing.T) {
	t.Parallel()
	hosts := newFakeHosts(id(41))
	r := startHosted(t, 80, 24, hosts)
	r.Press("Enter")
	r.WaitText("screen of h1")
	s := hosts.screen("h1")
	for _, output := range []string{
		"\x1b]0;\x1b[2J▸9 owned\a\x1b]2;owned\x1b\\", "\x1b[1;1H\x1b[2J▸9 ● owned", "\x1b[999;999H\x1b[10A\x1b[6n\x1b[c\x1b[>q",
		"\x1b]52;c;?\a\x1b]52;c;b3duZWQ=\a", "\x1b[?1049h\x1b[?1000h\x1b[?1003h\x1b[?1006h\x1b[?2004h\x1b[?1004h\x1b[>1u\x1b[>4;2m\x1b[?25l\x1b[5 q",
		"\x1b[-1;0r\x1b[99999999999@\x1b[;;;;;;;;;;;;;;;;;;;;;;;;m", "\x1b]8;;javascript:alert(1)\x1b\\link\x1b]8;;\x1b\\", "\x1bP+q544e\x1b\\\x1b_Gi=1;AAAA\x1b\\\x1b^x\x1b\\",
		"\xff\xfe\xc0\x80\u202eright\u2066to left\u2069", "\x1b[20t\x1b[21t\x1b[8;1;1t\x1b[3;0;0t\x1b[?5h", strings.Repeat("x", 10<<20), "\x1b]0;" + strings.Repeat("t", 1<<20),
	} {
		s.say(output)
	}
	s.say("\x1b\\\x1b[2J\x1b[1;1Hthe end\x1b]8;;https://example.org/\x1b\\ of it")
	snap := r.WaitText("the end of it")
	if line := snap.Line(0); !strings.HasPrefix(line, "▸1 ● parser-work") && !strings.Contains(line, "wanted to write to the clipboard") {
		t.Errorf("the line of tabs is %q", line)
	}
	if got := s.got(); strings.Contains(got, "owned") {
		t.Errorf("the agent got %q", got)
	}
	r.leavesPane()
}

// TestTabs: a click on a tab shows its session, wherever the tab is.
func TestTabs(t *testing.T) {
	t.Parallel()
	hosts := newFakeHosts(id(41), id(8), id(12))
	r := startHosted(t, 50, 20, hosts) // just room for three
	r.Press("1")
	r.WaitText("▸1 ● ")
	for _, n := range []string{"3", "2", "1"} {
		x, _, ok := r.Snapshot().Find(n + " ")
		if !ok {
			t.Fatalf("there is no tab %s:\n%s", n, r.Snapshot().Text())
		}
		r.Click(x, 0)
		r.WaitText("▸" + n)
		r.WaitText("screen of h" + n)
	}
	r.leavesPane()
}

// TestCopyModeOfPane: the leave-pane key and [ scroll and copy, which the line of
// tabs tells, and no key of it reaches the agent.
func TestCopyModeOfPane(t *testing.T) {
	t.Parallel()
	hosts := newFakeHosts(id(41))
	r := startHosted(t, 80, 24, hosts)
	r.Press("Enter")
	r.WaitText("screen of h1")
	r.Press("Ctrl-]", "[")
	r.WaitText("copy:")
	r.Press("g", "V", "y")
	r.WaitText("text sent to the terminal")
	r.Type("z")
	r.WaitText("▸1 ● parser-work")
	waitFor(t, "the key", func() bool { return hosts.screen("h1").got() == "z" })
	r.leavesPane()
}

// TestClipboardAllowed: with the setting an agent's text goes to the clipboard.
func TestClipboardAllowed(t *testing.T) {
	t.Parallel()
	opt := sampleOptions()
	opt.Config.UI.Clipboard = true
	b := newBench(t, opt, 80, 24, sample())
	b.send(screenChanged{output: terminal.Output{Clips: []terminal.Clip{{Data: []byte("said")}}}})
	if len(b.copies) != 1 || b.copies[0] != "said" {
		t.Errorf("copied %q", b.copies)
	}
}

// TestCaret is report G10: while an agent hides the cursor and draws its own, the
// terminal's stands where typed text goes, so that an input method opens there.
func TestCaret(t *testing.T) {
	t.Parallel()
	hosts := newFakeHosts(id(41))
	r := startHosted(t, 80, 24, hosts)
	r.Press("Enter")
	r.WaitText("screen of h1")
	hosts.screen("h1").say("\x1b[?25l\x1b[20;30Hdrawn last\x1b[7;12Hhere")
	r.Wait("the caret", func(s *screentest.Snapshot) bool { return s.Contains("here") && s.CursorX == 15 && s.CursorY == 7 })
	r.leavesPane()
}

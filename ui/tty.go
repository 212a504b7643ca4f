package ui

import (
	"os"
	"sync"
	"syscall"
	"time"
	"unicode/utf8"

	"coppice/session/agent"

	"github.com/gdamore/tcell/v2"
	"golang.org/x/term"
)

// device is the terminal that the process runs in.
const device = "/dev/tty"

// newScreen returns the screen of the terminal that the process runs in. Where the locale's characters are unknown to tcell they are taken for ASCII,
// which is all that is drawn outside of UTF-8.
func newScreen() (tcell.Screen, error) {
	tcell.SetEncodingFallback(tcell.EncodingFallbackASCII)
	dev, err := tcell.NewDevTty()
	if err != nil {
		return nil, err
	}
	return tcell.NewTerminfoScreenFromTty(newTTY(dev, stateOf(device)))
}

// stateOf returns the state of a terminal, nil where it has none.
func stateOf(path string) *term.State {
	f, err := os.OpenFile(path, os.O_RDWR|syscall.O_NONBLOCK|syscall.O_NOCTTY, 0)
	if err != nil {
		return nil
	}
	defer func() { _ = f.Close() }()
	state, _ := term.GetState(int(f.Fd()))
	return state
}

// tty is the terminal without the input bytes that tcell 2.13 cannot take: those
// that are not UTF-8, the first of which it decodes again and again, for ever, and
// keys that keyFilter tells of. One goroutine reads, and hands what it read to
// another, which tcell ends first: what is read by then has nobody to take it.
type tty struct {
	tcell.Tty
	begun  []byte      // the beginning of a character or of a sequence
	keys   keyFilter   // keys.out was read and not yet taken
	before *term.State // as the process found it

	mu      sync.Mutex
	change  sync.Cond // of what follows
	reading bool      // Read waits for input: what it returned before was taken
	over    bool      // Read will not be called any more
	silent  bool      // Read returns nothing
}

// newTTY wraps a terminal.
func newTTY(dev tcell.Tty, before *term.State) *tty {
	t := &tty{Tty: dev, before: before}
	t.change.L = &t.mu
	return t
}

// Start begins to use the terminal.
func (t *tty) Start() error {
	t.begun, t.keys = nil, keyFilter{}
	t.mark(func() { t.reading, t.over, t.silent = false, false, false })
	return t.Tty.Start()
}

// mark changes the state.
func (t *tty) mark(change func()) {
	t.mu.Lock()
	defer t.mu.Unlock()
	change()
	t.change.Broadcast()
}

// quietWait bounds the wait of quiet: the reader may have ended between two reads.
const quietWait = 200 * time.Millisecond

// quiet returns once nothing that was read is on its way, and nothing will be
// until the terminal is started anew.
func (t *tty) quiet() {
	late := false
	timer := time.AfterFunc(quietWait, func() { t.mark(func() { late = true }) })
	defer timer.Stop()
	t.mu.Lock()
	defer t.mu.Unlock()
	t.silent = true
	for !t.reading && !t.over && !late {
		t.change.Wait()
	}
}

// seize puts the terminal back without asking the screen, which may hang in the
// middle of a write. What can be written without waiting is.
func (t *tty) seize() {
	f, err := os.OpenFile(device, os.O_RDWR|syscall.O_NONBLOCK|syscall.O_NOCTTY, 0)
	if err != nil {
		return // it is gone
	}
	defer func() { _ = f.Close() }()
	dropOutput(f)
	_, _ = f.WriteString(agent.Reset)
	if t.before != nil {
		_ = term.Restore(int(f.Fd()), t.before)
	}
}

// Read reads whole characters and sequences. It may return 0 without an error.
func (t *tty) Read(p []byte) (int, error) {
	var err error
	if len(t.keys.out) == 0 {
		err = t.fill(len(p))
	}
	t.mark(func() {
		if t.silent {
			t.keys.out = t.keys.out[:0]
		}
	})
	n := copy(p, t.keys.out)
	t.keys.out = append(t.keys.out[:0], t.keys.out[n:]...)
	return n, err
}

// fill waits for at most so many bytes.
func (t *tty) fill(most int) error {
	had := len(t.begun)
	p := append(t.begun, make([]byte, most)...)
	t.mark(func() { t.reading = true })
	n, err := t.Tty.Read(p[had:])
	t.mark(func() { t.reading, t.over = false, err != nil })
	whole, begun := wholeCharacters(p[:had+n], nil)
	cut := t.keys.add(p[:whole], n == most || len(begun) > 0, time.Now())
	t.begun = append(cut, begun...)
	return err
}

// wholeCharacters moves the valid UTF-8 of p to its front and returns its length.
// A character that p ends within is appended to begun instead.
func wholeCharacters(p, begun []byte) (int, []byte) {
	n := 0
	for i := 0; i < len(p); {
		if !utf8.FullRune(p[i:]) {
			return n, append(begun, p[i:]...)
		}
		r, size := utf8.DecodeRune(p[i:])
		if r != utf8.RuneError || size > 1 {
			n += copy(p[n:], p[i:i+size])
		}
		i += size
	}
	return n, begun
}

package ui

import (
	"os"
	"syscall"
	"unicode/utf8"

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
	return tcell.NewTerminfoScreenFromTty(&tty{Tty: dev, before: stateOf(device)})
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

// tty is the terminal without the input bytes that are not UTF-8: tcell 2.13
// decodes the first of them again and again, for ever. One goroutine reads.
type tty struct {
	tcell.Tty
	begun  []byte      // the beginning of a character, fewer bytes than it needs
	before *term.State // as the process found it
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
	_, _ = f.WriteString(programModes)
	if t.before != nil {
		_ = term.Restore(int(f.Fd()), t.before)
	}
}

// Read reads what makes whole characters. It may return 0 without an error.
func (t *tty) Read(p []byte) (int, error) {
	n := copy(p, t.begun)
	m, err := t.Tty.Read(p[n:])
	n, t.begun = wholeCharacters(p[:n+m], t.begun[:0])
	return n, err
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

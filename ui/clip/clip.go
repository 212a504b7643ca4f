// Package clip puts text on the person's clipboard, by whatever way there is:
// the terminal itself, tmux, or a clipboard program. It never runs a shell,
// never waits longer than its limit, and never reads a clipboard.
package clip

import (
	"context"
	"encoding/base64"
	"errors"
	"time"
)

// MaxTerminal is the largest text, in bytes, that is sent through a terminal:
// several take at most 100,000 bytes of base64 and drop what is longer.
const MaxTerminal = 74_994

// Timeout is how long one program may take.
const Timeout = 2 * time.Second

// Way says how a text left us.
type Way string

// The ways.
const (
	Tmux     Way = "tmux"     // tmux keeps it and passes it on to its terminal
	Terminal Way = "terminal" // written to the terminal, which says nothing back
	Program  Way = "program"  // a clipboard program took it
	Select   Way = "select"   // none worked: the person has to select it
)

// Result says what became of a text.
type Result struct {
	Way  Way
	Name string // the program, when Way is Program
	Text string // what to show for selecting, when Way is Select
	Why  string // why there was no other way, when Way is Select
}

// Message is the result in words for a status line.
func (r Result) Message() string {
	switch r.Way {
	case Tmux:
		return "copied to tmux and its terminal"
	case Terminal:
		return "sent to the terminal"
	case Program:
		return "copied with " + r.Name
	case Select:
	}
	return "select it yourself: " + r.Why
}

// Copier copies. Its fields are all that it knows of the world.
type Copier struct {
	// Environ is our environment, as os.Environ gives it: it says where we run, and
	// the programs get it.
	Environ []string
	// Write sends bytes to the terminal, between two frames; nil when there is none.
	Write func([]byte) error
	// LookPath finds a program; nil stands for exec.LookPath.
	LookPath func(string) (string, error)
}

// Copy puts s on the clipboard: in tmux through tmux, else through the terminal
// (OSC 52), else through a clipboard program; a program comes first where the
// terminal is known not to listen. When nothing works the Result holds the text
// to show. It takes at most Timeout for each program tried and calls Write on
// the caller's goroutine.
func (c Copier) Copy(ctx context.Context, s string) Result {
	ways := []func(context.Context, string) (Result, error){c.tmux, c.terminal, c.program}
	if c.deaf() {
		ways = []func(context.Context, string) (Result, error){c.tmux, c.program, c.terminal}
	}
	var why error
	for _, way := range ways {
		r, err := way(ctx, s)
		if err == nil {
			return r
		}
		if why == nil || errors.Is(why, errAbsent) {
			why = err
		}
	}
	return Result{Way: Select, Text: s, Why: why.Error()}
}

// terminal sends s to the terminal.
func (c Copier) terminal(_ context.Context, s string) (Result, error) {
	switch {
	case c.Write == nil || c.mute():
		return Result{}, errAbsent
	case len(s) > MaxTerminal:
		return Result{}, errTooLong
	}
	return Result{Way: Terminal}, c.Write(Sequence(s))
}

// Sequence returns the bytes that make a terminal put s on the clipboard
// (OSC 52). What s holds cannot end the sequence early.
func Sequence(s string) []byte {
	out := []byte("\x1b]52;c;")
	out = base64.StdEncoding.AppendEncode(out, []byte(s))
	return append(out, "\x1b\\"...)
}

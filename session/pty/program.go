// Package pty runs one program on a pseudo-terminal, together with the emulator
// of what it draws.
//
// It owns the program's process, the pseudo-terminal and the order of bytes in
// both directions. It reads without a pause, whoever looks on, answers what the
// program asks its terminal, and lets others follow the output without gap or
// overlap. It never draws, knows no session and decides nothing about one.
//
// program.go is the type; read.go what comes from the program, input.go what goes
// to it, stop.go how it ends; start.go and environ.go how it begins.
package pty

import (
	"os"
	"os/exec"
	"sync"
	"time"

	"golang.org/x/sys/unix"

	"coppice/session/terminal"
)

// Cmd is a program to be run.
type Cmd struct {
	Args          []string // program and arguments; the program is looked for in the PATH of Env
	Dir           string   // absolute; never left to chance (report B17)
	Env           []string // whole environment, but for what describes the terminal
	Columns, Rows int      // of the inner pane, from the start (report G16)
	Scrollback    int      // rows
	Name          string   // name and version of the terminal, for a program that asks
	Theme         terminal.Theme
}

// Program is a program that was started. Its methods may be called from any
// goroutine, and only Stop waits.
type Program struct {
	name   string
	cmd    *exec.Cmd
	master *os.File
	slave  *os.File // ours, so that output does not end before the program has

	// order is held while output goes to the emulator and to the taps, and while
	// the size changes: what a tap is told follows its dump without a gap.
	order sync.Mutex
	term  *terminal.Terminal
	taps  map[*Tap]func(Piece)
	size  *time.Timer // sets the size of the pseudo-terminal
	ended bool        // the pseudo-terminal is no more

	backlog *backlog
	input   input
	news    news
	changed chan struct{}
	gone    chan struct{} // closed when its process is
	read    chan struct{} // closed when all output is on the screen
	done    chan struct{}
	exit    error // set before done is closed
}

// Terminal returns the emulator. Its Take is the Program's: see News.
func (p *Program) Terminal() *terminal.Terminal { return p.term }

// PID returns the id of the program's process, which is that of its process group
// and of its session (in the sense of the system), too.
func (p *Program) PID() int { return p.cmd.Process.Pid }

// Changed is poked after output, after a change of the size, and at the end. It
// has room for one: who was poked looks at everything.
func (p *Program) Changed() <-chan struct{} { return p.changed }

// Done is closed when the program has ended and its output is in the emulator.
func (p *Program) Done() <-chan struct{} { return p.done }

// Exit says how the program ended: nil, or an *agent.ExitError. Before Done is
// closed it is nil.
func (p *Program) Exit() error {
	select {
	case <-p.done:
		return p.exit
	default:
		return nil
	}
}

// settle is how long a size must last before the program hears of it: while a
// person drags a window's edge there are many.
const settle = 20 * time.Millisecond

// Resize changes the size, that of the emulator at once, that of the
// pseudo-terminal when it has lasted for 20 ms. The same size is no change.
func (p *Program) Resize(columns, rows int) {
	p.order.Lock()
	defer p.order.Unlock()
	before := sizeOf(p.term)
	p.term.Resize(columns, rows)
	now := sizeOf(p.term)
	if now == before {
		return
	}
	for _, tell := range p.taps {
		tell(Piece{Columns: now.columns, Rows: now.rows})
	}
	p.take()
	if !p.ended {
		p.size.Reset(settle)
	}
	p.poke()
}

// applySize gives the pseudo-terminal the size of the emulator; the system then
// tells the program.
func (p *Program) applySize() {
	p.order.Lock()
	defer p.order.Unlock()
	if !p.ended {
		_ = setSize(p.master, sizeOf(p.term))
	}
}

// size is a number of columns and rows.
type size struct{ columns, rows int }

func sizeOf(t *terminal.Terminal) (s size) {
	t.Look(func(v terminal.View) { s.columns, s.rows = v.Size() })
	return s
}

// setSize sets the size of a pseudo-terminal. The system signals its foreground
// group if it is another one.
func setSize(f *os.File, s size) error {
	return control(f, func(fd int) error {
		return unix.IoctlSetWinsize(fd, unix.TIOCSWINSZ, &unix.Winsize{Row: uint16(s.rows), Col: uint16(s.columns)})
	})
}

// control calls f with the descriptor of a file and leaves its mode alone, which
// File.Fd would not.
func control(file *os.File, f func(fd int) error) error {
	raw, err := file.SyscallConn()
	if err != nil {
		return err
	}
	var inner error
	if err := raw.Control(func(fd uintptr) { inner = f(int(fd)) }); err != nil {
		return err
	}
	return inner
}

// poke tells the owner that there is something to look at.
func (p *Program) poke() {
	select {
	case p.changed <- struct{}{}:
	default:
	}
}

package agent

import (
	"os"
	"os/exec"
	"os/signal"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
	"golang.org/x/term"
)

// terminal is the terminal that an agent borrows. Its zero value is none.
type terminal struct {
	in, out *os.File
	state   *term.State // of in, before; nil where in is no terminal
	group   int         // process group that had in, before; 0 where that is not known
	draws   bool        // out is a terminal
}

// saveTerminal notes the state of the terminal that an agent will be lent.
func saveTerminal(in, out *os.File) terminal {
	t := terminal{in: in, out: out, draws: out != nil && term.IsTerminal(int(out.Fd()))}
	if in != nil && term.IsTerminal(int(in.Fd())) {
		t.state, _ = term.GetState(int(in.Fd()))
		t.group, _ = unix.IoctlGetInt(int(in.Fd()), unix.TIOCGPGRP)
	}
	return t
}

// lend runs cmd in this process group, so that it has the terminal, and takes
// the terminal back when it ends.
//
// Signals of the keyboard are caught rather than ignored: a caught signal is
// back at its default in the new process, an ignored one is inherited.
func (t terminal) lend(cmd *exec.Cmd) error {
	signals := make(chan os.Signal, 16)
	signal.Notify(signals, syscall.SIGINT, syscall.SIGQUIT, syscall.SIGCHLD, syscall.SIGCONT)
	defer signal.Stop(signals)
	if err := cmd.Start(); err != nil {
		return err
	}
	defer t.restore()
	ended := make(chan error, 1)
	var waiting sync.WaitGroup
	waiting.Go(func() { ended <- cmd.Wait() })
	for {
		select {
		case err := <-ended:
			return err
		case s := <-signals:
			if s == syscall.SIGCHLD && stopped(cmd.Process.Pid) {
				t.stop(cmd, signals)
			}
		}
	}
}

// continueWait bounds the wait for a SIGCONT after this process has stopped
// itself; no time passes while it is stopped, and where nobody could continue it
// the system does not stop it at all.
const continueWait = 300 * time.Millisecond

// stop follows an agent that stopped alone, without its process group, and wakes
// it up when the person comes back.
func (t terminal) stop(cmd *exec.Cmd, signals <-chan os.Signal) {
	if !stopped(cmd.Process.Pid) { // it stopped with the whole group, and goes on already
		return
	}
	t.restore()
	_ = syscall.Kill(os.Getpid(), syscall.SIGTSTP)
	timer := time.NewTimer(continueWait)
	defer timer.Stop()
	for waiting := true; waiting; {
		select {
		case s := <-signals:
			waiting = s != syscall.SIGCONT
		case <-timer.C:
			waiting = false
		}
	}
	_ = cmd.Process.Signal(syscall.SIGCONT)
}

// restore gives the terminal back to the process group that had it, since an
// agent may have taken it for one of its own, as shells do, and the modes that it
// had.
func (t terminal) restore() {
	if t.group > 0 {
		signal.Ignore(syscall.SIGTTOU) // sent to who changes it from the background
		_ = unix.IoctlSetPointerInt(int(t.in.Fd()), unix.TIOCSPGRP, t.group)
		signal.Reset(syscall.SIGTTOU)
	}
	if t.draws {
		_, _ = t.out.WriteString(Reset)
	}
	if t.state != nil {
		_ = term.Restore(int(t.in.Fd()), t.state)
	}
}

// Reset takes a terminal out of every mode that a full-screen program may have
// left on, killed ones included (report G9). It leaves the text on the main
// screen and the cursor where they are.
const Reset = "\x1b[?2026l" + // synchronized output: else nothing below is shown
	"\x1b[?1000l\x1b[?1001l\x1b[?1002l\x1b[?1003l\x1b[?1005l\x1b[?1006l\x1b[?1015l\x1b[?1016l" + // mouse
	"\x1b[?1004l" + // focus reports
	"\x1b[?2004l" + // bracketed paste
	"\x1b[?2031l\x1b[?2048l" + // colour scheme and size reports
	"\x1b[<32u\x1b[=0u" + // kitty keyboard, the alternate screen's
	"\x1b[>4m" + // modifyOtherKeys
	"\x1b7\x1b[?1049l" + // main screen; a terminal that is there already finds its cursor again
	"\x1b[<32u\x1b[=0u" + // kitty keyboard, the main screen's
	"\x1b7\x1b[r\x1b[?6l\x1b8" + // whole screen scrolls
	"\x1b[?1l\x1b>" + // cursor keys and keypad
	"\x1b[?7h\x1b[4l\x1b(B\x0f" + // wrapping, overwriting, ASCII
	"\x1b[?25h\x1b[0 q\x1b[0m" // cursor shown, its usual shape, plain text

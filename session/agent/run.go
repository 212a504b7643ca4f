package agent

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"syscall"
	"time"
)

// DefaultGrace is how long an agent may take to end after SIGTERM. The client
// runs its SessionEnd hooks in that time, 1.5 s by default (observed E).
const DefaultGrace = 5 * time.Second

// Cmd is an agent to be run in the foreground.
type Cmd struct {
	Args []string // program and arguments; the program is looked for in PATH
	Dir  string   // absolute; never left to chance (report B17)
	Env  []string // whole environment
	In   *os.File
	Out  *os.File
	Err  *os.File
	// Grace is the time between SIGTERM and SIGKILL when the context ends;
	// DefaultGrace when it is 0.
	Grace time.Duration
}

// ExitError says how an agent ended other than by exiting with 0.
type ExitError struct {
	Program string
	Code    int            // exit status; -1 when a signal ended it
	Signal  syscall.Signal // 0 when it exited by itself
}

func (e *ExitError) Error() string {
	if e.Signal != 0 {
		return fmt.Sprintf("%s was ended by a signal (%v)", e.Program, e.Signal)
	}
	return fmt.Sprintf("%s ended with exit status %d", e.Program, e.Code)
}

// Run runs an agent in the foreground until it ends. It has the terminal to
// itself: keys that make signals (Ctrl-C, Ctrl-\) are its own and do not end
// this process; when it stops (Ctrl-Z), this process stops too, and both go on
// together. When ctx ends the agent gets SIGTERM, then SIGKILL.
//
// However it ended, a terminal on Out is left with the modes that it had before
// (reports G4, G9). The error is an *ExitError, the reason why the agent could
// not be started, or one that wraps ctx.Err.
func Run(ctx context.Context, c Cmd) error {
	if len(c.Args) == 0 {
		return errors.New("run agent: it has no command")
	}
	if info, err := os.Stat(c.Dir); err != nil {
		return fmt.Errorf("run %s: %w", c.Args[0], err)
	} else if !info.IsDir() {
		return fmt.Errorf("run %s: %s is not a directory", c.Args[0], c.Dir)
	}
	cmd := exec.CommandContext(ctx, c.Args[0], c.Args[1:]...)
	cmd.Dir, cmd.Env = c.Dir, c.Env
	cmd.Stdin, cmd.Stdout, cmd.Stderr = c.In, c.Out, c.Err
	cmd.WaitDelay = c.Grace
	if cmd.WaitDelay == 0 {
		cmd.WaitDelay = DefaultGrace
	}
	cmd.Cancel = func() error {
		_ = cmd.Process.Signal(syscall.SIGCONT) // a stopped process would not see the other one
		return cmd.Process.Signal(syscall.SIGTERM)
	}
	terminal := saveTerminal(c.In, c.Out)
	err := terminal.lend(cmd)
	if ctx.Err() != nil {
		return fmt.Errorf("run %s: %w", c.Args[0], context.Cause(ctx))
	}
	return exitError(c.Args[0], err)
}

// exitError puts the end of a process in our words.
func exitError(program string, err error) error {
	var exit *exec.ExitError
	if !errors.As(err, &exit) {
		if err != nil {
			return fmt.Errorf("run %s: %w", program, err)
		}
		return nil
	}
	e := &ExitError{Program: program, Code: exit.ExitCode()}
	if status, ok := exit.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		e.Signal = status.Signal()
	}
	return e
}

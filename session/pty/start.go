package pty

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/creack/pty"
	"golang.org/x/sys/unix"

	"coppice/session/terminal"
)

// Errors of Start, for which a person can do something.
var (
	ErrNoCommand = errors.New("it has no command: give the agent one in the configuration")
	ErrNoDir     = errors.New("its directory is not there: restore the worktree, or resume it in another directory")
	ErrNoProgram = errors.New("the program was not found: install it, or name it by its full path in the agent's command")
)

// Start starts a program in a session (in the sense of the system) of its own,
// with the pseudo-terminal as its controlling terminal, every signal as usual, and
// the limit of open files that this process was started with, which Go raises for
// itself only. The error matches one of the above, or is the system's.
func Start(c Cmd) (*Program, error) {
	if len(c.Args) == 0 {
		return nil, fmt.Errorf("start agent: %w", ErrNoCommand)
	}
	if info, err := os.Stat(c.Dir); err != nil || !info.IsDir() {
		return nil, fmt.Errorf("start %s in %s: %w", c.Args[0], c.Dir, ErrNoDir)
	}
	path, err := lookPath(c.Args[0], c.Dir, c.Env)
	if err != nil {
		return nil, fmt.Errorf("start %s: %w", c.Args[0], err)
	}
	master, slave, err := open()
	if err != nil {
		return nil, fmt.Errorf("start %s: open a pseudo-terminal: %w", c.Args[0], err)
	}
	p := &Program{
		name: c.Args[0], master: master, slave: slave,
		term: terminal.New(terminal.Options{
			Columns: c.Columns, Rows: c.Rows, Scrollback: c.Scrollback, Program: c.Name, Theme: c.Theme,
		}),
		taps:    map[*Tap]func(Piece){},
		backlog: newBacklog(),
		changed: make(chan struct{}, 1),
		gone:    make(chan struct{}),
		read:    make(chan struct{}),
		done:    make(chan struct{}),
	}
	p.cmd = &exec.Cmd{
		Path: path, Args: c.Args, Dir: c.Dir, Env: environ(c.Env),
		Stdin: slave, Stdout: slave, Stderr: slave,
		SysProcAttr: &syscall.SysProcAttr{Setsid: true, Setctty: true},
	}
	err = setSize(master, sizeOf(p.term))
	if err == nil {
		err = startUsual(p.cmd)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("start %s: %w", c.Args[0], err), master.Close(), slave.Close())
	}
	p.run()
	return p, nil
}

// run starts what goes on until the program has ended.
func (p *Program) run() {
	p.size = time.AfterFunc(settle, p.applySize)
	p.input.ready = make(chan struct{}, 1)
	var running sync.WaitGroup
	running.Go(p.readAll)
	running.Go(p.drawAll)
	running.Go(p.writeAll)
	running.Go(p.wait)
}

// startUsual starts a process for which no signal is ignored. One that this
// process ignores would be for the new one, too; one that is caught would not.
func startUsual(cmd *exec.Cmd) error {
	caught := make(chan os.Signal, 1)
	for _, s := range []os.Signal{
		syscall.SIGHUP, syscall.SIGINT, syscall.SIGQUIT, syscall.SIGTERM, syscall.SIGPIPE,
		syscall.SIGTSTP, syscall.SIGTTIN, syscall.SIGTTOU,
	} {
		if signal.Ignored(s) {
			signal.Notify(caught, s)
			defer signal.Ignore(s)
		}
	}
	return cmd.Start()
}

// open opens a pseudo-terminal. Its reads and writes can be given up.
func open() (master, slave *os.File, err error) {
	blocking, slave, err := pty.Open()
	if err != nil {
		return nil, nil, err
	}
	defer func() { _ = blocking.Close() }()
	fd, err := unix.FcntlInt(blocking.Fd(), unix.F_DUPFD_CLOEXEC, 0)
	if err == nil {
		err = unix.SetNonblock(fd, true)
	}
	if err != nil {
		return nil, nil, errors.Join(err, slave.Close())
	}
	return os.NewFile(uintptr(fd), blocking.Name()), slave, nil
}

// lookPath finds a program as a shell would that has the given environment and
// runs in dir. Entries of PATH that are not absolute do not count.
func lookPath(program, dir string, env []string) (string, error) {
	if strings.Contains(program, "/") {
		if !filepath.IsAbs(program) {
			program = filepath.Join(dir, program)
		}
		if !executable(program) {
			return "", ErrNoProgram
		}
		return program, nil
	}
	for _, in := range filepath.SplitList(lookup(env, "PATH")) {
		if path := filepath.Join(in, program); filepath.IsAbs(in) && executable(path) {
			return path, nil
		}
	}
	return "", ErrNoProgram
}

func executable(path string) bool {
	info, err := os.Stat(path)
	return err == nil && !info.IsDir() && unix.Access(path, unix.X_OK) == nil
}

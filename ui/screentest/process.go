package screentest

import (
	"errors"
	"os"
	"os/exec"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"
	"golang.org/x/sys/unix"
)

// Process is a program that runs on a pseudo-terminal of its own, as the leader
// of its session, and shows itself on a Terminal.
type Process struct {
	*Terminal
	cmd    *exec.Cmd
	master *os.File
	ended  chan struct{} // closed once the program has ended and all that it wrote is shown
	code   int           // once ended
	cut    sync.Once     // closes master
	took   time.Duration // from start to end

	mu  sync.Mutex
	out []byte
}

// Start starts a program on a new terminal of the given size: its input, output
// and errors. Resizes reach it, and what is typed. It is killed when the test
// ends before it does.
func Start(t testing.TB, width, height int, cmd *exec.Cmd) *Process {
	t.Helper()
	p := &Process{Terminal: New(t, width, height), cmd: cmd, ended: make(chan struct{})}
	tty, err := p.open()
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = tty, tty, tty
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	began := time.Now()
	err = cmd.Start()
	if closed := tty.Close(); err == nil {
		err = closed
	}
	if err != nil {
		t.Fatal(errors.Join(err, p.master.Close()))
	}
	shown := make(chan struct{})
	go p.show(shown)
	go p.types()
	go func() {
		_ = cmd.Wait() // the code tells
		p.code, p.took = cmd.ProcessState.ExitCode(), time.Since(began)
		<-shown
		close(p.ended)
	}()
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		// What the program left behind may hold the terminal open for ever.
		p.HangUp()
		<-p.ended
	})
	return p
}

// open opens the pseudo-terminal and returns the program's end. Ours is put into
// the mode in which closing it ends a read.
func (p *Process) open() (tty *os.File, err error) {
	master, tty, err := pty.Open()
	if err != nil {
		return nil, err
	}
	fd, err := unix.FcntlInt(master.Fd(), unix.F_DUPFD_CLOEXEC, 0)
	if err == nil {
		err = unix.SetNonblock(fd, true)
	}
	if err = errors.Join(err, master.Close()); err != nil {
		return nil, errors.Join(err, tty.Close())
	}
	p.master = os.NewFile(uintptr(fd), master.Name())
	p.resize()
	p.Tty().NotifyResize(p.resize)
	return tty, nil
}

// resize gives the pseudo-terminal the size of the Terminal.
func (p *Process) resize() {
	size, err := p.Tty().WindowSize()
	if err != nil {
		return
	}
	conn, err := p.master.SyscallConn()
	if err != nil {
		return // closed
	}
	_ = conn.Control(func(fd uintptr) {
		_ = unix.IoctlSetWinsize(int(fd), unix.TIOCSWINSZ, &unix.Winsize{Row: uint16(size.Height), Col: uint16(size.Width)})
	})
}

// show passes on what the program writes until nobody can write any more.
func (p *Process) show(done chan<- struct{}) {
	defer close(done)
	buf := make([]byte, 32<<10)
	for {
		n, err := p.master.Read(buf)
		p.mu.Lock()
		p.out = append(p.out, buf[:n]...)
		p.mu.Unlock()
		_, _ = p.Tty().Write(buf[:n]) // never fails
		if err != nil {
			return
		}
	}
}

// types passes on what is typed.
func (p *Process) types() {
	buf := make([]byte, 4<<10)
	for {
		n, err := p.Tty().Read(buf)
		if err == nil {
			_, err = p.master.Write(buf[:n])
		}
		if err != nil {
			return
		}
	}
}

// Pid returns the process id.
func (p *Process) Pid() int { return p.cmd.Process.Pid }

// Signal sends a signal to the program, not to its children.
func (p *Process) Signal(s os.Signal) {
	p.t.Helper()
	if err := p.cmd.Process.Signal(s); err != nil {
		p.t.Fatalf("send %v: %v", s, err)
	}
}

// HangUp takes the terminal away, as a closed window or a cut line does: the
// program gets SIGHUP, and its reads and writes fail (report G13).
func (p *Process) HangUp() { p.cut.Do(func() { _ = p.master.Close() }) }

// Exit waits until the program has ended and all that it wrote is on the screen,
// and returns its exit code: -1 when a signal ended it. It ends the test,
// showing the screen, when that takes longer than Patience.
func (p *Process) Exit() int {
	p.t.Helper()
	timeout := time.NewTimer(Patience)
	defer timeout.Stop()
	select {
	case <-p.ended:
	case <-timeout.C:
		p.t.Fatalf("the program did not end; it shows:\n%s", p.Snapshot().Text())
	}
	return p.code
}

// Ended reports whether the program has ended.
func (p *Process) Ended() bool {
	select {
	case <-p.ended:
		return true
	default:
		return false
	}
}

// Took returns how long the program ran, once Exit has returned.
func (p *Process) Took() time.Duration { return p.took }

// Output returns every byte that came from the terminal so far.
func (p *Process) Output() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return string(p.out)
}

package agent_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"
)

// screen is a process on a pseudo-terminal of its own.
type screen struct {
	t    *testing.T
	cmd  *exec.Cmd
	pty  *os.File
	tty  *os.File
	done chan struct{}

	mu  sync.Mutex
	out bytes.Buffer
}

// onTerminal starts args as the leader of a session whose terminal is a new
// pseudo-terminal.
func onTerminal(t *testing.T, env []string, args ...string) *screen {
	t.Helper()
	master, tty, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	s := &screen{t: t, pty: master, tty: tty, done: make(chan struct{})}
	s.cmd = exec.Command(args[0], args[1:]...)
	s.cmd.Env = append(os.Environ(), env...)
	s.cmd.Dir = t.TempDir()
	s.cmd.Stdin, s.cmd.Stdout, s.cmd.Stderr = tty, tty, tty
	s.cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		defer close(s.done)
		buf := make([]byte, 4096)
		for {
			n, err := master.Read(buf)
			s.mu.Lock()
			s.out.Write(buf[:n])
			s.mu.Unlock()
			if err != nil {
				return
			}
		}
	}()
	t.Cleanup(func() {
		_ = s.cmd.Process.Kill()
		_ = s.cmd.Wait()
		_ = tty.Close()
		_ = master.Close()
		<-s.done
	})
	return s
}

func (s *screen) text() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.out.String()
}

// wait waits until the terminal has shown text.
func (s *screen) wait(text string) {
	s.t.Helper()
	until(s.t, fmt.Sprintf("%q on the terminal", text), func() bool { return strings.Contains(s.text(), text) })
}

// waitAfter waits until the terminal has shown text some time after mark.
func (s *screen) waitAfter(mark, text string) {
	s.t.Helper()
	until(s.t, fmt.Sprintf("%q after %q on the terminal", text, mark), func() bool {
		_, after, ok := strings.Cut(s.text(), mark)
		return ok && strings.Contains(after, text)
	})
}

func (s *screen) send(keys string) {
	s.t.Helper()
	if _, err := s.pty.WriteString(keys); err != nil {
		s.t.Fatal(err)
	}
}

// until polls a condition.
func until(t *testing.T, what string, ok func() bool) {
	t.Helper()
	deadline := time.After(time.Minute)
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for !ok() {
		select {
		case <-deadline:
			t.Fatalf("no %s in time", what)
		case <-tick.C:
		}
	}
}

func self(t *testing.T) string {
	t.Helper()
	name, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return name
}

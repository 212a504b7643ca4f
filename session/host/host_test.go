package host_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"

	"coppice/session/agent"
	"coppice/session/host"
	"coppice/session/pty"
	"coppice/session/terminal"
)

// patience bounds every wait of these tests.
const patience = time.Minute

// TestMain runs the tests, or, when a test started this binary again, what its
// role says.
func TestMain(m *testing.M) {
	if role := os.Getenv("HOST_ROLE"); role != "" {
		os.Exit(play(role))
	}
	goleak.VerifyTestMain(m)
}

func play(role string) int {
	dirs := host.Dirs{Runtime: os.Getenv("HOST_RUNTIME"), State: os.Getenv("HOST_STATE")}
	name, arg, _ := strings.Cut(role, " ")
	switch name {
	case "host":
		if arg == "without records" {
			limit := syscall.Rlimit{}
			_ = syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limit)
		}
		if err := host.Run(context.Background(), dirs, os.Stdin, os.Stdout); err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
	case "broken":
		fmt.Fprintln(os.Stderr, "something\nis wrong here")
		return 1
	case "viewer": // looks on, types, and never leaves
		v, err := host.Attach(context.Background(), dirs, arg, 90, 25)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		v.Send([]byte("from the viewer\r"))
		fmt.Println("attached")
		<-v.Done()
	case "connect": // tells how many bytes it got
		conn, err := net.Dial("unix", arg)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		n, _ := conn.Read(make([]byte, 100))
		fmt.Print(n)
	case "flood":
		n, _ := strconv.Atoi(arg)
		flood(n << 20)
	case "fill": // fills a scrollback with full rows, then waits
		for n := range 10_100 {
			fmt.Printf("\x1b[3%dm%06d %s\x1b[m\r\n", n%8, n, strings.Repeat("a word or two ", 14)[:190])
		}
		fmt.Print("filled")
		_, _ = os.Stdin.Read(make([]byte, 1))
	}
	return 0
}

func flood(n int) {
	line := []byte(strings.Repeat("all that was said is on the screen, and below it the rest ", 2) + "\r\n")
	block := bytes.Repeat(line, 512)
	for left := n; left > 0; left -= len(block) {
		_, _ = os.Stdout.Write(block[:min(left, len(block))])
	}
}

// world is the directories of a test, and the program that it starts hosts with.
type world struct {
	t testing.TB
	host.Dirs
	program []string
}

func newWorld(t testing.TB) *world {
	t.Helper()
	dir, err := os.MkdirTemp("", "h") // names of sockets must be short
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	return &world{t: t, Dirs: host.Dirs{Runtime: filepath.Join(dir, "run"), State: filepath.Join(dir, "state")}}
}

// as returns the program that is this binary in a role.
func (w *world) as(role string) []string {
	return []string{"/usr/bin/env", "HOST_ROLE=" + role, "HOST_RUNTIME=" + w.Runtime, "HOST_STATE=" + w.State, os.Args[0]}
}

// shell is what a host runs in most tests.
func (w *world) shell(script string) host.Spec {
	return host.Spec{
		Host: host.NewID(), Agent: "shell", Name: "a name", Args: []string{"/bin/sh", "-c", script},
		Dir: w.State, Env: append(os.Environ(), "SECRET=of nobody else"), Columns: 80, Rows: 24, Scrollback: 1000,
	}
}

// start starts a host, which ends with the test.
func (w *world) start(s host.Spec) host.Info {
	w.t.Helper()
	info, err := w.tryStart(s)
	if err != nil {
		w.t.Fatal(err)
	}
	return info
}

func (w *world) tryStart(s host.Spec) (host.Info, error) {
	w.t.Helper()
	_ = os.MkdirAll(w.State, 0o700)
	ctx, cancel := context.WithTimeout(w.t.Context(), patience)
	defer cancel()
	program := w.program
	if program == nil {
		program = w.as("host")
	}
	info, err := host.Start(ctx, w.Dirs, program, s)
	if err == nil {
		w.t.Cleanup(func() {
			_ = syscall.Kill(info.HostPID, syscall.SIGKILL)
			w.until("the host is gone", func() bool { return !running(info.HostPID) })
			w.until("its agent is gone", func() bool {
				_ = syscall.Kill(info.PID, syscall.SIGKILL)
				return !running(info.PID)
			})
		})
	}
	return info, err
}

// running reports whether a process is there and not only waiting to be buried.
func running(pid int) bool {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return errors.Is(syscall.Kill(pid, 0), nil) && !os.IsNotExist(err)
	}
	return !bytes.Contains(data, []byte(") Z"))
}

func (w *world) until(what string, ok func() bool) {
	w.t.Helper()
	tick := time.NewTicker(2 * time.Millisecond)
	defer tick.Stop()
	for end := time.Now().Add(patience); !ok(); <-tick.C {
		if time.Now().After(end) {
			w.t.Fatalf("waited for that %s", what)
		}
	}
}

func (w *world) attach(id string) *host.Viewer {
	w.t.Helper()
	ctx, cancel := context.WithTimeout(w.t.Context(), patience)
	defer cancel()
	v, err := host.Attach(ctx, w.Dirs, id, 80, 24)
	if err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(func() {
		_ = v.Close()
		<-v.Done()
	})
	return v
}

// state is what List says of a host.
func (w *world) state(id string) host.Host {
	w.t.Helper()
	hosts, err := host.List(w.t.Context(), w.Dirs)
	if err != nil {
		w.t.Fatal(err)
	}
	for _, h := range hosts {
		if h.Host == id {
			return h
		}
	}
	return host.Host{}
}

// screen is the text of a terminal and its scrollback.
func screen(e *terminal.Terminal) (s string) {
	e.Look(func(v terminal.View) {
		s = v.Copy(terminal.Range{From: terminal.Point{Row: v.Oldest()}, To: terminal.Point{Row: v.End()}})
	})
	return s
}

func (w *world) see(v *host.Viewer, text string) {
	w.t.Helper()
	end := time.After(patience)
	for !strings.Contains(screen(v.Terminal()), text) {
		select {
		case <-v.Changed():
		case <-v.Done():
			if !strings.Contains(screen(v.Terminal()), text) {
				w.t.Fatalf("it ended (%v) without %q:\n%s", v.Err(), text, screen(v.Terminal()))
			}
		case <-end:
			w.t.Fatalf("no %q on the screen:\n%s", text, screen(v.Terminal()))
		}
	}
}

func (w *world) ended(v *host.Viewer) error {
	w.t.Helper()
	select {
	case <-v.Done():
		return v.Err()
	case <-time.After(patience):
		w.t.Fatalf("still there:\n%s", screen(v.Terminal()))
		return nil
	}
}

// answering is an agent that repeats each line.
const answering = `echo ready; while read line; do echo "<$line>"; done`

func TestLife(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	spec := w.shell(`echo "[$SECRET]"; ` + answering + `; exit 7`)
	info := w.start(spec)
	if info.Host != spec.Host || info.PID == 0 || info.HostPID == 0 || info.Started.IsZero() || info.Name != "a name" {
		t.Errorf("started %+v", info)
	}
	v := w.attach(spec.Host)
	w.see(v, "[of nobody else]")
	v.Send([]byte("hello\r"))
	w.see(v, "<hello>")
	if h := w.state(spec.Host); h.State != host.Running || h.Reason != "" || h.PID != info.PID {
		t.Errorf("listed as %+v", h)
	}
	record, err := os.ReadFile(filepath.Join(w.State, "hosts", spec.Host+".json"))
	if err != nil || bytes.Contains(record, []byte("of nobody else")) || !bytes.Contains(record, []byte("SECRET")) {
		t.Errorf("record (%v): %s", err, record)
	}
	v.Send([]byte{4})
	var exit *agent.ExitError
	if err := w.ended(v); !errors.As(err, &exit) || exit.Code != 7 {
		t.Errorf("ended with %v", err)
	}
	w.until("the host has ended", func() bool { return !running(info.HostPID) })
	if h := w.state(spec.Host); h.State != host.Ended || h.Exit == nil || h.Exit.Code != 7 || h.Ended.IsZero() {
		t.Errorf("listed as %+v", h)
	}
	if left, _ := os.ReadDir(w.Runtime); len(left) != 0 {
		t.Errorf("left %v", left)
	}
	if err := host.Forget(w.Dirs, spec.Host); err != nil {
		t.Error(err)
	}
	if left, _ := os.ReadDir(filepath.Join(w.State, "hosts")); len(left) != 0 {
		t.Errorf("left %v", left)
	}
	if h := w.state(spec.Host); h.State != "" {
		t.Errorf("listed as %+v", h)
	}
}

// A window that is killed takes nothing with it, and the next one shows the same.
func TestKilledViewer(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	spec := w.shell(`printf '\033[1;31mred\033[m\033]2;a title\a\033[?2004h'; ` + answering)
	w.start(spec)
	viewer := exec.Command(w.as("viewer " + spec.Host)[0], w.as("viewer " + spec.Host)[1:]...)
	out, err := viewer.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := viewer.Start(); err != nil {
		t.Fatal(err)
	}
	first := make([]byte, 100)
	n, _ := out.Read(first)
	if !strings.HasPrefix(string(first[:n]), "attached") {
		t.Fatalf("the viewer says %q", first[:n])
	}
	watch := w.attach(spec.Host)
	w.see(watch, "<from the viewer>")
	watch.Resize(90, 25)
	w.see(watch, "<from the viewer>")
	if err := viewer.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = viewer.Wait()
	watch.Send([]byte("still there\r"))
	w.see(watch, "<still there>")
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	again, err := host.Attach(ctx, w.Dirs, spec.Host, 90, 25)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = again.Close(); <-again.Done() }()
	w.until("both show the same", func() bool {
		return bytes.Equal(again.Terminal().Dump(1000), watch.Terminal().Dump(1000))
	})
}

// A host that is killed takes its agent with it, and nobody claims to know how it
// ended.
func TestKilledHost(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	spec := w.shell(`trap 'echo hung up > hangup; exit' HUP; echo ready; while :; do sleep 0.02; done`)
	spec.Root, spec.Session = filepath.Join(w.State, "root"), "a-session"
	info := w.start(spec)
	v := w.attach(spec.Host)
	w.see(v, "ready")
	if err := syscall.Kill(info.HostPID, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	if err := w.ended(v); !errors.Is(err, host.ErrGone) {
		t.Errorf("the viewer ended with %v", err)
	}
	w.until("the agent is gone", func() bool { return !running(info.PID) })
	w.until("the agent was told", func() bool { _, err := os.Stat(filepath.Join(w.State, "hangup")); return err == nil })
	if h := w.state(spec.Host); h.State != host.Gone || h.Session != "a-session" || h.Reason == "" {
		t.Errorf("listed as %+v", h)
	}
	w.until("the session is free", func() bool {
		_, held, err := host.Held(w.Dirs, spec.Root, spec.Session)
		return !held && err == nil
	})
	if _, err := host.Attach(t.Context(), w.Dirs, spec.Host, 80, 24); !errors.Is(err, host.ErrGone) {
		t.Errorf("attach: %v", err)
	}
	if _, err := host.Stop(t.Context(), w.Dirs, spec.Host); !errors.Is(err, host.ErrGone) {
		t.Errorf("stop: %v", err)
	}
	again := spec
	again.Host = host.NewID()
	w.start(again) // nothing is in the way
}

func TestStop(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	spec := w.shell(`trap 'sleep 0.1; echo cleaned up; exit 3' TERM; echo ready; while :; do sleep 0.02; done`)
	info := w.start(spec)
	v := w.attach(spec.Host)
	w.see(v, "ready")
	end, err := host.Stop(t.Context(), w.Dirs, spec.Host)
	if err != nil || end.Exit == nil || end.Exit.Code != 3 {
		t.Fatalf("stopped: %+v, %v", end, err)
	}
	var exit *agent.ExitError
	if err := w.ended(v); !errors.As(err, &exit) || exit.Code != 3 {
		t.Errorf("the viewer ended with %v", err)
	}
	w.see(v, "cleaned up")
	w.until("the host has ended", func() bool { return !running(info.HostPID) })
	if again, err := host.Stop(t.Context(), w.Dirs, spec.Host); err != nil || again.Exit == nil || again.Exit.Code != 3 {
		t.Errorf("stopped again: %+v, %v", again, err)
	}
	if _, err := host.Stop(t.Context(), w.Dirs, "nosuchid"); !errors.Is(err, host.ErrUnknown) {
		t.Errorf("stopped nobody: %v", err)
	}
	if _, err := host.Stop(t.Context(), w.Dirs, "../x"); !errors.Is(err, host.ErrUnknown) {
		t.Errorf("stopped nobody: %v", err)
	}
}

// The end is kept until somebody reads it, with the screen that it left.
func TestExitIsKept(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	spec := w.shell(`echo last words; exit 5`)
	info := w.start(spec)
	w.until("the end is known", func() bool { return w.state(spec.Host).State == host.Ended })
	if !running(info.HostPID) {
		t.Fatal("the host did not wait")
	}
	v := w.attach(spec.Host)
	w.see(v, "last words")
	var exit *agent.ExitError
	if err := w.ended(v); !errors.As(err, &exit) || exit.Code != 5 {
		t.Errorf("ended with %v", err)
	}
	w.until("the host has ended", func() bool { return !running(info.HostPID) })
}

func TestSignals(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	spec := w.shell(`trap 'exit 4' TERM; ` + `echo ready; while :; do sleep 0.02; done`)
	info := w.start(spec)
	v := w.attach(spec.Host)
	w.see(v, "ready")
	for _, s := range []syscall.Signal{syscall.SIGHUP, syscall.SIGINT, syscall.SIGQUIT, syscall.SIGPIPE, syscall.SIGUSR1} {
		if err := syscall.Kill(info.HostPID, s); err != nil {
			t.Fatal(err)
		}
	}
	if h := w.state(spec.Host); h.State != host.Running {
		t.Errorf("listed as %+v", h)
	}
	if err := syscall.Kill(info.HostPID, syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	var exit *agent.ExitError
	if err := w.ended(v); !errors.As(err, &exit) || exit.Code != 4 {
		t.Errorf("ended with %v", err)
	}
	w.until("the host has ended", func() bool { return !running(info.HostPID) })
	if h := w.state(spec.Host); h.State != host.Ended || h.Exit.Code != 4 {
		t.Errorf("listed as %+v", h)
	}
}

func TestStartRefuses(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	spec := w.shell("exit")
	spec.Dir = filepath.Join(w.State, "gone")
	if _, err := w.tryStart(spec); !errors.Is(err, pty.ErrNoDir) {
		t.Errorf("no directory: %v", err)
	}
	spec = w.shell("exit")
	spec.Args = []string{"no-such-program"}
	if _, err := w.tryStart(spec); !errors.Is(err, pty.ErrNoProgram) {
		t.Errorf("no program: %v", err)
	}
	w.program = w.as("broken")
	if _, err := w.tryStart(w.shell("exit")); err == nil || !strings.Contains(err.Error(), "is wrong here") {
		t.Errorf("broken: %v", err)
	}
	w.program = []string{filepath.Join(w.State, "missing")}
	if _, err := w.tryStart(w.shell("exit")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("missing: %v", err)
	}
	w.program = []string{"/bin/sleep", "1000"}
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if _, err := host.Start(ctx, w.Dirs, w.program, w.shell("exit")); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("too slow: %v", err)
	}
	spec = w.shell("exit")
	for _, wrong := range []func(*host.Spec){
		func(s *host.Spec) { s.Host = "../../x" },
		func(s *host.Spec) { s.Session = "../x" },
		func(s *host.Spec) { s.Dir = "here" },
		func(s *host.Spec) { s.Root = "here" },
	} {
		s := spec
		wrong(&s)
		if _, err := w.tryStart(s); err == nil {
			t.Errorf("%+v was started", s)
		}
	}
	if left, _ := os.ReadDir(w.Runtime); len(left) != 0 {
		t.Errorf("left %v", left)
	}
}

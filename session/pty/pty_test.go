package pty_test

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"
	"golang.org/x/sys/unix"
	"golang.org/x/term"

	"coppice/session/agent"
	"coppice/session/pty"
	"coppice/session/terminal"
)

// patience bounds every wait of these tests.
const patience = time.Minute

// TestMain runs the tests, or the program that a test has on its terminal.
func TestMain(m *testing.M) {
	if role := os.Getenv("PTY_ROLE"); role != "" {
		os.Exit(play(role))
	}
	goleak.VerifyTestMain(m)
}

// play is a program on a terminal.
func play(role string) int {
	name, arg, _ := strings.Cut(role, " ")
	n, _ := strconv.Atoi(arg)
	switch name {
	case "slow": // reads n bytes raw, slowly at first, and tells their sum
		_, _ = term.MakeRaw(0)
		fmt.Print("ready\r\n")
		buf := make([]byte, 997)
		sum := sha256.New()
		for got := 0; got < n; {
			if got < 50*len(buf) {
				time.Sleep(2 * time.Millisecond)
			}
			k, err := os.Stdin.Read(buf[:min(len(buf), n-got)])
			if err != nil {
				return 9
			}
			sum.Write(buf[:k])
			got += k
		}
		fmt.Printf("sum %.8x\r\n", sum.Sum(nil))
	case "deaf": // ignores all that can be ignored
		signal.Ignore(syscall.SIGTERM, syscall.SIGHUP, syscall.SIGINT)
		fmt.Print("ready\r\n")
		_, _ = io.Copy(io.Discard, os.Stdin)
		select {}
	case "sizes": // tells each size that it is given
		winch := make(chan os.Signal, 100)
		signal.Notify(winch, syscall.SIGWINCH)
		for heard := 0; ; heard++ {
			w, h, _ := term.GetSize(0)
			fmt.Printf("%d: %dx%d\r\n", heard, w, h)
			<-winch
		}
	case "flood":
		line := []byte(strings.Repeat("all that was said is on the screen, and below it the rest ", 2) + "\r\n")
		block := bytes.Repeat(line, 512)
		for left := n << 20; left > 0; left -= len(block) {
			_, _ = os.Stdout.Write(block[:min(left, len(block))])
		}
	}
	return 0
}

// start runs a shell script, or with a role this binary, until the test ends.
func start(t testing.TB, c pty.Cmd, script string) *pty.Program {
	t.Helper()
	if c.Args == nil {
		c.Args = []string{"/bin/sh", "-c", script}
	}
	if c.Dir == "" {
		c.Dir = t.TempDir()
	}
	if c.Columns == 0 {
		c.Columns, c.Rows = 80, 24
	}
	if c.Env == nil {
		c.Env = os.Environ()
	}
	p, err := pty.Start(c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = p.Stop(0); <-p.Done() })
	return p
}

func startRole(t testing.TB, role string) *pty.Program {
	t.Helper()
	return start(t, pty.Cmd{Args: []string{os.Args[0]}, Env: append(os.Environ(), "PTY_ROLE="+role)}, "")
}

// screen is the text of a terminal and its scrollback.
func screen(e *terminal.Terminal) (s string) {
	e.Look(func(v terminal.View) {
		s = v.Copy(terminal.Range{From: terminal.Point{Row: v.Oldest()}, To: terminal.Point{Row: v.End()}})
	})
	return s
}

// await waits until the screen has a text.
func await(t testing.TB, p *pty.Program, text string) {
	t.Helper()
	end := time.After(patience)
	for !strings.Contains(screen(p.Terminal()), text) {
		select {
		case <-p.Changed():
		case <-end:
			t.Fatalf("no %q on the screen:\n%s", text, screen(p.Terminal()))
		}
	}
}

func ended(t testing.TB, p *pty.Program) error {
	t.Helper()
	select {
	case <-p.Done():
		return p.Exit()
	case <-time.After(patience):
		t.Fatalf("still there:\n%s", screen(p.Terminal()))
		return nil
	}
}

func TestExit(t *testing.T) {
	t.Parallel()
	for script, want := range map[string]agent.ExitError{
		"echo last words":               {},
		"echo last words; exit 7":       {Code: 7},
		"echo last words; kill -9 $$":   {Code: -1, Signal: syscall.SIGKILL},
		"echo last words; exec kill $$": {Code: -1, Signal: syscall.SIGTERM},
	} {
		t.Run(script, func(t *testing.T) {
			t.Parallel()
			p := start(t, pty.Cmd{}, script)
			err := ended(t, p)
			var exit *agent.ExitError
			switch {
			case want == (agent.ExitError{}):
				if err != nil {
					t.Errorf("ended with %v", err)
				}
			case !errors.As(err, &exit) || exit.Code != want.Code || exit.Signal != want.Signal:
				t.Errorf("ended with %v, want %+v", err, want)
			}
			if !strings.Contains(screen(p.Terminal()), "last words") {
				t.Errorf("the end of the output is lost:\n%s", screen(p.Terminal()))
			}
			if p.Send([]byte("x")) {
				t.Error("input was taken after the end")
			}
			p.Resize(10, 10)
		})
	}
}

func TestStartRefuses(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "text"), []byte("no program"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		cmd  pty.Cmd
		want error
	}{
		"no command":     {pty.Cmd{Dir: dir}, pty.ErrNoCommand},
		"no directory":   {pty.Cmd{Args: []string{"sh"}, Dir: filepath.Join(dir, "gone")}, pty.ErrNoDir},
		"a file":         {pty.Cmd{Args: []string{"sh"}, Dir: filepath.Join(dir, "text")}, pty.ErrNoDir},
		"unknown":        {pty.Cmd{Args: []string{"no-such-program"}, Dir: dir, Env: os.Environ()}, pty.ErrNoProgram},
		"not to be run":  {pty.Cmd{Args: []string{"./text"}, Dir: dir}, pty.ErrNoProgram},
		"in no path":     {pty.Cmd{Args: []string{"sh"}, Dir: dir}, pty.ErrNoProgram},
		"relative entry": {pty.Cmd{Args: []string{"sh"}, Dir: "/", Env: []string{"PATH=bin"}}, pty.ErrNoProgram},
	} {
		if _, err := pty.Start(c.cmd); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
	}
}

// G6: a program that asks its terminal is answered, and the answers keep their
// order.
func TestRepliesInOrder(t *testing.T) {
	t.Parallel()
	p := start(t, pty.Cmd{Name: "coppice test"}, `stty raw -echo min 0 time 10; printf '\033[>0q\033[c\033[6n'; od -An -c | tr -d ' \n'; stty sane; echo; echo over`)
	await(t, p, "over")
	s := strings.ReplaceAll(screen(p.Terminal()), "\n", "")
	version, device, place := strings.Index(s, "coppicetest"), strings.Index(s, "033[?6"), strings.Index(s, "033[1;1R")
	if version < 0 || device < version || place < device {
		t.Errorf("answers at %d, %d, %d:\n%s", version, device, place, s)
	}
}

func TestSendIsWholeAndInOrder(t *testing.T) {
	t.Parallel()
	const n = 1 << 20
	p := startRole(t, fmt.Sprint("slow ", n))
	await(t, p, "ready")
	sum := sha256.New()
	for i, left := 0, n; left > 0; i++ {
		part := bytes.Repeat([]byte{byte('a' + i%26), '\r'}, min(1+i*37%9000, left)/2+1)
		part = part[:min(len(part), left)]
		left -= len(part)
		sum.Write(part)
		if !p.Send(part) {
			t.Fatal("refused")
		}
	}
	await(t, p, fmt.Sprintf("sum %.8x", sum.Sum(nil)))
	if err := ended(t, p); err != nil {
		t.Error(err)
	}
}

func TestSendIsBounded(t *testing.T) {
	t.Parallel()
	p := startRole(t, "slow 2147483647")
	await(t, p, "ready")
	part := make([]byte, pty.MaxInput/4)
	taken := 0
	for taken < 100 && p.Send(part) {
		taken++
	}
	if taken != 4 {
		t.Errorf("%d quarters were taken", taken)
	}
	if !p.Send(nil) {
		t.Error("nothing was refused")
	}
}

func TestResize(t *testing.T) {
	t.Parallel()
	p := startRole(t, "sizes")
	await(t, p, "0: 80x24")
	for n := range 50 {
		p.Resize(100+n, 30)
	}
	await(t, p, "149x30")
	if s := screen(p.Terminal()); strings.Contains(s, "5: ") {
		t.Errorf("not every size is worth telling:\n%s", s)
	}
	p.Resize(0, 1<<30)
	await(t, p, fmt.Sprintf("1x%d", terminal.MaxRows))
}

// D4, D5: hooks of an agent get their time, and what does not end is killed.
func TestStop(t *testing.T) {
	t.Parallel()
	t.Run("in time", func(t *testing.T) {
		t.Parallel()
		p := start(t, pty.Cmd{}, `trap 'sleep 0.2; echo cleaned up; exit 3' TERM; echo ready; while :; do sleep 0.05; done`)
		await(t, p, "ready")
		if err := p.Stop(patience); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(screen(p.Terminal()), "cleaned up") {
			t.Error("it had no time")
		}
	})
	t.Run("stopped", func(t *testing.T) {
		t.Parallel()
		p := start(t, pty.Cmd{}, `trap 'echo cleaned up; exit' TERM; echo ready; kill -STOP $$; while :; do sleep 0.05; done`)
		await(t, p, "ready")
		if err := p.Stop(patience); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(screen(p.Terminal()), "cleaned up") {
			t.Error("it did not hear of it")
		}
	})
	t.Run("deaf", func(t *testing.T) {
		t.Parallel()
		p := startRole(t, "deaf")
		await(t, p, "ready")
		if err := p.Stop(50 * time.Millisecond); err != nil {
			t.Fatal(err)
		}
		var exit *agent.ExitError
		if err := ended(t, p); !errors.As(err, &exit) || exit.Signal != syscall.SIGKILL {
			t.Errorf("ended with %v", err)
		}
	})
	t.Run("shell", func(t *testing.T) {
		t.Parallel()
		bash, err := exec.LookPath("bash")
		if err != nil {
			t.Skip("no bash")
		}
		p := start(t, pty.Cmd{Args: []string{bash, "--norc", "-i"}}, "")
		p.Send([]byte("echo rea''dy\r"))
		await(t, p, "ready")
		begun := time.Now()
		if err := p.Stop(patience); err != nil {
			t.Fatal(err)
		}
		if took := time.Since(begun); took > patience/2 {
			t.Errorf("a shell that ignores SIGTERM took %v", took)
		}
	})
}

// D7: nothing of the terminal is left.
func TestStopEndsTheWholeTerminal(t *testing.T) {
	t.Parallel()
	if _, err := os.Stat("/proc/self/stat"); err != nil {
		t.Skip("no /proc: other processes of the terminal are not looked for")
	}
	p := start(t, pty.Cmd{}, `set -m; (trap '' TERM HUP; echo left $$; exec sleep 1000) & sh -c 'trap "" TERM HUP; echo pid $$.; exec sleep 1000' & sleep 0.1; echo ready; wait`)
	await(t, p, "ready")
	await(t, p, "pid ")
	_, rest, _ := strings.Cut(screen(p.Terminal()), "pid ")
	text, _, _ := strings.Cut(rest, ".")
	pid, err := strconv.Atoi(text)
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Stop(100 * time.Millisecond); err != nil {
		t.Fatal(err)
	}
	if data, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid)); err == nil && !bytes.Contains(data, []byte(") Z")) {
		t.Errorf("still there: %s", data)
	}
}

// TestGrandchild ends though another process keeps the terminal open.
func TestGrandchild(t *testing.T) {
	t.Parallel()
	p := start(t, pty.Cmd{}, `trap '' HUP; (sleep 1000 &) ; echo bye`)
	begun := time.Now()
	if err := ended(t, p); err != nil {
		t.Error(err)
	}
	if took := time.Since(begun); took > patience/2 {
		t.Errorf("waited %v for a process that was left behind", took)
	}
	await(t, p, "bye")
}

// TestUsualProcess runs a program while this process ignores signals, and with
// the limit of files that this process had.
func TestUsualProcess(t *testing.T) { // not parallel: signals are of the whole process
	signal.Ignore(syscall.SIGHUP, syscall.SIGTTOU)
	defer signal.Reset(syscall.SIGHUP, syscall.SIGTTOU)
	p := start(t, pty.Cmd{Env: append(os.Environ(), "TMUX=x", "TERM=dumb", "TERM_PROGRAM=y", "KITTY_PID=1")},
		`grep SigIgn /proc/self/status | tr -d '\t'; echo "limit $(ulimit -Sn)"; echo "[$TERM|$TMUX|$TERM_PROGRAM|$KITTY_PID|$COLORTERM]"`)
	await(t, p, "[xterm-256color||||truecolor]")
	if _, mask, ok := strings.Cut(screen(p.Terminal()), "SigIgn:"); ok { // where there is a /proc
		ignored, err := strconv.ParseUint(strings.Fields(mask)[0], 16, 64)
		if ours := uint64(1<<(syscall.SIGHUP-1) | 1<<(syscall.SIGTTOU-1)); err != nil || ignored&ours != 0 {
			t.Errorf("signals are ignored: %x, %v", ignored, err)
		}
	}
	if !signal.Ignored(syscall.SIGHUP) {
		t.Error("our own setting is gone")
	}
	shell := exec.Command("/bin/sh", "-c", "ulimit -Sn") // started by Go, which restores the limit
	out, err := shell.Output()
	if err != nil {
		t.Fatal(err)
	}
	await(t, p, "limit "+strings.TrimSpace(string(out)))
	var limit unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_NOFILE, &limit); err != nil {
		t.Fatal(err)
	}
	t.Logf("ours is %d, a program's %s", limit.Cur, strings.TrimSpace(string(out)))
	if err := ended(t, p); err != nil {
		t.Error(err)
	}
}

// follower is a terminal that follows a program by its tap.
type follower struct {
	tap    *pty.Tap
	pieces []pty.Piece
}

func follow(p *pty.Program) *follower {
	f := &follower{}
	f.tap = p.Tap(500, func(x pty.Piece) {
		x.Output = bytes.Clone(x.Output)
		f.pieces = append(f.pieces, x)
	})
	return f
}

// dump is what the follower has on its screen at the end.
func (f *follower) dump() []byte {
	e := terminal.New(terminal.Options{Columns: f.tap.Columns, Rows: f.tap.Rows, Scrollback: 500})
	_, _ = e.Write(f.tap.Dump)
	for _, x := range f.pieces {
		if x.Output == nil {
			e.Resize(x.Columns, x.Rows)
		}
		_, _ = e.Write(x.Output)
	}
	return e.Dump(500)
}

// TestTap lets many follow a flood, each from another place on, while the size
// changes.
func TestTap(t *testing.T) {
	t.Parallel()
	p := start(t, pty.Cmd{Scrollback: 500}, `i=0; while [ $i -lt 3000 ]; do i=$((i+1)); printf '\033[3%dmline %d of many\033[m\r\n' $((i%8)) $i; done`)
	var followers []*follower
	for running := true; running; {
		select {
		case <-p.Done():
			running = false
		case <-p.Changed():
			if n := len(followers); n < 20 {
				p.Resize(60+n, 20+n%5)
				followers = append(followers, follow(p))
			}
		}
	}
	if len(followers) < 2 {
		t.Fatalf("%d followers", len(followers))
	}
	p.Resize(50, 25)
	want := p.Terminal().Dump(500)
	for n, f := range followers {
		f.tap.Close()
		if !bytes.Equal(f.dump(), want) {
			t.Errorf("follower %d saw another screen", n)
		}
	}
	last := follow(p)
	last.tap.Close()
	p.Resize(51, 26)
	if len(last.pieces) != 0 {
		t.Error("told after its close")
	}
}

func TestNews(t *testing.T) {
	t.Parallel()
	p := start(t, pty.Cmd{}, `printf '\a\a\033]9;done\a\033]2;a title\a\033]52;c;aGVsbG8=\a'; for i in $(seq 200); do printf '\033]9;n%s\a' $i; done; printf '\a'`)
	if err := ended(t, p); err != nil {
		t.Fatal(err)
	}
	out := p.News()
	if out.Bells != 3 || !out.Title || len(out.Notices) != terminal.MaxNotices || out.Notices[terminal.MaxNotices-1].Body != "n200" {
		t.Errorf("%+v", out)
	}
	if len(out.Clips) != 1 || string(out.Clips[0].Data) != "hello" {
		t.Errorf("clips %+v", out.Clips)
	}
	if again := p.News(); again.Bells != 0 || again.Title || len(again.Notices)+len(again.Clips) != 0 {
		t.Errorf("told twice: %+v", again)
	}
}

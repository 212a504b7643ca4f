package ui

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/creack/pty"
	"golang.org/x/term"

	"coppice/session"
	childpty "coppice/session/pty"
)

// busyVariable makes this test program a busy agent.
const busyVariable = "COPPICE_UI_TEST_BUSY"

// busy draws a whole screen 30 times a second, as an agent does that streams an
// answer, until nobody reads it.
func busy() {
	for n := range time.Tick(time.Second / 30) {
		var b bytes.Buffer
		b.WriteString("\x1b[?2026h\x1b[H")
		for y := range 58 {
			fmt.Fprintf(&b, "\x1b[38;5;%dm%s %d\x1b[m\x1b[K\r\n", 16+y, strings.Repeat("word ", 30), n.UnixNano())
		}
		b.WriteString("\x1b[?2026l")
		if _, err := os.Stdout.Write(b.Bytes()); err != nil {
			os.Exit(0)
		}
	}
}

// ptyHosts runs programs on pseudo-terminals of this process.
type ptyHosts struct {
	*fakeHosts
	programs map[string]*childpty.Program
}

func (h *ptyHosts) Attach(_ context.Context, host string, _, _ int) (Screen, error) {
	return ptyScreen{h.programs[host]}, nil
}

// ptyScreen is the screen of such a program.
type ptyScreen struct{ *childpty.Program }

func (s ptyScreen) Send(p []byte) { s.Program.Send(p) }
func (s ptyScreen) Err() error    { return s.Exit() }
func (s ptyScreen) Close() error  { return nil }

// run starts a program for a session.
func (h *ptyHosts) run(b *testing.B, session string, env []string, args ...string) {
	b.Helper()
	p, err := childpty.Start(childpty.Cmd{
		Args: args, Dir: b.TempDir(), Env: append(os.Environ(), env...), Columns: 200, Rows: 59, Scrollback: 10_000,
	})
	if err != nil {
		b.Fatal(err)
	}
	h.programs[h.add(session)] = p
	b.Cleanup(func() { _ = p.Stop(time.Second) })
}

// BenchmarkKeyToDrawn measures a key press in a pane of 200×60, from the terminal
// by way of the program's echo to the terminal: at most 8 ms for 99 of 100, also
// with six busy programs behind. The floor is the echo alone.
func BenchmarkKeyToDrawn(b *testing.B) {
	b.Run("floor", benchmarkEcho)
	for _, behind := range []int{0, 6} {
		b.Run(fmt.Sprintf("busy=%d", behind), func(b *testing.B) {
			hosts := &ptyHosts{newFakeHosts(), map[string]*childpty.Program{}}
			hosts.run(b, id(41), nil, "sh", "-c", "stty raw -echo; printf ready; exec cat")
			for n := range behind {
				hosts.run(b, id(60+n), []string{busyVariable + "=1"}, os.Args[0])
			}
			benchmarkKeys(b, hosts)
		})
	}
}

// benchmarkKeys types into the first program.
func benchmarkKeys(b *testing.B, hosts *ptyHosts) {
	tty := newNullTty(200, 60)
	opt := sampleOptions()
	opt.Screen, opt.Hosts, opt.Store = tty.screen(b), hosts, newFakeStore()
	ctx, cancel := context.WithCancel(b.Context())
	done := make(chan error, 1)
	go func() { done <- Run(ctx, opt) }()
	<-hosts.told
	opt.Store.(*fakeStore).news <- session.Update{Sessions: sample().Sessions, Progress: sample().Progress}
	settle(tty) // the rows show
	tty.in <- []byte("1")
	settle(tty) // the pane shows
	var took []time.Duration
	for b.Loop() {
		began := time.Now()
		tty.in <- []byte("x")
		<-tty.news
		took = append(took, time.Since(began))
		settle(tty)
	}
	report(b, took)
	cancel()
	<-done
}

// settle waits until nothing more is drawn for some time.
func settle(tty *nullTty) {
	for {
		select {
		case <-tty.news:
		case <-time.After(20 * time.Millisecond):
			return
		}
	}
}

// benchmarkEcho writes to a pseudo-terminal and reads what comes back.
func benchmarkEcho(b *testing.B) {
	master, slave, err := pty.Open()
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = master.Close() }()
	go func() {
		buf := make([]byte, 16)
		for {
			n, err := slave.Read(buf)
			if err != nil {
				return
			}
			_, _ = slave.Write(buf[:n])
		}
	}()
	if _, err := term.MakeRaw(int(slave.Fd())); err != nil {
		b.Fatal(err)
	}
	var took []time.Duration
	buf := make([]byte, 16)
	for b.Loop() {
		began := time.Now()
		_, _ = master.Write([]byte("x"))
		_, _ = master.Read(buf)
		took = append(took, time.Since(began))
	}
	report(b, took)
	_ = slave.Close()
}

// report tells how long half and 99 of 100 took.
func report(b *testing.B, took []time.Duration) {
	slices.Sort(took)
	ms := func(of int) float64 { return float64(took[len(took)*of/100].Microseconds()) / 1000 }
	b.ReportMetric(ms(50), "ms-p50")
	b.ReportMetric(ms(99), "ms-p99")
	b.ReportMetric(0, "ns/op")
}

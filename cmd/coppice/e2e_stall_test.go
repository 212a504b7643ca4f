package main

import (
	"io"
	"os"
	"reflect"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"
	"golang.org/x/term"
)

// testBadInput sends bytes that are no characters: keys still work.
func testBadInput(t *testing.T, bin string) {
	w := newWorld(t, bin)
	p := w.open(80, 24, w.sample())
	chosen(p, "tidy the parser")
	p.Type("\xff\xc3\x28\xf0\x9f")
	p.Press("Down")
	chosen(p, "grow the index")
	leaves(t, p, "q")
}

// testOtherLocale starts where the locale's characters are not UTF-8.
func testOtherLocale(t *testing.T, bin string) {
	w := newWorld(t, bin)
	w.env["LANG"] = "de_DE.ISO-8859-15"
	p := w.open(80, 24, w.sample())
	p.WaitText("tidy the parser")
	leaves(t, p, "q")
}

// testStalled ends the program while its terminal takes no more output: it ends
// all the same, and leaves the terminal's state as it was.
func testStalled(t *testing.T, bin string) {
	w := newWorld(t, bin)
	cmd := w.command(w.sample())
	master, slave, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer master.Close()
	defer slave.Close()
	if err := pty.Setsize(slave, &pty.Winsize{Rows: 50, Cols: 200}); err != nil {
		t.Fatal(err)
	}
	before, err := term.GetState(int(slave.Fd()))
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = slave, slave, slave
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	readUntil(t, master, "tidy the parser")
	// Nobody reads from here on. Each of these draws the screen anew; a write that
	// waits means that the terminal is full in both directions.
	_ = master.SetWriteDeadline(time.Now().Add(time.Second))
	_, _ = io.WriteString(master, strings.Repeat("?\x1b", 200))
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	select {
	case <-ended:
	case <-time.After(2 * endLimit):
		_ = cmd.Process.Kill()
		t.Fatal("it does not end")
	}
	after, err := term.GetState(int(slave.Fd()))
	if err != nil || !reflect.DeepEqual(before, after) {
		t.Errorf("the terminal's state is %+v (%v), was %+v", after, err, before)
	}
}

// readUntil reads from a terminal until it was sent text.
func readUntil(t *testing.T, master *os.File, text string) {
	t.Helper()
	var seen strings.Builder
	buf := make([]byte, 4096)
	for end := time.Now().Add(20 * time.Second); !strings.Contains(seen.String(), text); {
		n, err := master.Read(buf)
		seen.Write(buf[:n])
		if err != nil || time.Now().After(end) {
			t.Fatalf("it never wrote %q: %v\n%q", text, err, seen.String())
		}
	}
}

// testKeyFlood presses keys faster than anybody while agents come and go: the
// terminal is handed over and taken back with input under way each time.
func testKeyFlood(t *testing.T, bin string) {
	w := newWorld(t, bin)
	p := w.open(80, 24, w.sample())
	chosen(p, "tidy the parser")
	for range 5 {
		before := len(w.starts())
		p.Type("A\r" + strings.Repeat("j", 3000))
		until(t, "the agent's start", func() bool { return len(w.starts()) > before })
		p.WaitText("Sessions")
		p.Press("Home")
		chosen(p, "tidy the parser")
		p.Press("A")
		p.WaitText("everything · any") // all that was typed before has been taken
	}
	leaves(t, p, "q")
}

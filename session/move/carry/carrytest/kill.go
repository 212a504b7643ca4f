// Package carrytest kills processes at random points of what they do, to see what
// is left of the files.
package carrytest

import (
	"bufio"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"syscall"
	"testing"
	"time"
)

// The environment of a child.
const (
	envWork = "COPPICE_CARRY_WORK"
	envDir  = "COPPICE_CARRY_DIR"
)

// Main runs the tests, or the work that a parent test started this process for.
func Main(m *testing.M, works map[string]func(dir string) error) {
	name := os.Getenv(envWork)
	if name == "" {
		os.Exit(m.Run())
	}
	_, _ = fmt.Fprintln(os.Stdout, "ready")
	if err := works[name](os.Getenv(envDir)); err != nil {
		_, _ = fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

// Child returns a command that does a work in dir.
func Child(t testing.TB, name, dir string) *exec.Cmd {
	t.Helper()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), program)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), envWork+"="+name, envDir+"="+dir)
	return cmd
}

// Kill starts a work that never ends, again and again, and kills it with SIGKILL
// at a random point within the time that one run of it takes or longer; check
// sees what is left. It does so 50 times, 1,000 times with COPPICE_LONG=1.
func Kill(t *testing.T, name, dir string, within time.Duration, check func(round int)) {
	t.Helper()
	rounds := 50
	if os.Getenv("COPPICE_LONG") != "" {
		rounds = 1000
	}
	for round := range rounds {
		cmd := Child(t, name, dir)
		cmd.Stderr = os.Stderr
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		if line, err := bufio.NewReader(out).ReadString('\n'); err != nil || line != "ready\n" {
			t.Fatalf("the child says %q: %v", line, err)
		}
		<-time.After(rand.N(within))
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		if status, ok := cmd.ProcessState.Sys().(syscall.WaitStatus); !ok || !status.Signaled() {
			t.Fatalf("round %d: the child ended by itself: %v", round, cmd.ProcessState)
		}
		check(round)
		if t.Failed() {
			return
		}
	}
}

package screentest_test

import (
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"coppice/ui/screentest"
)

// shell starts a shell script on a terminal.
func shell(t *testing.T, script string) *screentest.Process {
	t.Helper()
	return screentest.Start(t, 40, 10, exec.Command("/bin/sh", "-c", script))
}

func TestProcess(t *testing.T) {
	t.Parallel()
	p := shell(t, `stty size; read -r a; echo "heard $a"; read -r b; stty size; printf 'last\033[?1000h'; exit 3`)
	p.WaitText("10 40")
	p.Type("oak\n")
	p.WaitText("heard oak")
	if p.Ended() {
		t.Error("it has ended early")
	}
	p.Resize(50, 12)
	p.Type("\n")
	p.WaitText("12 50")
	if code := p.Exit(); code != 3 {
		t.Errorf("exit code %d", code)
	}
	if !p.Ended() || p.Took() <= 0 {
		t.Errorf("ended %t after %v", p.Ended(), p.Took())
	}
	if !p.Snapshot().Contains("last") || !strings.Contains(p.Output(), "heard oak\r\n") {
		t.Errorf("wrote %q", p.Output())
	}
	if left := p.Left(); len(left) != 1 || left[0] != "mouse 1000" {
		t.Errorf("left on: %v", left)
	}
}

func TestProcessEnds(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(*screentest.Process){
		"signal":  func(p *screentest.Process) { p.Signal(syscall.SIGTERM) },
		"hang up": (*screentest.Process).HangUp,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := shell(t, "echo ready; exec sleep 60")
			p.WaitText("ready")
			began := time.Now()
			end(p)
			if code := p.Exit(); code != -1 {
				t.Errorf("exit code %d", code)
			}
			if took := time.Since(began); took > 10*time.Second {
				t.Errorf("ended after %v", took)
			}
		})
	}
}

// A program that still runs when its test ends is killed.
func TestProcessOutlived(t *testing.T) {
	t.Parallel()
	var p *screentest.Process
	t.Run("test", func(t *testing.T) {
		p = shell(t, "trap '' HUP TERM; echo ready; while :; do sleep 60; done")
		p.WaitText("ready")
	})
	if !p.Ended() {
		t.Error("it still runs")
	}
}

package observe_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"coppice/session/observe"
)

// A process below the shell of a pane runs in that pane; one that only inherited
// its environment does not.
func TestWhereInTmux(t *testing.T) {
	t.Parallel()
	tmux, err := exec.LookPath("tmux")
	if _, noProc := os.Stat("/proc/self/stat"); err != nil || noProc != nil {
		t.Skip("no tmux, or no /proc")
	}
	dir, err := os.MkdirTemp("", "w") // names of sockets must be short
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	socket, pids := filepath.Join(dir, "s"), filepath.Join(dir, "pids")
	script := fmt.Sprintf(`sh -c 'sleep 1000 & echo $! >%s.new; echo $$ >>%[1]s.new; mv %[1]s.new %[1]s; wait'`, pids)
	cmd := exec.Command(tmux, "-S", socket, "-f", "/dev/null", "new-session", "-d", "-s", "a b\u202e", script)
	cmd.Env = append(os.Environ(), "LC_ALL=C.UTF-8", "TMUX=")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("tmux: %v: %s", err, out)
	}
	t.Cleanup(func() { _ = exec.Command(tmux, "-S", socket, "kill-server").Run() })
	var ids []string
	for end := time.Now().Add(20 * time.Second); len(ids) < 2; {
		data, _ := os.ReadFile(pids)
		ids = strings.Fields(string(data))
		if time.Now().After(end) {
			t.Fatal("the pane did not come up")
		}
	}
	find := observe.Finder{Proc: "/proc", Tmux: tmux}
	where := func(id string) string {
		pid, err := strconv.Atoi(id)
		if err != nil {
			t.Fatal(err)
		}
		return find.Where(t.Context(), pid)
	}
	for _, id := range ids {
		if got := where(id); !strings.HasPrefix(got, "tmux a b") || !strings.HasSuffix(got, ":0.0 (pid "+id+")") || strings.Contains(got, "\u202e") {
			t.Errorf("process %s runs in %q", id, got)
		}
	}
	heir := exec.Command("sleep", "1000")
	heir.Env = append(os.Environ(), "TMUX="+socket+",1,0")
	if err := heir.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = heir.Process.Kill()
		_ = heir.Wait()
	})
	if got := find.Where(t.Context(), heir.Process.Pid); strings.Contains(got, "tmux") {
		t.Errorf("a process outside runs in %q", got)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if got := find.Where(ended, heir.Process.Pid); strings.Contains(got, "tmux") {
		t.Errorf("without time: %q", got)
	}
	for _, f := range []observe.Finder{{}, {Proc: "/proc"}, {Proc: "/proc", Tmux: "/nowhere/tmux"}, {Proc: t.TempDir(), Tmux: tmux}} {
		if got := f.Where(t.Context(), heir.Process.Pid); got != "" {
			t.Errorf("%+v finds %q", f, got)
		}
	}
}

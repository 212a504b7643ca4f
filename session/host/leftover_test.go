package host_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"coppice/session/host"
)

// A host whose agent ended and that nobody reads goes when its time is over; how the
// agent ended is known from its record.
func TestLinger(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	spec := w.shell("exit 3")
	spec.Linger = 300 * time.Millisecond
	info := w.start(spec)
	w.until("the host is gone", func() bool { return !running(info.HostPID) })
	h := w.state(spec.Host)
	if h.State != host.Ended || h.Exit == nil || h.Exit.Code != 3 {
		t.Errorf("listed as %+v", h)
	}
	if lasted := time.Since(h.Ended); lasted < spec.Linger {
		t.Errorf("it went after %v", lasted)
	}
	if left, _ := os.ReadDir(w.Runtime); len(left) != 0 {
		t.Errorf("left %v", left)
	}
}

// Records of hosts that are no more go after two weeks, with their logs and
// sockets; that of one that runs never does.
func TestPrune(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	runs, old, young := w.shell(answering), w.shell("exit"), w.shell("exit")
	w.start(runs)
	for _, spec := range []host.Spec{old, young} {
		info := w.start(spec)
		if err := syscall.Kill(info.HostPID, syscall.SIGKILL); err != nil {
			t.Fatal(err)
		}
		w.until("it is gone", func() bool { return !running(info.HostPID) })
	}
	hosts := filepath.Join(w.State, "hosts")
	broken := filepath.Join(hosts, ".half-written")
	if err := os.WriteFile(broken, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	past := time.Now().Add(-15 * 24 * time.Hour)
	for _, path := range []string{filepath.Join(hosts, runs.Host+".json"), filepath.Join(hosts, old.Host+".json"), broken} {
		if err := os.Chtimes(path, past, past); err != nil {
			t.Fatal(err)
		}
	}
	w.start(w.shell(answering))
	for _, gone := range []string{
		broken, filepath.Join(hosts, old.Host+".json"), filepath.Join(hosts, old.Host+".log"), filepath.Join(w.Runtime, old.Host+".sock"),
	} {
		if _, err := os.Lstat(gone); err == nil {
			t.Errorf("%s is still there", gone)
		}
	}
	if h := w.state(runs.Host); h.State != host.Running {
		t.Errorf("the one that runs is listed as %+v", h)
	}
	if h := w.state(young.Host); h.State == "" {
		t.Error("the young one was forgotten")
	}
}

// A host may have as many files open as the system lets it; its agent has the limit
// of the person.
func TestFileLimit(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.program = append([]string{"/bin/sh", "-c", `ulimit -Sn 256; exec "$@"`, "sh"}, w.as("host")...)
	spec := w.shell(`echo "limit $(ulimit -Sn) of $(ulimit -Hn)."; ` + answering)
	info := w.start(spec)
	v := w.attach(spec.Host)
	w.see(v, "limit 256 of ")
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/limits", info.HostPID))
	if err != nil {
		t.Skip("no /proc")
	}
	_, rest, _ := strings.Cut(string(data), "Max open files")
	fields := strings.Fields(rest)
	if soft, hard := fields[0], fields[1]; soft == "256" && hard != "256" {
		t.Errorf("the host has %s of %s", soft, hard)
	}
}

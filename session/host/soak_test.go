package host_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"coppice/session/host"
)

// TestSoak starts, watches, feeds, leaves and ends hosts, again and again: nothing
// grows, neither in this process, which is a window's part, nor in a host that stays
// all the time, nor on disk. COPPICE_LONG=1 makes it long.
func TestSoak(t *testing.T) {
	w := newWorld(t)
	rounds, warm := 12, 4
	if os.Getenv("COPPICE_LONG") != "" {
		rounds, warm = 600, 100
	}
	stays := w.shell(answering)
	stays.Root, stays.Session = filepath.Join(w.State, "root"), "the-one-that-stays"
	info := w.start(stays)
	began := time.Now()
	round := func(n int) {
		spec := w.shell(answering)
		spec.Root, spec.Session = stays.Root, fmt.Sprint("session-", n)
		made, err := host.Start(t.Context(), w.Dirs, w.as("host"), spec)
		if err != nil {
			t.Fatal(err)
		}
		for _, id := range []string{spec.Host, stays.Host, spec.Host} {
			v, err := host.Attach(t.Context(), w.Dirs, id, 80+n%40, 24)
			if err != nil {
				t.Fatal(err)
			}
			v.Send([]byte(strings.Repeat("x", 60) + fmt.Sprint(n) + "\r"))
			w.see(v, fmt.Sprint("x", n, ">"))
			_ = v.Close()
			<-v.Done()
		}
		if _, err := host.Stop(t.Context(), w.Dirs, spec.Host); err != nil {
			t.Fatal(err)
		}
		w.until("it is gone", func() bool { return !running(made.HostPID) && !running(made.PID) })
		if err := host.Forget(w.Dirs, spec.Host); err != nil {
			t.Fatal(err)
		}
	}
	for n := range warm {
		round(n)
	}
	before := map[string]int{}
	measure := func(into map[string]int) {
		into["descriptors here"] = entries(t, "/proc/self/fd")
		into["descriptors of the host"] = entries(t, fmt.Sprintf("/proc/%d/fd", info.HostPID))
		into["kB of the host"] = resident(t, info.HostPID)
		into["kB here"] = resident(t, os.Getpid())
		for _, dir := range []string{"hosts", "leases"} {
			files := 0
			_ = filepath.WalkDir(filepath.Join(w.State, dir), func(_ string, _ os.DirEntry, _ error) error { files++; return nil })
			into["files in "+dir] = files
		}
		into["sockets"] = entries(t, w.Runtime)
	}
	measure(before)
	for n := warm; n < rounds; n++ {
		round(n)
	}
	after := map[string]int{}
	measure(after)
	for what, was := range before {
		room := 0
		if strings.HasPrefix(what, "kB") {
			room = was/4 + 4096
		} else if strings.HasPrefix(what, "descriptors") {
			room = 2
		}
		if after[what] > was+room {
			t.Errorf("%s: %d before, %d after", what, was, after[what])
		}
	}
	t.Logf("%d rounds in %v: before %v, after %v", rounds, time.Since(began).Round(time.Millisecond), before, after)
}

// entries counts what a directory holds.
func entries(t *testing.T, dir string) int {
	t.Helper()
	all, err := os.ReadDir(dir)
	if err != nil {
		t.Skip("needs " + dir)
	}
	return len(all)
}

// resident is the memory of a process in kB.
func resident(t *testing.T, pid int) (kb int) {
	t.Helper()
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		t.Skip("needs /proc")
	}
	_, rest, _ := strings.Cut(string(data), "VmRSS:")
	if _, err := fmt.Sscan(rest, &kb); err != nil {
		t.Fatal(err)
	}
	return kb
}

package host_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"

	"coppice/session/host"
	"coppice/session/terminal"
)

// floodSize is how many megabytes the agent of a benchmark writes.
const floodSize = 100

// BenchmarkFlood is an agent that writes 100 MB, with a viewer and without one,
// each beside the floor in the same run: reading as much from a pseudo-terminal and
// throwing it away. The aims are 0.5 of it with a viewer, 0.65 without.
func BenchmarkFlood(b *testing.B) {
	for _, viewers := range []int{0, 1} {
		b.Run(fmt.Sprint("viewers=", viewers), func(b *testing.B) {
			b.SetBytes(floodSize << 20)
			var floor, ours time.Duration
			for b.Loop() {
				floor += discard(b)
				ours += hosted(b, viewers)
			}
			const mb = floodSize << 20 / 1e6
			b.ReportMetric(mb*float64(b.N)/floor.Seconds(), "floor-MB/s")
			b.ReportMetric(mb*float64(b.N)/ours.Seconds(), "hosted-MB/s")
			b.ReportMetric(floor.Seconds()/ours.Seconds(), "ratio")
		})
	}
}

// hosted is the time that an agent takes to write the flood, and a viewer to show
// its end.
func hosted(b *testing.B, viewers int) time.Duration {
	w := newWorld(b)
	spec := w.shell(fmt.Sprintf("read line < begin; HOST_ROLE='flood %d' %s; echo over > end; read line", floodSize, os.Args[0]))
	spec.Columns, spec.Rows, spec.Scrollback = 200, 60, 10_000
	if err := os.Mkdir(w.State, 0o700); err != nil {
		b.Fatal(err)
	}
	for _, name := range []string{"begin", "end"} {
		if err := syscall.Mkfifo(filepath.Join(w.State, name), 0o600); err != nil {
			b.Fatal(err)
		}
	}
	info := w.start(spec)
	defer watchRSS(b, info.HostPID)()
	var viewer *host.Viewer
	if viewers > 0 {
		viewer = attach(b, w, spec.Host)
	}
	begun := time.Now()
	if err := os.WriteFile(filepath.Join(w.State, "begin"), []byte("\n"), 0o600); err != nil {
		b.Fatal(err)
	}
	if _, err := os.ReadFile(filepath.Join(w.State, "end")); err != nil {
		b.Fatal(err)
	}
	if viewer != nil {
		viewer.Send([]byte("shown"))
		for !strings.HasSuffix(cursorRow(viewer), "shown") {
			<-viewer.Changed()
		}
	}
	return time.Since(begun)
}

// cursorRow is the text of the row that the cursor is in.
func cursorRow(v *host.Viewer) (s string) {
	v.Terminal().Look(func(view terminal.View) {
		row := view.Top() + view.Cursor().Row
		s = view.Copy(terminal.Range{From: terminal.Point{Row: row}, To: terminal.Point{Row: row + 1}})
	})
	return strings.TrimSpace(s)
}

func attach(b *testing.B, w *world, id string) *host.Viewer {
	ctx, cancel := context.WithTimeout(b.Context(), patience)
	defer cancel()
	v, err := host.Attach(ctx, w.Dirs, id, 200, 60)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = v.Close(); <-v.Done() })
	return v
}

// discard runs the same flood on a bare pseudo-terminal.
func discard(b *testing.B) time.Duration {
	begun := time.Now()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), fmt.Sprint("HOST_ROLE=flood ", floodSize))
	f, err := pty.Start(cmd)
	if err != nil {
		b.Fatal(err)
	}
	buf := make([]byte, 64<<10)
	for err == nil {
		_, err = f.Read(buf)
	}
	if !errors.Is(err, syscall.EIO) {
		b.Fatal(err)
	}
	_ = cmd.Wait()
	_ = f.Close()
	return time.Since(begun)
}

// BenchmarkAttach is the time until a screen with 10,000 full rows behind it is
// shown again. The aim is 100 ms.
func BenchmarkAttach(b *testing.B) {
	w, info := filled(b)
	for b.Loop() {
		v := attach(b, w, info.Host)
		_ = v.Close()
		<-v.Done()
	}
	b.ReportMetric(float64(rss(b, info.HostPID))/(1<<20), "MB-RSS")
}

// filled starts a host whose scrollback is full.
func filled(b *testing.B) (*world, host.Info) {
	w := newWorld(b)
	spec := w.shell("HOST_ROLE=fill exec " + os.Args[0])
	spec.Columns, spec.Rows, spec.Scrollback = 200, 60, 10_000
	info := w.start(spec)
	v := attach(b, w, spec.Host)
	w.see(v, "filled")
	return w, info
}

// BenchmarkIdle is the processor time of ten hosts with a viewer each in which
// nothing happens, in percent of one processor. The aim is 0.5.
func BenchmarkIdle(b *testing.B) {
	w := newWorld(b)
	var pids []int
	for range 10 {
		spec := w.shell(answering)
		info := w.start(spec)
		w.see(attach(b, w, spec.Host), "ready")
		pids = append(pids, info.HostPID)
	}
	used := func() (ticks int) {
		for _, pid := range pids {
			ticks += cpuTicks(b, pid)
		}
		return ticks
	}
	const watched = 5 * time.Second
	for b.Loop() {
		before := used()
		<-time.After(watched)
		const ticksPerSecond = 100
		b.ReportMetric(100*float64(used()-before)/ticksPerSecond/watched.Seconds(), "percent-CPU")
	}
}

func cpuTicks(b *testing.B, pid int) int {
	b.Helper()
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		b.Skip("no /proc")
	}
	_, rest, _ := strings.Cut(string(data), ") ")
	fields := strings.Fields(rest)
	user, _ := strconv.Atoi(fields[11])
	system, _ := strconv.Atoi(fields[12])
	return user + system
}

// rss returns the memory of a process in bytes.
func rss(b *testing.B, pid int) int { return memory(b, pid, "VmRSS:") }

func memory(b *testing.B, pid int, key string) int {
	b.Helper()
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		b.Skip("no /proc")
	}
	_, rest, _ := strings.Cut(string(data), key)
	kilobytes, _ := strconv.Atoi(strings.Fields(rest)[0])
	return kilobytes << 10
}

// watchRSS reports the most memory that a process had.
func watchRSS(b *testing.B, pid int) func() {
	return func() { b.ReportMetric(float64(memory(b, pid, "VmHWM:"))/(1<<20), "MB-RSS-peak") }
}

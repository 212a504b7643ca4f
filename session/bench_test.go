package session_test

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"coppice/session"
	"coppice/session/sessiontest"
)

// benchStore makes the store to measure with: a small one, or with
// COPPICE_BENCH=full the 2,000 sessions, 2.7 GB and 40 repositories of 200
// branches that the program is made for. With COPPICE_BENCH_STORE it is kept in
// that directory and used again.
func benchStore(b *testing.B) (root string) {
	spec := sessiontest.Spec{Sessions: 100, Bytes: 30e6, Repositories: 2, Branches: 20, Worktrees: 2, Seed: 1}
	if os.Getenv("COPPICE_BENCH") == "full" {
		spec = sessiontest.Spec{Sessions: 2000, Bytes: 2.7e9, Repositories: 40, Branches: 200, Worktrees: 3, Seed: 1}
	}
	dir := os.Getenv("COPPICE_BENCH_STORE")
	switch _, err := os.Stat(filepath.Join(dir, "config")); {
	case dir == "":
		dir = b.TempDir()
	case err == nil:
		return filepath.Join(dir, "config")
	}
	out, err := sessiontest.Generate(b.Context(), dir, spec)
	if err != nil {
		b.Fatal(err)
	}
	return out.Root
}

// BenchmarkStore measures a store, each time beside its floor: what reading the
// same bytes, and nothing else, takes.
func BenchmarkStore(b *testing.B) {
	root := benchStore(b)
	defer debug.SetGCPercent(debug.SetGCPercent(400)) // as the program does
	opt := session.Options{Root: root, Git: gitReader(), Proc: "/proc"}
	cached := opt
	cached.CacheFile = filepath.Join(b.TempDir(), "cache")
	files := transcripts(b, root)
	size := int64(0)
	for _, f := range files {
		size += f.size
	}
	readFiles(b, files, 0) // warm
	screen := func(u session.Update) bool { return len(u.Sessions) > 0 }
	listed := func(u session.Update) bool { return u.Progress.Listed }
	complete := func(u session.Update) bool { return u.Progress.Complete }
	list := func() { transcripts(b, root) }
	ends := func() { readFiles(b, transcripts(b, root), 64<<10) }
	all := func() { readFiles(b, files, 0) }

	b.Run("rows/first-screen", func(b *testing.B) { benchWatch(b, opt, screen, list) })
	b.Run("rows/all", func(b *testing.B) { benchWatch(b, opt, listed, ends) })
	b.Run("facts/complete", func(b *testing.B) {
		b.SetBytes(size)
		benchWatch(b, opt, complete, all)
	})
	fill(b, cached)
	b.Run("cached/complete", func(b *testing.B) { benchWatch(b, cached, complete, list) })
	b.Run("cached/load", func(b *testing.B) {
		besideFloor(b, list, func() time.Duration {
			start := time.Now()
			fill(b, cached)
			return time.Since(start)
		})
	})
	b.Run("resident", func(b *testing.B) { benchResident(b, cached) })
}

// fill loads everything, which writes the cache.
func fill(b *testing.B, opt session.Options) {
	if _, _, err := session.NewStore(opt).Load(b.Context()); err != nil {
		b.Fatal(err)
	}
}

// benchWatch measures the time from the start of a Watch to an Update.
func benchWatch(b *testing.B, opt session.Options, enough func(session.Update) bool, floor func()) {
	besideFloor(b, floor, func() (took time.Duration) {
		ctx, cancel := context.WithCancel(b.Context())
		defer cancel()
		start := time.Now()
		err := session.NewStore(opt).Watch(ctx, func(u session.Update) {
			if took == 0 && enough(u) {
				took = time.Since(start)
				cancel()
			}
		})
		if err != nil {
			b.Fatal(err)
		}
		return took
	})
}

// besideFloor runs work, which tells how long it took, each time after its
// floor, and reports both: the mean, the best, and the processor time, which
// other work on the machine changes less.
func besideFloor(b *testing.B, floor func(), work func() time.Duration) {
	var mean, meanFloor, cpu, cpuFloor time.Duration
	best, bestFloor := time.Duration(math.MaxInt64), time.Duration(math.MaxInt64)
	for b.Loop() {
		b.StopTimer()
		start, used := time.Now(), processorTime()
		floor()
		took := time.Since(start)
		meanFloor, bestFloor = meanFloor+took, min(bestFloor, took)
		between := processorTime()
		cpuFloor += between - used
		b.StartTimer()
		took = work()
		mean, best = mean+took, min(best, took)
		cpu += processorTime() - between
	}
	n := float64(b.N)
	ms := func(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
	b.ReportMetric(ms(mean)/n, "ms")
	b.ReportMetric(ms(best), "best-ms")
	b.ReportMetric(ms(cpu)/n, "cpu-ms")
	b.ReportMetric(ms(meanFloor)/n, "floor-ms")
	b.ReportMetric(ms(bestFloor), "best-floor-ms")
	b.ReportMetric(ms(cpuFloor)/n, "floor-cpu-ms")
	b.ReportMetric(float64(best)/float64(bestFloor), "x-floor")
	b.ReportMetric(float64(cpu)/float64(cpuFloor), "x-floor-cpu")
	b.ReportMetric(0, "ns/op")
}

// benchResident measures what a Watch holds and does when all is quiet.
func benchResident(b *testing.B, opt session.Options) {
	ctx, cancel := context.WithCancel(b.Context())
	defer cancel()
	var last atomic.Int64
	rows := map[string]session.Session{}
	var watch sync.WaitGroup
	watch.Go(func() {
		_ = session.NewStore(opt).Watch(ctx, func(u session.Update) {
			last.Store(time.Now().UnixNano())
			for _, s := range u.Sessions {
				rows[s.ID] = s
			}
		})
	})
	for last.Load() == 0 || time.Since(time.Unix(0, last.Load())) < 3*time.Second {
		time.Sleep(100 * time.Millisecond) // this is a measurement, not a test
	}
	runtime.GC()
	var mem runtime.MemStats
	runtime.ReadMemStats(&mem)
	before := processorTime()
	for b.Loop() {
		time.Sleep(time.Second)
	}
	b.ReportMetric(float64((processorTime()-before).Microseconds())/float64(b.N), "idle-µs/s")
	b.ReportMetric(float64(mem.HeapInuse)/1e6, "heap-MB")
	b.ReportMetric(resident()/1e6, "rss-MB")
	cancel()
	watch.Wait()
}

func processorTime() time.Duration {
	var u syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// resident returns the bytes of this process that are in memory.
func resident() float64 {
	data, _ := os.ReadFile("/proc/self/statm")
	fields := strings.Fields(string(data))
	if len(fields) < 2 {
		return 0
	}
	pages := 0.0
	for _, c := range fields[1] {
		pages = pages*10 + float64(c-'0')
	}
	return pages * float64(os.Getpagesize())
}

// file is a transcript and its size.
type file struct {
	path string
	size int64
}

// transcripts lists and stats all of them, and nothing else.
func transcripts(b *testing.B, root string) []file {
	var files []file
	err := filepath.WalkDir(filepath.Join(root, "projects"), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		files = append(files, file{path, info.Size()})
		return err
	})
	if err != nil {
		b.Fatal(err)
	}
	return files
}

// readFiles reads the first and last n bytes of each file, or everything when n
// is 0, with as many readers as a store has workers.
func readFiles(b *testing.B, files []file, n int64) {
	var readers sync.WaitGroup
	next := make(chan file)
	for range max(2, min(4, runtime.GOMAXPROCS(0))) {
		readers.Go(func() {
			buf := make([]byte, 256<<10)
			for f := range next {
				readFile(b, f, n, buf)
			}
		})
	}
	for _, f := range files {
		next <- f
	}
	close(next)
	readers.Wait()
}

func readFile(b *testing.B, f file, n int64, buf []byte) {
	r, err := os.Open(f.path)
	if err != nil {
		b.Error(err)
		return
	}
	defer func() { _ = r.Close() }()
	if n == 0 || f.size <= 2*n {
		for err == nil {
			_, err = r.Read(buf)
		}
	} else {
		_, err = r.ReadAt(buf[:n], 0)
		if err == nil {
			_, err = r.ReadAt(buf[:n], f.size-n)
		}
	}
	if err != nil && !errors.Is(err, io.EOF) {
		b.Error(err)
	}
}

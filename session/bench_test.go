package session_test

import (
	"context"
	"errors"
	"io"
	"io/fs"
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
	readFiles(b, files, 0, workers()) // warm
	screen := func(u session.Update) bool { return len(u.Sessions) > 0 }
	listed := func(u session.Update) bool { return u.Progress.Listed }
	complete := func(u session.Update) bool { return u.Progress.Complete }
	list := floor{"floor", func() { transcripts(b, root) }}
	ends := floor{"floor", func() { readFiles(b, transcripts(b, root), 64<<10, workers()) }}
	all := floor{"floor", func() { readFiles(b, files, 0, workers()) }}
	one := floor{"one-reader", func() { readFiles(b, files, 0, 1) }}

	b.Run("rows/first-screen", func(b *testing.B) { benchWatch(b, opt, screen, list) })
	b.Run("rows/all", func(b *testing.B) { benchWatch(b, opt, listed, ends) })
	b.Run("facts/complete", func(b *testing.B) {
		b.SetBytes(size)
		benchWatch(b, opt, complete, all, one)
	})
	fill(b, cached)
	b.Run("cached/complete", func(b *testing.B) { benchWatch(b, cached, complete, list) })
	b.Run("cached/load", func(b *testing.B) {
		besideFloor(b, func() time.Duration {
			start := time.Now()
			fill(b, cached)
			return time.Since(start)
		}, list)
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
func benchWatch(b *testing.B, opt session.Options, enough func(session.Update) bool, floors ...floor) {
	besideFloor(b, func() (took time.Duration) {
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
	}, floors...)
}

// floor is what some work costs at the least.
type floor struct {
	name string
	work func()
}

// cost is the time that several runs took, and the processor time, which other
// work on the machine changes less.
type cost struct{ sum, best, cpu time.Duration }

func (c *cost) add(took, cpu time.Duration) {
	if c.best == 0 || took < c.best {
		c.best = took
	}
	c.sum, c.cpu = c.sum+took, c.cpu+cpu
}

func (c *cost) report(b *testing.B, name string) {
	ms := func(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
	b.ReportMetric(ms(c.sum)/float64(b.N), name+"ms")
	b.ReportMetric(ms(c.best), name+"best-ms")
	b.ReportMetric(ms(c.cpu)/float64(b.N), name+"cpu-ms")
}

// besideFloor runs work, which tells how long it took, each time after its
// floors, and reports them all.
func besideFloor(b *testing.B, work func() time.Duration, floors ...floor) {
	var all cost
	costs := make([]cost, len(floors))
	for b.Loop() {
		b.StopTimer()
		for i, f := range floors {
			start, used := time.Now(), processorTime()
			f.work()
			costs[i].add(time.Since(start), processorTime()-used)
		}
		used := processorTime()
		b.StartTimer()
		took := work()
		all.add(took, processorTime()-used)
	}
	all.report(b, "")
	for i, f := range floors {
		costs[i].report(b, f.name+"-")
		b.ReportMetric(float64(all.best)/float64(costs[i].best), "x-"+f.name)
		b.ReportMetric(float64(all.cpu)/float64(costs[i].cpu), "x-"+f.name+"-cpu")
	}
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
// is 0.
func readFiles(b *testing.B, files []file, n int64, readers int) {
	var group sync.WaitGroup
	next := make(chan file)
	for range readers {
		group.Go(func() {
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
	group.Wait()
}

// workers is how many a store has.
func workers() int { return max(2, min(4, runtime.GOMAXPROCS(0))) }

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

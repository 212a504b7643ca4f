package session_test

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"coppice/session"
	"coppice/session/sessiontest"
)

// benchSpec is the size to measure with: small, or with COPPICE_BENCH=full the
// 2,000 sessions, 2.7 GB and 40 repositories of 200 branches that the program
// is made for.
func benchSpec() sessiontest.Spec {
	if os.Getenv("COPPICE_BENCH") == "full" {
		return sessiontest.Spec{Sessions: 2000, Bytes: 2.7e9, Repositories: 40, Branches: 200, Worktrees: 3, Seed: 1}
	}
	return sessiontest.Spec{Sessions: 100, Bytes: 30e6, Repositories: 2, Branches: 20, Worktrees: 2, Seed: 1}
}

// measure times what run does and adds the processor time that it took, which
// other work on the machine does not change.
func measure(b *testing.B, run func()) {
	before := processorTime()
	for b.Loop() {
		run()
	}
	b.ReportMetric(float64((processorTime()-before).Microseconds())/1000/float64(b.N), "cpu-ms/op")
}

// BenchmarkStore measures a store beside its floors: what reading the same
// bytes, and nothing else, takes in the same run.
func BenchmarkStore(b *testing.B) {
	out, err := sessiontest.Generate(b.Context(), b.TempDir(), benchSpec())
	if err != nil {
		b.Fatal(err)
	}
	opt := session.Options{Root: out.Root, Git: gitReader(), Proc: "/proc"}
	cached := opt
	cached.CacheFile = filepath.Join(b.TempDir(), "cache")
	files := transcripts(b, out.Root)
	readFiles(b, files, 0) // warm
	screen := func(u session.Update) bool { return len(u.Sessions) > 0 }
	listed := func(u session.Update) bool { return u.Progress.Listed }
	complete := func(u session.Update) bool { return u.Progress.Complete }

	b.Run("rows/first-screen", func(b *testing.B) { benchWatch(b, opt, screen) })
	b.Run("rows/all", func(b *testing.B) { benchWatch(b, opt, listed) })
	b.Run("rows/floor-head-and-tail", func(b *testing.B) {
		measure(b, func() { readFiles(b, transcripts(b, out.Root), 64<<10) })
	})
	b.Run("facts/complete", func(b *testing.B) {
		b.SetBytes(out.Bytes)
		benchWatch(b, opt, complete)
	})
	b.Run("facts/floor-read-all", func(b *testing.B) {
		b.SetBytes(out.Bytes)
		measure(b, func() { readFiles(b, files, 0) })
	})
	b.Run("cached/fill", func(b *testing.B) { benchWatch(b, cached, complete) })
	b.Run("cached/complete", func(b *testing.B) { benchWatch(b, cached, complete) })
	b.Run("cached/floor-list", func(b *testing.B) {
		measure(b, func() { transcripts(b, out.Root) })
	})
	b.Run("load", func(b *testing.B) {
		measure(b, func() {
			if _, _, err := session.NewStore(cached).Load(b.Context()); err != nil {
				b.Fatal(err)
			}
		})
	})
	b.Run("resident", func(b *testing.B) { benchResident(b, cached) })
}

// benchWatch measures the time from the start of a Watch to an Update.
func benchWatch(b *testing.B, opt session.Options, enough func(session.Update) bool) {
	var sum, least time.Duration
	measure(b, func() {
		ctx, cancel := context.WithCancel(b.Context())
		defer cancel()
		start := time.Now()
		var took time.Duration
		err := session.NewStore(opt).Watch(ctx, func(u session.Update) {
			if took == 0 && enough(u) {
				took = time.Since(start)
				cancel()
			}
		})
		if err != nil {
			b.Fatal(err)
		}
		sum += took
		if least == 0 || took < least {
			least = took
		}
	})
	b.ReportMetric(float64(sum.Microseconds())/1000/float64(b.N), "ms")
	b.ReportMetric(float64(least.Microseconds())/1000, "best-ms")
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

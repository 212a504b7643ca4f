package fork_test

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/uuid"

	"coppice/session/fork"
	"coppice/session/move/carry/carrytest"
	"coppice/transcript/transcripttest"
)

// large writes a transcript of about size bytes.
func large(b testing.TB, path string, size int) {
	b.Helper()
	carrytest.Write(b, path, "")
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		b.Fatal(err)
	}
	t := transcripttest.New(source).Head()
	for written, n := 0, 0; written < size; n++ {
		t.User(fmt.Sprint("prompt ", n)).Assistant(transcripttest.Bash(fmt.Sprint("toolu_", n), "make"))
		t.Result(fmt.Sprint("toolu_", n), transcripttest.Filler(4000+n%7*900)).Next().Assistant(transcripttest.Text(transcripttest.Filler(1500)))
		if t.Len() > 1<<20 {
			k, err := f.Write(t.Bytes())
			if err != nil {
				b.Fatal(err)
			}
			written += k
			t.Reset()
		}
	}
	if err := f.Close(); err != nil {
		b.Fatal(err)
	}
}

// BenchmarkFork forks 200 MB, 20 MB with -short, each time beside its floor, which
// copies the file as cp does and waits until it is on the disk. A fork may take
// twice that. The best of each counts, as other work on the machine is none of it.
func BenchmarkFork(b *testing.B) {
	size := 200 << 20
	if testing.Short() {
		size = 20 << 20
	}
	w := at(b.TempDir())
	large(b, w.path, size)
	b.SetBytes(int64(size))
	const never = time.Duration(1 << 62)
	least, took := never, never
	for b.Loop() {
		least = min(least, floor(b, w.path, filepath.Join(w.root, "copy")))
		w.req.ID = uuid.NewString()
		start := time.Now()
		res, err := fork.Fork(b.Context(), w.req)
		if err != nil {
			b.Fatal(err)
		}
		took = min(took, time.Since(start))
		if err := os.Remove(res.Path); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(took.Milliseconds()), "ms")
	b.ReportMetric(float64(least.Milliseconds()), "floor-ms")
	b.ReportMetric(float64(took)/float64(least), "x-floor")
}

// floor copies a file, syncs it and says how long that took.
func floor(b *testing.B, from, to string) time.Duration {
	b.Helper()
	start := time.Now()
	src, err := os.Open(from)
	if err != nil {
		b.Fatal(err)
	}
	dst, err := os.Create(to)
	if err != nil {
		b.Fatal(err)
	}
	if _, err = io.Copy(dst, src); err == nil {
		err = dst.Sync()
	}
	if err != nil {
		b.Fatal(err)
	}
	took := time.Since(start)
	_ = src.Close()
	_ = dst.Close()
	if err := os.Remove(to); err != nil {
		b.Fatal(err)
	}
	return took
}

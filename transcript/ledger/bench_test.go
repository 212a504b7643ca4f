package ledger_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"syscall"
	"testing"
	"time"

	"coppice/transcript/ledger"
	tt "coppice/transcript/transcripttest"
)

// benchBytes is the size of the transcript that the benchmark writes:
// COPPICE_BENCH_BYTES, default 8 MB; 200000000 is the size that the figures are
// stated for.
func benchBytes(tb testing.TB) int {
	tb.Helper()
	s := os.Getenv("COPPICE_BENCH_BYTES")
	if s == "" {
		return 8 << 20
	}
	n, err := strconv.Atoi(s)
	if err != nil {
		tb.Fatalf("COPPICE_BENCH_BYTES: %v", err)
	}
	return n
}

// longTalk writes a transcript of at least size bytes of ordinary rows: prompts,
// calls with answers, texts, and what the client records beside them. The average
// line has about 2 KB.
func longTalk(w io.Writer, size int) error {
	b := tt.New("1a2b3c4d-0000-4000-8000-000000000000").Head()
	for turn, written := 0, 0; written < size; turn++ {
		b.User(fmt.Sprintf("Prompt %d: %s", turn, tt.Filler(40+turn*37%400)))
		b.Request(1500)
		for call := range 1 + turn%4 {
			id := fmt.Sprintf("toolu_%d_%d", turn, call)
			b.Assistant(tt.Text(tt.Filler(100 + (turn*131+call*977)%900)))
			b.Assistant(tt.Bash(id, "grep -rn \"name\" ./internal"))
			b.Result(id, tt.Filler([]int{80, 600, 2500, 12000}[(turn*7+call)%4])).Next()
		}
		b.Assistant(tt.Text(tt.Filler(400 + turn*53%2000)))
		b.System("turn_duration", `"durationMs":389,"messageCount":13`).LastPrompt("Prompt " + strconv.Itoa(turn))
		written += b.Len()
		if _, err := w.Write(b.Bytes()); err != nil {
			return err
		}
		b.Reset()
	}
	return nil
}

// BenchmarkLedger reads a transcript of ordinary rows and finds its conversation,
// each time beside its floor, reading the same bytes and finding the line feeds;
// both in processor time.
func BenchmarkLedger(b *testing.B) {
	path := filepath.Join(b.TempDir(), "talk.jsonl")
	f, err := os.Create(path)
	if err != nil {
		b.Fatal(err)
	}
	if err := longTalk(f, benchBytes(b)); err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		b.Fatal(err)
	}
	size := info.Size()
	b.SetBytes(size)
	const never = time.Duration(1 << 62)
	floor, took := never, never
	var rows, memory uint64
	for b.Loop() {
		start := processorTime()
		if err := lineFeeds(f, size); err != nil {
			b.Fatal(err)
		}
		floor = min(floor, processorTime()-start)
		before := heap()
		start = processorTime()
		l, err := ledger.Read(context.Background(), f, size)
		if err != nil {
			b.Fatal(err)
		}
		c, err := l.Chain(ledger.Client)
		if err != nil {
			b.Fatal(err)
		}
		took = min(took, processorTime()-start)
		rows, memory = uint64(len(c.Rows)), heap()-before
		runtime.KeepAlive(l)
	}
	gbps := func(d time.Duration) float64 { return float64(size) / float64(d.Nanoseconds()) }
	b.ReportMetric(gbps(took), "GB/s")
	b.ReportMetric(gbps(floor), "floor-GB/s")
	b.ReportMetric(float64(took)/float64(floor), "x-floor")
	b.ReportMetric(float64(memory), "B-held")
	b.ReportMetric(float64(memory)/float64(size), "B-held/B")
	b.ReportMetric(float64(rows), "rows")
}

// processorTime is what this process has used of all cores, which other work on
// the machine changes less than the time that passes.
func processorTime() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

func heap() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// lineFeeds is the least that any reader of lines must do.
func lineFeeds(r io.ReaderAt, size int64) error {
	buf := make([]byte, 512<<10)
	for off := int64(0); off < size; {
		n, err := r.ReadAt(buf, off)
		if err != nil && err != io.EOF {
			return err
		}
		for data := buf[:n]; ; {
			i := bytes.IndexByte(data, '\n')
			if i < 0 {
				break
			}
			data = data[i+1:]
		}
		off += int64(n)
	}
	return nil
}

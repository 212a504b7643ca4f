package runtime_test

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	goruntime "runtime"
	"testing"

	"coppice/session/runtime"
	"coppice/transcript/transcripttest"
)

// BenchmarkLoad loads a session of 200 MB: prompts, calls of every kind that is
// looked at, results of 8 KB. It reports the memory that the Runtime holds.
func BenchmarkLoad(b *testing.B) {
	base := b.TempDir()
	path := filepath.Join(base, "projects", "-app", id+".jsonl")
	size := writeLarge(b, path, 200<<20)
	env := runtime.Environment{Root: base, Dir: base, Now: now}
	b.SetBytes(size)
	b.ReportAllocs()
	for b.Loop() {
		r, err := runtime.Load(b.Context(), path, id, runtime.FromStore, env)
		if err != nil {
			b.Fatal(err)
		}
		goruntime.GC()
		var m goruntime.MemStats
		goruntime.ReadMemStats(&m)
		b.ReportMetric(float64(m.HeapAlloc)/(1<<20), "MB-held")
		b.ReportMetric(float64(m.HeapSys)/(1<<20), "MB-peak")
		if err := r.Close(); err != nil {
			b.Fatal(err)
		}
		goruntime.KeepAlive(r)
	}
}

// writeLarge writes a transcript of at least size bytes and returns its size.
func writeLarge(b *testing.B, path string, size int64) int64 {
	b.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		b.Fatal(err)
	}
	f, err := os.Create(path)
	if err != nil {
		b.Fatal(err)
	}
	out, text, n := bufio.NewWriter(f), transcripttest.Filler(8<<10), int64(0)
	t := transcripttest.New(id)
	for i := 0; n < size; i++ {
		t.Snapshot(t.UUID(i)).User("do the next step")
		call, file := fmt.Sprintf("toolu_%d", i), fmt.Sprintf("/home/sam/app/f%d.go", i%500)
		t.Assistant(transcripttest.ToolUse(call, "Read", `{"file_path":"`+file+`"}`))
		t.Report(call, text, `{"type":"text","file":{"filePath":"`+file+`","content":`+transcripttest.Quote(text)+`}}`, "a-slug")
		t.Next().Assistant(transcripttest.Text("done"))
		written, err := out.Write(t.Bytes())
		if err != nil {
			b.Fatal(err)
		}
		n += int64(written)
		t.Reset()
	}
	if err := out.Flush(); err != nil {
		b.Fatal(err)
	}
	if err := f.Close(); err != nil {
		b.Fatal(err)
	}
	return n
}

package transcript_test

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"syscall"
	"testing"
	"time"

	"coppice/transcript"
	tt "coppice/transcript/transcripttest"
)

// The benchmarks read a made-up store of COPPICE_BENCH_BYTES bytes (default
// 8 MB; 2700000000 is the size that the figures are stated for) in files of 5 KB
// to 5 MB, evenly spread by logarithm, with two workers. With COPPICE_BENCH_DIR
// the store is kept there and used again.
const benchWorkers = 2

var benchStore = sync.OnceValues(func() (store, error) {
	total := int64(8 << 20)
	if s := os.Getenv("COPPICE_BENCH_BYTES"); s != "" {
		n, err := strconv.ParseInt(s, 10, 64)
		if err != nil {
			return store{}, fmt.Errorf("COPPICE_BENCH_BYTES: %w", err)
		}
		total = n
	}
	dir := os.Getenv("COPPICE_BENCH_DIR")
	if st, err := openStore(dir); err == nil && st.bytes >= total {
		return st, nil
	}
	if dir == "" {
		var err error
		if dir, err = os.MkdirTemp("", "transcripts"); err != nil {
			return store{}, err
		}
		benchTemp = dir
	}
	return writeStore(dir, total)
})

var benchTemp string // to be removed at the end

func openStore(dir string) (store, error) {
	st := store{dir: dir}
	paths, err := filepath.Glob(filepath.Join(dir, "*.jsonl"))
	for _, path := range paths {
		info, err := os.Stat(path)
		if err != nil {
			return st, err
		}
		st.paths = append(st.paths, path)
		st.bytes += info.Size()
	}
	return st, err
}

type store struct {
	dir   string
	paths []string
	bytes int64
}

func TestMain(m *testing.M) {
	if playRole() {
		return
	}
	code := m.Run()
	if benchTemp != "" {
		_ = os.RemoveAll(benchTemp)
	}
	os.Exit(code)
}

func writeStore(dir string, total int64) (store, error) {
	st := store{dir: dir}
	for n := 0; st.bytes < total; n++ {
		want := 5000 * math.Pow(1000, float64(n*617%1000)/1000)
		data := benchSession(n, int(want))
		path := filepath.Join(dir, fmt.Sprintf("%08x-0000-4000-8000-000000000000.jsonl", n))
		if err := os.WriteFile(path, data, 0o600); err != nil {
			return st, err
		}
		st.paths = append(st.paths, path)
		st.bytes += int64(len(data))
	}
	return st, nil
}

// benchSession writes turns of a prompt, calls with results and an answer; the
// sizes of the texts vary, and the average line has about 2 KB.
func benchSession(n, size int) []byte {
	b := tt.New(fmt.Sprintf("%08x-0000-4000-8000-000000000000", n)).Head()
	for turn := 0; b.Len() < size; turn++ {
		b.User(fmt.Sprintf("Prompt %d of session %d: %s", turn, n, tt.Filler(40+turn*37%400)))
		if turn == 0 {
			b.Environment()
		}
		b.Request(1500)
		for call := range 1 + turn%4 {
			id := fmt.Sprintf("toolu_%d_%d", turn, call)
			b.Assistant(tt.Text(tt.Filler(100 + (turn*131+call*977)%900)))
			b.Assistant(tt.Bash(id, "grep -rn \"name\" ./internal"))
			b.Result(id, tt.Filler([]int{80, 600, 2500, 12000}[(turn*7+call)%4])).Next()
		}
		b.Assistant(tt.Text(tt.Filler(400 + turn*53%2000)))
		b.System("turn_duration", `"durationMs":389,"messageCount":13`).LastPrompt("Prompt " + strconv.Itoa(turn))
		if turn%10 == 3 {
			b.Title(fmt.Sprintf("session %d", n)).AgentName(fmt.Sprintf("session %d", n)).Modes("normal", "auto")
		}
	}
	return b.Bytes()
}

// everyFile lets the workers go through the store and returns how long it took.
func everyFile(b *testing.B, st store, workers int, visit func() func(r io.ReaderAt, size int64) error) time.Duration {
	b.Helper()
	start := time.Now()
	paths := make(chan string)
	var group sync.WaitGroup
	for range workers {
		group.Go(func() {
			do := visit()
			for path := range paths {
				if err := openFile(path, do); err != nil {
					b.Error(err)
				}
			}
		})
	}
	for _, path := range st.paths {
		paths <- path
	}
	close(paths)
	group.Wait()
	return time.Since(start)
}

// besideFloor measures visit, each time after a plain reading of the same files
// by as many workers and by one, and reports all: the mean, the best, and the
// processor time, which other work on the machine changes less.
func besideFloor(b *testing.B, visit func() func(r io.ReaderAt, size int64) error) {
	b.Helper()
	st, err := benchStore()
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(st.bytes)
	b.ResetTimer()
	var mean, meanFloor, cpu, cpuFloor time.Duration
	best, bestFloor, bestOne := time.Duration(math.MaxInt64), time.Duration(math.MaxInt64), time.Duration(math.MaxInt64)
	for b.Loop() {
		b.StopTimer()
		bestOne = min(bestOne, everyFile(b, st, 1, readFloor))
		start := processorTime()
		took := everyFile(b, st, benchWorkers, readFloor)
		meanFloor, bestFloor = meanFloor+took, min(bestFloor, took)
		middle := processorTime()
		cpuFloor += middle - start
		b.StartTimer()
		took = everyFile(b, st, benchWorkers, visit)
		mean, best = mean+took, min(best, took)
		cpu += processorTime() - middle
	}
	n := float64(b.N)
	ms := func(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
	b.ReportMetric(float64(len(st.paths)), "files")
	b.ReportMetric(ms(mean)/n, "ms")
	b.ReportMetric(ms(best), "best-ms")
	b.ReportMetric(ms(cpu)/n, "cpu-ms")
	b.ReportMetric(ms(meanFloor)/n, "floor-ms")
	b.ReportMetric(ms(bestFloor), "best-floor-ms")
	b.ReportMetric(ms(cpuFloor)/n, "floor-cpu-ms")
	b.ReportMetric(ms(bestOne), "best-one-reader-ms")
	b.ReportMetric(float64(best)/float64(bestFloor), "x-floor")
	b.ReportMetric(float64(best)/float64(bestOne), "x-one-reader")
	b.ReportMetric(float64(cpu)/float64(cpuFloor), "x-floor-cpu")
	b.ReportMetric(0, "ns/op")
}

// processorTime is what this process used so far, which other work on the
// machine changes less than the time on the clock.
func processorTime() time.Duration {
	var u syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

func openFile(path string, do func(r io.ReaderAt, size int64) error) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	return do(f, info.Size())
}

func readFloor() func(r io.ReaderAt, size int64) error {
	buf := make([]byte, 256<<10)
	return func(r io.ReaderAt, size int64) error {
		for at := int64(0); at < size; {
			n, err := r.ReadAt(buf, at)
			if at += int64(n); err != nil && n == 0 {
				return err
			}
		}
		return nil
	}
}

// BenchmarkScan reads every fact of every transcript; the floor is reading alone.
func BenchmarkScan(b *testing.B) {
	besideFloor(b, func() func(io.ReaderAt, int64) error {
		var s transcript.Scanner
		return func(r io.ReaderAt, size int64) error {
			_, err := s.Scan(b.Context(), r, size, nil)
			return err
		}
	})
}

// BenchmarkPeek reads heads and tails.
func BenchmarkPeek(b *testing.B) {
	besideFloor(b, func() func(io.ReaderAt, int64) error {
		var s transcript.Scanner
		return func(r io.ReaderAt, size int64) error {
			_, err := s.Peek(b.Context(), r, size)
			return err
		}
	})
}

// BenchmarkScanMemory leaves the reading out: what remains is what Scan adds.
func BenchmarkScanMemory(b *testing.B) {
	data := benchSession(617, 5<<20)
	r := bytes.NewReader(data)
	b.SetBytes(int64(len(data)))
	var s transcript.Scanner
	for b.Loop() {
		if _, err := s.Scan(b.Context(), r, int64(len(data)), nil); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed())/float64(b.N)/float64(bytes.Count(data, []byte{'\n'})), "ns/line")
}

// BenchmarkLinesMemory copies the same bytes and looks for line feeds.
func BenchmarkLinesMemory(b *testing.B) {
	data := benchSession(617, 5<<20)
	r := bytes.NewReader(data)
	b.SetBytes(int64(len(data)))
	buf := make([]byte, 256<<10)
	for b.Loop() {
		for at := 0; at < len(data); at += len(buf) {
			n, _ := r.ReadAt(buf, int64(at))
			for left := buf[:n]; ; {
				i := bytes.IndexByte(left, '\n')
				if i < 0 {
					break
				}
				left = left[i+1:]
			}
		}
	}
	b.ReportMetric(float64(b.Elapsed())/float64(b.N)/float64(bytes.Count(data, []byte{'\n'})), "ns/line")
}

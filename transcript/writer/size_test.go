package writer_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	tt "coppice/transcript/transcripttest"
	"coppice/transcript/writer"
)

// The cost of a turn and of leaving does not depend on the size of the file:
// nobody reads a file of this size in the time of a test.
func TestHugeFile(t *testing.T) {
	t.Parallel()
	path := newPath(t)
	w := steady(writer.Create(path, stamp), 1)
	talk := []writer.Message{prompt(1), answer(2)}
	turn(t, w, nil, talk)
	if err := os.Truncate(path, 1<<40); errors.Is(err, syscall.EFBIG) {
		t.Skip("the file system has no sparse files of 1 TiB")
	} else if err != nil {
		t.Fatal(err)
	}
	turn(t, w, nil, append(talk, prompt(3), answer(4)))
	if err := w.Leave(writer.Mode(sid, "normal")); err != nil {
		t.Fatal(err)
	}
	if got := size(t, path); got < 1<<40+1000 {
		t.Errorf("the file has %d bytes", got)
	}
	if got := w.Others(); got < 1<<40-10_000 {
		t.Errorf("others wrote %d bytes", got)
	}
}

// BenchmarkTurn compares a turn of a prompt and an answer, of 8 KB, at files of
// two sizes with the floor: a bare write of as many bytes, and fsync.
func BenchmarkTurn(b *testing.B) {
	long := tt.Filler(6000)
	for _, bc := range []struct {
		name string
		size int
	}{{"1MB", 1 << 20}, {"1GB", 1 << 30}} {
		b.Run(bc.name, func(b *testing.B) {
			path := newPath(b)
			w := writer.Create(path, stamp)
			talk := []writer.Message{prompt(1), answer(2)}
			turn(b, w, nil, talk)
			fill(b, path, bc.size)
			turn(b, w, nil, append(talk, prompt(3))) // which notices what was filled in
			b.ResetTimer()
			for n := range b.N {
				m := answer(n + 10)
				m.Content = blocks(tt.Text(long))
				list := []writer.Message{talk[0], talk[1], prompt(n), m}
				turn(b, w, nil, list)
				talk = list[2:4]
			}
		})
	}
	b.Run("floor", func(b *testing.B) {
		f, err := os.OpenFile(filepath.Join(b.TempDir(), "floor"), os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
		if err != nil {
			b.Fatal(err)
		}
		data := make([]byte, 7200)
		for range b.N {
			if _, err := f.Write(data); err != nil {
				b.Fatal(err)
			}
			if err := f.Sync(); err != nil {
				b.Fatal(err)
			}
		}
		_ = f.Close()
	})
}

// fill makes a file as long as asked, with records and not with a hole.
func fill(b *testing.B, path string, size int) {
	b.Helper()
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		b.Fatal(err)
	}
	line := fmt.Appendf(nil, "{\"type\":\"tag\",\"tag\":%s}\n", tt.Quote(tt.Filler(1<<20)))
	for n := 0; n < size; n += len(line) {
		if _, err := f.Write(line); err != nil {
			b.Fatal(err)
		}
	}
	if err := errors.Join(f.Sync(), f.Close()); err != nil {
		b.Fatal(err)
	}
}

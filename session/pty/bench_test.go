package pty_test

import (
	"errors"
	"io"
	"os"
	"os/exec"
	"syscall"
	"testing"
	"time"

	creack "github.com/creack/pty"

	"coppice/session/pty"
)

// floodSize is how many megabytes the program of a benchmark writes.
const floodSize = 100

// BenchmarkFlood is a program that writes 100 MB, beside the floor: reading as
// much from a pseudo-terminal and throwing it away.
func BenchmarkFlood(b *testing.B) {
	b.SetBytes(floodSize << 20)
	for b.Loop() {
		floor := discard(b)
		begun := time.Now()
		p, err := pty.Start(pty.Cmd{
			Args: []string{os.Args[0]}, Dir: b.TempDir(), Env: append(os.Environ(), "PTY_ROLE=flood 100"),
			Columns: 200, Rows: 60, Scrollback: 10_000,
		})
		if err != nil {
			b.Fatal(err)
		}
		<-p.Done()
		ours := time.Since(begun)
		b.ReportMetric(floodSize*1.048576/floor.Seconds(), "floor-MB/s")
		b.ReportMetric(floodSize*1.048576/ours.Seconds(), "ours-MB/s")
		b.ReportMetric(floor.Seconds()/ours.Seconds(), "ratio")
	}
}

// discard runs the same program on a bare pseudo-terminal.
func discard(b *testing.B) time.Duration {
	begun := time.Now()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "PTY_ROLE=flood 100")
	f, err := creack.Start(cmd)
	if err != nil {
		b.Fatal(err)
	}
	buf := make([]byte, 64<<10)
	for {
		if _, err := f.Read(buf); err != nil {
			if err != io.EOF && !isEIO(err) {
				b.Fatal(err)
			}
			break
		}
	}
	_ = cmd.Wait()
	_ = f.Close()
	return time.Since(begun)
}

func isEIO(err error) bool {
	return errors.Is(err, syscall.EIO)
}

package terminal_test

import (
	"bytes"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/charmbracelet/x/vt"

	"coppice/session/terminal"
)

// The floors, on the machine of docs/measurements.md: 80 MB/s of plain text, 75
// MB/s of frames as the client draws them, 26 MB of heap at 200 by 60 with 10,000
// rows of scrollback.

// benchStreams are a few megabytes of what programs send.
func benchStreams() map[string][]byte {
	var plain, colored, wide, frames bytes.Buffer
	text := strings.Repeat("a log tells what was done, and when, in words ", 3)[:118]
	for n := range 20_000 {
		fmt.Fprintf(&plain, "%010d: %s\r\n", n, text)
		fmt.Fprintf(&colored, "\x1b[2m%010d\x1b[0m \x1b[1;3%dmINFO\x1b[0m %s \x1b[38;5;%dmdone\x1b[0m\r\n", n, n%8, text[:70], n%256)
		fmt.Fprintf(&wide, "%d │ 漢字仮名交じり文 ─ 한국어 ─ e\u0301 ▒▒▒ %s\r\n", n, strings.Repeat("漢字", n%30))
	}
	for n := range 30 {
		frames.WriteString("\x1b[?2026h\x1b[2J\x1b[3J\x1b[H")
		for row := range 600 {
			fmt.Fprintf(&frames, "\x1b[38;2;%d;150;200m●\x1b[39m \x1b[1mstep %d\x1b[22m %s\x1b[38;5;246m%s\x1b[39m\r\n", n, row, text[:90], text[:20])
		}
		frames.WriteString("\x1b[?2026l")
	}
	return map[string][]byte{"plain": plain.Bytes(), "colored": colored.Bytes(), "wide": wide.Bytes(), "frames": frames.Bytes()}
}

const benchScrollback = 10_000

func BenchmarkWrite(b *testing.B) {
	for name, in := range benchStreams() {
		b.Run(name, func(b *testing.B) {
			before := heap()
			e := terminal.New(terminal.Options{Columns: 200, Rows: 60, Scrollback: benchScrollback})
			b.SetBytes(int64(len(in)))
			for b.Loop() {
				for rest := in; len(rest) > 0; {
					n := min(32<<10, len(rest))
					_, _ = e.Write(rest[:n])
					rest = rest[n:]
				}
			}
			b.ReportMetric(float64(heap()-before)/1e6, "MB-heap")
			runtime.KeepAlive(e)
		})
	}
}

// BenchmarkWriteVT is the same with x/vt, on the first part of each stream: it
// takes long.
func BenchmarkWriteVT(b *testing.B) {
	for name, in := range benchStreams() {
		in = in[:200<<10]
		b.Run(name, func(b *testing.B) {
			e := vt.NewEmulator(200, 60)
			b.SetBytes(int64(len(in)))
			for b.Loop() {
				_, _ = e.Write(in)
			}
		})
	}
}

// BenchmarkDump is what a viewer that attaches costs, with a full scrollback.
func BenchmarkDump(b *testing.B) {
	e := terminal.New(terminal.Options{Columns: 200, Rows: 60, Scrollback: benchScrollback})
	_, _ = e.Write(benchStreams()["colored"])
	for b.Loop() {
		b.SetBytes(int64(len(e.Dump(benchScrollback))))
	}
}

// BenchmarkResize wraps a full scrollback anew.
func BenchmarkResize(b *testing.B) {
	e := terminal.New(terminal.Options{Columns: 200, Rows: 60, Scrollback: benchScrollback})
	_, _ = e.Write(benchStreams()["plain"])
	for n := 0; b.Loop(); n++ {
		e.Resize(100+n%2*100, 60)
	}
}

// BenchmarkFind looks for what is nowhere in a full scrollback.
func BenchmarkFind(b *testing.B) {
	e := terminal.New(terminal.Options{Columns: 200, Rows: 60, Scrollback: benchScrollback})
	_, _ = e.Write(benchStreams()["plain"])
	for b.Loop() {
		e.Look(func(v terminal.View) {
			if _, ok := v.Find("nowhere", terminal.Point{Row: v.Oldest(), Column: -1}, false); ok {
				b.Fatal("found")
			}
		})
	}
}

// TestHeap fills a scrollback with the widest rows there are and looks at what
// it costs.
func TestHeap(t *testing.T) {
	before := heap()
	e := terminal.New(terminal.Options{Columns: 200, Rows: 60, Scrollback: benchScrollback})
	for n := range benchScrollback + 60 {
		write(e, fmt.Sprintf("\x1b[3%dm%0198d\x1b[m\r\n", n%8, n))
	}
	if grown := heap() - before; grown > 26e6 {
		t.Errorf("%.1f MB", float64(grown)/1e6)
	} else {
		t.Logf("%.1f MB", float64(grown)/1e6)
	}
	runtime.KeepAlive(e)
}

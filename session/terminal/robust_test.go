package terminal_test

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"strings"
	"sync"
	"testing"

	"coppice/session/terminal"
)

// The same bytes in pieces of any size are the same screen.
func TestPieces(t *testing.T) {
	t.Parallel()
	for seed := range uint64(100) {
		r := rand.New(rand.NewPCG(seed, 1))
		in := stream(r, 300)
		if seed%4 == 0 {
			in = string(mutate(r, in))
		}
		whole := newTerminal(30, 8, in)
		want, out := state(whole), fmt.Sprintf("%+v", whole.Take())
		for name, size := range map[string]func() int{
			"1": func() int { return 1 }, "7": func() int { return 7 }, "random": func() int { return 1 + r.IntN(50) },
		} {
			e := newTerminal(30, 8)
			for rest := in; rest != ""; {
				n := min(size(), len(rest))
				write(e, rest[:n])
				rest = rest[n:]
			}
			if got := state(e); got != want {
				t.Fatalf("seed %d in pieces of %s bytes:\n%s", seed, name, difference(got, want))
			}
			if got := fmt.Sprintf("%+v", e.Take()); got != out {
				t.Fatalf("seed %d in pieces of %s bytes: %s, not %s", seed, name, got, out)
			}
		}
	}
}

// exercise feeds bytes with changes of the size between them, looks at
// everything, and checks what must always hold.
func exercise(t *testing.T, r *rand.Rand, in []byte, cols, rows int) {
	t.Helper()
	e := terminal.New(terminal.Options{Columns: cols, Rows: rows, Scrollback: r.IntN(50)})
	for len(in) > 0 {
		n := min(1+r.IntN(300), len(in))
		_, _ = e.Write(in[:n])
		in = in[n:]
		if r.IntN(4) == 0 {
			e.Resize(1+r.IntN(120), 1+r.IntN(40))
			check(t, e)
		}
	}
	check(t, e)
	var size [2]int
	e.Look(func(v terminal.View) { size[0], size[1] = v.Size() })
	again := terminal.New(terminal.Options{Columns: size[0], Rows: size[1], Scrollback: 50})
	_, _ = again.Write(e.Dump(50))
	check(t, again)
	if state(again) != state(e) {
		t.Fatalf("rebuilt it is\n%s", difference(state(again), state(e)))
	}
}

// check looks at a whole terminal.
func check(t *testing.T, e *terminal.Terminal) {
	t.Helper()
	out := e.Take()
	if len(out.Replies) > terminal.MaxReplies {
		t.Fatalf("%d bytes of replies", len(out.Replies))
	}
	e.Look(func(v terminal.View) {
		cols, rows := v.Size()
		if c := v.Cursor(); c.Column < 0 || c.Column >= cols || c.Row < 0 || c.Row >= rows {
			t.Fatalf("the cursor is at %+v of %d by %d", c, cols, rows)
		}
		for n := v.Oldest(); n < v.End(); n++ {
			cells := v.Row(n).Cells
			if n >= v.Top() && len(cells) != cols || len(cells) > cols {
				t.Fatalf("row %d has %d cells of %d", n, len(cells), cols)
			}
			for x, c := range cells {
				head, tail := c.Width() == 2, c.Width() == 0
				if head && (x+1 == len(cells) || cells[x+1].Width() != 0) || tail && (x == 0 || cells[x-1].Width() != 2) {
					t.Fatalf("row %d: half a character in column %d", n, x)
				}
				if text := v.Text(c); (text == "") != (c.Blank() || tail) || strings.ContainsFunc(text, func(r rune) bool { return r < 0x20 || r >= 0x7f && r < 0xa0 }) {
					t.Fatalf("row %d: the text in column %d is %q", n, x, text)
				}
				_, _ = v.Link(c), v.UnderlineColor(c)
			}
		}
		whole := terminal.Range{To: terminal.Point{Row: v.End()}}
		_ = v.Copy(whole)
		_, _ = v.Find("a", terminal.Point{Row: v.End()}, true)
	})
}

// Damaged streams at awkward sizes, with changes of the size, do no harm.
func TestDamaged(t *testing.T) {
	t.Parallel()
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 7))
		in := mutate(r, stream(r, 200))
		exercise(t, r, in, 1+r.IntN(120), 1+r.IntN(40))
	}
}

func FuzzWrite(f *testing.F) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 20 {
		f.Add([]byte(stream(r, 60)), uint8(r.IntN(100)), uint8(r.IntN(40)))
	}
	f.Add([]byte("\x1b[5;90r\x1b[M"), uint8(20), uint8(20))
	f.Fuzz(func(t *testing.T, in []byte, cols, rows uint8) {
		exercise(t, rand.New(rand.NewPCG(uint64(cols), uint64(rows))), in, int(cols), int(rows))
	})
}

// FuzzDump cuts a stream in two: the dump of the first half and the second half
// make what both halves make.
func FuzzDump(f *testing.F) {
	r := rand.New(rand.NewPCG(2, 2))
	for range 20 {
		f.Add([]byte(stream(r, 40)), []byte(stream(r, 10)), uint8(r.IntN(30)), uint8(r.IntN(10)))
	}
	f.Fuzz(func(t *testing.T, first, second []byte, c, rs uint8) {
		cols, rows := 1+int(c)%100, 1+int(rs)%40
		e := newTerminal(cols, rows, string(first))
		again := rebuilt(e, cols, rows, all)
		if state(e) != state(again) {
			t.Fatalf("rebuilt it is\n%s", difference(state(again), state(e)))
		}
		write(e, string(second))
		write(again, string(second))
		if state(e) != state(again) {
			t.Fatalf("afterwards it is\n%s", difference(state(again), state(e)))
		}
	})
}

// Tables do not grow with what has scrolled away, and hold no more than they may.
func TestTablesAreBounded(t *testing.T) {
	t.Parallel()
	e := newTerminal(80, 24)
	long := strings.Repeat("x", 2000)
	before := heap()
	for i := range 8_000 {
		write(e, fmt.Sprintf("\x1b]8;id=%d;http://h/%s\a\x1b[4;58;2;%d;%d;%dmlink\x1b]8;;\a\x1b[me%c%c%c\r\n", i, long, i%256, i/256%256, i/7%256, 0x300+i%100, 0x300+i/100%100, 0x300+i/10000%100))
	}
	if grown := heap() - before; grown > 20<<20 {
		t.Errorf("%d MB more", grown>>20)
	}
	write(e, "\x1b]8;id=z;http://last\ax\x1b]8;;\a\r\ne\u0301\u0302\u0303")
	e.Look(func(v terminal.View) {
		row := v.Row(v.End() - 2).Cells
		if got := v.Link(row[0]).Address; got != "http://last" {
			t.Errorf("the last link is %q", got)
		}
		if got := v.Text(v.Row(v.End() - 1).Cells[0]); got != "e\u0301\u0302\u0303" {
			t.Errorf("the last cluster is %q", got)
		}
	})
	check(t, e)
}

// heap returns the bytes in use.
func heap() int {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int(m.HeapAlloc)
}

// A cluster has an end, however many marks come.
func TestClustersAreBounded(t *testing.T) {
	t.Parallel()
	e := newTerminal(10, 4, "e"+strings.Repeat("\u0301", 10_000)+"x")
	if got := len(screen(e)); got > 100 || !strings.HasSuffix(screen(e), "x") {
		t.Errorf("%d bytes on the screen", got)
	}
}

// Endless sequences and lines are read to their ends.
func TestEndless(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, begin, middle, end string }{
		{"parameters", "\x1b[", "1;", "mx"},
		{"digits", "\x1b[", "9", "mx"},
		{"intermediates", "\x1b", " ", "~x"},
		{"a command", "\x1b]0;", "title", "\ax"},
		{"a device string", "\x1bP", "q", "\x1b\\x"},
		{"other text", "\x1b_", "q", "\x1b\\x"},
		{"a line", "", "0123456789", "\r\x1b[2Kx"},
		{"escapes", "", "\x1b", "\x18x"},
	} {
		e := newTerminal(10, 4, c.begin, strings.Repeat(c.middle, 1<<20/len(c.middle)), c.end)
		got := screen(e)
		if i := strings.LastIndexByte(got, '\n'); got[i+1:] != "x" {
			t.Errorf("%s: the last row is %q", c.name, got[i+1:])
		}
	}
}

// Everything may be called from anywhere.
func TestConcurrent(t *testing.T) {
	t.Parallel()
	e := newTerminal(80, 24)
	in := stream(rand.New(rand.NewPCG(1, 1)), 2000)
	var wg sync.WaitGroup
	for _, f := range []func(int){
		func(int) { write(e, in) },
		func(i int) { e.Resize(20+i*7%100, 5+i%30) },
		func(int) { check(t, e) },
		func(int) { e.Dump(50) },
		func(i int) { e.SetTheme(terminal.Theme{Background: uint32(i) << 20}) },
	} {
		wg.Go(func() {
			for i := range 20 {
				f(i)
			}
		})
	}
	wg.Wait()
}

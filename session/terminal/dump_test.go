package terminal_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"coppice/session/terminal"
)

// all is a number of rows that no scrollback of these tests has.
const all = 1 << 20

// rebuilt returns a terminal that has read the dump of another.
func rebuilt(t *terminal.Terminal, cols, rows, history int) *terminal.Terminal {
	again := newTerminal(cols, rows)
	if _, err := again.Write(t.Dump(history)); err != nil {
		panic(err)
	}
	again.Take()
	return again
}

// A dump makes another terminal the same, and what follows has the same effect
// and the same answers there, wherever the stream is cut.
func TestDump(t *testing.T) {
	t.Parallel()
	sizes := [][2]int{{20, 6}, {10, 4}, {3, 3}, {2, 1}, {1, 1}, {1, 5}, {80, 24}}
	for seed := range uint64(100) {
		r := rand.New(rand.NewPCG(seed, 4))
		cols, rows := sizes[seed%uint64(len(sizes))][0], sizes[seed%uint64(len(sizes))][1]
		in := stream(r, 10+r.IntN(150))
		if seed%5 == 0 {
			in = string(mutate(r, in))
		}
		e := newTerminal(cols, rows)
		for range 8 {
			cut := r.IntN(len(in) + 1)
			write(e, in[:cut])
			in = in[cut:]
			e.Take()
			again := rebuilt(e, cols, rows, all)
			if state(e) != state(again) {
				t.Fatalf("seed %d at %d by %d:\n%s\ndump %.3000q", seed, cols, rows, difference(state(again), state(e)), e.Dump(all))
			}
			rest := in[:min(len(in), 300)]
			write(again, rest)
			write(e, rest)
			in = in[len(rest):]
			if state(e) != state(again) {
				t.Fatalf("seed %d at %d by %d after %q:\n%s", seed, cols, rows, rest, difference(state(again), state(e)))
			}
			if a, b := fmt.Sprintf("%+v", e.Take()), fmt.Sprintf("%+v", again.Take()); a != b {
				t.Fatalf("seed %d: %s, not %s", seed, b, a)
			}
		}
	}
}

// A dump with less scrollback has the newest rows.
func TestDumpWithLess(t *testing.T) {
	t.Parallel()
	e := newTerminal(10, 4, numbers(1, 50))
	if got, want := scrollback(rebuilt(e, 10, 4, 2)), "46\n47"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got := rebuilt(e, 10, 4, 0); scrollback(got) != "" || screen(got) != screen(e) {
		t.Errorf("%q and %q", scrollback(got), screen(got))
	}
}

// A dump fits a terminal that was used before (report G8: another session's
// scrollback leaks).
func TestDumpIntoAUsedTerminal(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		e := newTerminal(20, 6, stream(r, 100))
		used := newTerminal(20, 6, stream(r, 100)+"\x18\x1b]2;other\a\x1b]7;\a")
		write(e, "\x18\x1b]7;file:///e\a")
		write(used, string(e.Dump(all)))
		if state(used) != state(e) {
			t.Fatalf("%s", difference(state(used), state(e)))
		}
	}
}

// What is begun stays begun.
func TestDumpOfTheUnfinished(t *testing.T) {
	t.Parallel()
	for _, c := range [][2]string{
		{"\x1b", "[2Cx"},
		{"\x1b(", "0q"},
		{"\x1b[", "2Cx"},
		{"\x1b[?2", "5hx"},
		{"\x1b[38:2:", ":1:2:3mx"},
		{"\x1b[1;", "5Hx"},
		{"\x1b[1 ", "qx"},
		{"\x1b[1?", "25lx"},
		{"\x1b]0;tit", "le\ax"},
		{"\x1b]0;title\x1b", "\\x"},
		{"\x1b]0;title\x1b", "[2Cx"},
		{"\x1bP$q", "m\x1b\\x"},
		{"\x1b_secret", " text\ax\x1b\\y"},
		{"\x1b]52;c;" + strings.Repeat("A", 2<<20), "\ax"},
		{"\xf0\x9f\x91", "\x8dx"},
		{"\xf0\x9f\x91", "x"},
		{"0123456789", "x"},
		{"e", "\u0301x"},
		{"👨\u200d", "👩x"},
		{"0123456789\x1b[9K", "\u0301x"},
	} {
		e := newTerminal(10, 4, "ab", c[0])
		again := rebuilt(e, 10, 4, all)
		write(e, c[1])
		write(again, c[1])
		e.Take()
		again.Take()
		if state(e) != state(again) {
			t.Errorf("%.40q and %q:\n%s", c[0], c[1], difference(state(again), state(e)))
		}
	}
}

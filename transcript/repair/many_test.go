package repair_test

import (
	"fmt"
	"slices"
	"syscall"
	"testing"
	"time"

	"coppice/transcript/ledger"
	"coppice/transcript/repair"
	tt "coppice/transcript/transcripttest"
)

// Many calls cost what each of them does, and no more for being many, by either
// policy. What counts is the time that this process worked, so that others do not.
func TestManyCalls(t *testing.T) {
	id := func(k int) string { return fmt.Sprintf("toolu_%06d", k) }
	one := func(int) string { return "toolu_1" }
	message := func(b *tt.Builder, n int, id func(int) string) {
		var calls []string
		for k := range n {
			calls = append(calls, tt.Bash(id(k), "ls"))
		}
		b.Assistant(calls...)
	}
	answer := func(b *tt.Builder, n int, id func(int) string) {
		var results []string
		for k := range n {
			results = append(results, tt.ToolResult(id(k), "one"))
		}
		blocks(b, results...)
	}
	tests := []struct {
		name  string
		build func(b *tt.Builder, n int)
	}{
		{"of one id, each in a message", func(b *tt.Builder, n int) {
			for range n {
				b.Assistant(tt.Bash("toolu_1", "ls"))
			}
		}},
		{"in one message, the results in the next", func(b *tt.Builder, n int) {
			message(b, n, id)
			answer(b, n, id)
		}},
		{"the results the other way round", func(b *tt.Builder, n int) {
			message(b, n, id)
			answer(b, n, func(k int) string { return id(n - 1 - k) })
		}},
		{"the results in a row each", func(b *tt.Builder, n int) {
			message(b, n, id)
			for k := range n {
				b.Result(id(k), "one")
			}
		}},
		{"in one message, of one id", func(b *tt.Builder, n int) {
			message(b, n, one)
			answer(b, n, one)
		}},
		{"in one message, no result", func(b *tt.Builder, n int) {
			message(b, n, id)
			b.User("never mind")
		}},
		{"in one message, results of others", func(b *tt.Builder, n int) {
			message(b, n, id)
			answer(b, n, func(k int) string { return "x" + id(k) })
		}},
		{"in one message, the results long behind", func(b *tt.Builder, n int) {
			message(b, n, id)
			b.User("hurry").Assistant(tt.Text("wait"))
			answer(b, n, id)
		}},
	}
	for _, test := range tests {
		for _, policy := range []ledger.Policy{ledger.Keep, ledger.Client} {
			t.Run(fmt.Sprint(test.name, "/", policy), func(t *testing.T) {
				worked := func(n int) time.Duration {
					b := tt.New(sessionID).User("go on")
					test.build(b, n)
					b.Next().Assistant(tt.Text("done"))
					l, chain, err := read(t, b.Bytes(), policy)
					if err != nil {
						t.Fatal(err)
					}
					var tries []time.Duration
					for range 3 {
						start := processor(t)
						if _, err := repair.New(l, chain, repair.Options{}); err != nil {
							t.Fatal(err)
						}
						tries = append(tries, processor(t)-start)
					}
					return slices.Min(tries)
				}
				// 16 times as many make 256 times the pairs.
				few, many := worked(1000), worked(16000)
				if many > 64*max(few, time.Millisecond) {
					t.Errorf("1000 calls take %v, 16000 take %v", few, many)
				}
			})
		}
	}
}

// processor returns how long this process has worked.
func processor(t *testing.T) time.Duration {
	t.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		t.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

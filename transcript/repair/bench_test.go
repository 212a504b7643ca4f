package repair_test

import (
	"runtime"
	"strings"
	"testing"

	"coppice/transcript/ledger"
	"coppice/transcript/repair"
	tt "coppice/transcript/transcripttest"
)

// long returns a transcript of about so many bytes: prompts, calls, results.
func long(size int) []byte {
	b := tt.New(sessionID)
	output := strings.Repeat("a line of output\n", 200)
	for n := 0; b.Len() < size; n++ {
		id := "toolu_" + b.UUID(n)
		b.User("do the next thing").Assistant(tt.Thinking("first look")).Assistant(tt.Text("looking")).Assistant(tt.Bash(id, "ls")).Result(id, output)
		b.Next().Assistant(tt.Text("it is done"))
	}
	return b.Bytes()
}

// BenchmarkNew makes the messages of a transcript of short rows. What they hold in
// memory with the ledger is told in times of their text.
func BenchmarkNew(b *testing.B) {
	data := long(16 << 20)
	before := heap()
	l, chain, err := read(b, data, ledger.Keep)
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	var conv repair.Conversation
	for b.Loop() {
		if conv, err = repair.New(l, chain, repair.Options{}); err != nil {
			b.Fatal(err)
		}
	}
	held, text, blocks := heap()-before, 0, 0
	for _, m := range conv.Messages {
		for _, block := range m.Blocks {
			text, blocks = text+len(block.JSON), blocks+1
		}
	}
	b.ReportMetric(float64(held)/float64(text), "held/text")
	b.ReportMetric(float64(text)/float64(blocks), "text-B/block")
	runtime.KeepAlive(l)
	runtime.KeepAlive(conv)
}

// heap returns how many bytes are in use.
func heap() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

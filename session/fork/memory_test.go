package fork_test

import (
	"runtime"
	"strings"
	"testing"

	"coppice/session/fork"
	"coppice/session/move/carry/carrytest"
	"coppice/transcript/transcripttest"
)

// One long line costs a few times its length, whoever wrote it: what is read of it
// and what is written, not what a prompt could be made into.
func TestLongLine(t *testing.T) {
	const length = 16 << 20
	text := strings.Repeat("words of one line ", length/18)
	for name, build := range map[string]func(b *transcripttest.Builder){
		"a prompt": func(b *transcripttest.Builder) { b.User(text).Assistant(transcripttest.Text("read")) },
		"a prompt of blocks": func(b *transcripttest.Builder) {
			b.UserContent("["+transcripttest.Text(text)+"]", "").Assistant(transcripttest.Text("read"))
		},
		"an answer": func(b *transcripttest.Builder) { b.User("write").Assistant(transcripttest.Text(text)) },
		"a result": func(b *transcripttest.Builder) {
			b.User("run").Assistant(transcripttest.Bash("toolu_1", "make")).Result("toolu_1", text).Next().Assistant(transcripttest.Text("done"))
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := at(t.TempDir())
			b := transcripttest.New(source).Head()
			build(b)
			carrytest.Write(t, w.path, string(b.Bytes()))
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			if _, err := fork.Fork(t.Context(), w.req); err != nil {
				t.Fatal(err)
			}
			runtime.ReadMemStats(&after)
			if took := float64(after.TotalAlloc-before.TotalAlloc) / length; took > 8 { // 4.5, and 6.5 with the race detector
				t.Errorf("a line takes %.1f times its length", took)
			}
		})
	}
}

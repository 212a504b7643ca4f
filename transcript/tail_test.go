package transcript_test

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"coppice/transcript"
	tt "coppice/transcript/transcripttest"
)

func readTail(t *testing.T, data []byte, max int) transcript.Tail {
	t.Helper()
	tail, err := transcript.ReadTail(t.Context(), bytes.NewReader(data), int64(len(data)), max)
	if err != nil {
		t.Fatal(err)
	}
	return tail
}

// show writes messages as short lines.
func show(messages []transcript.Message) []string {
	var lines []string
	for _, m := range messages {
		line := string(m.Role) + ":"
		for _, b := range m.Blocks {
			switch b.Kind {
			case transcript.BlockText:
				line += " " + b.Text
			case transcript.BlockCall:
				line += fmt.Sprintf(" %s(%s)", b.Tool, b.Input)
				if b.Answer != nil {
					line += fmt.Sprintf("=%s/%d", b.Answer.Text, b.Answer.Lines)
				}
			default:
				line += fmt.Sprintf(" <%s %s>", b.Kind, b.Text)
			}
		}
		lines = append(lines, line)
	}
	return lines
}

func TestReadTail(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name string
		b    func(b *tt.Builder)
		want []string
	}{
		{
			"one turn", func(b *tt.Builder) { b.Head().User("hello").Request(100).Assistant(tt.Text("hi")).LastPrompt("hello") },
			[]string{"user: hello", "assistant: hi"},
		},
		{"rows of one message", func(b *tt.Builder) {
			b.Assistant(tt.Thinking("hm")).Assistant(tt.Text("so")).Assistant(tt.Bash("x", "ls -l"))
		}, []string{"assistant: <thinking hm> so Bash(ls -l)"}},
		{"A1 parent that was never written", func(b *tt.Builder) {
			b.User("a").Assistant(tt.Text("b")).User("c").Parent("11111111-dead-4000-8000-000000000000").Assistant(tt.Text("d")).User("e").Assistant(tt.Text("f"))
		}, []string{"user: a", "assistant: b", "user: c", "assistant: d", "user: e", "assistant: f"}},
		{"A3 progress rows in the chain", func(b *tt.Builder) {
			b.Assistant(tt.Bash("x", "ls")).Progress().Progress().Result("x", "ok").Next().Assistant(tt.Text("b")).User("c")
		}, []string{"assistant: Bash(ls)=ok/1", "assistant: b", "user: c"}},
		{"A4 parallel calls", func(b *tt.Builder) {
			b.Assistant(tt.Bash("x1", "a")).Assistant(tt.Bash("x2", "b")).Assistant(tt.Bash("x3", "c"))
			b.Result("x2", "2").Result("x1", "1\n1\n").Result("x3", "").Next().Assistant(tt.Text("done"))
		}, []string{"assistant: Bash(a)=1\n1\n/2 Bash(b)=2/1 Bash(c)=/0", "assistant: done"}},
		{"A.4 results between the calls of one message", func(b *tt.Builder) {
			b.AssistantID("m", tt.Bash("x1", "a")).Result("x1", "1").AssistantID("m", tt.Bash("x2", "b")).Result("x2", "2")
		}, []string{"assistant: Bash(a)=1/1 Bash(b)=2/1"}},
		{"A6 late graft on an old call", func(b *tt.Builder) {
			b.Assistant(tt.Bash("old", "x"))
			at := b.Last()
			b.Next().User("main").Assistant(tt.Text("line")).Parent(at).Result("old", "denied").Next().Assistant(tt.Text("graft"))
		}, []string{"assistant: Bash(x)=denied/1", "user: main", "assistant: line", "assistant: graft"}},
		{
			"A14 compaction summary", func(b *tt.Builder) { b.User("old").Compact("what was").User("new") },
			[]string{"user: old", "notice: compacted", "summary: what was", "user: new"},
		},
		{"A18 thinking without text", func(b *tt.Builder) {
			b.Assistant(tt.Thinking("")).Assistant(tt.Bash("x", "ls")).Result("x", "ok").Next().Assistant(tt.Thinking(""))
		}, []string{"assistant: Bash(ls)=ok/1"}},
		{"A20 empty texts", func(b *tt.Builder) {
			b.Assistant(tt.Text(""), tt.Bash("x", "ls")).User("  \n").UserContent("[]", "").UserContent("null", "").UserContent(`""`, "").
				UserContent("["+tt.Image(64)+","+tt.Text("")+"]", "")
		}, []string{"assistant: Bash(ls)", "user: <image [image]>"}},
		{
			"A21 answer without a call", func(b *tt.Builder) { b.Result("x", "ok").User("next") },
			[]string{"user: <result ok>", "user: next"},
		},
		{"A24 one message written twice", func(b *tt.Builder) {
			b.User("hello")
			again := string(b.Bytes())
			b.System("init", "").Raw(again).Assistant(tt.Text("hi"))
		}, []string{"user: hello", "assistant: hi"}},
		{"A8 one uuid on many rows", func(b *tt.Builder) {
			for i := range 4 {
				b.Line(`{"type":"saved_hook_context","uuid":"X","parentUuid":"X"}`).User(fmt.Sprint(i))
			}
		}, []string{"user: 0", "user: 1", "user: 2", "user: 3"}},
		{"left out", func(b *tt.Builder) {
			b.Meta("meta").Attachment("note", "").System("turn_duration", `"durationMs":3`)
			b.Sidechain = true
			b.User("side").Assistant(tt.Text("side"))
		}, nil},
		{"commands", func(b *tt.Builder) {
			b.Command("/model", "opus", "Set model").Shell("git st", "clean").Command("/loop", "/ap", "").Assistant(tt.Text("x"))
		}, []string{"user: <command /model opus> <output Set model>", "user: <shell git st> <output clean>", "user: <command /loop /ap>", "assistant: x"}},
		{
			"unknown block", func(b *tt.Builder) { b.Assistant(`{"type":"hologram","data":1}`, `7`, `{"type":"tool_use"}`) },
			[]string{"assistant: <other hologram> ()"},
		},
		{"members of the wrong type", func(b *tt.Builder) {
			b.Line(`{"type":"user","uuid":5,"timestamp":{},"message":"none"}`).Line(`{"type":"user","message":{"content":{"a":1}}}`).User("x")
		}, []string{"user: x"}},
		{"A16 lone surrogates", func(b *tt.Builder) { b.UserContent(`"a\ud83db"`, "") }, []string{"user: a\uFFFDb"}},
		{"arguments", func(b *tt.Builder) {
			b.Assistant(tt.ToolUse("1", "Read", `{"limit":3,"file_path":"/a b"}`), tt.ToolUse("2", "Odd", `{"zz":"z","aa":"two\nlines"}`), tt.ToolUse("3", "Num", `{"n":[1, 2]}`), tt.ToolUse("4", "None", `{}`))
		}, []string{"assistant: Read(/a b) Odd(two lines) Num({\"n\":[1,2]}) None()"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			b := tt.New(sid)
			tc.b(b)
			tail := readTail(t, b.Bytes(), 100)
			if diff := cmp.Diff(tc.want, show(tail.Messages)); diff != "" || tail.Earlier || tail.Damage != 0 {
				t.Errorf("earlier %t, damage %d; want → got:\n%s", tail.Earlier, tail.Damage, diff)
			}
		})
	}
}

// TestReadTailCount asks for the last messages only: they are those of a full
// reading.
func TestReadTailCount(t *testing.T) {
	t.Parallel()
	data := append(richSession().Bytes(), benchSession(5, 900<<10)...)
	all := readTail(t, data, 1<<20)
	if all.Earlier {
		t.Error("earlier messages behind all")
	}
	for _, n := range []int{0, 1, 2, 3, 7, 50, len(all.Messages) - 1, len(all.Messages)} {
		got := readTail(t, data, n)
		want := all.Messages[len(all.Messages)-n:]
		if diff := cmp.Diff(want, got.Messages, cmpopts.EquateEmpty()); diff != "" || got.Earlier != (n < len(all.Messages)) {
			t.Errorf("last %d of %d, earlier %t:\n%s", n, len(all.Messages), got.Earlier, diff)
		}
	}
}

// counting notes how much was read.
type counting struct {
	io.ReaderAt
	bytes int
}

func (c *counting) ReadAt(b []byte, off int64) (int, error) {
	n, err := c.ReaderAt.ReadAt(b, off)
	c.bytes += n
	return n, err
}

func TestReadTailReadsTheTail(t *testing.T) {
	t.Parallel()
	data := benchSession(5, 4<<20)
	c := &counting{ReaderAt: bytes.NewReader(data)}
	if _, err := transcript.ReadTail(t.Context(), c, int64(len(data)), 20); err != nil || c.bytes > 1<<20 {
		t.Errorf("%d of %d bytes read, %v", c.bytes, len(data), err)
	}
}

func TestReadTailLimits(t *testing.T) {
	t.Parallel()
	b := tt.New(sid).User(strings.Repeat("é", 50<<10)).Assistant(tt.Bash("x", "ls")).Result("x", strings.Repeat("가\n", 5000))
	m := readTail(t, b.Bytes(), 9).Messages
	if text := m[0].Blocks[0]; len(text.Text) != 64<<10 || text.Cut != 36<<10 {
		t.Errorf("text of %d bytes, %d cut", len(text.Text), text.Cut)
	}
	if a := m[1].Blocks[0].Answer; len(a.Text)+a.Cut != 20000 || len(a.Text) > 4<<10 || strings.Contains(a.Text, "\uFFFD") || a.Lines != 5000 {
		t.Errorf("result of %d bytes, %d cut, %d lines", len(a.Text), a.Cut, a.Lines)
	}
}

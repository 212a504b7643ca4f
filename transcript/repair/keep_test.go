package repair_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"coppice/transcript/ledger"
	"coppice/transcript/repair"
	tt "coppice/transcript/transcripttest"
)

// show writes a conversation: a line for each message, then how it ends, then
// its repairs.
func show(c repair.Conversation) (lines []string) {
	for _, m := range c.Messages {
		var blocks []string
		for _, b := range m.Blocks {
			blocks = append(blocks, showBlock(b))
		}
		lines = append(lines, m.Role+": "+strings.Join(blocks, " | "))
	}
	lines = append(lines, "turn "+string(c.Turn))
	for _, r := range c.Repairs {
		lines = append(lines, fmt.Sprintf("%d %s", r.Line, r.Kind))
	}
	return lines
}

func showBlock(b repair.Block) string {
	if b.Made != repair.Recorded && b.Made != repair.MadeOutcome {
		return "<" + string(b.Made) + ">"
	}
	var f struct {
		Text, ID, Thinking string
		CallID             string `json:"tool_use_id"`
		Content            any
	}
	_ = json.Unmarshal(b.JSON, &f)
	switch {
	case b.Made == repair.MadeOutcome:
		return "result " + f.CallID + " <" + string(b.Made) + ">"
	case b.Type == "text":
		return fmt.Sprintf("%q", f.Text)
	case b.Type == "tool_use":
		return "call " + f.ID
	case b.Type == "tool_result":
		return fmt.Sprintf("result %s %v", f.CallID, f.Content)
	}
	return b.Type
}

func call(id string) string { return tt.Bash(id, "ls") }

// Where Keep differs from the client: it loses nothing that was said.
func TestKeep(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name  string
		build func(b *tt.Builder)
		opt   repair.Options
		want  []string
	}{
		{
			"a finished turn", func(b *tt.Builder) { b.User("ask").Assistant(tt.Text("answer")) },
			repair.Options{},
			[]string{`user: "ask"`, `assistant: "answer"`, "turn done"},
		},
		{"A21 a call in the middle that nothing answers", func(b *tt.Builder) {
			b.User("ask").Assistant(tt.Text("looking"), call("c1")).User("never mind").Assistant(tt.Text("fine"))
		}, repair.Options{}, []string{
			`user: "ask"`, `assistant: "looking" | call c1`, `user: result c1 <outcome-unknown> | "never mind"`, `assistant: "fine"`, "turn done", "2 answered-call",
		}},
		{"A4 one of two calls in the middle", func(b *tt.Builder) {
			b.User("ask").Assistant(call("c1")).Assistant(call("c2")).Result("c2", "two").User("more").Assistant(tt.Text("fine"))
		}, repair.Options{}, []string{
			`user: "ask"`, `assistant: call c1 | call c2`, `user: result c1 <outcome-unknown> | result c2 two | "more"`, `assistant: "fine"`, "turn done", "2 answered-call",
		}},
		{
			"a call that an answer follows", func(b *tt.Builder) { b.User("ask").Assistant(call("c1")).Next().Assistant(tt.Text("fine")) },
			repair.Options{},
			[]string{`user: "ask"`, "assistant: call c1", "user: result c1 <outcome-unknown>", `assistant: "fine"`, "turn done", "2 answered-call"},
		},
		{"a result long behind its call", func(b *tt.Builder) {
			b.User("ask").Assistant(call("c1")).User("hurry").Assistant(tt.Text("wait")).Result("c1", "late").Next().Assistant(tt.Text("there"))
		}, repair.Options{}, []string{
			`user: "ask"`, "assistant: call c1", `user: result c1 late | "hurry"`, `assistant: "wait"`, "user: <no-content>", `assistant: "there"`, "turn done", "5 moved-result",
		}},
		{"a result before its call, and a prompt between", func(b *tt.Builder) {
			b.User("ask").Result("c1", "early").User("now").Assistant(call("c1")).User("and?").Assistant(tt.Text("there"))
		}, repair.Options{}, []string{
			`user: "ask\n" | "now"`, "assistant: call c1", `user: result c1 early | "and?"`, `assistant: "there"`, "turn done", "2 moved-result",
		}},
		{"A21 a result of no call, a text beside it", func(b *tt.Builder) {
			b.Plain("user", `[`+tt.ToolResult("c9", "lost")+`,`+tt.Text("kept")+`]`, "").Assistant(tt.Text("answer"))
		}, repair.Options{}, []string{`user: "kept"`, `assistant: "answer"`, "turn done", "1 orphan-result"}},
		{"one id for two calls", func(b *tt.Builder) {
			b.User("ask").Assistant(call("c1")).Result("c1", "one").Next().Assistant(call("c1")).Result("c1", "two").Next().Assistant(tt.Text("both"))
		}, repair.Options{}, []string{
			`user: "ask"`, "assistant: call c1", "user: result c1 one", "assistant: call c1-2", "user: result c1-2 two", `assistant: "both"`, "turn done", "4 duplicate-call", "5 duplicate-call",
		}},
		{"one id for two calls of a message", func(b *tt.Builder) {
			b.User("ask").Assistant(call("c1"), call("c1")).Result("c1", "one").Result("c1", "two").Next().Assistant(tt.Text("both"))
		}, repair.Options{}, []string{
			`user: "ask"`, "assistant: call c1 | call c1-2", "user: result c1 one | result c1-2 two", `assistant: "both"`, "turn done", "2 duplicate-call", "4 duplicate-call",
		}},
		{"one id for two calls of a message and for one before it", func(b *tt.Builder) {
			b.User("ask").Assistant(call("c1")).Result("c1", "zero").Next().Assistant(call("c1"), call("c1"), call("c1"))
			b.Result("c1", "one").Result("c1", "two").Result("c1", "three").Next().Assistant(tt.Text("all"))
		}, repair.Options{}, []string{
			`user: "ask"`, "assistant: call c1", "user: result c1 zero", "assistant: call c1-2 | call c1-3 | call c1-4",
			"user: result c1-2 one | result c1-3 two | result c1-4 three", `assistant: "all"`, "turn done",
			"4 duplicate-call", "4 duplicate-call", "4 duplicate-call", "5 duplicate-call", "6 duplicate-call", "7 duplicate-call",
		}},
		{"one id for two calls, one result", func(b *tt.Builder) {
			b.User("ask").Assistant(call("c1"), call("c1")).Result("c1", "one").Next().Assistant(tt.Text("done"))
		}, repair.Options{}, []string{
			`user: "ask"`, "assistant: call c1 | call c1-2", "user: result c1-2 <outcome-unknown> | result c1 one", `assistant: "done"`, "turn done",
			"2 duplicate-call", "2 answered-call",
		}},
		{"a call has the id that another one gets", func(b *tt.Builder) {
			b.User("ask").Assistant(call("c1")).Result("c1", "one").Next()
			b.Assistant(call("c1"), call("c1-2")).Result("c1", "two").Result("c1-2", "three").Next().Assistant(tt.Text("all"))
		}, repair.Options{}, []string{
			`user: "ask"`, "assistant: call c1", "user: result c1 one", "assistant: call c1-2 | call c1-2-2", "user: result c1-2 two | result c1-2-2 three",
			`assistant: "all"`, "turn done", "4 duplicate-call", "4 duplicate-call", "5 duplicate-call", "6 duplicate-call",
		}},
		{"two results of a call", func(b *tt.Builder) {
			b.User("ask").Assistant(call("c1")).Result("c1", "one").Result("c1", "two").Next().Assistant(tt.Text("done"))
		}, repair.Options{}, []string{`user: "ask"`, "assistant: call c1", "user: result c1 one", `assistant: "done"`, "turn done", "4 duplicate-result"}},
		{"calls that no request may hold", func(b *tt.Builder) {
			b.User("ask").Assistant(tt.ToolUse("c 1", "ls", "{}"), tt.ToolUse("c2", "ls", `"x"`)).Result("c 1", "one").Next().Assistant(tt.Text("done"))
		}, repair.Options{}, []string{
			`user: "ask"`, "assistant: call c_1 | <call-interrupted>", "user: result c_1 one", `assistant: "done"`, "turn done", "2 broken-call", "2 broken-call", "3 broken-call",
		}},
		{
			"begins with an answer", func(b *tt.Builder) { b.Assistant(tt.Text("hello")).User("hi").Assistant(tt.Text("well")) },
			repair.Options{},
			[]string{"user: <opening>", `assistant: "hello"`, `user: "hi"`, `assistant: "well"`, "turn done", "1 opened"},
		},
		{
			"A18 only thinking", func(b *tt.Builder) { b.User("ask").Assistant(tt.Thinking("hm")) },
			repair.Options{},
			[]string{`user: "ask"`, "assistant: <closing>", "turn prompt", "1 closed", "2 dropped-thinking"},
		},
		{
			"A18 thinking behind a text", func(b *tt.Builder) { b.User("ask").Assistant(tt.Text("so")).Assistant(tt.Thinking("hm")) },
			repair.Options{},
			[]string{`user: "ask"`, `assistant: thinking | "so"`, "turn done", "3 moved-thinking"},
		},
		{"A20 blank texts", func(b *tt.Builder) {
			b.Plain("user", `[`+tt.Text("")+`,`+tt.Image(64)+`]`, "").Assistant(tt.Text(" \n"), call("c1")).Result("c1", "one").Assistant(tt.Text("\n")).User(" ").Assistant(tt.Text("done"))
		}, repair.Options{}, []string{
			"user: image", "assistant: call c1", "user: result c1 one", `assistant: "done"`, "turn done", "4 dropped-blank",
		}},
		{
			"an API error at the end", func(b *tt.Builder) { b.User("ask").APIError("overloaded") },
			repair.Options{},
			[]string{`user: "ask"`, "assistant: <closing>", "turn prompt", "1 closed", "2 dropped-error"},
		},
		{"legacy attachments", func(b *tt.Builder) {
			b.User("ask").Node("attachment", `"attachment":{"type":"new_file","filename":"a.txt","content":{"type":"text","file":{"content":"body"}}}`).
				Node("attachment", `"attachment":{"type":"todo","content":[]}`).Assistant(tt.Text("answer"))
		}, repair.Options{}, []string{
			`user: "ask"`, "system: <note>", `assistant: "answer"`, "turn done", "2 migrated-attachment", "3 skipped-attachment",
		}},
		{"cache marks", func(b *tt.Builder) {
			b.Plain("user", `[{"type":"text","text":"ask","cache_control":{"type":"ephemeral"}}]`, "").Assistant(tt.Text("answer"))
		}, repair.Options{}, []string{`user: "ask"`, `assistant: "answer"`, "turn done", "1 dropped-mark"}},
		{
			"a prompt that nothing answered, carried on", func(b *tt.Builder) { b.User("ask") },
			repair.Options{CarryOn: true},
			[]string{`user: "ask\n" | <carry-on>`, "turn prompt", "1 carried-on"},
		},
		{
			"a call at the end, carried on", func(b *tt.Builder) { b.User("ask").Assistant(call("c1")) },
			repair.Options{CarryOn: true},
			[]string{`user: "ask"`, "assistant: call c1", "user: result c1 <outcome-unknown> | <carry-on>", "turn calls", "0 carried-on", "2 answered-call"},
		},
		{"stopped by a person: nothing to carry on", func(b *tt.Builder) {
			b.User("ask").Assistant(tt.Text("well")).Plain("user", `[`+tt.Text("[Request interrupted by user]")+`]`, "")
		}, repair.Options{CarryOn: true}, []string{
			`user: "ask"`, `assistant: "well"`, `user: "[Request interrupted by user]"`, "assistant: <closing>", "turn stopped", "3 closed",
		}},
		{
			"results that the model did not see", func(b *tt.Builder) { b.User("ask").Assistant(call("c1")).Result("c1", "one") },
			repair.Options{},
			[]string{`user: "ask"`, "assistant: call c1", "user: result c1 one", "assistant: <closing>", "turn results", "3 closed"},
		},
		{
			"a local command at the end", func(b *tt.Builder) { b.User("ask").Assistant(tt.Text("answer")).Command("/cost", "", "little") },
			repair.Options{},
			[]string{
				`user: "ask"`, `assistant: "answer"`,
				`user: "<command-name>/cost</command-name>\n            <command-message>cost</command-message>\n            <command-args></command-args>\n" | "<local-command-stdout>little</local-command-stdout>"`,
				"assistant: <closing>", "turn done", "4 closed",
			},
		},
		{
			"thinking of another model", func(b *tt.Builder) { b.User("ask").Assistant(tt.Thinking("hm"), tt.Text("answer")) },
			repair.Options{Model: "claude-other-1"},
			[]string{`user: "ask"`, `assistant: "answer"`, "turn done", "2 dropped-thinking"},
		},
		{
			"the next prompt", func(b *tt.Builder) { b.User("ask") },
			repair.Options{Prompt: []json.RawMessage{json.RawMessage(tt.Text("more"))}},
			[]string{`user: "ask"`, "assistant: <closing>", `user: "more"`, "turn prompt", "1 closed"},
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			b := tt.New(sessionID)
			test.build(b)
			conv, _ := conversation(t, b.Bytes(), ledger.Keep, test.opt)
			if diff := cmp.Diff(test.want, show(conv)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if p := problems(conv); len(p) > 0 {
				t.Errorf("the API would refuse it: %v", p)
			}
		})
	}
}

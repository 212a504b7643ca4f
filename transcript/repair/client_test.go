package repair_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"coppice/transcript/ledger"
	"coppice/transcript/repair"
	tt "coppice/transcript/transcripttest"
)

// told writes an attachment that records what it told the model.
func told(b *tt.Builder, role, text string) *tt.Builder {
	return b.Node("attachment", `"attachment":{"type":"date"},"rendered":[{"content":`+tt.Quote("<system-reminder>\n"+text+"\n</system-reminder>")+`}],"renderedRole":"`+role+`"`)
}

func command(b *tt.Builder, text string) *tt.Builder {
	return b.Node("system", `"subtype":"local_command","content":`+tt.Quote(text))
}

func blocks(b *tt.Builder, list ...string) *tt.Builder {
	return b.Plain("user", "["+strings.Join(list, ",")+"]", "")
}

// observed A.4, in the detail in which the client (2.1.332) was run for it.
func TestClientInDetail(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name  string
		build func(b *tt.Builder)
		want  []string
	}{
		{"texts of rows that follow each other", func(b *tt.Builder) {
			blocks(b.User("a"), tt.Text("b"), tt.Text("c")).User("d\n").User("e").Assistant(tt.Text("z"))
		}, []string{`user: "a\n" | "b" | "c\n" | "d\n\n" | "e"`, `assistant: "z"`}},
		{"blank texts of users", func(b *tt.Builder) {
			blocks(b, tt.Text(" "), tt.Text("a")).Assistant(tt.Text("x")).User(" ").Next().Assistant(tt.Text("y")).User("b").User(" ").Next().Assistant(tt.Text("z"))
		}, []string{`user: "a"`, `assistant: "x"`, `user: " "`, `assistant: "y"`, `user: "b\n"`, `assistant: "z"`}},
		{"blank texts of assistants, alone and merged", func(b *tt.Builder) {
			b.User("a").Assistant(tt.Text(""), tt.Text(" "), tt.Text("x")).User("b").Next().Assistant(tt.Text(" "), tt.Text("y")).Assistant(tt.Text("z"))
		}, []string{`user: "a"`, `assistant: " " | "x"`, `user: "b"`, `assistant: "y" | "z"`}},
		{"results come first where rows are merged, not in one row", func(b *tt.Builder) {
			b.User("a").Assistant(call("c1"))
			blocks(b, tt.Text("x"), tt.ToolResult("c1", "one")).Next().Assistant(call("c2")).User("y").Result("c2", "two").User("z")
		}, []string{
			`user: "a"`, "assistant: call c1", `user: "x" | result c1 one`, "assistant: call c2", `user: result c2 two | "y\n" | "z"`, "assistant: <closing>",
		}},
		{"calls go behind texts", func(b *tt.Builder) {
			b.User("a").Assistant(call("c1"), tt.Text("x")).Result("c1", "one").AssistantID("m", tt.Text("z"))
		}, []string{`user: "a"`, `assistant: "x" | call c1`, "user: result c1 one", `assistant: "z"`}},
		{"but not where thinking stands around them", func(b *tt.Builder) {
			b.User("a").Assistant(tt.Thinking("p"), call("c1"), tt.Thinking("q"), tt.Text("x")).Result("c1", "one").AssistantID("m", tt.Text("z"))
		}, []string{`user: "a"`, `assistant: thinking | call c1 | thinking | "x"`, "user: result c1 one", `assistant: "z"`}},
		{"a message across results and another message", func(b *tt.Builder) {
			b.User("a").AssistantID("m", tt.Text("x"), call("c1")).Result("c1", "one").AssistantID("n", tt.Text("o")).AssistantID("m", tt.Text("y"))
		}, []string{`user: "a"`, `assistant: "x" | "y" | call c1`, "user: result c1 one", `assistant: "o"`}},
		{"a message across a prompt is two", func(b *tt.Builder) {
			b.User("a").AssistantID("m", tt.Text("x")).User("b").AssistantID("m", tt.Text("y"))
		}, []string{`user: "a"`, `assistant: "x"`, `user: "b"`, `assistant: "y"`}},
		{"thinking whose message goes on behind a prompt", func(b *tt.Builder) {
			b.User("a").AssistantID("m", tt.Thinking("p")).User("b").AssistantID("m", tt.Text("y"))
		}, []string{`user: "a"`, "assistant: thinking", `user: "b"`, `assistant: "y"`}},
		{"a message of calls that nothing answers goes with its thinking", func(b *tt.Builder) {
			b.User("a").Assistant(tt.Thinking("p")).Assistant(call("c1")).User("b").Next().Assistant(tt.Text("z"))
		}, []string{`user: "a\n" | "b"`, `assistant: "z"`}},
		{"a row keeps its call when another one in it is answered", func(b *tt.Builder) {
			b.User("a").Assistant(tt.Text("x"), call("c1"), call("c2")).Result("c1", "one").User("b").Next().Assistant(tt.Text("z"))
		}, []string{`user: "a"`, `assistant: "x" | call c1 | call c2`, `user: result c2 <outcome-unknown> | result c1 one | "b"`, `assistant: "z"`}},
		{"an early result, a reminder beside it", func(b *tt.Builder) {
			told(b.User("a").Result("c1", "one"), "user", "r").Next().Assistant(call("c1")).User("b").Next().Assistant(tt.Text("z"))
		}, []string{`user: "a"`, "assistant: call c1", `user: result c1 one` + "\n\n" + `<system-reminder>` + "\nr\n" + `</system-reminder> | "b"`, `assistant: "z"`}},
		{"an early result, a prompt between", func(b *tt.Builder) {
			b.User("a").Result("c1", "one").User("b").Next().Assistant(call("c1")).Next().Assistant(tt.Text("z"))
		}, []string{`user: "a\n" | "b"`, "assistant: call c1", "user: result c1 <outcome-unknown>", `assistant: "z"`}},
		{"told in system messages: behind the user's, together", func(b *tt.Builder) {
			told(told(b.Assistant(tt.Text("x")), "system", "r"), "system", "s").User("a").User("b").Next().Assistant(tt.Text("z"))
		}, []string{`assistant: "x"`, `user: "a\n" | "b"`, `system: "r\n\ns"`, `assistant: "z"`}},
		{"told in a system message between two answers: the user's", func(b *tt.Builder) {
			told(b.User("a").Assistant(tt.Text("x")), "system", "r").Next().Assistant(tt.Text("z"))
		}, []string{`user: "a"`, `assistant: "x"`, `user: "<system-reminder>\nr\n</system-reminder>"`, `assistant: "z"`}},
		{"told in user messages: in front of what the user said", func(b *tt.Builder) {
			told(told(b, "user", "r").User("a").User("b"), "user", "s").Assistant(tt.Text("z"))
		}, []string{`user: "<system-reminder>\nr\n</system-reminder>" | "<system-reminder>\ns\n</system-reminder>\n" | "a\n" | "b"`, `assistant: "z"`}},
		{"told beside a result that is a list", func(b *tt.Builder) {
			b.User("a").Assistant(call("c1"))
			told(blocks(b, `{"type":"tool_result","tool_use_id":"c1","content":[{"type":"text","text":"one"}]}`), "user", "r").Next().Assistant(tt.Text("z"))
		}, []string{
			`user: "a"`, "assistant: call c1", "user: result c1 [map[text:one\n type:text] map[text:<system-reminder>\nr\n</system-reminder> type:text]]", `assistant: "z"`,
		}},
		{"told beside a result and a text", func(b *tt.Builder) {
			b.User("a").Assistant(call("c1"))
			told(blocks(b, tt.ToolResult("c1", "one"), tt.Text("b")), "user", "r").Next().Assistant(tt.Text("z"))
		}, []string{`user: "a"`, "assistant: call c1", `user: result c1 one | "b" | "<system-reminder>\nr\n</system-reminder>"`, `assistant: "z"`}},
		{"a failed result holds texts only, a number is text", func(b *tt.Builder) {
			b.User("a").Assistant(call("c1"), call("c2"))
			blocks(b, `{"type":"tool_result","tool_use_id":"c1","is_error":true,"content":[{"type":"text","text":"no"},`+tt.Image(8)+`]}`,
				`{"type":"tool_result","tool_use_id":"c2","content":5}`).Next().Assistant(tt.Text("z"))
		}, []string{`user: "a"`, "assistant: call c1 | call c2", "user: result c1 [map[text:no type:text]] | result c2 5", `assistant: "z"`}},
		{"a command without output", func(b *tt.Builder) { command(b.User("a"), "").Assistant(tt.Text("z")) }, []string{`user: "a\n" | <no-content>`, `assistant: "z"`}},
		{"the closing stands before commands", func(b *tt.Builder) { command(b.User("a"), "ls") }, []string{`user: "a"`, "assistant: <closing>", `user: "ls"`}},
		{"a server tool's call without its result", func(b *tt.Builder) {
			b.User("a").Assistant(tt.Text("x"), `{"type":"server_tool_use","id":"s1","name":"web_search","input":{}}`).User("b").Next().
				Assistant(`{"type":"mcp_tool_use","id":"s2","name":"x","input":{}}`)
		}, []string{`user: "a"`, `assistant: "x"`, `user: "b"`, "assistant: <call-interrupted>"}},
		{"an API error at the end is not closed", func(b *tt.Builder) { b.User("a").APIError("overloaded") }, []string{`user: "a"`}},
		{"an API error of a real model is an answer", func(b *tt.Builder) {
			b.User("a").Node("assistant", `"message":{"model":"claude-opus-5-5","content":[`+tt.Text("overloaded")+`]},"isApiErrorMessage":true`)
		}, []string{`user: "a"`, `assistant: "overloaded"`}},
		{"what is no block", func(b *tt.Builder) {
			b.Plain("user", `["x",null,{"text":"y"},{"type":"text","text":5},`+tt.Text("a")+`]`, "").Assistant(tt.Text("z"))
		}, []string{`user: "a"`, `assistant: "z"`}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			b := tt.New(sessionID)
			test.build(b)
			conv, _ := conversation(t, b.Bytes(), ledger.Client, repair.Options{})
			if diff := cmp.Diff(test.want, show(conv)[:len(conv.Messages)]); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// What the kinds of attachments that record no text tell, and in what kind of
// message.
func TestNotes(t *testing.T) {
	t.Parallel()
	tests := []struct{ attachment, role, text string }{
		{`"type":"queued_command","prompt":"also this"`, "system", "The user sent this while you worked:\nalso this"},
		{`"type":"queued_command","prompt":[{"type":"text","text":"also"},{"type":"text","text":"this"}]`, "system", "The user sent this while you worked:\nalso\nthis"},
		{`"type":"queued_command"`, "system", "The user sent this while you worked:\n"},
		{`"type":"queued_command","prompt":[{"type":"text","text":"look"},{"type":"image","source":{"type":"url","url":"u"}}]`, "user", "<system-reminder>\nThe user sent this while you worked:\nlook\n</system-reminder>"},
		{`"type":"file","filename":"a.txt","content":{"file":{"content":"body"}}`, "system", "The file a.txt holds:\nbody"},
		{`"type":"file","filename":"a.txt","content":"body"`, "", ""},
		{`"type":"edited_text_file","filename":"a.txt","snippet":"1 x"`, "system", "The file a.txt was changed by someone:\n1 x"},
		{`"type":"hook_success","hookName":"SessionStart:startup","hookEvent":"SessionStart","content":"hello"`, "system", "The hook SessionStart:startup said:\nhello"},
		{`"type":"hook_success","hookName":"PostToolUse:Bash","hookEvent":"PostToolUse","content":"hello"`, "", ""},
		{`"type":"hook_success","hookName":"SessionStart:startup","hookEvent":"SessionStart","content":""`, "", ""},
		{`"type":"hook_additional_context","hookName":"h","content":["a","b"]`, "system", "The hook h added:\na\nb"},
		{`"type":"async_hook_response","hookName":"h","response":{"systemMessage":"s","hookSpecificOutput":{"additionalContext":"c"}}`, "system", "The hook h answered:\ns\nc"},
		{`"type":"session_context","context":{"gitStatus":"clean"}`, "user", "<system-reminder>\nContext:\nclean\n</system-reminder>"},
		{`"type":"invoked_skills","skills":[{"content":"one"},{"content":"two"}]`, "system", "Skills used before:\none\ntwo"},
		{`"type":"diagnostics","files":[{"diagnostics":[{"message":"m1"},{"message":"m2"}]}]`, "system", "New diagnostics:\nm1\nm2"},
		{`"type":"date","date":"2026-03-04"`, "system", "The date is 2026-03-04."},
		{`"type":"hook_cancelled","hookName":"h"`, "", ""},
		{`"type":"new_file","filename":"a.txt","content":{"file":{"content":"body"}}`, "", ""},
		{`"type":"todo","content":[]`, "", ""},
		{`"type":"prompt_snapshot","systemPrompt":["x"]`, "", ""},
		{`"type":"martian"`, "", ""},
	}
	for _, test := range tests {
		t.Run(test.attachment, func(t *testing.T) {
			t.Parallel()
			data := tt.New(sessionID).User("ask").Node("attachment", `"attachment":{`+test.attachment+`}`).Assistant(tt.Text("answer")).Bytes()
			conv, _ := conversation(t, data, ledger.Client, repair.Options{})
			role, text := "", ""
			for _, m := range conv.Messages {
				for _, b := range m.Blocks {
					if b.Made == repair.MadeNote {
						var f struct{ Text string }
						if err := json.Unmarshal(b.JSON, &f); err != nil {
							t.Fatal(err)
						}
						role, text = m.Role, f.Text
					}
				}
			}
			if want := []string{test.role, test.text}; role != want[0] || trimmed(text) != trimmed(want[1]) {
				t.Errorf("told in a %q message: %q, want %q: %q", role, text, test.role, test.text)
			}
		})
	}
}

// trimmed cuts the line feed off that merging adds.
func trimmed(s string) string {
	if n := len(s); n > 0 && s[n-1] == '\n' {
		return s[:n-1]
	}
	return s
}

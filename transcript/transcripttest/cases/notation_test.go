package cases_test

import (
	"encoding/json"
	"testing"

	"coppice/transcript/transcripttest"
	"coppice/transcript/transcripttest/cases"

	"github.com/google/go-cmp/cmp"
)

func TestNotation(t *testing.T) {
	t.Parallel()
	b := transcripttest.New(cases.SessionID)
	b.User("one").Assistant(transcripttest.Text("two"), transcripttest.Bash("toolu_1", "ls")).ResultRow("toolu_1", "three", true)
	b.Node("attachment", `"attachment":{"type":"queued_command","prompt":"four"}`)
	messages := []cases.Message{
		{Role: "user", Content: json.RawMessage(`"one"`)},
		{Role: "user", Content: json.RawMessage(`[{"type":"text","text":"one\n","cache_control":{}},{"type":"text","text":"<system-reminder>x</system-reminder>"},{"type":"text","text":"five"}]`)},
		{Role: "assistant", Content: json.RawMessage(`[{"type":"text","text":"two"},{"type":"tool_use","id":"toolu_1","name":"Bash","input":{"b":1,"a":"<"}}]`)},
		{Role: "user", Content: json.RawMessage(`[{"type":"tool_result","tool_use_id":"toolu_1","content":"three","is_error":true},{"type":"tool_result","tool_use_id":"toolu_2","content":[{"type":"text","text":"six"}]}]`)},
		{Role: "system", Content: json.RawMessage(`[{"type":"text","text":"they said: four!"},{"type":"text","text":"seven"}]`)},
		{Role: "user", Content: json.RawMessage(`"<system-reminder>they said: four!</system-reminder>"`)},
		{Role: "assistant", Content: json.RawMessage(`[{"type":"thinking","thinking":"t","signature":"s"},{"type":"other","x":[1]}]`)},
	}
	const want = `user: text "one"
user: text "one\n"
user+ made text
assistant: text "two"
assistant+ tool_use toolu_1 Bash {"a":"<","b":1}
user: tool_result toolu_1 "three" error
user+ made tool_result toolu_2
system: note "four"
user: note "four"
assistant: thinking "t" signed "s"
assistant+ other {"x":[1]}
`
	if diff := cmp.Diff(want, cases.Notation(b.Bytes(), messages)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	rows := []cases.Row{
		{Type: "user", Content: json.RawMessage(`[{"type":"tool_result","tool_use_id":"toolu_1","content":"x","is_error":true}]`), Parent: b.UUID(2), Source: b.UUID(2)},
		{Type: "assistant", Content: json.RawMessage(`[{"type":"text","text":"y"}]`)},
		{Type: "assistant", Content: json.RawMessage(`[{"type":"text","text":"two"}]`), Parent: b.Gone(1)},
	}
	const appended = `user: made tool_result toolu_1 error, below line 2, source line 2
assistant: made text, below the row before
assistant: text "two", below no row
`
	if diff := cmp.Diff(appended, cases.AppendedNotation(b.Bytes(), rows)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

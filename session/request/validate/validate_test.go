package validate_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"coppice/session/request/validate"
)

// history returns messages: "user:CONTENT" lines, where CONTENT is JSON.
func history(lines ...string) []validate.Message {
	out := make([]validate.Message, len(lines))
	for i, line := range lines {
		role, content, _ := strings.Cut(line, ":")
		out[i] = validate.Message{Role: role, Content: json.RawMessage(content)}
	}
	return out
}

const (
	ask    = `user:"list the files"`
	call   = `assistant:[{"type":"text","text":"looking"},{"type":"tool_use","id":"c1","name":"ls","input":{}}]`
	result = `user:[{"type":"tool_result","tool_use_id":"c1","content":"a b"},{"type":"text","text":"quickly"}]`
	done   = `assistant:[{"type":"text","text":"two files"}]`
)

func TestHistory(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name  string
		lines []string
		want  []validate.Rule
	}{
		{"a whole turn", []string{ask, call, result, done}, nil},
		{"nothing", nil, nil},
		{"two users, two assistants", []string{ask, ask, done, done}, nil},
		{"told in the middle", []string{ask, `system:"it is late"`, done}, nil},
		{"begins with an answer", []string{done, ask}, []validate.Rule{validate.Opening}},
		{"begins with what is told", []string{`system:"it is late"`, ask}, []validate.Rule{validate.Opening}},
		{"no such role", []string{ask, `tool:"x"`}, []validate.Rule{validate.Role}},
		{"call without result", []string{ask, call}, []validate.Rule{validate.Unanswered}},
		{"call answered too late", []string{ask, call, done, result}, []validate.Rule{validate.Unanswered, validate.UnknownCall}},
		{"call answered behind what is told", []string{ask, call, `system:"late"`, result}, []validate.Rule{validate.Unanswered, validate.UnknownCall}},
		{"call answered in the second message", []string{ask, call, ask, result}, []validate.Rule{validate.Unanswered, validate.UnknownCall}},
		{"call answered twice", []string{ask, call, `user:[{"type":"tool_result","tool_use_id":"c1"},{"type":"tool_result","tool_use_id":"c1"}]`}, []validate.Rule{validate.UnknownCall}},
		{"result of no call", []string{ask, done, result}, []validate.Rule{validate.UnknownCall}},
		{"result without a call's id", []string{ask, done, `user:[{"type":"tool_result","content":"x"}]`}, []validate.Rule{validate.Shape}},
		{"result behind a text", []string{ask, call, `user:[{"type":"text","text":"x"},{"type":"tool_result","tool_use_id":"c1"}]`}, []validate.Rule{validate.ResultsFirst}},
		{"result of a strange content", []string{ask, call, `user:[{"type":"tool_result","tool_use_id":"c1","content":5}]`}, []validate.Rule{validate.Shape}},
		{"result with a call in it", []string{ask, call, `user:[{"type":"tool_result","tool_use_id":"c1","content":[{"type":"tool_use","id":"x","name":"y","input":{}}]}]`}, []validate.Rule{validate.Place}},
		{"failed result with an image", []string{ask, call, `user:[{"type":"tool_result","tool_use_id":"c1","is_error":true,"content":[{"type":"image","source":{"type":"url","url":"u"}}]}]`}, []validate.Rule{validate.Place}},
		{"result with a blank text", []string{ask, call, `user:[{"type":"tool_result","tool_use_id":"c1","content":[{"type":"text","text":" "}]}]`}, []validate.Rule{validate.Blank}},
		{"one id twice", []string{ask, call, result, call, result}, []validate.Rule{validate.CallID}},
		{"an id with a blank", []string{ask, `assistant:[{"type":"tool_use","id":"c 1","name":"ls","input":{}}]`}, []validate.Rule{validate.CallID}},
		{"input is no object", []string{ask, `assistant:[{"type":"tool_use","id":"c1","name":"ls","input":"x"}]`, result}, []validate.Rule{validate.Shape}},
		{"call by the user", []string{`user:[{"type":"tool_use","id":"c1","name":"ls","input":{}}]`}, []validate.Rule{validate.Place}},
		{"result by the assistant", []string{ask, `assistant:[{"type":"tool_result","tool_use_id":"c1"}]`}, []validate.Rule{validate.Place}},
		{"image that is told", []string{ask, `system:[{"type":"image","source":{"type":"url","url":"u"}}]`}, []validate.Rule{validate.Place}},
		{"no blocks", []string{`user:[]`}, []validate.Rule{validate.Empty}},
		{"no text", []string{`user:""`}, []validate.Rule{validate.Empty}},
		{"blank text", []string{ask, `assistant:[{"type":"text","text":" \n\t"}]`}, []validate.Rule{validate.Blank}},
		{"null", []string{`user:null`}, []validate.Rule{validate.Shape}},
		{"null in the list", []string{`user:[null]`}, []validate.Rule{validate.Shape}},
		{"text is a number", []string{`user:[{"type":"text","text":5}]`}, []validate.Rule{validate.Shape}},
		{"block without type", []string{`user:[{"text":"x"}]`}, []validate.Rule{validate.Shape}},
		{"block of a new type", []string{`user:[{"type":"hologram","text":5,"id":{}}]`}, nil},
		{"not JSON", []string{`user:[`}, []validate.Rule{validate.Encoding}},
		{"not UTF-8", []string{"user:\"\xff\""}, []validate.Rule{validate.Encoding}},
		{"first half of a pair", []string{`user:"\ud83d!"`}, []validate.Rule{validate.Encoding}},
		{"second half of a pair", []string{`user:"\udc00"`}, []validate.Rule{validate.Encoding}},
		{"half a pair at the end", []string{`user:"\ud83d\n"`}, []validate.Rule{validate.Encoding}},
		{"a whole pair", []string{`user:"\ud83d\ude00 \\ud83d"`}, nil},
		{"thinking first", []string{ask, `assistant:[{"type":"thinking","thinking":"","signature":"s"},{"type":"text","text":"x"}]`}, nil},
		{"thinking in turns", []string{ask, `assistant:[{"type":"thinking","thinking":"","signature":"s"},{"type":"text","text":"x"},{"type":"redacted_thinking","data":"s"},{"type":"text","text":"x"}]`}, nil},
		{"thinking last", []string{ask, `assistant:[{"type":"thinking","thinking":"","signature":"s"}]`}, []validate.Rule{validate.Thinking}},
		{"thinking behind", []string{ask, `assistant:[{"type":"text","text":"x"},{"type":"thinking","thinking":"","signature":"s"},{"type":"text","text":"x"}]`}, []validate.Rule{validate.Thinking}},
		{"thinking without signature", []string{ask, `assistant:[{"type":"thinking","thinking":"x"},{"type":"text","text":"x"}]`}, []validate.Rule{validate.Thinking}},
		{"hidden thinking without data", []string{ask, `assistant:[{"type":"redacted_thinking"},{"type":"text","text":"x"}]`}, []validate.Rule{validate.Thinking}},
		{"thinking by the user", []string{`user:[{"type":"thinking","thinking":"","signature":"s"},{"type":"text","text":"x"}]`}, []validate.Rule{validate.Place}},
		{"image", []string{`user:[{"type":"image","source":{"type":"base64","media_type":"image/png","data":"aGk="}}]`}, nil},
		{"image of no kind", []string{`user:[{"type":"image","source":{"type":"base64","media_type":"image/tiff","data":"aGk="}}]`}, []validate.Rule{validate.Shape}},
		{"image from nowhere", []string{`user:[{"type":"image"}]`}, []validate.Rule{validate.Shape}},
		{"documents", []string{`user:[{"type":"document","source":{"type":"text","media_type":"text/plain","data":"x"}},{"type":"document","source":{"type":"base64","media_type":"application/pdf","data":"aGk="}},` +
			`{"type":"document","source":{"type":"file","file_id":"f"}},{"type":"document","source":{"type":"content","content":"x"}}]`}, nil},
		{"four marks", []string{marked(4)}, nil},
		{"five marks", []string{marked(5)}, []validate.Rule{validate.CacheMarks}},
		{"mark on thinking", []string{ask, `assistant:[{"type":"thinking","thinking":"","signature":"s","cache_control":{"type":"ephemeral"}},{"type":"text","text":"x"}]`}, []validate.Rule{validate.CacheMarks}},
		{"blank at the end", []string{ask, `assistant:"x "`}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(tt.want, rules(validate.History(history(tt.lines...)))); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// marked returns a user message with so many cache marks.
func marked(n int) string {
	block := `{"type":"text","text":"x","cache_control":{"type":"ephemeral"}}`
	return "user:[" + strings.TrimSuffix(strings.Repeat(block+",", n), ",") + "]"
}

func rules(problems []validate.Problem) (out []validate.Rule) {
	for _, p := range problems {
		out = append(out, p.Rule)
	}
	return out
}

func TestRequest(t *testing.T) {
	t.Parallel()
	mark := json.RawMessage(`{"type":"text","text":"x","cache_control":{"type":"ephemeral"}}`)
	tests := []struct {
		name          string
		system, tools []json.RawMessage
		lines         []string
		want          []validate.Rule
	}{
		{name: "ends on the user", lines: []string{ask, done, ask}},
		{name: "ends on results", lines: []string{ask, call, result}},
		{name: "ends on an answer", lines: []string{ask, done}},
		{name: "ends on an answer with a blank", lines: []string{ask, `assistant:"x "`}, want: []validate.Rule{validate.Ending}},
		{name: "ends on a block with a blank", lines: []string{ask, `assistant:[{"type":"text","text":"x\n"}]`}, want: []validate.Rule{validate.Ending}},
		{name: "nothing", want: []validate.Rule{validate.Empty}},
		{name: "marks everywhere", system: []json.RawMessage{mark}, tools: []json.RawMessage{mark}, lines: []string{marked(2)}},
		{name: "one mark too many", system: []json.RawMessage{mark}, tools: []json.RawMessage{mark}, lines: []string{marked(3)}, want: []validate.Rule{validate.CacheMarks}},
		{name: "a tool that is not JSON", tools: []json.RawMessage{json.RawMessage(`{`)}, lines: []string{ask}, want: []validate.Rule{validate.Encoding}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(tt.want, rules(validate.Request(tt.system, tt.tools, history(tt.lines...)))); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestProblemSaysWhere(t *testing.T) {
	t.Parallel()
	got := validate.History(history(ask, `assistant:[{"type":"text","text":" "}]`, call))
	want := []string{"message 1, block 0: a text is white space (blank)", "message 2: 1 calls of the message before have no result here (unanswered)"}
	var said []string
	for _, p := range got {
		said = append(said, p.String())
	}
	if diff := cmp.Diff(want, said); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func FuzzHistory(f *testing.F) {
	for _, line := range []string{ask, call, result, done, marked(5), `user:[null]`, `user:"\ud83d"`} {
		role, content, _ := strings.Cut(line, ":")
		f.Add(role, []byte(content))
	}
	f.Fuzz(func(t *testing.T, role string, content []byte) {
		ms := append(history(ask), validate.Message{Role: role, Content: content})
		if len(validate.Request(nil, nil, ms)) < len(validate.History(ms)) {
			t.Error("a request has fewer problems than its history")
		}
	})
}

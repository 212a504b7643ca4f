package request_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tidwall/gjson"

	"coppice/session/request"
	"coppice/transcript/ledger"
	"coppice/transcript/repair"
)

// block returns a recorded block.
func block(js string) repair.Block {
	return repair.Block{Type: gjson.Get(js, "type").Str, JSON: json.RawMessage(js)}
}

func text(s string) repair.Block { return block(`{"type":"text","text":` + quoted(s) + `}`) }

func use(id string) repair.Block {
	return block(`{"type":"tool_use","id":"` + id + `","name":"Bash","input":{}}`)
}

func answer(id, s string) repair.Block {
	return block(`{"tool_use_id":"` + id + `","type":"tool_result","content":` + quoted(s) + `,"is_error":false}`)
}

func quoted(s string) string {
	b, err := json.Marshal(s)
	if err != nil {
		panic(err)
	}
	return string(b)
}

func user(blocks ...repair.Block) repair.Message { return repair.Message{Role: "user", Blocks: blocks} }

func model(blocks ...repair.Block) repair.Message {
	return repair.Message{Role: "assistant", ID: "msg_1", Blocks: blocks}
}

func build(t *testing.T, in request.Input) request.Request {
	t.Helper()
	before, err := json.Marshal(in)
	if err != nil {
		t.Fatal(err)
	}
	req, err := request.Build(in)
	if err != nil {
		t.Fatal(err)
	}
	after, err := json.Marshal(in)
	if err != nil {
		t.Fatal(err)
	}
	if string(before) != string(after) {
		t.Error("Build changed its input")
	}
	return req
}

func talk(messages ...repair.Message) request.Input {
	return request.Input{Conversation: repair.Conversation{Policy: ledger.Keep, Messages: messages}}
}

// shown returns the messages in one line each: role and blocks.
func shown(req request.Request) []string {
	var lines []string
	for _, m := range req.Messages {
		line := m.Role + ":"
		for _, b := range m.Content {
			line += " " + string(b)
		}
		lines = append(lines, line)
	}
	return lines
}

func TestBuildKeepsBytes(t *testing.T) {
	t.Parallel()
	odd := `{ "type":"text", "text":"\u003cb\u003e & \ud83d\ude00 é", "later":[1, 2] }`
	in := talk(user(block(odd), text("go on")), model(block(`{"type":"thinking","thinking":"…","signature":"c2ln"}`), text("yes")), user(text("next")), model(text("done")))
	in.Conversation.Repairs = []repair.Repair{{Kind: repair.Closed, Line: 3, UUID: "u", Detail: "d"}}
	got := build(t, in)
	if s := string(got.Messages[0].Content[0]); s != odd {
		t.Errorf("a recorded block became %s", s)
	}
	if got.Policy != "keep" || !slices.Equal(got.Repairs, []request.Repair{{Kind: "closed", Line: 3, UUID: "u", Detail: "d"}}) {
		t.Errorf("policy %q, repairs %v", got.Policy, got.Repairs)
	}
	js, err := json.Marshal(build(t, talk()))
	if err != nil {
		t.Fatal(err)
	}
	if want := `{"system":[],"tools":[],"messages":[],"tokens":0,"policy":"keep","repairs":[]}`; string(js) != want {
		t.Errorf("an empty request is %s", js)
	}
}

func TestReplacementsAreApplied(t *testing.T) {
	t.Parallel()
	in := talk(
		user(text("run")),
		model(use("a"), use("b")),
		user(
			answer("a", "long"),
			block(`{"type":"tool_result","tool_use_id":"b","content":[{"type":"text","text":"one"},{"type":"image","source":{"type":"base64"}},{"type":"text","text":"two"}],"x":1}`)),
	)
	in.Replacements = []request.Replacement{{"a", "<short> \"a\""}, {"a", "later"}, {"b", "short b"}, {"gone", "?"}}
	got := shown(build(t, in))[2]
	want := `user: {"tool_use_id":"a","type":"tool_result","content":"<short> \"a\"","is_error":false}` +
		` {"type":"tool_result","tool_use_id":"b","content":[{"type":"text","text":"short b"},{"type":"image","source":{"type":"base64"}}],"x":1,"cache_control":{"type":"ephemeral"}}`
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// The client was not seen to replace a result, or to send skills first (observed A.6).
func TestClientSendsWhatIsRecorded(t *testing.T) {
	t.Parallel()
	in := talk(user(text("run")), model(use("a")), user(answer("a", strings.Repeat("x", 9000))))
	in.Conversation.Policy = ledger.Client
	want := shown(build(t, in))
	in.Replacements = []request.Replacement{{"a", "short"}}
	in.Skills = []json.RawMessage{json.RawMessage(`{"role":"user","content":"skill"}`)}
	in.Budget = request.Budget{PerResult: 10, PerTurn: 10, Seen: true}
	if diff := cmp.Diff(want, shown(build(t, in))); diff != "" {
		t.Errorf("(-without +with):\n%s", diff)
	}
}

func TestBudget(t *testing.T) {
	t.Parallel()
	long := func(n int) string { return strings.Repeat("é", n/2) }
	tests := []struct {
		name     string
		messages []repair.Message
		budget   request.Budget
		recorded []request.Replacement
		want     []string // calls replaced anew
	}{
		{"no bound", []repair.Message{user(text("p")), model(use("a")), user(answer("a", long(90_000)))}, request.Budget{}, nil, nil},
		{
			"one is too long",
			[]repair.Message{user(text("p")), model(use("a"), use("b")), user(answer("a", long(9000)), answer("b", long(2000)))},
			request.Budget{PerResult: 8000},
			nil,
			[]string{"a"},
		},
		{
			"the largest first, reported in their order",
			[]repair.Message{user(text("p")), model(use("a"), use("b"), use("c")), user(answer("a", long(5000)), answer("b", long(3000)), answer("c", long(6000)))},
			request.Budget{PerTurn: 8000},
			nil,
			[]string{"a", "c"},
		},
		{
			"of equal ones the earlier",
			[]repair.Message{user(text("p")), model(use("a"), use("b")), user(answer("a", long(5000)), answer("b", long(5000)))},
			request.Budget{PerTurn: 8000},
			nil,
			[]string{"a"},
		},
		{
			"what the model has seen stays, but counts",
			[]repair.Message{user(text("p")), model(use("a")), user(answer("a", long(9000))), model(use("b")), user(answer("b", long(3000)))},
			request.Budget{PerTurn: 8000},
			nil,
			[]string{"b"},
		},
		{
			"a turn of its own",
			[]repair.Message{user(text("p")), model(use("a")), user(answer("a", long(9000))), model(text("ok")), user(text("q")), model(use("b")), user(answer("b", long(3000)))},
			request.Budget{PerTurn: 8000},
			nil, nil,
		},
		{
			"a session that is taken over",
			[]repair.Message{user(text("p")), model(use("a")), user(answer("a", long(9000))), model(text("ok")), user(text("q"))},
			request.Budget{PerResult: 8000, Seen: true},
			nil,
			[]string{"a"},
		},
		{
			"a closing that was made is no answer",
			[]repair.Message{user(text("p")), model(use("a")), user(answer("a", long(9000))), model(repair.Block{Type: "text", JSON: json.RawMessage(`{"type":"text","text":"x"}`), Made: repair.MadeClosing})},
			request.Budget{PerResult: 8000},
			nil,
			[]string{"a"},
		},
		{
			"recorded ones count as short",
			[]repair.Message{user(text("p")), model(use("a"), use("b")), user(answer("a", long(9000)), answer("b", long(7000)))},
			request.Budget{PerTurn: 8000},
			[]request.Replacement{{"a", "short"}},
			nil,
		},
		{
			"a bound below any note",
			[]repair.Message{user(text("p")), model(use("a"), use("b")), user(answer("a", long(100)), answer("b", long(1000)))},
			request.Budget{PerResult: 1, PerTurn: 1},
			nil,
			[]string{"b"},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			in := talk(tt.messages...)
			in.Budget, in.Replacements = tt.budget, tt.recorded
			req := build(t, in)
			var got []string
			for _, r := range req.Replaced {
				got = append(got, r.CallID)
				if !strings.Contains(r.Text, "bytes long") || len(r.Text) > 2300 || strings.ContainsRune(r.Text, '\uFFFD') {
					t.Errorf("the text of %s is %q", r.CallID, r.Text)
				}
				if tt.budget.PerResult > 500 && len(r.Text) > tt.budget.PerResult {
					t.Errorf("the text of %s has %d bytes", r.CallID, len(r.Text))
				}
				if !strings.Contains(strings.Join(shown(req), ""), quoted(r.Text)) {
					t.Errorf("the text of %s is not sent", r.CallID)
				}
			}
			if !slices.Equal(got, tt.want) {
				t.Errorf("replaced %q, want %q", got, tt.want)
			}
		})
	}
}

func TestSkillsComeFirst(t *testing.T) {
	t.Parallel()
	skill := json.RawMessage(`{"role":"user","content":[{"type":"text","text":"skill"}]}`)
	plain := json.RawMessage(`{"role":"user","content":"plain"}`)
	in := talk(user(text("hello")), model(text("hi")))
	in.Skills = []json.RawMessage{skill, plain}
	want := []string{
		`user: {"type":"text","text":"skill"} {"type":"text","text":"plain"} {"type":"text","text":"hello"}`,
		`assistant: {"type":"text","text":"hi","cache_control":{"type":"ephemeral"}}`,
	}
	if diff := cmp.Diff(want, shown(build(t, in))); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	in.Conversation.Messages = []repair.Message{model(text("hi"))}
	if got := build(t, in).Messages; len(got) != 2 || got[0].Role != "user" || len(got[0].Content) != 2 {
		t.Errorf("before an assistant message: %v", got)
	}
	for _, bad := range []string{`{`, `{"role":"assistant","content":"x"}`, `[]`, ``} {
		in.Skills = []json.RawMessage{json.RawMessage(bad)}
		if _, err := request.Build(in); err == nil {
			t.Errorf("the state %q of a skill is taken", bad)
		}
	}
}

func TestCacheMarks(t *testing.T) {
	t.Parallel()
	marked := `"cache_control":{"type":"ephemeral"}`
	in := talk(
		user(text("one"), block(`{"type":"text","text":"x","cache_control":{"type":"ephemeral","ttl":"1h"}}`)),
		model(text("two"), use("a")),
		user(block(`{"type":"tool_result","tool_use_id":"a","content":[{"type":"text","text":"r","cache_control":{"type":"ephemeral"}}]}`)),
		model(block(`{"type":"thinking","thinking":"t","signature":"s"}`)),
		user(text("three")),
		model(block(`{"type":"thinking","thinking":"t","signature":"s"}`)),
	)
	in.System = []json.RawMessage{json.RawMessage(`{"type":"text","text":"s1"}`), json.RawMessage(`{"type":"text","text":"s2"}`)}
	in.Tools = []json.RawMessage{json.RawMessage(`{"name":"Bash","cache_control":{"type":"ephemeral"}}`), json.RawMessage(`{"name":"Read"}`)}
	req := build(t, in)
	js, err := json.Marshal(req)
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(js), "cache_control"); n != 4 {
		t.Errorf("%d marks in %s", n, js)
	}
	for where, b := range map[string]json.RawMessage{
		"system": req.System[1], "tool": req.Tools[1],
		"the last message that takes one": req.Messages[4].Content[0], "the end of the request before": req.Messages[2].Content[0],
	} {
		if !strings.HasSuffix(string(b), marked+"}") {
			t.Errorf("%s has no mark: %s", where, b)
		}
	}
	if req.Tokens == 0 || req.Tokens > len(js)/4 {
		t.Errorf("%d tokens for %d bytes", req.Tokens, len(js))
	}
}

func TestOddBlocks(t *testing.T) {
	t.Parallel()
	for i, js := range []string{`null`, `[]`, `""`, `{}`, `{"type":5}`, `{"type":"tool_result"}`, `{"type":"tool_result","tool_use_id":null,"content":7}`} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			t.Parallel()
			b := repair.Block{Type: "tool_result", JSON: json.RawMessage(js)}
			in := talk(user(b))
			in.Budget = request.Budget{PerResult: 10, PerTurn: 10}
			in.Replacements = []request.Replacement{{"", "x"}}
			for _, c := range build(t, in).Messages[0].Content {
				if !json.Valid(c) {
					t.Errorf("%s became %s", js, c)
				}
			}
		})
	}
}

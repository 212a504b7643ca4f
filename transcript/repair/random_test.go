package repair_test

import (
	"fmt"
	"strings"

	"pgregory.net/rapid"

	"coppice/transcript/transcripttest"
)

const sessionID = "0badcafe-1111-4222-8333-444455556666"

// scribe writes rows of all kinds, sense or nonsense.
type scribe struct {
	*transcripttest.Builder
	t *rapid.T
	n int
}

func (s *scribe) pick(label string, from ...string) string {
	return rapid.SampledFrom(from).Draw(s.t, label)
}

// random writes a transcript of rows that hang below each other.
func random(t *rapid.T) *scribe {
	s := &scribe{Builder: transcripttest.New(sessionID), t: t}
	for range rapid.IntRange(0, 14).Draw(t, "rows") {
		s.row()
	}
	return s
}

func (s *scribe) row() {
	switch s.pick("row", "user", "user", "user", "assistant", "assistant", "assistant", "assistant", "told", "command", "odd") {
	case "user":
		s.Node("user", `"message":{"role":"user","content":`+s.content(s.userBlock)+`}`+s.pick("flag", "", "", "", `,"isMeta":true`, `,"isCompactSummary":true`))
	case "assistant":
		id := s.pick("id", `"id":"m1",`, `"id":"m2",`, `"id":"m3",`, "", s.fresh(`"id":"m-%d",`))
		model := s.pick("model", "claude-a", "claude-a", "claude-a", "claude-b", "<synthetic>")
		s.Node("assistant", `"message":{`+id+`"model":"`+model+`","role":"assistant","content":`+s.content(s.answerBlock)+`}`+s.pick("flag", "", "", "", `,"isApiErrorMessage":true`))
	case "told":
		s.Node("attachment", s.pick("attachment",
			s.fresh(`"attachment":{"type":"date"},"rendered":[{"content":"<system-reminder>\nit is %d\n</system-reminder>"}],"renderedRole":"system"`),
			s.fresh(`"attachment":{"type":"date"},"rendered":[{"content":"<system-reminder>\nit is %d\n</system-reminder>"}],"renderedRole":"user"`),
			s.fresh(`"attachment":{"type":"queued_command","prompt":"also %d","commandMode":"prompt"}`),
			`"attachment":{"type":"new_file","filename":"a.txt","content":{"file":{"content":"text"}}}`,
			`"attachment":{"type":"todo"}`, `"attachment":5`, `"rendered":[{"content":" "}],"attachment":{"type":"date"}`))
	case "command":
		s.Node("system", s.pick("command", `"subtype":"local_command","content":"<command-name>/x</command-name>"`,
			`"subtype":"local_command","content":""`, `"subtype":"local_command"`, `"subtype":"informational","content":"note"`))
	case "odd":
		s.Node(s.pick("odd", "progress", "martian", "user", "assistant"), "")
	}
}

// fresh returns a text with a number that no other has.
func (s *scribe) fresh(format string) string {
	s.n++
	return fmt.Sprintf(format, s.n)
}

// content returns the JSON content of a message.
func (s *scribe) content(block func() string) string {
	switch s.pick("content", "blocks", "blocks", "blocks", "blocks", "text", "odd") {
	case "text":
		return s.text()
	case "odd":
		return s.pick("odd content", "null", "5", "[]", "{}", "[null]", `["a"]`, `[{"type":"text"}]`, `[{"type":"text","text":5}]`)
	}
	blocks := make([]string, rapid.IntRange(1, 3).Draw(s.t, "blocks"))
	for i := range blocks {
		blocks[i] = block()
	}
	return "[" + strings.Join(blocks, ",") + "]"
}

func (s *scribe) text() string {
	return s.pick("text", s.fresh(`"words %d"`), s.fresh(`"words %d"`), s.fresh(`"  words %d\n"`), `""`, `" \n\u00a0"`, `"half \ud83d of a pair"`, "\"not \xff UTF-8\"",
		`"[Request interrupted by user]"`)
}

func (s *scribe) callID() string {
	return s.pick("call", "t1", "t2", "t3", "t4", "t1", "t 5", s.fresh("u%d"))
}

func (s *scribe) userBlock() string {
	switch s.pick("user block", "result", "result", "text", "text", "odd") {
	case "result":
		return `{"type":"tool_result","tool_use_id":"` + s.callID() + `"` +
			s.pick("result", `,"content":`+s.text(), "", `,"content":null`, `,"content":[]`, `,"content":7`, `,"content":{}`, `,"content":[null,{"type":"text","text":"x"}]`,
				`,"content":[{"type":"text","text":" "},{"type":"image","source":{"type":"url","url":"u"}}]`) +
			s.pick("failed", "", `,"is_error":true`) + s.mark() + `}`
	case "text":
		return `{"type":"text","text":` + s.text() + s.mark() + `}`
	}
	return s.pick("odd user block", `{"type":"image","source":{"type":"url","url":"u"}}`, `{"type":"tool_use","id":"t1","name":"x","input":{}}`,
		`{"type":"thinking","thinking":"x","signature":"s"}`, `{"type":"tool_result"}`, `{"type":"hologram"}`)
}

func (s *scribe) mark() string {
	return s.pick("mark", "", "", "", `,"cache_control":{"type":"ephemeral"}`)
}

func (s *scribe) answerBlock() string {
	switch s.pick("answer block", "call", "call", "text", "text", "thinking", "odd") {
	case "call":
		return `{"type":"tool_use","id":"` + s.callID() + `","name":"ls","input":{"n":` + s.fresh("%d") + `}` + s.mark() + `}`
	case "text":
		return `{"type":"text","text":` + s.text() + s.mark() + `}`
	case "thinking":
		return s.pick("thinking", s.fresh(`{"type":"thinking","thinking":"hm %d","signature":"s"}`), `{"type":"thinking","thinking":"","signature":"s"}`,
			`{"type":"redacted_thinking","data":"d"}`, `{"type":"thinking","thinking":"unsigned"}`, `{"type":"redacted_thinking"}`,
			`{"type":"thinking","thinking":"x","signature":"s","cache_control":{"type":"ephemeral"}}`)
	}
	return s.pick("odd answer block", `{"type":"server_tool_use","id":"s1","name":"web_search","input":{}}`, `{"type":"web_search_tool_result","tool_use_id":"s1","content":[]}`,
		`{"type":"tool_result","tool_use_id":"t1","content":"x"}`, `{"type":"tool_use","id":"t1","name":"ls","input":"text"}`, `{"type":"tool_use","name":"ls","input":{}}`,
		`{"type":"tool_use","id":"t2","input":{}}`, `{"type":"hologram","id":5}`)
}

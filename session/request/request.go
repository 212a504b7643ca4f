// Package request makes what is sent to the provider from a session's state:
// system, tools and messages, within budgets, with cache marks, and such that the
// beginning stays byte for byte the same from turn to turn and across a resume.
//
// It sends nothing, decides nothing about a conversation that repair did not
// leave open, and reads no file.
package request

import (
	"encoding/json"
	"fmt"

	"github.com/tidwall/gjson"

	"coppice/transcript/ledger"
	"coppice/transcript/repair"
)

// Budget bounds tool results, in bytes of text. Zero means no bound. A result
// that is too long is replaced by its size, its beginning and a hint, which no
// bound makes shorter than that hint.
type Budget struct {
	PerResult int // of one result
	PerTurn   int // of all results of one turn, from a prompt to the next; largest first
	// Seen applies the bounds also to results that the model has answered to. It
	// changes the beginning of the request once, so it is for a session that is
	// taken over, whose cache is gone anyway. Without it only new results are
	// replaced, and what was sent whole stays whole.
	Seen bool
}

// Replacement is a result that was replaced to fit a budget; recorded once, it is
// applied in every later request, whatever the budget is then. Text stands for
// all text of the result; other blocks of it stay.
type Replacement struct {
	CallID string
	Text   string
}

// Input is what a request is made of. Build does not change it.
type Input struct {
	System       []json.RawMessage // blocks; empty where the transcript records none
	Tools        []json.RawMessage
	Conversation repair.Conversation
	Skills       []json.RawMessage // messages with the state of invoked skills, sent first
	Replacements []Replacement     // recorded ones; of several for one call the first holds
	Budget       Budget
}

// Request is a request for a message, without model and limits. The JSON names
// are those of docs/json.md, `show --request`. Its lists are never nil, and share
// the bytes of the Input where nothing was changed.
type Request struct {
	System   []json.RawMessage `json:"system"`
	Tools    []json.RawMessage `json:"tools"`
	Messages []Message         `json:"messages"`
	Tokens   int               `json:"tokens"` // an estimate: bytes / 4
	Policy   string            `json:"policy"`
	Repairs  []Repair          `json:"repairs"`
	// Replaced are the replacements that this request decided anew, in the order of
	// their results: the writer records them.
	Replaced []Replacement `json:"-"`
}

// Message is one message as it is sent.
type Message struct {
	Role    string            `json:"role"`
	Content []json.RawMessage `json:"content"`
}

// Repair is one repair, as shown.
type Repair struct {
	Kind   string `json:"kind"`
	Line   int    `json:"line"`
	UUID   string `json:"uuid"`
	Detail string `json:"detail"`
}

// Build makes a request. One by the client's policy has neither skills in front
// nor replaced results: the client was not seen to do either (observed A.6). The
// error is one of a skill's state that is no message.
func Build(in Input) (Request, error) {
	if in.Conversation.Policy == ledger.Client {
		in.Skills, in.Replacements, in.Budget = nil, nil, Budget{}
	}
	skills, err := readSkills(in.Skills)
	if err != nil {
		return Request{}, err
	}
	c := in.Conversation
	req := Request{
		System: unmarked(in.System), Tools: unmarked(in.Tools),
		Messages: make([]Message, 0, len(c.Messages)+len(skills)),
		Policy:   c.Policy.String(), Repairs: make([]Repair, 0, len(c.Repairs)),
	}
	for _, r := range c.Repairs {
		req.Repairs = append(req.Repairs, Repair{Kind: string(r.Kind), Line: r.Line, UUID: r.UUID, Detail: r.Detail})
	}
	texts, replaced := decide(c.Messages, in.Replacements, in.Budget)
	req.Replaced = replaced
	for _, m := range c.Messages {
		out := Message{Role: m.Role, Content: make([]json.RawMessage, 0, len(m.Blocks))}
		for _, b := range m.Blocks {
			out.Content = append(out.Content, unmark(substitute(b, texts)))
		}
		if len(out.Content) > 0 {
			req.Messages = append(req.Messages, out)
		}
	}
	req.Messages = withSkills(skills, req.Messages)
	req.Tokens = estimate(req)
	mark(&req)
	return req, nil
}

// readSkills reads messages with the state of skills.
func readSkills(raw []json.RawMessage) ([]Message, error) {
	skills := make([]Message, 0, len(raw))
	for i, data := range raw {
		if !gjson.ValidBytes(data) || gjson.GetBytes(data, "role").Str != "user" {
			return nil, fmt.Errorf("build the request: the state of skill %d is no user message", i+1)
		}
		m := Message{Role: "user"}
		content := gjson.GetBytes(data, "content")
		if content.Type == gjson.String {
			m.Content = append(m.Content, json.RawMessage(`{"type":"text","text":`+content.Raw+`}`))
		}
		content.ForEach(func(_, block gjson.Result) bool {
			if content.IsArray() && block.IsObject() {
				m.Content = append(m.Content, unmark(json.RawMessage(block.Raw)))
			}
			return true
		})
		if len(m.Content) > 0 {
			skills = append(skills, m)
		}
	}
	return skills, nil
}

// withSkills puts the state of skills first: into the first message where a
// person speaks, so that no two messages of one role follow each other.
func withSkills(skills, messages []Message) []Message {
	if len(skills) == 0 {
		return messages
	}
	var blocks []json.RawMessage
	for _, s := range skills {
		blocks = append(blocks, s.Content...)
	}
	if len(messages) > 0 && messages[0].Role == "user" && blockType(messages[0].Content[0]) != "tool_result" {
		messages[0].Content = append(blocks, messages[0].Content...)
		return messages
	}
	return append([]Message{{Role: "user", Content: blocks}}, messages...)
}

// estimate returns the tokens of a request, roughly.
func estimate(req Request) int {
	n := 0
	for _, list := range [][]json.RawMessage{req.System, req.Tools} {
		for _, block := range list {
			n += len(block)
		}
	}
	for _, m := range req.Messages {
		for _, block := range m.Content {
			n += len(block)
		}
	}
	return n / 4
}

func blockType(block json.RawMessage) string { return gjson.GetBytes(block, "type").Str }

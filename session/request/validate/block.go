package validate

import (
	"encoding/json"
	"slices"
	"strings"
)

// block holds the members that rules ask for.
type block struct {
	Type      string          `json:"-"` // Kind's text
	Kind      optional        `json:"type"`
	Text      optional        `json:"text"`
	ID        optional        `json:"id"`
	Name      optional        `json:"name"`
	Input     json.RawMessage `json:"input"`
	CallID    optional        `json:"tool_use_id"`
	Content   json.RawMessage `json:"content"`
	Failed    json.RawMessage `json:"is_error"`
	Thinking  optional        `json:"thinking"`
	Signature optional        `json:"signature"`
	Data      optional        `json:"data"`
	Source    json.RawMessage `json:"source"`
	Mark      json.RawMessage `json:"cache_control"`
}

// optional is a member that is a string, if it is there.
type optional struct {
	s  string
	ok bool
}

// UnmarshalJSON takes any value; one that is no string is as if it were not
// there.
func (o *optional) UnmarshalJSON(raw []byte) error {
	*o = optional{}
	if len(raw) > 0 && raw[0] == '"' && json.Unmarshal(raw, &o.s) == nil {
		o.ok = true
	}
	return nil
}

func (b *block) thinks() bool { return b.Type == "thinking" || b.Type == "redacted_thinking" }

// content checks the content of a message.
func (c *checker) content(m Message) {
	if text, ok := str(m.Content); ok {
		c.text(text)
		return
	}
	list, ok := blocks(m.Content)
	if !ok {
		c.report(Shape, "the content is neither a text nor a list of blocks")
		return
	}
	if len(list) == 0 {
		c.report(Empty, "the message has no content")
		return
	}
	others := false // a block that is no result was there
	for i := range list {
		b := &list[i]
		c.block = i
		c.mark1(b)
		if b.Type == "tool_result" && others {
			c.report(ResultsFirst, "a result stands behind other blocks")
		}
		others = others || b.Type != "tool_result"
		c.place(m.Role, b)
		c.shape(b)
	}
	c.thinking(list)
}

// place checks that a block may stand in a message of a role, and the calls.
func (c *checker) place(role string, b *block) {
	switch {
	case b.Type == "tool_use" && role != "assistant", b.thinks() && role != "assistant",
		b.Type == "tool_result" && role != "user", role == "system" && b.Type != "text":
		c.report(Place, "a message of the role %s holds no %s", role, b.Type)
	case b.Type == "tool_use":
		c.call(b)
	case b.Type == "tool_result":
		c.result(b)
	}
}

// call checks a call and expects its result.
func (c *checker) call(b *block) {
	switch {
	case b.ID.s == "" || strings.IndexFunc(b.ID.s, notInID) >= 0:
		c.report(CallID, "a call has an id that is none")
		return
	case c.calls[b.ID.s]:
		c.report(CallID, "two calls have one id")
	}
	c.calls[b.ID.s] = true
	if c.open == nil {
		c.open = map[string]bool{}
	}
	c.open[b.ID.s] = true
}

// result checks that a result answers a call.
func (c *checker) result(b *block) {
	switch {
	case !b.CallID.ok:
		c.report(Shape, "a result names no call")
	case !c.open[b.CallID.s]:
		c.report(UnknownCall, "a result answers no call of the message before, or one that has a result")
	default:
		delete(c.open, b.CallID.s)
	}
}

func notInID(r rune) bool {
	return r != '_' && r != '-' && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z')
}

// shape checks the members of a block.
func (c *checker) shape(b *block) {
	switch b.Type {
	case "":
		c.report(Shape, "a block has no type")
	case "text":
		if !b.Text.ok {
			c.report(Shape, "a text block has no text")
			return
		}
		c.text(b.Text.s)
	case "tool_use":
		if b.Name.s == "" || !object(b.Input) {
			c.report(Shape, "a call has no name, or no members as input")
		}
	case "tool_result":
		c.resultContent(b)
	case "image", "document":
		c.source(b)
	}
}

// resultContent checks what a result says. It may say nothing.
func (c *checker) resultContent(b *block) {
	if f := string(b.Failed); f != "" && f != "true" && f != "false" && f != "null" {
		c.report(Shape, "is_error is neither true nor false")
	}
	if _, ok := str(b.Content); ok || len(b.Content) == 0 {
		return
	}
	list, ok := blocks(b.Content)
	if !ok {
		c.report(Shape, "the content of a result is neither a text nor a list of blocks")
		return
	}
	for i := range list {
		c.mark1(&list[i])
		if t := list[i].Type; t == "tool_use" || t == "tool_result" || list[i].thinks() {
			c.report(Place, "a result holds no %s", t)
			continue
		}
		if string(b.Failed) == "true" && list[i].Type != "text" {
			c.report(Place, "a failed result holds texts only")
		}
		c.shape(&list[i])
	}
}

// source checks where an image or a document comes from.
func (c *checker) source(b *block) {
	var s struct {
		Type   string          `json:"type"`
		Media  string          `json:"media_type"`
		Data   string          `json:"data"`
		URL    string          `json:"url"`
		FileID string          `json:"file_id"`
		Inside json.RawMessage `json:"content"`
	}
	ok := json.Unmarshal(b.Source, &s) == nil
	switch s.Type {
	case "base64":
		images := []string{"image/jpeg", "image/png", "image/gif", "image/webp"}
		ok = ok && s.Data != "" && (b.Type == "image" && slices.Contains(images, s.Media) || b.Type == "document" && s.Media == "application/pdf")
	case "url":
		ok = ok && s.URL != ""
	case "file":
		ok = ok && s.FileID != ""
	case "text":
		ok = ok && b.Type == "document" && s.Data != ""
	case "content":
		ok = ok && b.Type == "document" && len(s.Inside) > 0
	default:
		ok = false
	}
	if !ok {
		c.report(Shape, "the source of the %s is none", b.Type)
	}
}

// thinking checks where thinking stands in an assistant message.
func (c *checker) thinking(list []block) {
	first := -1
	for i := range list {
		b := &list[i]
		if !b.thinks() {
			continue
		}
		c.block = i
		if first < 0 {
			first = i
		}
		switch {
		case b.Type == "thinking" && (!b.Thinking.ok || !b.Signature.ok):
			c.report(Thinking, "thinking has no signature")
		case b.Type == "redacted_thinking" && !b.Data.ok:
			c.report(Thinking, "hidden thinking has no data")
		}
		if len(b.Mark) > 0 && string(b.Mark) != "null" {
			c.report(CacheMarks, "thinking has a cache mark")
		}
	}
	switch {
	case first > 0:
		c.report(Thinking, "thinking is there, and the message does not begin with it")
	case first == 0 && list[len(list)-1].thinks():
		c.report(Thinking, "the last block is thinking")
	}
}

// mark1 counts a block's cache mark.
func (c *checker) mark1(b *block) {
	if len(b.Mark) > 0 && string(b.Mark) != "null" {
		c.marks++
	}
}

// mark counts the cache mark of a system block or a tool.
func (c *checker) mark(raw json.RawMessage) {
	var b block
	if json.Unmarshal(raw, &b) == nil {
		c.mark1(&b)
	}
}

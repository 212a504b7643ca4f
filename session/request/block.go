package request

import (
	"bytes"
	"encoding/json"

	"github.com/tidwall/gjson"

	"coppice/transcript"
	"coppice/transcript/repair"
)

// cacheMember marks a block as the end of what a cache may hold.
const cacheMember = "cache_control"

// substitute returns a block, with the text of a replaced result in the place of
// its own.
func substitute(b repair.Block, texts map[string]string) json.RawMessage {
	if b.Type != "tool_result" || len(texts) == 0 {
		return b.JSON
	}
	text, ok := texts[gjson.GetBytes(b.JSON, "tool_use_id").Str]
	if !ok {
		return b.JSON
	}
	return edit(b.JSON, "content", replacedContent(gjson.GetBytes(b.JSON, "content"), text))
}

// replacedContent returns the content of a replaced result: the text alone, or
// before the blocks that are none.
func replacedContent(content gjson.Result, text string) []byte {
	quoted := transcript.Encode(text)
	out := append([]byte(`[{"type":"text","text":`), quoted...)
	out = append(out, '}')
	other := false
	if content.IsArray() {
		content.ForEach(func(_, block gjson.Result) bool {
			if block.Get("type").Str != "text" {
				out = append(append(out, ','), block.Raw...)
				other = true
			}
			return true
		})
	}
	if !other {
		return quoted
	}
	return append(out, ']')
}

// edit returns a copy of an object in which one member has another value, nil for
// none. Everything else keeps its bytes and its order. What is no object comes
// back as it is.
func edit(object json.RawMessage, name string, value []byte) json.RawMessage {
	parsed := gjson.ParseBytes(object)
	if !parsed.IsObject() {
		return object
	}
	out := make([]byte, 0, len(object)+len(name)+len(value)+4)
	out = append(out, '{')
	member := func(key string, val []byte) {
		if len(out) > 1 {
			out = append(out, ',')
		}
		out = append(append(append(out, key...), ':'), val...)
	}
	done := value == nil
	parsed.ForEach(func(key, val gjson.Result) bool {
		switch {
		case key.Str != name:
			member(key.Raw, []byte(val.Raw))
		case !done:
			member(key.Raw, value)
			done = true
		}
		return true
	})
	if !done {
		member(`"`+name+`"`, value)
	}
	return append(out, '}')
}

// unmark returns a block without cache marks, in itself and in the blocks of its
// content: a request may hold four of them, and those are ours to place.
func unmark(block json.RawMessage) json.RawMessage {
	if !bytes.Contains(block, []byte(cacheMember)) {
		return block
	}
	if gjson.GetBytes(block, cacheMember).Exists() {
		block = edit(block, cacheMember, nil)
	}
	content := gjson.GetBytes(block, "content")
	if !content.IsArray() || !bytes.Contains([]byte(content.Raw), []byte(cacheMember)) {
		return block
	}
	list := []byte{'['}
	content.ForEach(func(_, inner gjson.Result) bool {
		if len(list) > 1 {
			list = append(list, ',')
		}
		list = append(list, unmark(json.RawMessage(inner.Raw))...)
		return true
	})
	return edit(block, "content", append(list, ']'))
}

// unmarked returns blocks without marks, never nil.
func unmarked(blocks []json.RawMessage) []json.RawMessage {
	out := make([]json.RawMessage, 0, len(blocks))
	for _, block := range blocks {
		out = append(out, unmark(block))
	}
	return out
}

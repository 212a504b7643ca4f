package request

import (
	"encoding/json"
	"strings"

	"github.com/tidwall/gjson"
)

// ephemeral is the mark that a cache may end behind a block.
const ephemeral = `{"type":"ephemeral"}`

// mark places at most four cache marks: the last tool, the last system block, the
// message at which the previous request ended, and the last one. A mark is no
// part of what a cache compares.
func mark(req *Request) {
	markLast(req.Tools)
	markLast(req.System)
	last := markMessage(req.Messages, len(req.Messages)-1)
	if end := previousEnd(req.Messages, last); end >= 0 {
		markMessage(req.Messages, end)
	}
}

// previousEnd returns the index of the message at which the request before this
// one ended: the last user message in front of the model's newest answer.
func previousEnd(messages []Message, last int) int {
	for i := last - 1; i > 0; i-- {
		if messages[i].Role != "assistant" {
			continue
		}
		for i--; i >= 0; i-- {
			if messages[i].Role == "user" {
				return i
			}
		}
		break
	}
	return -1
}

// markMessage marks the last block that may be marked of the message at index
// at, or of the nearest one before it, and returns the index of that one.
func markMessage(messages []Message, at int) int {
	for ; at >= 0; at-- {
		if messages[at].Role != "system" && markLast(messages[at].Content) {
			return at
		}
	}
	return -1
}

// markLast marks the last block that may be marked.
func markLast(blocks []json.RawMessage) bool {
	for i := len(blocks) - 1; i >= 0; i-- {
		if markable(blocks[i]) {
			blocks[i] = edit(blocks[i], cacheMember, []byte(ephemeral))
			return true
		}
	}
	return false
}

// markable says whether the API takes a mark on a block: never on thinking, nor
// on an empty text.
func markable(block json.RawMessage) bool {
	if !gjson.ParseBytes(block).IsObject() {
		return false
	}
	switch blockType(block) {
	case "thinking", "redacted_thinking":
		return false
	case "text":
		return strings.TrimSpace(gjson.GetBytes(block, "text").Str) != ""
	}
	return true
}

package writer

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"
)

// part is what one row holds of a message.
type part struct {
	content json.RawMessage // of an assistant message one block, of a user message all of it
	call    string          // id of the call that the block makes or answers
	answer  bool
}

// block is what is looked at of a content block.
type block struct {
	Type   string
	ID     string
	CallID string `json:"tool_use_id"`
	Text   string
}

// split cuts a message into what its rows hold: one block of an assistant
// message each; the answers of a user message each for itself.
func split(m *Message) ([]part, error) {
	content := bytes.TrimSpace(valid(m.Content))
	if m.Role != "user" && m.Role != "assistant" {
		return nil, fmt.Errorf("role %q: %w", m.Role, ErrMessage)
	}
	if !json.Valid(content) {
		return nil, fmt.Errorf("content is not JSON: %w", ErrMessage)
	}
	var blocks []json.RawMessage
	if content[0] != '[' {
		if content[0] != '"' {
			return nil, fmt.Errorf("content is neither text nor blocks: %w", ErrMessage)
		}
		if m.Role == "user" {
			return []part{{content: content}}, nil
		}
		blocks = []json.RawMessage{fmt.Appendf(nil, `{"type":"text","text":%s}`, content)}
	} else if err := json.Unmarshal(content, &blocks); err != nil {
		return nil, fmt.Errorf("content: %w", ErrMessage)
	}
	if len(blocks) == 0 {
		return nil, fmt.Errorf("no content: %w", ErrMessage)
	}
	var parts []part
	var rest []json.RawMessage // blocks of a user message that answer nothing
	flush := func() {
		if len(rest) > 0 {
			parts = append(parts, part{content: array(rest)})
			rest = nil
		}
	}
	for _, raw := range blocks {
		var b block
		_ = json.Unmarshal(raw, &b) // a block of another shape is stored as it is
		switch {
		case m.Role == "assistant":
			parts = append(parts, part{content: raw, call: b.ID})
		case b.Type == "tool_result":
			flush()
			parts = append(parts, part{content: array([]json.RawMessage{raw}), call: b.CallID, answer: true})
		default:
			rest = append(rest, raw)
		}
	}
	flush()
	return parts, nil
}

func array(blocks []json.RawMessage) json.RawMessage {
	list := make([][]byte, len(blocks))
	for i, b := range blocks {
		list[i] = b
	}
	return append(append([]byte{'['}, bytes.Join(list, []byte{','})...), ']')
}

// maxPrompt is how much of a prompt a last-prompt record holds, in characters.
const maxPrompt = 200

// promptText returns the text of a prompt in one line, "" for what is none.
func promptText(m *Message) string {
	if m.Role != "user" || m.Meta || m.Summary || m.Made {
		return ""
	}
	var text string
	if json.Unmarshal(m.Content, &text) != nil {
		var blocks []block
		_ = json.Unmarshal(m.Content, &blocks)
		for _, b := range blocks {
			if b.Type == "tool_result" {
				return ""
			}
			text += " " + b.Text
		}
	}
	text = strings.Join(strings.Fields(text), " ")
	if utf8.RuneCountInString(text) > maxPrompt {
		text = string([]rune(text)[:maxPrompt]) + "…"
	}
	return text
}

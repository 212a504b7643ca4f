package cases

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"golang.org/x/text/encoding/unicode"
)

// Message is one message of a request.
type Message struct {
	Role    string
	Content json.RawMessage // a string, or blocks
}

// Notation writes the conversation of a request, one line per block:
//
//	user: text "what was typed"
//	assistant: tool_use toolu_1 Bash {"command":"ls"}
//	assistant+ tool_use toolu_2 Bash {"command":"pwd"}
//	user: tool_result toolu_1 "what it printed"
//	user+ made tool_result toolu_2 error
//	assistant: made text
//	system: note "what was typed in between"
//
// A + in the place of the colon continues the message before. Text that does not
// stand in a message of the transcript was made up by whoever sends it: it is
// "made", and its words are left out. Of what the model is told in the middle
// (system messages, reminders in user messages) only the queued prompts are
// there, as notes. The members of a block that tell caches what to do are not.
func Notation(transcript []byte, messages []Message) string {
	t := readTexts(transcript)
	var out strings.Builder
	for _, m := range messages {
		mark := ":"
		for _, block := range split(m.Content) {
			for _, line := range t.block(m.Role, block) {
				fmt.Fprintf(&out, "%s%s %s\n", m.Role, mark, line)
				mark = "+"
			}
		}
	}
	return out.String()
}

// reminder is what texts in user messages begin with that no user wrote.
const reminder = "<system-reminder>"

// split returns the blocks of a message's content.
func split(content json.RawMessage) []map[string]any {
	var text string
	if json.Unmarshal(content, &text) == nil {
		return []map[string]any{{"type": "text", "text": text}}
	}
	var blocks []map[string]any
	_ = json.Unmarshal(content, &blocks)
	return blocks
}

// block returns the lines for one block.
func (t texts) block(role string, block map[string]any) []string {
	delete(block, "cache_control")
	typ, _ := block["type"].(string)
	text, _ := block["text"].(string)
	switch {
	case role == "system":
		return t.notes(text)
	case typ == "text" && t.has(text):
		return []string{"text " + quote(text)}
	case typ == "text" && strings.HasPrefix(strings.TrimSpace(text), reminder):
		return t.notes(text)
	case typ == "text":
		return []string{"made text"}
	case typ == "tool_use":
		return []string{fmt.Sprintf("tool_use %v %v %s", block["id"], block["name"], canonical(block["input"]))}
	case typ == "tool_result":
		return []string{t.result(block)}
	case typ == "thinking":
		return []string{fmt.Sprintf("thinking %s signed %s", canonical(block["thinking"]), canonical(block["signature"]))}
	}
	delete(block, "type")
	return []string{typ + " " + canonical(block)}
}

// result returns the line for a tool_result.
func (t texts) result(block map[string]any) string {
	line := fmt.Sprintf("tool_result %v", block["tool_use_id"])
	content, recorded := block["content"], true
	switch c := content.(type) {
	case string:
		recorded = c == "" || t.has(c)
		line += " " + quote(c)
	case []any:
		for _, part := range c {
			b, _ := part.(map[string]any)
			if text, ok := b["text"].(string); ok && !t.has(text) {
				recorded = false
			}
			delete(b, "cache_control")
		}
		line += " " + canonical(c)
	}
	if !recorded {
		line = fmt.Sprintf("made tool_result %v", block["tool_use_id"])
	}
	if block["is_error"] == true {
		line += " error"
	}
	return line
}

// notes returns a line for each queued prompt that a system message quotes.
func (t texts) notes(text string) (lines []string) {
	for _, queued := range t.queued {
		if strings.Contains(text, queued) {
			lines = append(lines, "note "+quote(queued))
		}
	}
	return lines
}

// texts are the texts that the rows of a transcript hold.
type texts struct {
	set    map[string]bool
	queued []string // prompts typed while the model worked
}

// has reports whether a text is recorded. Joined messages end in a line feed
// that no row has.
func (t texts) has(s string) bool { return t.set[s] || t.set[strings.TrimSuffix(s, "\n")] }

// readTexts finds every record that can be read in any way, also behind damage,
// so that nothing recorded is taken for made.
func readTexts(transcript []byte) texts {
	t := texts{set: map[string]bool{}}
	for line := range bytes.Lines([]byte(decode(transcript))) {
		for at := 0; at >= 0 && at < len(line); {
			var record map[string]any
			d := json.NewDecoder(bytes.NewReader(line[at:]))
			skip := 1
			if d.Decode(&record) == nil && record != nil {
				t.record(record)
				skip = int(d.InputOffset())
			}
			next := bytes.IndexByte(line[min(at+skip, len(line)):], '{')
			if next < 0 {
				break
			}
			at += skip + next
		}
	}
	slices.Sort(t.queued)
	t.queued = slices.Compact(t.queued)
	return t
}

// decode returns the text of bytes that may not be UTF-8: U+FFFD stands for each
// longest beginning of a sequence that could have been one, as in the WHATWG's
// standard, by which the client reads.
func decode(data []byte) string {
	text, err := unicode.UTF8.NewDecoder().Bytes(data)
	if err != nil {
		panic(err) // every sequence of bytes decodes
	}
	return string(text)
}

func (t *texts) record(record map[string]any) {
	if m, ok := record["message"].(map[string]any); ok {
		t.add(m["content"])
	}
	if record["type"] == "system" {
		t.add(record["content"])
	}
	if a, ok := record["attachment"].(map[string]any); ok && a["type"] == "queued_command" {
		if prompt, ok := a["prompt"].(string); ok && prompt != "" {
			t.queued = append(t.queued, prompt)
		}
	}
}

// add adds the strings in a message's content, whatever block they are of.
func (t *texts) add(content any) {
	switch c := content.(type) {
	case string:
		t.set[c] = true
	case []any:
		for _, part := range c {
			t.add(part)
		}
	case map[string]any:
		t.add(c["text"])
		t.add(c["content"])
	}
}

// quote returns a text on one line.
func quote(s string) string { return canonical(s) }

// canonical returns a value as JSON on one line, members in order.
func canonical(v any) string {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return err.Error()
	}
	return strings.TrimSpace(out.String())
}

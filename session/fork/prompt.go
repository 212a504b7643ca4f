package fork

import (
	"encoding/json"
	"strings"

	"coppice/transcript"
	"coppice/transcript/ledger"
)

// promptMax is how much of a prompt a last-prompt record holds, in characters.
const promptMax = 200

// mayPrompt says whether a row may be a prompt, as far as the index tells.
func mayPrompt(r *ledger.Row) bool {
	return r.Kind == ledger.User && !r.Meta && !r.Summary && !r.Results && !r.Sidechain && !r.Team
}

// typed returns what a person typed in a user row: a prompt, "! command" or
// "/command arguments". ok is false for texts of programs and interrupt markers;
// a prompt of images only has no text.
func typed(row []byte) (text string, ok bool) {
	var e editor
	if string(e.value(row, "isVisibleInTranscriptOnly")) == "true" {
		return "", false
	}
	content := e.value(e.value(row, "message"), "content")
	if json.Unmarshal(content, &text) == nil {
		text, _, ok = transcript.Typed(text)
		return text, ok
	}
	var blocks []struct{ Type, Text string }
	if json.Unmarshal(content, &blocks) != nil {
		return "", false
	}
	var parts []string
	for _, b := range blocks {
		if b.Type != "text" {
			ok = ok || b.Type == "image" || b.Type == "document"
		} else if part, _, is := transcript.Typed(b.Text); is {
			parts, ok = append(parts, part), true
		}
	}
	return strings.Join(parts, "\n"), ok
}

// short returns the beginning of a prompt on one line.
func short(text string) string {
	out := make([]rune, 0, promptMax)
	for word := range strings.FieldsSeq(text) {
		if len(out) > 0 {
			out = append(out, ' ')
		}
		for _, r := range word {
			if len(out) >= promptMax {
				return string(out[:promptMax])
			}
			out = append(out, r)
		}
	}
	return string(out)
}

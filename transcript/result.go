package transcript

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
)

// readResult reads what a tool answered: a string, or a list of blocks.
func readResult(b rawBlock) Result {
	var text string
	var list []rawBlock
	if json.Unmarshal(b.Content, &text) != nil && json.Unmarshal(b.Content, &list) == nil {
		var texts []string
		for _, item := range list {
			switch item.Type {
			case "text":
				texts = append(texts, item.Text)
			case "":
			default:
				texts = append(texts, "["+cut(item.Type, maxLine)+"]")
			}
		}
		text = strings.Join(texts, "\n")
	}
	short := cut(text, maxResult)
	r := Result{Text: short, Cut: len(text) - len(short), Error: b.IsError}
	if body := strings.TrimRight(text, "\n"); body != "" {
		r.Lines = strings.Count(body, "\n") + 1
	}
	return r
}

// telling returns the argument that says most about a call, in one line.
func telling(input json.RawMessage) string {
	var args map[string]json.RawMessage
	if json.Unmarshal(input, &args) != nil {
		return ""
	}
	for _, key := range []string{"command", "file_path", "path", "notebook_path", "pattern", "query", "url", "skill", "description", "prompt"} {
		if s, ok := argument(args[key]); ok {
			return s
		}
	}
	keys := make([]string, 0, len(args))
	for key := range args {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	for _, key := range keys {
		if s, ok := argument(args[key]); ok {
			return s
		}
	}
	if len(args) == 0 {
		return ""
	}
	var compact bytes.Buffer
	if json.Compact(&compact, input) != nil {
		return ""
	}
	return oneLine(cut(compact.String(), maxFact))
}

func argument(raw json.RawMessage) (string, bool) {
	var s string
	if len(raw) == 0 || json.Unmarshal(raw, &s) != nil {
		return "", false
	}
	s = oneLine(cut(s, maxFact))
	return s, s != ""
}

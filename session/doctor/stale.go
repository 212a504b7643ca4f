package doctor

import (
	"context"
	"encoding/json"
	"strings"

	"coppice/transcript/ledger"
)

// stale looks for summaries of compactions that send the agent to a transcript
// which is gone: after a move or a fork (observed A.5).
func (x *examination) stale(ctx context.Context, l *ledger.Ledger, keep ledger.Chain) {
	seen := map[string]bool{}
	for _, i := range keep.Rows {
		r := l.Rows[i]
		if !r.Summary || ctx.Err() != nil {
			continue
		}
		data, err := l.Bytes(r.Offset, r.Size)
		if err != nil {
			continue
		}
		for _, path := range transcripts(data) {
			if !seen[path] && gone(path) {
				seen[path] = true
				x.add(Finding{
					Kind: "stale-path", Severity: Note, Line: r.Line, UUID: l.Text(r.UUID),
					Detail: "the summary of a compaction tells the agent to look into " + path + ", which is gone",
				})
			}
		}
	}
}

// transcriptsMax bounds how many paths of one summary are looked at.
const transcriptsMax = 50

// transcripts returns the absolute paths of transcripts that a record's text
// names.
func transcripts(data []byte) []string {
	var row struct {
		Message struct {
			Content json.RawMessage `json:"content"`
		} `json:"message"`
	}
	if json.Unmarshal(data, &row) != nil {
		return nil
	}
	var content string
	if json.Unmarshal(row.Message.Content, &content) != nil {
		var blocks []struct {
			Text string `json:"text"`
		}
		_ = json.Unmarshal(row.Message.Content, &blocks) // what fits is set
		for _, b := range blocks {
			content += b.Text + "\n"
		}
	}
	var out []string
	for word := range strings.FieldsFuncSeq(content, func(r rune) bool { return strings.ContainsRune("\n\"` ", r) }) {
		if strings.HasPrefix(word, "/") && strings.HasSuffix(word, ".jsonl") && len(out) < transcriptsMax {
			out = append(out, word)
		}
	}
	return out
}

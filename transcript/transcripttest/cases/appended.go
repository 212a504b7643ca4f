package cases

import (
	"encoding/json"
	"fmt"
	"strings"
)

// Row is a row that is appended to a transcript at a resume.
type Row struct {
	Type    string          // "user" or "assistant"
	Content json.RawMessage // of its message
	Parent  string          // uuid of a row of the transcript; "" for the row appended before
	Source  string          // sourceToolAssistantUUID
}

// AppendedNotation writes rows that are appended, one line per block, with the
// line of the transcript that the row hangs below and that of the call that it
// answers:
//
//	user: made tool_result toolu_1 error, below line 4, source line 4
//	assistant: made text, below the row before
func AppendedNotation(transcript []byte, rows []Row) string {
	lines := lineNumbers(transcript)
	var out strings.Builder
	for _, row := range rows {
		where := "below the row before"
		if row.Parent != "" {
			where = "below " + lines.name(row.Parent)
		}
		if row.Source != "" {
			where += ", source " + lines.name(row.Source)
		}
		for line := range strings.Lines(Notation(transcript, []Message{{Role: row.Type, Content: row.Content}})) {
			fmt.Fprintf(&out, "%s, %s\n", strings.TrimSpace(line), where)
		}
	}
	return out.String()
}

// numbers are the lines of rows by their uuids.
type numbers map[string]int

func (n numbers) name(uuid string) string {
	if line, ok := n[uuid]; ok {
		return fmt.Sprintf("line %d", line)
	}
	return "no row"
}

// lineNumbers returns the last line of each uuid.
func lineNumbers(transcript []byte) numbers {
	n, number := numbers{}, 0
	for line := range strings.Lines(string(transcript)) {
		number++
		var row struct{ UUID string }
		if json.Unmarshal([]byte(strings.TrimPrefix(line, "\ufeff")), &row) == nil && row.UUID != "" {
			n[row.UUID] = number
		}
	}
	return n
}

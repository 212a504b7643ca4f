package runtime

import (
	"context"
	"encoding/json"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"coppice/transcript/ledger"
)

// records gathers the side records that a Summary does not hold. The last of its
// kind wins, but for lists.
type records struct {
	ledger       *ledger.Ledger
	cost         *ledger.Record
	color        *ledger.Record
	worktree     *ledger.Record
	bridge       bool
	queued       int // prompts that wait in the queue
	replacements []Replacement
	replaced     map[string]bool
	unknownKinds int // replacements of another kind
	history      history
	kept         []ledger.Record
}

// gather reads the records of a ledger: those without a place in the tree, and
// those that have a uuid and are no message, as other programs write them.
func (s *records) gather(ctx context.Context) error {
	s.replaced = map[string]bool{}
	s.history.begin()
	for i := range s.ledger.Records {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := s.take(s.ledger.Records[i]); err != nil {
			return err
		}
	}
	for i := range s.ledger.Rows {
		row := &s.ledger.Rows[i]
		if row.Kind != ledger.Other || row.Sidechain {
			continue
		}
		data, err := s.ledger.Bytes(row.Offset, row.Size)
		if err != nil {
			return err
		}
		r := ledger.Record{Offset: row.Offset, Size: row.Size, Line: row.Line, Type: gjson.GetBytes(data, "type").Str}
		if r.Type == "content-replacement" {
			s.replace(data)
		} else if !known(r.Type) {
			s.kept = append(s.kept, r)
		}
	}
	return nil
}

// take takes one record.
func (s *records) take(r ledger.Record) error {
	switch r.Type {
	case "cost-state":
		s.cost = &r
	case "agent-color":
		s.color = &r
	case "worktree-state":
		s.worktree = &r
	case "bridge-session":
		s.bridge = true
	case "content-replacement", "queue-operation", "file-history-snapshot", "file-history-delta":
		data, err := s.ledger.Bytes(r.Offset, r.Size)
		if err != nil {
			return err
		}
		s.read(r.Type, data)
	default:
		if !known(r.Type) {
			s.kept = append(s.kept, r)
		}
	}
	return nil
}

// known says whether a record's meaning is known, so that it need not be passed
// on blindly. Snapshots of attribution and commits of a collapsed context are
// not: no source shows their members.
func known(typ string) bool {
	switch typ {
	case "", "user", "assistant", "system", "attachment", "progress",
		"custom-title", "agent-name", "ai-title", "last-prompt", "summary", "tag", "mode", "permission-mode",
		"agent-setting", "agent-color", "pr-link", "worktree-state", "relocated",
		"cost-state", "content-replacement", "queue-operation", "file-history-snapshot", "file-history-delta",
		"bridge-session", "api-request", "api-request-shape", "api-request-blob", "atis-latch", "tools-used":
		return true
	}
	return false
}

// read takes a record of a kind whose every record counts.
func (s *records) read(typ string, data []byte) {
	switch typ {
	case "content-replacement":
		s.replace(data)
	case "queue-operation":
		s.queue(gjson.GetBytes(data, "operation").Str, gjson.GetBytes(data, "content").Str)
	case "file-history-snapshot":
		s.history.snapshot(data)
	case "file-history-delta":
		s.history.delta(data)
	}
}

// replace takes replaced results. The first text of a call holds: it is in
// every request that was sent since.
func (s *records) replace(data []byte) {
	gjson.GetBytes(data, "replacements").ForEach(func(_, item gjson.Result) bool {
		id, text := item.Get("toolUseId"), item.Get("replacement")
		if item.Get("kind").Str != "tool-result" || id.Type != gjson.String || text.Type != gjson.String {
			s.unknownKinds++
			return true
		}
		if !s.replaced[id.Str] {
			s.replaced[id.Str] = true
			s.replacements = append(s.replacements, Replacement{CallID: id.Str, Text: text.Str})
		}
		return true
	})
}

// queue follows the queue of prompts that were typed while the agent worked. The
// agent's own notices go through it as well; they do not count.
func (s *records) queue(operation, content string) {
	switch operation {
	case "enqueue":
		if !strings.HasPrefix(content, "<task-notification>") {
			s.queued++
		}
	case "dequeue", "remove":
		s.queued = max(s.queued-1, 0)
	case "popAll":
		s.queued = 0
	}
}

// bytes returns a record, empty when there is none.
func (s *records) bytes(r *ledger.Record) ([]byte, error) {
	if r == nil {
		return nil, nil
	}
	return s.ledger.Bytes(r.Offset, r.Size)
}

// readCost reads a cost-state record. What is no amount is zero.
func readCost(data []byte) Cost {
	if len(data) == 0 {
		return Cost{}
	}
	c := Cost{
		APIDuration:  span(gjson.GetBytes(data, "totalAPIDuration")),
		ToolDuration: span(gjson.GetBytes(data, "totalToolDuration")),
		LinesAdded:   count(gjson.GetBytes(data, "totalLinesAdded")),
		LinesRemoved: count(gjson.GetBytes(data, "totalLinesRemoved")),
	}
	if usd := gjson.GetBytes(data, "totalCostUSD"); usd.Type == gjson.Number && usd.Num > 0 && usd.Num < 1e12 {
		c.USD = usd.Num
	}
	if models := gjson.GetBytes(data, "modelUsage"); models.IsObject() && gjson.Valid(models.Raw) {
		c.Models = json.RawMessage(models.Raw)
	}
	return c
}

// span reads a length of time in milliseconds.
func span(v gjson.Result) time.Duration {
	if v.Type != gjson.Number || !(v.Num > 0 && v.Num < maxAge) {
		return 0
	}
	return time.Duration(v.Num * float64(time.Millisecond))
}

func count(v gjson.Result) int {
	if v.Type != gjson.Number || !(v.Num > 0 && v.Num < 1e15) {
		return 0
	}
	return int(v.Num)
}

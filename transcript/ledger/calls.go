package ledger

import "encoding/json"

// maxCalls is the size of the rows that are decoded to learn the ids of calls.
const maxCalls = 16 << 20

// byCall is answered for a row that does not name the row of its call. Such rows
// are rare, so ids are not part of the index: the rows are read again.
func (s *turns) byCall(i int) int {
	if s.ids == nil {
		s.ids = map[string]int{}
		for n, id := range s.of {
			if id > 0 && s.t.l.Rows[n].Calls {
				for _, call := range s.t.l.callIDs(n) {
					s.ids[call] = id
				}
			}
		}
	}
	for _, call := range s.t.l.callIDs(i) {
		if id := s.ids[call]; id > 0 {
			return id
		}
	}
	return 0
}

// callIDs returns the ids of the calls that a row makes or answers; none of a
// row that cannot be read.
func (l *Ledger) callIDs(i int) []string {
	row := &l.Rows[i]
	if row.Size > maxCalls {
		return nil
	}
	b, err := l.Bytes(row.Offset, row.Size)
	if err != nil {
		return nil
	}
	var rec struct {
		Message struct {
			Content json.RawMessage `json:"content"`
		} `json:"message"`
	}
	var blocks []json.RawMessage
	if json.Unmarshal(b, &rec) != nil || json.Unmarshal(rec.Message.Content, &blocks) != nil {
		return nil
	}
	var ids []string
	for _, raw := range blocks {
		var block struct {
			Type    string `json:"type"`
			ID      string `json:"id"`
			Answers string `json:"tool_use_id"`
		}
		if json.Unmarshal(raw, &block) != nil {
			continue
		}
		switch block.Type {
		case "tool_use":
			ids = append(ids, block.ID)
		case "tool_result":
			ids = append(ids, block.Answers)
		}
	}
	return ids
}

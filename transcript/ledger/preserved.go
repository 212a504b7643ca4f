package ledger

import "encoding/json"

// maxMetadata is how much of a compaction's metadata is decoded, in bytes: a
// million preserved rows.
const maxMetadata = 64 << 20

// preserved is what a compaction keeps in the conversation: preservedMessages,
// which lists rows, or else preservedSegment, which names the ends of a line of
// rows (observed A.5).
type preserved struct {
	anchor     string
	uuids      []string
	head, tail string
	listed     bool
}

// preserved decodes the metadata of the record at hand. c holds the line, nil
// when that is not in memory.
func (d *reader) preserved(c *cursor) (preserved, bool) {
	r := &d.rec
	size := r.to - r.from
	if r.vals[fCompact].form != other || size > maxMetadata {
		return preserved{}, false
	}
	var raw []byte
	if c != nil {
		raw = c.b[r.from-c.base : r.to-c.base]
	} else {
		raw = make([]byte, size)
		if n, err := readAt(d.l.r, raw, r.from, r.to); err != nil || int64(n) < size {
			return preserved{}, false
		}
	}
	var meta struct {
		Messages json.RawMessage `json:"preservedMessages"`
		Segment  json.RawMessage `json:"preservedSegment"`
	}
	if json.Unmarshal(raw, &meta) != nil {
		return preserved{}, false
	}
	var messages struct {
		Anchor string   `json:"anchorUuid"`
		UUIDs  []string `json:"uuids"`
	}
	if meta.Messages != nil && json.Unmarshal(meta.Messages, &messages) == nil && messages.UUIDs != nil {
		return preserved{anchor: messages.Anchor, uuids: messages.UUIDs, listed: true}, true
	}
	var segment struct {
		Head   string `json:"headUuid"`
		Anchor string `json:"anchorUuid"`
		Tail   string `json:"tailUuid"`
	}
	if meta.Segment == nil || json.Unmarshal(meta.Segment, &segment) != nil || segment.Head == "" {
		return preserved{}, false
	}
	return preserved{anchor: segment.Anchor, head: segment.Head, tail: segment.Tail}, true
}

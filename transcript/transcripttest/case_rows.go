package transcripttest

import (
	"fmt"
	"time"
)

// Node writes a row of any type; members is JSON text or "". It is for rows that
// no other method writes: types that nobody knows, messages without content.
func (b *Builder) Node(typ, members string) *Builder {
	if members != "" {
		members = "," + members
	}
	return b.row(`"type":"`+typ+`"`+members, "")
}

// Plain writes a row of a conversation as old versions wrote it: role and JSON
// content, then extra members, each beginning with a comma.
func (b *Builder) Plain(role, content, extra string) *Builder {
	return b.row(`"type":"`+role+`","message":{"role":"`+role+`","content":`+content+`}`, extra)
}

// APIError writes the row that stands for an answer that failed.
func (b *Builder) APIError(text string) *Builder {
	b.ids++
	return b.Next().row(fmt.Sprintf(`"message":{"id":"synthetic-%d","type":"message","role":"assistant","model":"<synthetic>","content":[%s],`+
		`"stop_reason":"stop_sequence","usage":{"input_tokens":0,"output_tokens":0}},"type":"assistant"`, b.ids, Text(text)),
		`,"isApiErrorMessage":true,"error":"unknown"`)
}

// Answer writes the answer to a tool call below the row of its call.
func (b *Builder) Answer(callRow, callID, text string) *Builder {
	return b.Parent(callRow).Result(callID, text)
}

// Point writes a last-prompt record with these members (JSON text or "") behind
// its prompt.
func (b *Builder) Point(members string) *Builder {
	if members != "" {
		members = "," + members
	}
	return b.Record("last-prompt", `"lastPrompt":"the last prompt"`+members)
}

// PointAt writes a last-prompt record that names this row.
func (b *Builder) PointAt(uuid string, explicit bool) *Builder {
	if explicit {
		return b.Point(`"leafUuid":` + Quote(uuid) + `,"explicit":true`)
	}
	return b.Point(`"leafUuid":` + Quote(uuid))
}

// Boundary writes the boundary of a compaction below the present parent; members
// are those of compactMetadata behind its first ones (JSON text or "").
func (b *Builder) Boundary(logical, members string) *Builder {
	if members != "" {
		members = "," + members
	}
	if logical != "" {
		logical = `"logicalParentUuid":` + Quote(logical) + `,`
	}
	return b.Next().System("compact_boundary", `"content":"compacted",`+logical+
		`"compactMetadata":{"trigger":"manual","preTokens":14481,"postTokens":2883`+members+`}`)
}

// Summary writes the user row that begins a compacted conversation.
func (b *Builder) Summary(text string) *Builder {
	return b.Plain("user", Quote(text), `,"isVisibleInTranscriptOnly":true,"isCompactSummary":true`)
}

// Wait moves the time of the next row on.
func (b *Builder) Wait(d time.Duration) *Builder {
	b.Time = b.Time.Add(d)
	return b
}

// NextUUID returns the uuid that the next row will have.
func (b *Builder) NextUUID() string { return b.UUID(b.rows + 1) }

// Gone returns a uuid that no row has.
func (b *Builder) Gone(n int) string { return b.UUID(n + 1<<24) }

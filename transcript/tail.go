package transcript

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"slices"
)

const (
	tailBlock = 256 << 10
	maxRow    = 64 << 20 // a longer row is not shown
)

// ReadTail reads at most max messages from the end of a transcript of the given
// size, going back only as far as needed. Messages stand in file order, whatever
// their parents. Sidechains, meta rows, attachments and progress rows are left
// out, a uuid seen twice counts once. A torn or unreadable line is counted, and
// skipped unless a record can be recovered from it. The error is one of r's or
// ctx's; the Tail then holds what was read before.
func ReadTail(ctx context.Context, r io.ReaderAt, size int64, max int) (Tail, error) {
	t := tailReader{max: max}
	err := backward(ctx, r, size, t.line)
	slices.Reverse(t.rows)
	messages := assemble(t.rows)
	tail := Tail{Messages: messages, Earlier: t.more, Damage: t.damage}
	if n := len(messages) - max; n > 0 {
		tail.Messages, tail.Earlier = messages[n:], true
	}
	return tail, err
}

// backward calls visit for the lines of the first size bytes from the last to
// the first, until it returns false. A line longer than maxRow is nil.
func backward(ctx context.Context, r io.ReaderAt, size int64, visit func(line []byte) bool) error {
	var rest []byte // the end of the line that begins further up
	huge := false
	block := int64(tailBlock)
	for end := size; end > 0; {
		if err := ctx.Err(); err != nil {
			return err
		}
		from := max(end-block, 0)
		data := make([]byte, end-from, int(end-from)+len(rest))
		n, err := r.ReadAt(data, from)
		if err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		data, end = data[:n], from
		if n < cap(data)-len(rest) {
			rest, huge = nil, false // the file became shorter: what lay behind is gone
		}
		for {
			i := bytes.LastIndexByte(data, '\n')
			if i < 0 {
				break
			}
			line := append(data[i+1:], rest...)
			if huge {
				line = nil
			}
			if (len(line) > 0 || huge) && !visit(line) {
				return nil
			}
			data, rest, huge = data[:i:i], nil, false
			block = tailBlock
		}
		if huge = huge || len(data)+len(rest) > maxRow; huge {
			rest = nil
		} else {
			rest = append(data, rest...)
		}
		block = min(2*block, maxRow/4)
	}
	if len(rest) > 0 || huge {
		visit(rest)
	}
	return nil
}

// tailReader collects the rows worth showing, newest first.
type tailReader struct {
	max    int
	rows   []row
	shown  int // messages among them, at least
	lastID string
	uuids  map[string]bool
	more   bool
	damage int

	ends ends
	rec  record
	walk walker
}

// row is a record of the conversation.
type row struct {
	Type      string
	Subtype   string
	UUID      string
	Timestamp string
	Sidechain bool `json:"isSidechain"`
	Meta      bool `json:"isMeta"`
	Compact   bool `json:"isCompactSummary"`
	Message   struct {
		ID      string
		Model   string
		Content json.RawMessage
	}
	Content json.RawMessage // of system rows

	tooLong bool
}

// line takes one line and says whether an earlier one is wanted.
func (t *tailReader) line(line []byte) bool {
	if line == nil {
		return t.take(row{Type: "system", tooLong: true})
	}
	line = trim(bytes.TrimPrefix(line, bom))
	if len(line) == 0 {
		return true
	}
	if t.ends.read(&t.rec, line, want{prompt: true, age: neverApplied}) {
		if k := t.rec.kind(); k == kindIgnored || k == kindMeta || string(t.rec.raw(fType)) == "attachment" {
			return true
		}
	}
	t.walk.begin(&t.rec)
	if n := t.walk.feed(line); n == len(line) {
		if object, ok := t.walk.finish(); ok {
			return !object || t.decode(line)
		}
	}
	t.damage++
	var found [][]byte
	salvage(&t.walk, line, func(record []byte) { found = append(found, record) })
	for _, record := range slices.Backward(found) {
		if !t.decode(record) {
			return false
		}
	}
	return true
}

func (t *tailReader) decode(line []byte) bool {
	var r row
	var wrongType *json.UnmarshalTypeError
	if err := json.Unmarshal(line, &r); err != nil && !errors.As(err, &wrongType) {
		t.damage++
		return true
	}
	if r.Sidechain || r.Meta {
		return true
	}
	switch r.Type {
	case "user", "assistant", "system":
		return t.take(r)
	}
	return true
}

// take keeps a row. It ends the reading when one message more than wanted is
// there with all its rows: the results that follow that one belong to its calls.
func (t *tailReader) take(r row) bool {
	if t.counts(r) {
		if t.shown > t.max {
			t.more = true
			return false
		}
		t.shown++
		t.lastID = ""
		if r.Type == "assistant" {
			t.lastID = r.Message.ID
		}
	}
	t.rows = append(t.rows, r)
	return true
}

// counts says whether a row is sure to be a message of its own.
func (t *tailReader) counts(r row) bool {
	d := build(r)
	if len(d.Blocks) == 0 || d.onlyResults() || d.output || d.id != "" && d.id == t.lastID {
		return false
	}
	if r.UUID == "" {
		return true
	}
	again := t.uuids[r.UUID]
	if t.uuids == nil {
		t.uuids = map[string]bool{}
	}
	t.uuids[r.UUID] = true
	return !again
}

package writer

import (
	"encoding/json"
	"fmt"

	"coppice/transcript"
	"coppice/transcript/ledger"
)

// Adopt makes a Writer that goes on with an existing transcript, whose
// conversation is c. Nothing is written yet; the first Turn also names the end of
// the conversation, whatever the file said about it. l is used as long as the
// Writer is, but its reader only by Adopt. A file at path that is another one
// than l was read from is ErrReplaced. What stands behind the bytes that l was
// read from counts as written by others.
func Adopt(path string, stamp Stamp, l *ledger.Ledger, c ledger.Chain) (*Writer, error) {
	w := Create(path, stamp)
	mark, err := transcript.MarkAt(path, l.Size)
	if err != nil {
		return nil, fmt.Errorf("adopt: %w", err)
	}
	w.mark, w.made, w.point, w.pointed = mark, true, true, true
	t := &w.tree
	t.before = l
	if err := w.same(l); err != nil {
		return nil, fmt.Errorf("adopt %s: %w", path, err)
	}
	for i := range l.Rows {
		r := &l.Rows[i]
		if r.Kind == ledger.Assistant && r.MessageID != 0 && r.Sidechain == (stamp.AgentID != "") {
			if at, ok := l.Row(r.UUID); ok && at == i {
				id := l.Text(r.MessageID)
				t.ids[id] = append(t.ids[id], l.Text(r.UUID))
			}
		}
	}
	t.place(l, c)
	if err := t.openCalls(l, c); err != nil {
		return nil, fmt.Errorf("adopt %s: %w", path, err)
	}
	return w, nil
}

// same compares the last row as l has it with the file at the path.
func (w *Writer) same(l *ledger.Ledger) error {
	if len(l.Rows) == 0 {
		return nil
	}
	last := l.Rows[len(l.Rows)-1]
	want, err := l.Bytes(last.Offset, last.Size)
	if err != nil {
		return err
	}
	return w.mark.Compare(w.path, last.Offset, want)
}

// place finds where the conversation ends.
func (t *tree) place(l *ledger.Ledger, c ledger.Chain) {
	boundary, newest := -1, -1 // the one that the conversation begins with, and the last of the file
	for _, i := range c.Rows {
		if isBoundary(&l.Rows[i]) {
			boundary = max(boundary, i)
		}
	}
	for i := len(l.Rows) - 1; i > boundary && newest < 0; i-- {
		if isBoundary(&l.Rows[i]) {
			newest = i
		}
	}
	t.stray = newest > boundary || c.Leaf < boundary
	end, before := -1, ledger.ID(0)
	for _, i := range c.Rows {
		r := &l.Rows[i]
		if r.UUID == 0 {
			continue
		}
		if i < boundary {
			if len(t.kept) == 0 {
				t.anchor = l.Text(before)
			}
			t.last = l.Text(r.UUID)
			t.kept[t.last] = true
		} else {
			end = i
		}
		before = r.UUID
	}
	if c.Leaf >= 0 && c.Leaf < len(l.Rows) && c.Leaf >= boundary && l.Rows[c.Leaf].UUID != 0 {
		end = c.Leaf
	}
	if end >= 0 {
		t.leaf = l.Text(l.Rows[end].UUID)
	}
	t.lastMessage(l, c)
}

func isBoundary(r *ledger.Row) bool { return r.Compaction && !r.Sidechain }

// lastMessage finds the rows of the last message: of an assistant message all of
// its rows, of answers all that stand together.
func (t *tree) lastMessage(l *ledger.Ledger, c ledger.Chain) {
	var last *ledger.Row
	for n := len(c.Rows) - 1; n >= 0; n-- {
		r := &l.Rows[c.Rows[n]]
		switch {
		case r.Kind != ledger.User && r.Kind != ledger.Assistant:
			continue
		case last == nil:
			last = r
		case last.Kind != r.Kind, last.Kind == ledger.User && (!last.Results || !r.Results), last.MessageID != r.MessageID:
			return
		}
		t.tail[l.Text(r.UUID)] = true
	}
}

// maxCalls bounds how many rows are read for calls that may still be answered.
const maxCalls = 1 << 10

// openCalls reads the calls since the last prompt, which may still be answered.
func (t *tree) openCalls(l *ledger.Ledger, c ledger.Chain) error {
	read := 0
	for n := len(c.Rows) - 1; n >= 0 && read < maxCalls; n-- {
		r := &l.Rows[c.Rows[n]]
		if r.Kind == ledger.User && !r.Results && !r.Meta {
			return nil
		}
		if r.Kind != ledger.Assistant || !r.Calls || r.UUID == 0 {
			continue
		}
		read++
		raw, err := l.Bytes(r.Offset, r.Size)
		if err != nil {
			return err
		}
		var row struct{ Message struct{ Content []block } }
		_ = json.Unmarshal(raw, &row) // a block of another shape makes no call
		for _, b := range row.Message.Content {
			if b.ID != "" {
				t.calls[b.ID] = l.Text(r.UUID)
			}
		}
	}
	return nil
}

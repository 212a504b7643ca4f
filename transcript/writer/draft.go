package writer

import (
	"encoding/json"
	"fmt"
	"slices"
)

// draft is a Turn before it is written.
type draft struct {
	w       *Writer
	list    []*Message
	records [][]byte
	parent  string            // of the next row
	up      map[string]string // parents of the rows of the draft
	ids     map[string][]string
	calls   map[string]string
	kept    []string // rows that a new boundary preserves
	anchor  string
	fresh   bool // the conversation begins anew
	point   bool // the end has to be named
	prompt  string
	id      string // promptId
}

func (w *Writer) draft(list []*Message) *draft {
	return &draft{
		w: w, list: list, up: map[string]string{}, ids: map[string][]string{}, calls: map[string]string{},
		point: w.point, prompt: w.prompt, id: w.promptID,
	}
}

// jump prepares for rows that do not follow the present end: until the last
// record of the draft names the new end, the old one stays it (observed A.1), so
// that a write which breaks off in the middle changes no conversation.
func (d *draft) jump(parent string) {
	if parent != d.w.tree.leaf {
		d.pointer(d.w.tree.end())
		d.point = true
	}
}

// pointer adds the record that names the end. Sidechains have none.
func (d *draft) pointer(leaf string) {
	if d.w.stamp.AgentID == "" {
		d.records = append(d.records, LastPrompt(d.w.stamp.SessionID, d.prompt, leaf))
	}
}

// write adds new messages below parent, and what says where they end.
func (d *draft) write(list []*Message, parent string) error {
	d.parent = parent
	for _, m := range list {
		if err := d.message(m, 0); err != nil {
			return err
		}
	}
	d.end()
	return nil
}

// end names the end of the conversation where the order of the rows does not.
func (d *draft) end() {
	top := d.parent
	for {
		up, ours := d.up[top]
		if !ours {
			break
		}
		top = up
	}
	// An answer hangs below its call, which need not be the end that was named.
	if d.point || d.w.pointed && top != d.w.tree.leaf {
		d.findPrompt()
		end := d.parent
		if end == d.anchor {
			end = d.kept[len(d.kept)-1]
		}
		d.pointer(end)
		d.point = true
	}
}

// findPrompt looks for the newest prompt of the conversation.
func (d *draft) findPrompt() {
	for _, m := range slices.Backward(d.list) {
		if text := promptText(m); text != "" {
			d.prompt = text
			return
		}
	}
}

// message adds the rows of one message that are not on disk.
func (d *draft) message(m *Message, done int) error {
	parts, err := split(m)
	if err != nil {
		return err
	}
	if text := promptText(m); text != "" && done == 0 {
		d.prompt = text
		if m.Mode != "" || d.id == "" {
			d.id = d.w.NewUUID()
		}
	}
	for i, p := range parts[min(done, len(parts)):] {
		i += done
		if i == len(m.Rows) {
			m.Rows = append(m.Rows, d.w.NewUUID())
		}
		var row []byte
		if m.Role == "assistant" {
			row, err = d.assistant(m, p, i)
		} else {
			row, err = d.user(m, p, m.Rows[i])
		}
		if err != nil {
			return fmt.Errorf("%w: %w", ErrMessage, err)
		}
		d.records = append(d.records, row)
	}
	return nil
}

// row takes the next place in the tree.
func (d *draft) row(parent, uuid string) (head, string, foot) {
	s := d.w.stamp
	h := head{Sidechain: s.AgentID != "", AgentID: s.AgentID}
	if parent != "" {
		h.Parent = &parent
	}
	d.up[uuid], d.parent = parent, uuid
	return h, stampTime(d.w.Now()), foot{"external", s.Entrypoint, s.Dir, s.SessionID, s.Version, s.Branch}
}

func (d *draft) assistant(m *Message, p part, index int) ([]byte, error) {
	var r assistantRow
	r.UUID = m.Rows[index]
	r.head, r.Time, r.foot = d.row(d.parent, r.UUID)
	msg := &r.Message
	msg.ID, msg.Type, msg.Role, msg.Model = m.ID, "message", "assistant", m.Model
	msg.Content, msg.Usage = []json.RawMessage{p.content}, valid(m.Usage)
	if m.Stop != "" {
		msg.Stop = &m.Stop
	}
	if msg.Usage == nil {
		msg.Usage = json.RawMessage(noUsage)
	}
	r.Index, r.Model, r.Type, r.By = index, m.Model, "assistant", "model"
	if m.ID != "" {
		d.ids[m.ID] = append(d.ids[m.ID], r.UUID)
	}
	if p.call != "" {
		d.calls[p.call] = r.UUID
	}
	return encode(r)
}

func (d *draft) user(m *Message, p part, uuid string) ([]byte, error) {
	var r userRow
	parent := d.parent
	if p.answer {
		if r.Source = m.Source; r.Source == "" {
			r.Source = d.call(p.call)
		}
		if r.Source != "" && !d.preserved(r.Source) {
			parent = r.Source
		}
		r.Result = valid(m.Results[p.call])
	}
	r.UUID = uuid
	r.head, r.Time, r.foot = d.row(parent, uuid)
	if !m.Summary {
		r.PromptID = d.id
	}
	r.Type, r.Message.Role, r.Message.Content = "user", "user", p.content
	r.Visible, r.Summary, r.Meta = m.Summary, m.Summary, m.Meta
	if m.Meta {
		r.RowSource = "harness"
	}
	if !p.answer && !m.Meta && !m.Summary && m.Mode != "" {
		r.Mode, r.Origin, r.Prompt, r.Turn = m.Mode, &origin{"human"}, "typed", "human"
	}
	return encode(r)
}

// preserved says whether a row is kept by the newest compaction.
func (d *draft) preserved(uuid string) bool {
	if d.fresh {
		return slices.Contains(d.kept, uuid)
	}
	return d.w.tree.kept[uuid]
}

// call returns the row of a call.
func (d *draft) call(id string) string {
	if row := d.calls[id]; row != "" {
		return row
	}
	return d.w.tree.calls[id]
}

// commit takes over what is durable now.
func (d *draft) commit() {
	w, t := d.w, &d.w.tree
	for uuid := range d.up {
		t.since[uuid] = true
	}
	for id, rows := range d.ids {
		for _, uuid := range rows {
			if !slices.Contains(t.ids[id], uuid) {
				t.ids[id] = append(t.ids[id], uuid)
			}
		}
	}
	for id, uuid := range d.calls {
		t.calls[id] = uuid
	}
	if d.fresh {
		clear(t.kept)
		t.stray, t.anchor, t.last = false, d.anchor, ""
		if len(d.kept) > 0 {
			t.last = d.kept[len(d.kept)-1]
		}
		for _, uuid := range d.kept {
			t.kept[uuid] = true
		}
	}
	t.leaf = d.parent
	clear(t.tail)
	for _, m := range slices.Backward(d.list) {
		if n := len(m.Rows); n > 0 {
			for _, uuid := range m.Rows {
				t.tail[uuid] = true
			}
			break
		}
	}
	w.prompt, w.promptID, w.wrote = d.prompt, d.id, true
	w.pointed = w.pointed || d.point
}

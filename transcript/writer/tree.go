package writer

import "coppice/transcript/ledger"

// tree is what is known of the rows on disk.
type tree struct {
	before *ledger.Ledger      // the rows that were there; nil for a new session
	since  map[string]bool     // uuids of rows written since
	ids    map[string][]string // message id to the uuids of its rows
	calls  map[string]string   // id of a call to the uuid of its row, as far as they may be answered
	leaf   string              // the row that the next one hangs below
	tail   map[string]bool     // rows of the last message: what follows it hangs below leaf
	kept   map[string]bool     // rows that the newest compaction preserved: nothing may hang below them
	anchor string              // the row that they are spliced in behind; "" for none
	last   string              // the last of them
	// stray says that the newest compaction of the file is none of the conversation's
	// or does not reach its end: it broke off, or the conversation went back to
	// before it. The client would still read nothing before it (observed A.5).
	stray bool
}

func newTree() tree {
	return tree{
		since: map[string]bool{}, ids: map[string][]string{}, calls: map[string]string{},
		tail: map[string]bool{}, kept: map[string]bool{},
	}
}

// has says whether a row is on disk.
func (t *tree) has(uuid string) bool {
	if t.since[uuid] {
		return true
	}
	if t.before == nil {
		return false
	}
	_, ok := t.before.Row(t.before.ID(uuid))
	return ok
}

// found returns how many of the first rows of a message are on disk. A message
// that is known by its id only is given its rows.
func (t *tree) found(m *Message) int {
	if len(m.Rows) == 0 && m.Role == "assistant" && m.ID != "" {
		m.Rows = append([]string(nil), t.ids[m.ID]...)
	}
	for i, uuid := range m.Rows {
		if !t.has(uuid) {
			return i
		}
	}
	return len(m.Rows)
}

// grew says whether a message, of which done rows are on disk, has more to write:
// rows of a turn that failed, or blocks that came since. Of a message that was
// there before nobody knows how its blocks became rows: it is whole.
func (t *tree) grew(m *Message, done int) bool {
	if done < len(m.Rows) {
		return true
	}
	if done == 0 || !t.since[m.Rows[0]] {
		return false
	}
	parts, err := split(m)
	return err == nil && len(parts) > done
}

// end returns the row that the conversation ends at: the leaf, or the last
// preserved row where nothing was written behind those. Rows that were given up
// may hang below a preserved one, so that the leaf does not tell the end.
func (t *tree) end() string {
	if t.leaf != "" && t.leaf == t.anchor {
		return t.last
	}
	return t.leaf
}

// overlap says whether one of the rows is in a set.
func overlap(set map[string]bool, rows []string) bool {
	for _, uuid := range rows {
		if set[uuid] {
			return true
		}
	}
	return false
}

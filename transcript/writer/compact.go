package writer

import "slices"

// compact writes a boundary, the message that the conversation begins with now,
// and what is new behind it. Messages that are on disk are named as preserved:
// readers splice them in behind the anchor, and rows that hang on the anchor
// come after them (observed A.5).
//
// The old end is named between the boundary and its summary, because the client
// reads nothing that stands before the newest boundary but what that one
// preserves; the last record names the new end. An old end that hangs below a
// preserved row without being one is not named: readers would take it for the end
// of the new conversation.
func (d *draft) compact(c Compaction) error {
	t := &d.w.tree
	d.fresh, d.point = true, true
	first, rest := d.list[0], d.list[1:]
	known := t.found(first) > 0
	if known && first.Summary && !t.kept[first.Rows[0]] {
		known = false // the same summary begins another conversation
	}
	if known {
		rest = d.list // nothing but the kept messages, without a summary
	}
	var fresh []*Message
	var kept []string
	for _, m := range rest {
		if n := t.found(m); n > 0 && !t.grew(m, n) {
			kept = append(kept, m.Rows...)
		} else {
			m.Rows = nil // rows of that name may stand before this boundary
			fresh = append(fresh, m)
		}
	}
	if c.Preserved != nil {
		kept = slices.DeleteFunc(slices.Clone(c.Preserved), func(uuid string) bool { return !t.has(uuid) })
	}
	d.kept = kept

	boundary, anchor := d.w.NewUUID(), ""
	if anchor = boundary; !known {
		parts, err := split(first)
		if err != nil {
			return err
		}
		first.Rows = nil
		for range parts {
			first.Rows = append(first.Rows, d.w.NewUUID())
		}
		anchor = first.Rows[len(first.Rows)-1]
	}
	if len(kept) > 0 {
		d.anchor = anchor
	}
	row, err := encode(d.boundary(c, boundary, anchor))
	if err != nil {
		return err
	}
	d.records = append(d.records, row)
	if end := t.end(); end != "" && (len(kept) == 0 || slices.Contains(kept, end)) {
		d.pointer(end)
	}
	if !known {
		if err := d.message(first, 0); err != nil {
			return err
		}
	}
	return d.write(fresh, d.parent)
}

func (d *draft) boundary(c Compaction, uuid, anchor string) boundaryRow {
	r := boundaryRow{
		Type: "system", Subtype: "compact_boundary", Content: "Compacted", Level: "info", UUID: uuid,
		Metadata: metadata{Trigger: c.Trigger, PreTokens: c.PreTokens, PostTokens: c.PostTokens},
	}
	r.head, r.Time, r.foot = d.row("", uuid)
	r.Logical = d.w.tree.leaf
	if n := len(d.kept); n > 0 {
		r.Metadata.Segment = &segment{Head: d.kept[0], Anchor: anchor, Tail: d.kept[n-1]}
		r.Metadata.Messages = &messages{Anchor: anchor, UUIDs: d.kept, All: d.kept}
	}
	return r
}

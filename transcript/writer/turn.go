package writer

import (
	"context"
	"fmt"
)

// Turn makes the transcript hold messages, the whole conversation from its first
// message on. Those that are on disk are recognised by the uuids of their rows
// and, for assistant messages, by id; only the tail is appended, below the last
// one that is known. That one may have grown: its new blocks are appended too.
// What is new but stands before it stays unwritten, without Rows.
//
// When the first message is another one than on disk (a compaction, /clear) the
// list is matched against all of the file: kept messages stay where they are, the
// boundary names them as preserved, and none of them becomes the parent of it or
// of any new row; new messages follow the kept ones. The boundary is there without
// a Compaction too: a root of its own would be taken for a gap. Going back to an
// earlier message is a branch; into what a compaction preserved, it is a new
// boundary with the same summary, and so is the first turn after a compaction that
// broke off.
//
// The Rows of new messages are filled in. When it returns, all of it is durable.
// After an error the messages may be on disk in part; the next Turn writes them
// under the same uuids again, and readers take the later record. Errors match
// ErrReplaced, ErrMessage, and those of transcript.Append and CreateNew.
func (w *Writer) Turn(ctx context.Context, messages []Message, compaction *Compaction) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	list := make([]*Message, 0, len(messages))
	for i := range messages {
		if !messages[i].Made {
			list = append(list, &messages[i])
		}
	}
	if len(list) == 0 {
		return nil
	}
	d := w.draft(list)
	var err error
	switch {
	case compaction != nil:
		err = d.compact(*compaction)
	case w.tree.leaf != "" && w.tree.found(list[0]) == 0:
		err = d.compact(Compaction{Trigger: "manual"})
	default:
		err = d.continued()
	}
	if err != nil {
		return fmt.Errorf("write a turn to %s: %w", w.path, err)
	}
	if len(d.records) == 0 {
		return nil
	}
	before := w.others
	if err := w.append(d.records, false); err != nil {
		return err
	}
	d.commit()
	w.point = w.tree.end() != w.tree.leaf // the next turn does not hang below the end
	if w.others > before && !d.point {
		// They may have named their own end before these rows were written.
		d.records = nil
		d.pointer(w.tree.end())
		if err := w.append(d.records, false); err != nil {
			w.point = true
			return err
		}
	}
	return nil
}

// continued appends what follows the last message that is on disk.
func (d *draft) continued() error {
	t := &d.w.tree
	last, done := -1, 0
	for i := len(d.list) - 1; i >= 0 && last < 0; i-- {
		if done = t.found(d.list[i]); done > 0 {
			last = i
		}
	}
	if last < 0 {
		return d.write(d.list, "")
	}
	m := d.list[last]
	parent, again := t.leaf, t.stray
	if !overlap(t.tail, m.Rows[:done]) {
		parent = m.Rows[done-1]
		again = again || t.kept[parent] || parent == t.anchor
	}
	grown := t.grew(m, done)
	if last == len(d.list)-1 && !grown {
		return nil
	}
	if again {
		return d.compact(Compaction{Trigger: "manual"})
	}
	d.jump(parent)
	if grown {
		d.parent = parent
		if err := d.message(m, done); err != nil {
			return err
		}
		parent = d.parent
	}
	return d.write(d.list[last+1:], parent)
}

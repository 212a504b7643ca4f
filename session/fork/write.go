package fork

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"coppice/session/move/carry"
	"coppice/transcript"
	"coppice/transcript/ledger"
	"coppice/transcript/writer"
)

// lines writes the transcript of a fork.
type lines struct {
	req   Request
	plan  *plan
	src   io.ReaderAt
	paths *paths
	out   *os.File

	edit    editor
	buf     []byte
	id      []byte // the fork's id, quoted
	source  []byte // the source's
	dir     []byte
	branch  []byte // nil for none
	stamped bool   // a row says where the fork runs

	elsewhere int // results that are stored in no directory of the fork
}

func newLines(req Request, p *plan, src io.ReaderAt, paths *paths, out *os.File) *lines {
	w := &lines{
		req: req, plan: p, src: src, paths: paths, out: out,
		id: quote(req.ID), source: quote(req.SourceID), dir: quote(req.Dir),
	}
	if req.Branch != "" {
		w.branch = quote(req.Branch)
	}
	return w
}

// write writes all of it; it does not sync.
func (w *lines) write(ctx context.Context) error {
	out := newSpool(w.out)
	w.buf = <-out.free
	err := w.items(ctx, out)
	if err == nil {
		for _, record := range w.tail() {
			w.buf = append(append(w.buf, record...), '\n')
		}
		w.buf = out.swap(w.buf)
	}
	return errors.Join(err, out.close())
}

func (w *lines) items(ctx context.Context, out *spool) (err error) {
	in := newFeed(ctx, w.src, w.plan.items)
	defer func() { err = errors.Join(err, in.close()) }()
	for b := range in.full {
		for _, it := range b.items {
			if it.row != nil {
				err = w.row(it, b.bytes(it))
			} else {
				err = w.record(it.record, b.bytes(it))
			}
			if err != nil {
				return err
			}
			if len(w.buf) >= spoolSize {
				w.buf = out.swap(w.buf)
			}
		}
		in.done(b)
	}
	return ctx.Err()
}

// changed says that the source is not what the ledger read any more.
func changed(line int) error { return fmt.Errorf("line %d of the source: %w", line, carry.ErrChanged) }

// row writes one row of the conversation.
func (w *lines) row(it item, b []byte) (err error) {
	if !w.plan.ledger.Same(it.index, b) {
		return changed(it.row.Line)
	}
	large := it.row.Large
	if it.row.Kind == ledger.User || it.row.Kind == ledger.Attachment {
		was := b
		if b = w.paths.rewrite(b, it.row.Summary); &b[0] != &was[0] {
			large = [2]ledger.Stretch{}
		}
	}
	named, linked := false, false
	decide := func(key, value []byte) ([]byte, bool) {
		switch string(key) {
		case "uuid":
			return nil, !it.nameless
		case "sessionId":
			named = true
			return w.id, true
		case "cwd":
			w.stamped = true
			return w.dir, true
		case "gitBranch":
			return w.branch, w.branch != nil
		case "entrypoint": // a session of print mode is in no list
			if bytes.HasPrefix(value, []byte(`"sdk-`)) {
				return []byte(`"cli"`), true
			}
		case "isSidechain": // the client resumes nothing that ends at one (observed A.1)
			if it.row.Sidechain && it.row.UUID == w.plan.leaf {
				return []byte("false"), true
			}
		case "compactMetadata":
			return w.unpreserved(it.row, value), true
		case "toolUseResult":
			if w.paths.elsewhere(value) {
				w.elsewhere++
			}
		case "slug", "forkedFrom":
			return nil, false
		case "parentUuid":
			if linked = true; it.relink {
				return w.uuid(it.parent), true
			}
		}
		return nil, true
	}
	w.buf, err = w.edit.edit(w.buf, b, large, decide, func(out []byte) []byte {
		if it.nameless {
			out = append(append(out, `,"uuid":`...), w.uuid(it.row.UUID)...)
		}
		if !linked && it.relink {
			out = append(append(out, `,"parentUuid":`...), w.uuid(it.parent)...)
		}
		if !named {
			out = append(append(out, `,"sessionId":`...), w.id...)
		}
		out = append(append(out, `,"forkedFrom":{"sessionId":`...), w.source...)
		return append(append(append(out, `,"messageUuid":`...), w.uuid(it.row.UUID)...), '}')
	})
	if err != nil {
		return changed(it.row.Line)
	}
	w.buf = append(w.buf, '\n')
	return nil
}

// unpreserved returns the metadata of a compaction without what it preserves, nil
// for the recorded metadata where that holds.
func (w *lines) unpreserved(row *ledger.Row, metadata []byte) []byte {
	if !w.plan.linear || !row.Compaction {
		return nil
	}
	var nested editor
	out, err := nested.edit(nil, metadata, [2]ledger.Stretch{}, func(key, _ []byte) ([]byte, bool) {
		return nil, string(key) != "preservedSegment" && string(key) != "preservedMessages"
	}, nil)
	if err != nil {
		return []byte("{}")
	}
	return out
}

// uuid returns a uuid in JSON, null for none.
func (w *lines) uuid(id ledger.ID) []byte {
	if id == 0 {
		return []byte("null")
	}
	return quote(w.plan.ledger.Text(id))
}

// record writes one side record, unless it is about rows that are not copied.
func (w *lines) record(r *ledger.Record, b []byte) (err error) {
	switch r.Type {
	case "content-replacement":
		b = w.paths.rewrite(b, false)
	case "permission-mode":
		if mode, ok := w.text(b, "permissionMode"); !ok || !inheritsMode(mode) {
			return nil
		}
	case "file-history-snapshot", "file-history-delta":
		id, _ := w.text(b, "messageId")
		if _, ok := w.plan.place[w.plan.ledger.ID(id)]; !ok {
			return nil
		}
	}
	w.buf, err = w.edit.edit(w.buf, b, [2]ledger.Stretch{}, func(key, _ []byte) ([]byte, bool) {
		if string(key) == "sessionId" {
			return w.id, true
		}
		return nil, true
	}, nil)
	if err != nil {
		return changed(r.Line)
	}
	w.buf = append(w.buf, '\n')
	return nil
}

// text returns the string that a member of the object b holds.
func (w *lines) text(b []byte, name string) (s string, ok bool) {
	ok = json.Unmarshal(w.edit.value(b, name), &s) == nil
	return s, ok
}

// tail returns what stands at the end of the fork, where the client looks for it:
// the name, and the newest prompt with the row at which the conversation ends.
func (w *lines) tail() [][]byte {
	var out [][]byte
	if !w.stamped { // no row says where it belongs
		out = append(out, writer.Relocated(w.req.ID, w.req.Dir))
	}
	if w.req.Name != "" {
		out = append(out, transcript.TitleRecords(w.req.ID, w.req.Name)...)
	}
	return append(out, writer.LastPrompt(w.req.ID, w.plan.last, w.plan.ledger.Text(w.plan.leaf)))
}

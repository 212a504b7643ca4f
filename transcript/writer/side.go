package writer

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"syscall"
)

// Side appends records that have no place in the tree, each one JSON object; see
// the constructors in records.go. Before the first Turn of a new session they
// wait for it.
func (w *Writer) Side(records ...[]byte) error {
	if !w.made {
		w.waiting = append(w.waiting, records...)
		return nil
	}
	return w.append(records, false)
}

// tailSize is how far from the end the client looks for metadata (observed F).
const tailSize = 64 << 10

// Leave writes what a session says about itself at its end or when metadata
// changed: titles, modes, worktree, and, when a Turn wrote something, the newest
// prompt with its leaf. A record that equals the newest of its type within the
// last 64 KiB of the file is not written again, so that opening and leaving is no
// write. When no Turn wrote anything the file keeps its mtime. A new session
// without a Turn has no file, and Leave makes none.
func (w *Writer) Leave(records ...[]byte) error {
	if !w.made {
		return nil
	}
	if w.wrote && w.stamp.AgentID == "" {
		records = append(records[:len(records):len(records)], LastPrompt(w.stamp.SessionID, w.prompt, w.tree.end()))
	}
	tail, err := w.readTail()
	if err != nil {
		return fmt.Errorf("read the end of %s: %w", w.path, err)
	}
	newest := map[string][]byte{}
	for line := range bytes.SplitSeq(tail, []byte("\n")) {
		if kind := recordType(line); kind != "" {
			newest[kind] = line
		}
	}
	var out [][]byte
	for _, record := range records {
		if kind := recordType(record); kind == "" || !bytes.Equal(newest[kind], record) {
			out = append(out, record)
			newest[kind] = record
		}
	}
	if err := w.append(out, !w.wrote); err != nil {
		return err
	}
	w.pointed = w.pointed || w.wrote
	return nil
}

// recordType returns the type of a record without uuid, "" for anything else.
func recordType(line []byte) string {
	var r struct{ Type, UUID string }
	line = bytes.TrimSpace(line)
	if len(line) == 0 || line[0] != '{' || json.Unmarshal(line, &r) != nil || r.UUID != "" {
		return ""
	}
	return r.Type
}

// readTail returns the last 64 KiB of the file.
func (w *Writer) readTail() ([]byte, error) {
	f, err := os.OpenFile(w.path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	tail := make([]byte, min(info.Size(), tailSize))
	n, err := f.ReadAt(tail, info.Size()-int64(len(tail)))
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return tail[:n], err
}

package move

import (
	"bytes"
	"io"
	"os"

	"coppice/transcript"
	"coppice/transcript/writer"
)

// records returns what a moved transcript says about it (observed D). A client that
// ends in a worktree says the same, whether or not it keeps the worktree; the
// second empty binding says that nothing of it is left (see transcript.Summary).
func records(req Request) [][]byte {
	moved := writer.Relocated(req.ID, req.Dir)
	if !req.Unbind {
		return [][]byte{moved}
	}
	none := writer.WorktreeState(req.ID, nil)
	return [][]byte{moved, none, none}
}

// inPlace tells the transcript where it belongs when the folder of the other
// directory is the one that it is in: many directories have one folder (observed
// H). What it says at its end already is not said again.
func (m *mover) inPlace() error {
	m.res.Path = m.Source
	f, err := os.Open(m.Source)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }()
	info, err := f.Stat()
	if err != nil || endsWith(f, info.Size(), m.records) {
		return err
	}
	return transcript.Append(m.Source, records(m.Request), m.keep())
}

// keep says how to append: what is said about a transcript is no use of it.
func (m *mover) keep() transcript.AppendOptions {
	return transcript.AppendOptions{KeepTime: true, Retention: m.Retention}
}

// endsWith reports whether the file of this size ends with tail.
func endsWith(r io.ReaderAt, size int64, tail []byte) bool {
	if size < int64(len(tail)) {
		return false
	}
	end := make([]byte, len(tail))
	n, _ := r.ReadAt(end, size-int64(len(tail)))
	return bytes.Equal(end[:n], tail)
}

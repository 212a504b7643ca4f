package move

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"coppice/transcript"
)

// window is how much of a transcript is searched at once, and margin the longest
// path in front of an id that is still looked at.
const (
	window = 1 << 20
	margin = 4 << 10
)

// stale says which absolute paths in the transcript name a place that is not the
// target: stored results (observed A.6, D), and the transcript itself in the
// summary of a compaction (observed A.5). The client neither rewrites nor checks
// them, and a transcript's bytes are not ours.
func (m *mover) stale(ctx context.Context, r io.ReaderAt, size int64) ([]string, error) {
	results, own := false, false
	id := []byte("/" + m.ID)
	folder := transcript.Encode(m.Folder)
	folder = folder[1 : len(folder)-1]
	buf := make([]byte, margin+window+margin)
	for at := int64(0); at < size; at += window {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		from := max(at-margin, 0)
		n, err := r.ReadAt(buf[:min(int64(len(buf)), size-from)], from)
		if err != nil && !errors.Is(err, io.EOF) {
			return nil, err
		}
		part := buf[:n]
		for i := 0; ; {
			hit := bytes.Index(part[i:], id)
			if hit < 0 {
				break
			}
			before, behind := part[:i+hit], part[i+hit+len(id):]
			i += hit + len(id)
			if bytes.HasSuffix(before, folder) {
				continue
			}
			results = results || bytes.HasPrefix(behind, []byte("/tool-results/"))
			own = own || bytes.HasPrefix(behind, []byte(".jsonl"))
		}
	}
	var notes []string
	if results {
		notes = append(notes, fmt.Sprintf("large results are recorded with the path of their old place; they are in %s now", filepath.Join(m.to, "tool-results")))
	}
	if own {
		notes = append(notes, fmt.Sprintf("the conversation names its own transcript by an old path; it is %s now", m.target))
	}
	return notes, nil
}

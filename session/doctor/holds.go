package doctor

import (
	"context"
	"fmt"
	"slices"

	"coppice/session"
	"coppice/transcript/ledger"
)

// Holds reports whether the conversation in the transcript at path, what a
// compaction put out of it included, has every message of the one at source. Only
// ids are compared; a message without one counts as one more. A source without
// messages is held by none.
func Holds(ctx context.Context, path, source string) (bool, error) {
	want, err := said(ctx, source)
	if err != nil {
		return false, err
	}
	got, err := said(ctx, path)
	if err != nil {
		return false, err
	}
	has := make(map[string]bool, len(got))
	for _, id := range got {
		has[id] = true
	}
	lacks := func(id string) bool { return id != "" && !has[id] }
	return len(want) > 0 && len(got) >= len(want) && !slices.ContainsFunc(want, lacks), nil
}

// said returns the ids of the user and assistant rows of a conversation.
func said(ctx context.Context, path string) ([]string, error) {
	f, err := session.Session{Path: path}.Open()
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	info, err := f.Stat()
	if err != nil {
		return nil, fmt.Errorf("compare transcripts: %w", err)
	}
	l, err := ledger.Read(ctx, f, info.Size())
	if err != nil {
		return nil, err
	}
	keep, err := l.Chain(ledger.Keep)
	if err != nil {
		return nil, err
	}
	var out []string
	for _, i := range slices.Concat(keep.Before, keep.Rows) {
		if r := l.Rows[i]; r.Kind == ledger.User || r.Kind == ledger.Assistant {
			out = append(out, l.Text(r.UUID))
		}
	}
	return out, nil
}

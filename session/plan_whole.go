package session

import (
	"context"
	"path/filepath"

	"coppice/transcript"
	"coppice/worktree"
)

// whole returns s with a complete Summary, and the directory that follows from
// it. A row may know only the head and the tail of its file yet, and a worktree
// binding, a mode or damage may lie between them. A file that cannot be read is
// planned with what is known of it.
func whole(ctx context.Context, s Session, locate func(string) worktree.Place) Session {
	if s.Summary.Complete || s.Problem != "" {
		return s
	}
	f, err := s.Open()
	if err != nil {
		return s
	}
	defer func() { _ = f.Close() }()
	info, err := f.Stat()
	if err != nil {
		return s
	}
	var scanner transcript.Scanner
	state, err := scanner.Scan(ctx, f, info.Size(), nil)
	if err != nil || !state.Summary.Complete {
		return s
	}
	s.Summary = state.Summary
	s.Dir, _ = homeOf(&s.Summary, filepath.Base(filepath.Dir(s.Path)), locate)
	s.NotReady = notReady(&s.Summary, info.Size(), "")
	return s
}

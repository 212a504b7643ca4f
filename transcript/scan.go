package transcript

import (
	"context"
	"io"
)

// Peek reads the head and the tail of a transcript of the given size and
// returns what they tell. The result is Complete when they are all of it.
// The error is one of r's or ctx's; damage is never an error.
func Peek(ctx context.Context, r io.ReaderAt, size int64) (Summary, error) { return Summary{}, nil }

// Scanner reads a whole transcript once, depth one only, and can go on where it
// stopped when the file has grown since. It owns a buffer: one per worker.
type Scanner struct{ buf []byte }

// Scan returns the complete Summary of the first size bytes. prev, when not nil,
// is the State of an earlier Scan of the same file: only what was appended since
// is read. A file that did not merely grow needs a nil prev.
func (s *Scanner) Scan(ctx context.Context, r io.ReaderAt, size int64, prev *State) (State, error) {
	return State{}, nil
}

// State is a Summary and what a Scanner needs to go on from its end. It can be
// cached (all fields that matter are exported).
type State struct {
	Summary Summary
	Offset  int64 // everything before it was looked at; the start of a line
	Lines   int   // complete lines before Offset
	// Resume holds what later records may still change.
	Resume Resume
}

// Resume is the part of a State that is of no interest to anyone but Scan.
type Resume struct {
	LastMessageID string          // of the newest assistant record, to count a split message once
	OpenCalls     map[string]bool // calls of the newest assistant message without a result
	Guard         []byte          // the last bytes before Offset, to notice a file that was replaced
}

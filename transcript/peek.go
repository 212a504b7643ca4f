package transcript

import (
	"bytes"
	"context"
	"io"
)

const (
	windowSize = 64 << 10 // of the head and of the tail
	maxHead    = 1 << 20  // how far Peek goes on for a first prompt
	maxTail    = 256 << 10
)

// Peek reads the head and the tail of a transcript of the given size and
// returns what they tell. It is Scanner.Peek for a single file.
func Peek(ctx context.Context, r io.ReaderAt, size int64) (Summary, error) {
	return new(Scanner).Peek(ctx, r, size)
}

// Peek reads the first and the last 64 KB of a transcript of the given size and
// returns what they tell. While they hold no prompt it reads on from the head,
// up to 1 MB; while the tail holds no complete line it goes back, up to 256 KB.
// The result is Complete when that is all of the file; else Messages, Records
// and damage count what was read, and lines of the tail have no number.
// The error is one of r's or ctx's; damage is never an error.
func (s *Scanner) Peek(ctx context.Context, r io.ReaderAt, size int64) (Summary, error) {
	if size <= 2*windowSize {
		state, err := s.Scan(ctx, r, size, nil)
		return state.Summary, err
	}
	state := s.start(r, size, nil)
	err := s.head(ctx, r, &state, size)
	if err != nil {
		s.finish(ctx, r, &state, nil, false)
		return state.Summary, err
	}
	joined := size-windowSize <= state.Offset
	base := int64(0)
	if !joined {
		base = s.tailStart(r, size)
		state = State{Offset: base, Lines: unnumbered}
		s.fold.row, s.fold.undated, s.fold.res.OpenCalls = -1, -1, nil
	}
	last, err := s.lines(ctx, r, &state, size, s.readLine)
	if err == nil {
		err = s.settle(ctx, r, base, &state)
	}
	s.finish(ctx, r, &state, last, joined && err == nil)
	state.Summary.Size = size
	return state.Summary, err
}

// unnumbered is a line count from which no line number comes.
const unnumbered = -1 << 40

// head reads the first lines: all that end in the window, and more until there
// is a prompt.
func (s *Scanner) head(ctx context.Context, r io.ReaderAt, st *State, size int64) error {
	whole := s.buf
	defer func() { s.buf = whole }()
	for limit := int64(windowSize); ; limit = min(4*limit, size, maxHead) {
		s.buf = whole[:min(int64(len(whole)), limit-st.Offset)]
		if _, err := s.lines(ctx, r, st, limit, s.readLine); err != nil {
			return err
		}
		if s.fold.sum.FirstPrompt != "" || limit >= min(size, maxHead) {
			return nil
		}
	}
}

// tailStart finds the first line that begins in the tail; without one it is the
// end.
func (s *Scanner) tailStart(r io.ReaderAt, size int64) int64 {
	for window := int64(windowSize); window <= maxTail; window *= 4 {
		from := max(size-window, 0)
		n, err := readAt(r, s.buf[:min(window, int64(len(s.buf)))], from, size)
		if err != nil {
			break
		}
		if i := bytes.IndexByte(s.buf[:n], '\n'); i >= 0 {
			return from + int64(i) + 1
		}
	}
	return size
}

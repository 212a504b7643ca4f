package transcript

import (
	"bytes"
	"context"
	"io"
)

const (
	smallSize = 64 << 10 // up to which a transcript is read whole
	headSize  = 16 << 10
	maxHead   = 1 << 20 // how far Peek goes on for a first prompt
	tailSize  = 32 << 10
	maxTail   = 256 << 10
)

// Peek reads the head and the tail of a transcript of the given size and
// returns what they tell. It is Scanner.Peek for a single file.
func Peek(ctx context.Context, r io.ReaderAt, size int64) (Summary, error) {
	return new(Scanner).Peek(ctx, r, size)
}

// Peek reads the first 16 KB and the last 32 KB of a transcript of the given
// size and returns what they tell. While they hold no prompt it reads on from
// the head, up to 1 MB; while the tail holds no complete line it goes back, up
// to 256 KB. A transcript of up to 64 KB is read whole. The result is Complete when that is all of the file; else Messages, Records
// and damage count what was read, and lines of the tail have no number.
// The error is one of r's or ctx's; damage is never an error.
func (s *Scanner) Peek(ctx context.Context, r io.ReaderAt, size int64) (Summary, error) {
	if size <= smallSize {
		state, err := s.Scan(ctx, r, size, nil)
		return state.Summary, err
	}
	state := s.start(r, size, nil)
	err := s.head(ctx, r, &state, size)
	if err != nil {
		s.finish(ctx, r, &state, nil, false)
		return state.Summary, err
	}
	joined := size-tailSize <= state.Offset
	base := int64(0)
	if !joined {
		r, base = s.tail(r, size)
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
	for limit := int64(headSize); ; limit = min(4*limit, size, maxHead) {
		s.buf = whole[:min(int64(len(whole)), limit-st.Offset)]
		if _, err := s.lines(ctx, r, st, limit, s.readLine); err != nil {
			return err
		}
		if s.fold.sum.FirstPrompt != "" || limit >= min(size, maxHead) {
			return nil
		}
	}
}

// tail reads the tail once and finds the first line that begins in it; without
// one that is the end.
func (s *Scanner) tail(r io.ReaderAt, size int64) (io.ReaderAt, int64) {
	for window := int64(tailSize); window <= maxTail; window *= 2 {
		from := max(size-window, 0)
		k := s.keep(r, from, size)
		if i := bytes.IndexByte(k.b, '\n'); i >= 0 {
			return k, from + int64(i) + 1
		}
	}
	return r, size
}

// kept is a file of which a part is in memory.
type kept struct {
	r   io.ReaderAt
	off int64
	b   []byte
}

// keep reads a part of a file. What cannot be read is left to the next reader.
func (s *Scanner) keep(r io.ReaderAt, off, size int64) *kept {
	if int64(cap(s.mem)) < size-off {
		s.mem = make([]byte, max(size-off, smallSize))
	}
	n, _ := readAt(r, s.mem[:size-off], off, size)
	s.kept = kept{r, off, s.mem[:n]}
	return &s.kept
}

// ReadAt implements io.ReaderAt.
func (k *kept) ReadAt(b []byte, off int64) (int, error) {
	if from := off - k.off; from >= 0 && from+int64(len(b)) <= int64(len(k.b)) {
		return copy(b, k.b[from:]), nil
	}
	return k.r.ReadAt(b, off)
}

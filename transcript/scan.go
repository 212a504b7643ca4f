package transcript

import (
	"bytes"
	"context"
	"errors"
	"io"
)

const (
	bufSize   = 256 << 10
	guardSize = 64
)

// Scanner reads transcripts: from both ends (Peek) or whole (Scan), depth one
// only. It owns buffers that the next call reuses, so one Scanner serves one
// goroutine. The zero value is ready.
type Scanner struct {
	buf  []byte
	mem  []byte // for kept
	kept kept
	rec  record
	walk walker
	ends ends
	fold fold

	// the line at hand
	number int       // 1-based, 0 when not known
	off    int64     // where it starts
	torn   bool      // nothing ends it
	long   *longLine // how it was read when the buffer cannot hold it
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
	Begun         bool            // a user or assistant record was met
	Dated         bool            // one with a time was met: Created is settled
	// Before is the Summary at Offset when the file goes on behind it with a line
	// that nothing ends yet. State.Summary counts that line, Before does not.
	Before *Summary
}

// Scan returns the complete Summary of the first size bytes, for which it reads
// every byte once and the rows behind the newest assistant message once more.
// prev, when not nil, is the State of an earlier Scan of the same file: only
// what was appended since is read, and the result is the one that a Scan from
// the start would give. A file that became shorter, or whose bytes before
// prev.Offset are not those of then, is read from the start; one that was
// rewritten in place further up is not noticed and needs a nil prev.
//
// A line ends at a line feed. A last line without one counts as a record when it
// is whole and as torn when not. When less than size can be read, what there is
// counts. The error is one of r's or ctx's; the State then holds what was read.
//
// Rows are read from both ends (see ends), so Scan does not see: damage inside a
// large value of a row that is whole at both ends; control characters inside
// strings; an optional member between two containers in a row that answers a
// tool call, or between two of more than 160 bytes in an assistant row; in a row that looks like
// an earlier one of the file up to its ids and times, what is different in its
// middle. All else is found by a full reading of the line.
func (s *Scanner) Scan(ctx context.Context, r io.ReaderAt, size int64, prev *State) (State, error) {
	state := s.start(r, size, prev)
	base := state.Offset
	if left := size - base; left > 0 && left <= smallSize {
		r = s.keep(r, base, size)
	}
	last, err := s.lines(ctx, r, &state, size, s.readLine)
	if err == nil {
		err = s.settle(ctx, r, base, &state)
	}
	s.finish(ctx, r, &state, last, err == nil)
	return state, err
}

// start prepares the fold: from prev if the file goes on where that ended.
func (s *Scanner) start(r io.ReaderAt, size int64, prev *State) State {
	s.fold = newFold()
	s.ends.forget()
	if s.buf == nil {
		s.buf = make([]byte, bufSize)
	}
	if prev == nil || prev.Offset > size || !bytes.Equal(guard(r, prev.Offset), prev.Resume.Guard) {
		return State{}
	}
	sum := prev.Summary
	if prev.Resume.Before != nil {
		sum = *prev.Resume.Before
	}
	s.fold.sum, s.fold.res, s.fold.last = sum.clone(), prev.Resume, []byte(prev.Resume.LastMessageID)
	s.fold.res.OpenCalls = cloneCalls(prev.Resume.OpenCalls)
	s.fold.res.Guard, s.fold.res.Before = nil, nil
	return State{Offset: prev.Offset, Lines: prev.Lines}
}

// guard reads the bytes before off.
func guard(r io.ReaderAt, off int64) []byte {
	if off == 0 {
		return nil
	}
	b := make([]byte, min(off, guardSize))
	n, _ := r.ReadAt(b, off-int64(len(b))) // a short read is another guard
	return b[:n]
}

// settle reads again from the newest assistant message on, to learn which of its
// calls have a result, and the time of the newest row where the first reading
// passed it by. base is where that began.
func (s *Scanner) settle(ctx context.Context, r io.ReaderAt, base int64, end *State) error {
	from := s.fold.row
	switch {
	case from >= 0:
	case base > 0:
		from = base
	case s.fold.undated >= 0:
		from = s.fold.undated
	default:
		return nil
	}
	_, err := s.lines(ctx, r, &State{Offset: from}, end.Offset, s.readLate)
	return err
}

// finish turns the fold into the result. A last line that nothing ends counts in
// the Summary but not in what a later Scan starts from.
func (s *Scanner) finish(ctx context.Context, r io.ReaderAt, state *State, last *remainder, complete bool) {
	state.Summary, state.Resume = s.fold.snapshot()
	state.Summary.Size, state.Summary.Complete = state.Offset, complete
	state.Resume.Guard = guard(r, state.Offset)
	if last == nil {
		return
	}
	before := state.Summary.clone()
	state.Resume.Before = &before
	s.number, s.off, s.torn = state.Lines+1, state.Offset, true
	if last.line == nil {
		l, err := s.longLine(ctx, r, state.Offset, state.Offset+last.size)
		complete = complete && err == nil
		s.walked(l)
		s.lateLong(l)
	} else {
		s.readLine(last.line)
		s.readLate(last.line)
	}
	state.Summary, _ = s.fold.snapshot()
	state.Summary.Size, state.Summary.Complete = state.Offset+last.size, complete
}

// remainder is a last line that nothing ends.
type remainder struct {
	line []byte // nil when the buffer cannot hold it
	size int64
}

// lines calls visit for the complete lines from st.Offset to size and moves st
// along. A line that the buffer cannot hold is walked in pieces instead, and
// visit called with nil. visit ends the reading by returning false.
func (s *Scanner) lines(ctx context.Context, r io.ReaderAt, st *State, size int64, visit func([]byte) bool) (*remainder, error) {
	have := 0 // bytes in buf that begin the next line
	for at := st.Offset; ; {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		n, err := readAt(r, s.buf[have:], at, size)
		at += int64(n)
		data := s.buf[:have+n]
		for {
			i := bytes.IndexByte(data, '\n')
			if i < 0 {
				break
			}
			s.number, s.off, s.torn = st.Lines+1, st.Offset, false
			st.Offset += int64(i) + 1
			st.Lines++
			if !visit(data[:i]) {
				return nil, nil
			}
			data = data[i+1:]
		}
		have = copy(s.buf, data)
		if err != nil || n == 0 && have == 0 {
			return nil, err
		}
		if n == 0 {
			return &remainder{line: bytes.Clone(s.buf[:have]), size: int64(have)}, nil
		}
		if have == len(s.buf) {
			l, err := s.longLine(ctx, r, st.Offset, size)
			if err != nil {
				return nil, err
			}
			if !l.ended {
				return &remainder{size: l.size}, nil
			}
			s.number, s.off, s.torn = st.Lines+1, st.Offset, false
			st.Offset += l.size
			st.Lines++
			s.long = l
			if !visit(nil) {
				return nil, nil
			}
			at, have = st.Offset, 0
		}
	}
}

// readAt reads what there is of b at off, not beyond size. The end is no error.
func readAt(r io.ReaderAt, b []byte, off, size int64) (int, error) {
	if left := size - off; left < int64(len(b)) {
		b = b[:max(left, 0)]
	}
	if len(b) == 0 {
		return 0, nil
	}
	n, err := r.ReadAt(b, off)
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return n, err
}

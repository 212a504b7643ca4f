package transcript

import (
	"bytes"
	"context"
	"io"
)

// longLine is a line that the buffer cannot hold, shown to a walker in pieces.
type longLine struct {
	walk   *walker
	size   int64
	nuls   int  // at its start: the walker is not shown them
	inside bool // behind them
	failed bool
	ended  bool // by a line feed, which counts in size
}

// longLine walks the line that starts at off.
func (s *Scanner) longLine(ctx context.Context, r io.ReaderAt, off, size int64) (*longLine, error) {
	s.walk.begin(&s.rec)
	l := &longLine{walk: &s.walk}
	for {
		if err := ctx.Err(); err != nil {
			return l, err
		}
		n, err := readAt(r, s.buf, off+l.size, size)
		if err != nil || n == 0 {
			return l, err
		}
		data := s.buf[:n]
		i := bytes.IndexByte(data, '\n')
		if i >= 0 {
			data = data[:i]
		}
		if off+l.size == 0 {
			l.feed(bytes.TrimPrefix(data, bom))
		} else {
			l.feed(data)
		}
		l.size += int64(len(data))
		if i >= 0 {
			l.size++
			l.ended = true
			return l, nil
		}
	}
}

func (l *longLine) feed(b []byte) {
	if !l.inside {
		rest := bytes.TrimLeft(b, "\x00")
		l.nuls += len(b) - len(rest)
		l.inside = len(rest) > 0
		b = rest
	}
	if l.failed {
		return
	}
	n := l.walk.feed(b)
	l.failed = len(trim(b[n:])) > 0
}

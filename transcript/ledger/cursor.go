package ledger

import (
	"bytes"
	"context"
	"io"
)

// cursor is a place in a line. A line that the window cannot hold is read in
// pieces: more moves the window on, and keeps what stands behind mark.
type cursor struct {
	b    []byte // the window
	i    int    // the place in it
	mark int    // in b, from where bytes must stay in the window; -1 for none

	last        []byte // of b: the last long string, its quote included; nil for none
	lastEscaped bool

	base int64 // offset of b[0] in the file
	src  *source
}

// source feeds the window of a line that is read in pieces.
type source struct {
	ctx  context.Context
	r    io.ReaderAt
	size int64 // of the file
	buf  []byte
	lf   bool // the line feed was met
	done bool // nothing follows
	err  error
	sum  uint32 // checksum of what left the window, from the record's start on
	from int64  // offset of the first byte that is not in sum yet
}

// more reads on when the window is used up. It returns false at the line's end.
func (c *cursor) more() bool {
	s := c.src
	if s == nil || s.done || s.err != nil {
		return false
	}
	keep := c.i
	if c.mark >= 0 {
		keep = c.mark
	}
	if keep == 0 && len(c.b) == len(s.buf) { // what is kept fills the window: let it go
		keep, c.mark = c.i, -1
	}
	s.digest(c.b[:keep], c.base)
	n := copy(s.buf, c.b[keep:])
	c.base += int64(keep)
	c.i -= keep
	if c.mark >= 0 {
		c.mark = 0
	}
	if s.err = s.ctx.Err(); s.err != nil {
		return false
	}
	m, err := readAt(s.r, s.buf[n:], c.base+int64(n), s.size)
	if s.err = err; m == 0 {
		s.done = true
	}
	if lf := bytes.IndexByte(s.buf[n:n+m], '\n'); lf >= 0 {
		m, s.lf, s.done = lf, true, true
	}
	c.b = s.buf[:n+m]
	return m > 0
}

// digest adds the bytes that leave the window to the sum.
func (s *source) digest(b []byte, base int64) {
	if at := s.from - base; at < int64(len(b)) && at >= 0 {
		s.sum = add(s.sum, b[at:])
		s.from = base + int64(len(b))
	}
}

// offset is the place in the file.
func (c *cursor) offset() int64 { return c.base + int64(c.i) }

// peek returns the byte at the place, 0 at the end (a NUL stands nowhere in
// valid JSON).
func (c *cursor) peek() byte {
	if c.i < len(c.b) || c.more() {
		return c.b[c.i]
	}
	return 0
}

// blanks goes to the next byte that is no white space and returns it.
func (c *cursor) blanks() byte {
	if c.i < len(c.b) && c.b[c.i] > ' ' {
		return c.b[c.i]
	}
	return c.skip()
}

func (c *cursor) skip() byte {
	for {
		for c.i < len(c.b) {
			switch k := c.b[c.i]; k {
			case ' ', '\t', '\r', '\n':
				c.i++
			default:
				return k
			}
		}
		if !c.more() {
			return 0
		}
	}
}

package ledger

import (
	"bytes"
	"context"
	"errors"
	"io"
	"slices"
)

const bufSize = 256 << 10

// reader indexes one part of a file, from the start of a line to the end of one.
type reader struct {
	l       *Ledger // what was found, its rows and lines counted from the part's start
	events  []event
	ctx     context.Context
	buf     []byte
	rec     record
	names   names // of the types of records
	message ID    // message.id of the assistant row before
	cur     cursor
	line    int   // 1-based, of the line at hand
	start   int64 // offset of the part
	end     int64 // behind it
	off     int64 // where the line at hand starts
	room    int64 // how many bytes of rows the list of them is to have space for
}

// newReader returns a reader of r from start to end.
func newReader(ctx context.Context, r io.ReaderAt, start, end int64) *reader {
	return &reader{
		l:   &Ledger{r: r, Size: start, logical: map[int]ID{}, kept: map[int]preserved{}},
		ctx: ctx, names: names{}, buf: make([]byte, min(end-start+1, bufSize)), start: start, end: end, off: start, room: end - start,
	}
}

// lines reads one line after the other.
func (d *reader) lines() error {
	have := 0 // bytes in buf that begin the next line
	for at := d.start; ; {
		if err := d.ctx.Err(); err != nil {
			return err
		}
		n, err := readAt(d.l.r, d.buf[have:], at, d.end)
		if err != nil {
			return err
		}
		at += int64(n)
		d.l.Size = at
		data := d.buf[:have+n]
		for {
			i := bytes.IndexByte(data, '\n')
			if i < 0 {
				break
			}
			d.line++
			if err := d.short(data[:i], true); err != nil {
				return err
			}
			d.off += int64(i) + 1
			data = data[i+1:]
		}
		have = copy(d.buf, data)
		d.grow()
		switch {
		case n == 0 && have == 0:
			return nil
		case n == 0:
			d.line++
			return d.short(d.buf[:have], false)
		case have == len(d.buf):
			d.line++
			if at, err = d.long(); err != nil {
				return err
			}
			d.off, have = at, 0
			d.l.Size = max(d.l.Size, at)
		}
	}
}

// grow makes space for all rows, going by the first ones.
func (d *reader) grow() {
	l, done := d.l, d.off-d.start
	if done == 0 || cap(l.Rows)-len(l.Rows) > len(l.Rows)/64 {
		return
	}
	more := int(float64(len(l.Rows))/float64(done)*float64(d.room-done)*1.02) + 16
	more = min(more, 4*len(l.Rows)+16)
	l.Rows, l.rowSums = slices.Grow(l.Rows, more), slices.Grow(l.rowSums, more)
	l.ids.grow(len(l.ids.ends) + more)
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

var bom = []byte("\xEF\xBB\xBF")

// short takes a line that is in memory, without its line feed.
func (d *reader) short(b []byte, ended bool) error {
	off := d.off
	if off == 0 && bytes.HasPrefix(b, bom) {
		b, off = b[len(bom):], int64(len(bom))
	}
	d.cur = cursor{b: b, mark: -1, base: off}
	c := &d.cur
	if c.blanks() == 0 && c.i == len(b) {
		return nil
	}
	start := c.i
	if b[start] == '{' && d.rec.read(c) {
		end := c.i
		if c.blanks(); c.i == len(b) {
			d.add(c, span{off + int64(start), end - start}, add(0, b[start:end]), false)
			return nil
		}
	} else if b[start] != '{' && c.value(0) {
		if c.blanks(); c.i == len(b) {
			return nil // JSON, but no record (observed A.2)
		}
	}
	d.salvage(b[start:], off+int64(start), ended)
	return nil
}

// span is a stretch of the file.
type span struct {
	off  int64
	size int
}

// long takes the line that starts at off, which the buffer cannot hold, and
// returns where the next one starts.
func (d *reader) long() (int64, error) {
	src := &source{ctx: d.ctx, r: d.l.r, size: d.end, buf: d.buf, from: -1}
	d.cur = cursor{b: d.buf, mark: -1, base: d.off, src: src}
	c := &d.cur
	if d.off == 0 && bytes.HasPrefix(c.b, bom) {
		c.i = len(bom)
	}
	k := c.blanks()
	start := c.offset()
	src.from = start
	var ok bool
	if k == '{' {
		ok = d.rec.read(c)
	} else {
		ok = k != 0 && c.value(0)
	}
	end := c.offset()
	if ok && k == '{' {
		src.digest(c.b[:c.i], c.base)
	}
	sum := src.sum
	if c.blanks(); ok {
		ok = c.i == len(c.b)
	}
	for c.i = len(c.b); c.more(); c.i = len(c.b) {
	}
	if src.err != nil {
		return 0, src.err
	}
	next := c.base + int64(len(c.b))
	if src.lf {
		next++
	}
	switch {
	case ok && k == '{':
		d.add(nil, span{start, int(end - start)}, sum, false)
	case !ok:
		return next, d.salvageLong(start, c.base+int64(len(c.b)), src.lf)
	}
	return next, nil
}

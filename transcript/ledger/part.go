package ledger

import (
	"bytes"
	"context"
	"io"
	"runtime"
	"slices"
	"sync"
)

// partSize is the least that is worth a reader of its own.
const partSize = 16 << 20

// Read indexes the first size bytes of r, which must stay readable while the
// Ledger is used; it may be read at several places at once. Lines of any length
// are read; one that is longer than the buffer is not held. What cannot be read is
// Damage, not an error; the errors are those of r and ctx. A file that has become
// shorter than size is read as far as it goes.
func Read(ctx context.Context, r io.ReaderAt, size int64) (*Ledger, error) {
	return read(ctx, r, size, min(int(size/partSize), runtime.GOMAXPROCS(0)))
}

// read reads up to n parts of r side by side.
func read(ctx context.Context, r io.ReaderAt, size int64, n int) (*Ledger, error) {
	ends, err := cuts(r, size, n)
	if err != nil {
		return nil, err
	}
	readers, errs := make([]*reader, len(ends)), make([]error, len(ends))
	start := int64(0)
	for k, end := range ends {
		readers[k], start = newReader(ctx, r, start, end), end
	}
	whole := readers[0]
	whole.room = size // for the rows of the others, too
	var reading sync.WaitGroup
	for k, d := range readers {
		reading.Go(func() { errs[k] = d.lines() })
	}
	reading.Wait()
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	for k, d := range readers[1:] {
		if whole.l.Size < ends[k] {
			break // the file has become shorter
		}
		whole.join(d)
	}
	whole.settle()
	return whole.l, nil
}

// cuts returns where the parts of r end when it is cut into n of about the same
// size, or fewer where lines are long: behind a line feed each, or at the end.
func cuts(r io.ReaderAt, size int64, n int) ([]int64, error) {
	var ends []int64
	last := int64(0)
	for k := 1; k < n; k++ {
		at, err := nextLine(r, size/int64(n)*int64(k), size)
		if err != nil {
			return nil, err
		}
		if at > last && at < size {
			ends, last = append(ends, at), at
		}
	}
	return append(ends, size), nil
}

// nextLine returns where a line begins behind at, or size where none does soon.
func nextLine(r io.ReaderAt, at, size int64) (int64, error) {
	const soon = 1 << 20
	buf := make([]byte, min(soon, size-at))
	n, err := readAt(r, buf, at, size)
	if err != nil {
		return 0, err
	}
	if i := bytes.IndexByte(buf[:n], '\n'); i >= 0 {
		return at + int64(i) + 1, nil
	}
	return size, nil
}

// join takes over what the reader of the next part has found.
func (d *reader) join(next *reader) {
	l, n := d.l, next.l
	rows := len(l.Rows)
	l.Rows, l.rowSums = extend(l.Rows, n.Rows), extend(l.rowSums, n.rowSums)
	now := l.ids.join(&n.ids)
	for i := rows; i < len(l.Rows); i++ {
		row := &l.Rows[i]
		row.Line += d.line
		for _, id := range []*ID{&row.UUID, &row.Parent, &row.MessageID, &row.SourceID, &row.Subtype} {
			*id = now[id.number()]
		}
	}
	records := len(l.Records)
	l.Records, l.recordSums = extend(l.Records, n.Records), extend(l.recordSums, n.recordSums)
	for i := range l.Records[records:] {
		l.Records[records+i].Line += d.line
	}
	for _, damage := range n.Damage[:min(len(n.Damage), MaxDamage-len(l.Damage))] {
		damage.Line += d.line
		l.Damage = append(l.Damage, damage)
	}
	l.DamageCount += n.DamageCount
	l.restarts, l.stubs = append(l.restarts, n.restarts...), append(l.stubs, n.stubs...)
	for i, id := range n.logical {
		l.logical[rows+i] = now[id.number()]
	}
	for i, p := range n.kept {
		l.kept[rows+i] = p
	}
	for _, e := range next.events {
		e.row += rows
		e.pointer.line += d.line
		d.events = append(d.events, e)
	}
	d.line += next.line
	l.Size = n.Size
}

// extend is append that takes no more memory than it needs.
func extend[T any](a, b []T) []T {
	if len(a)+len(b) > cap(a) {
		return slices.Concat(a, b)
	}
	return append(a, b...)
}

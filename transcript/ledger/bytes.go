package ledger

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
)

// ErrChanged is returned for a record that is no longer what it was when the
// transcript was read.
var ErrChanged = errors.New("the transcript was changed while it was in use: load it again")

// Bytes returns the bytes of a record as they are in the file. A file that was
// changed meanwhile is an error, never another record's bytes taken for it: one
// that matches ErrChanged.
func (l *Ledger) Bytes(offset int64, size int) ([]byte, error) {
	if offset < 0 || size < 0 || offset+int64(size) > l.Size {
		return nil, fmt.Errorf("read record at byte %d: %w", offset, ErrChanged)
	}
	b := make([]byte, size)
	n, err := readAt(l.r, b, offset, l.Size)
	if err != nil {
		return nil, fmt.Errorf("read record at byte %d: %w", offset, err)
	}
	want, known := l.sum(offset, size)
	if n < size || known && want != add(0, b) {
		return nil, fmt.Errorf("read record at byte %d: %w", offset, ErrChanged)
	}
	return b, nil
}

// Same reports whether b are the bytes that the record of a row had when the
// transcript was read.
func (l *Ledger) Same(row int, b []byte) bool {
	return len(b) == l.Rows[row].Size && add(0, b) == l.rowSums[row]
}

// sum returns the checksum of a record.
func (l *Ledger) sum(offset int64, size int) (uint32, bool) {
	n, ok := slices.BinarySearchFunc(l.Rows, offset, func(r Row, at int64) int { return cmp.Compare(r.Offset, at) })
	if ok && l.Rows[n].Size == size {
		return l.rowSums[n], true
	}
	n, ok = slices.BinarySearchFunc(l.Records, offset, func(r Record, at int64) int { return cmp.Compare(r.Offset, at) })
	if ok && l.Records[n].Size == size {
		return l.recordSums[n], true
	}
	return 0, false
}

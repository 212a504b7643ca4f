package ledger

import (
	"context"
	"io"
)

// ReadParts is Read with up to n readers, however small the file.
func ReadParts(ctx context.Context, r io.ReaderAt, size int64, n int) (*Ledger, error) {
	return read(ctx, r, size, n)
}

// Strings goes through the strings that stand one behind the other in b without
// their opening quotes, as one line's, until there is none. It returns where each
// of them ended, with whether it held escapes, and where the last try stopped.
func Strings(b []byte) (ends []int, escapes []bool, stop int) {
	c := cursor{b: b, mark: -1}
	for {
		escaped, ok := c.text()
		if !ok {
			return ends, escapes, min(c.i, len(b))
		}
		ends, escapes = append(ends, c.i), append(escapes, escaped)
	}
}

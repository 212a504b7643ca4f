package transcript

import (
	"bytes"
	"encoding/binary"
	"math/bits"
)

// The functions here move over the bytes of one valid JSON value; on others
// they return -1 or a position that the caller finds wrong.

// blanks skips white space but never the last byte of b.
func blanks(b []byte, i int) int {
	for i < len(b)-1 && (b[i] == ' ' || b[i] == '\t' || b[i] == '\r') {
		i++
	}
	return i
}

func blanksBack(b []byte, i int) int {
	for i > 0 && (b[i] == ' ' || b[i] == '\t' || b[i] == '\r') {
		i--
	}
	return i
}

// rootKey reads a key at i and returns where its value begins.
func rootKey(b []byte, i int) (field, int) {
	if b[i] != '"' {
		return fNone, -1
	}
	start := i + 1
	for i = start; i < len(b) && b[i] != '"'; i++ {
		if b[i] == '\\' {
			return fNone, -1
		}
	}
	if i >= len(b)-2 {
		return fNone, -1
	}
	f := rootField(b[start:i])
	if i = blanks(b, i+1); b[i] != ':' {
		return fNone, -1
	}
	return f, blanks(b, i+1)
}

// rootKeyBack reads the key before a value that starts at i and returns where
// the key begins.
func rootKeyBack(b []byte, i, low int) (field, int) {
	if i <= low {
		return fNone, -1
	}
	if i = blanksBack(b, i-1); b[i] != ':' || i <= low {
		return fNone, -1
	}
	if i = blanksBack(b, i-1); b[i] != '"' || i <= low {
		return fNone, -1
	}
	start := openingQuote(b, i, low)
	if start < 0 {
		return fNone, -1
	}
	key := b[start+1 : i]
	f := rootField(key)
	if f == fNone && bytes.IndexByte(key, '\\') >= 0 {
		return fNone, -1
	}
	return f, start
}

// closingQuote finds the end of a string whose inside starts at i.
func closingQuote(b []byte, i int) int {
	for from := i; ; {
		n := bytes.IndexByte(b[i:], '"')
		if n < 0 {
			return -1
		}
		i += n
		if !escaped(b, i, from) {
			return i
		}
		i++
	}
}

// openingQuote finds the start of a string whose closing quote is at j.
func openingQuote(b []byte, j, low int) int {
	for i := lastQuote(b, j); i >= low && i > 0; i = lastQuote(b, i) {
		if b[i-1] != '\\' || !escaped(b, i, low) {
			return i
		}
	}
	return -1
}

// lastQuote finds the last quote before j, eight bytes at a time.
func lastQuote(b []byte, j int) int {
	const tops, quotes = 0x8080808080808080, 0x0101010101010101 * '"'
	for ; j >= 8; j -= 8 {
		x := binary.LittleEndian.Uint64(b[j-8:]) ^ quotes
		// The top bit of each byte of x that is zero; no byte carries into another.
		if zero := ^(((x&^tops + ^uint64(tops)) | x) | ^uint64(tops)); zero != 0 {
			return j - 1 - bits.LeadingZeros64(zero)/8
		}
	}
	for j--; j >= 0 && b[j] != '"'; j-- {
	}
	return j
}

// escaped says whether an odd number of backslashes stands before i.
func escaped(b []byte, i, low int) bool {
	n := 0
	for j := i - 1; j >= low && b[j] == '\\'; j-- {
		n++
	}
	return n%2 == 1
}

func literalEnd(b []byte, i int) int {
	for i < len(b) && isLiteral(b[i]) {
		i++
	}
	return i
}

func literalStart(b []byte, j int) int {
	for j > 0 && isLiteral(b[j]) {
		j--
	}
	return j + 1
}

// skipForward returns the length of the container at the start of b, -1 when it
// is longer than limit.
func skipForward(b []byte, limit int) int {
	b = b[:min(len(b), limit)]
	depth := 0
	for i := 0; i < len(b); i++ {
		switch b[i] {
		case '"':
			end := closingQuote(b, i+1)
			if end < 0 {
				return -1
			}
			i = end
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return -1
}

// skipBack returns the start of the container that ends at j, -1 when that lies
// before low.
func skipBack(b []byte, j, low int) int {
	depth := 0
	for ; j >= low; j-- {
		switch b[j] {
		case '"':
			if j = openingQuote(b, j, low); j < 0 {
				return -1
			}
		case '}', ']':
			depth++
		case '{', '[':
			if depth--; depth == 0 {
				return j
			}
		}
	}
	return -1
}

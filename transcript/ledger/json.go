package ledger

import (
	"bytes"
	"encoding/binary"
	"math/bits"
)

// maxDepth is how deep values may nest; encoding/json draws the same line.
const maxDepth = 10000

// closing goes through a string whose inside begins at i. It stops at its quote,
// with quote true, or at the first byte that takes a closer look.
func closing(b []byte, i int) (end int, escaped, quote bool) {
	for range 4 { // most strings are short
		if i+8 > len(b) {
			break
		}
		if m := specials(binary.LittleEndian.Uint64(b[i:])); m != 0 {
			i += bits.TrailingZeros64(m) / 8
			if b[i] != '\\' {
				return i, false, b[i] == '"'
			}
			break
		}
		i += 8
	}
	for i+blockSize <= len(b) {
		block := (*[blockSize]byte)(b[i:])
		for m := marks(block); m != 0; {
			k := bits.TrailingZeros64(m) % blockSize
			at := i + k
			if block[k] != '\\' {
				return at, escaped, block[k] == '"'
			}
			if at+1 == len(b) || !isEscape[b[at+1]] {
				return at, escaped, false
			}
			escaped = true
			m &^= 3 << k
			if k == blockSize-1 {
				i++ // the next block begins behind the escape
			}
		}
		i += blockSize
	}
	for i < len(b) && b[i] >= ' ' && b[i] != '"' && b[i] != '\\' {
		i++
	}
	return i, escaped, i < len(b) && b[i] == '"'
}

// text goes behind a string whose inside begins at the place. escaped says that
// it holds escapes.
func (c *cursor) text() (escaped, ok bool) {
	if c.again() {
		return c.lastEscaped, true
	}
	begin := c.i
	for {
		end, some, quote := closing(c.b, c.i)
		escaped = escaped || some
		c.i = end
		switch {
		case quote:
			c.i++
			if c.i-begin >= largeSize && c.src == nil {
				c.last, c.lastEscaped = c.b[begin:c.i], escaped
			}
			return escaped, true
		case c.i >= len(c.b):
			if !c.more() {
				return escaped, false
			}
		case c.b[c.i] == '\\':
			escaped = true
			c.i++
			if !c.escape() {
				return escaped, false
			}
		default:
			return escaped, false
		}
	}
}

// largeSize is the size from which strings are remembered.
const largeSize = 256

// again goes behind a string that is the same as the last long one of the line:
// what a tool answered is recorded twice.
func (c *cursor) again() bool {
	n := len(c.last)
	if n == 0 || len(c.b)-c.i < n || string(c.b[c.i:c.i+8]) != string(c.last[:8]) || !bytes.Equal(c.b[c.i:c.i+n], c.last) {
		return false
	}
	c.i += n
	return true
}

// isEscape says of each byte whether it is all of an escape behind a backslash.
var isEscape = [256]bool{'"': true, '\\': true, '/': true, 'b': true, 'f': true, 'n': true, 'r': true, 't': true}

func (c *cursor) escape() bool {
	k := c.peek()
	c.i++
	if k != 'u' {
		return isEscape[k]
	}
	for range 4 {
		if !isHex(c.peek()) {
			return false
		}
		c.i++
	}
	return true
}

func isHex(k byte) bool {
	return k >= '0' && k <= '9' || k >= 'a' && k <= 'f' || k >= 'A' && k <= 'F'
}

// keep goes behind a string like text and returns its inside, nil when that is
// longer than the window.
func (c *cursor) keep() (raw []byte, escaped, ok bool) {
	c.mark = c.i
	escaped, ok = c.text()
	if ok && c.mark >= 0 {
		raw = c.b[c.mark : c.i-1]
	}
	c.mark = -1
	return raw, escaped, ok
}

// value goes behind the value at the place.
func (c *cursor) value(depth int) bool {
	switch k := c.blanks(); k {
	case '"':
		c.i++
		_, ok := c.text()
		return ok
	case '{':
		return c.object(depth)
	case '[':
		return c.array(depth)
	default:
		return c.literal(k)
	}
}

func (c *cursor) object(depth int) bool {
	if depth == maxDepth {
		return false
	}
	c.i++
	if c.blanks() == '}' {
		c.i++
		return true
	}
	for {
		if c.blanks() != '"' {
			return false
		}
		c.i++
		if _, ok := c.text(); !ok || c.blanks() != ':' {
			return false
		}
		c.i++
		if !c.value(depth + 1) {
			return false
		}
		if more, ok := c.next('}'); !more {
			return ok
		}
	}
}

func (c *cursor) array(depth int) bool {
	if depth == maxDepth {
		return false
	}
	c.i++
	if c.blanks() == ']' {
		c.i++
		return true
	}
	for {
		if !c.value(depth + 1) {
			return false
		}
		if more, ok := c.next(']'); !more {
			return ok
		}
	}
}

// next goes behind what follows a member or an element: a comma, or the end of
// its container.
func (c *cursor) next(end byte) (more, ok bool) {
	k := c.blanks()
	c.i++
	return k == ',', k == end || k == ','
}

// literal goes behind true, false, null or a number, whose first byte is k.
func (c *cursor) literal(k byte) bool {
	switch k {
	case 't':
		return c.word("true")
	case 'f':
		return c.word("false")
	case 'n':
		return c.word("null")
	}
	return c.number()
}

func (c *cursor) word(w string) bool {
	for i := range len(w) {
		if c.peek() != w[i] {
			return false
		}
		c.i++
	}
	return true
}

func (c *cursor) number() bool {
	if c.peek() == '-' {
		c.i++
	}
	if c.peek() == '0' {
		c.i++
	} else if !c.digits() {
		return false
	}
	if c.peek() == '.' {
		c.i++
		if !c.digits() {
			return false
		}
	}
	if k := c.peek(); k == 'e' || k == 'E' {
		c.i++
		if k := c.peek(); k == '+' || k == '-' {
			c.i++
		}
		return c.digits()
	}
	return true
}

func (c *cursor) digits() bool {
	some := false
	for k := c.peek(); k >= '0' && k <= '9'; k = c.peek() {
		some = true
		c.i++
	}
	return some
}

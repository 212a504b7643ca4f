package ledger

import "encoding/binary"

const (
	ones = 0x0101010101010101
	tops = ones * 0x80
	lows = ones * 0x7F
)

// blockSize is how many bytes marks looks at.
const blockSize = 64

// specials marks the bytes of x that do not stand for themselves in a string,
// quotes, backslashes and control characters, by their highest bits. Bytes are
// added without their highest bits, so no sum carries into the next one.
func specials(x uint64) uint64 {
	low := x & lows
	plain := (low + ones*0x60) & ((low ^ ones*'"') + lows) & ((low ^ ones*'\\') + lows)
	return ^(plain | x) & tops
}

// marks is specials for 64 bytes, one bit for each, the first one lowest.
func marks(b *[blockSize]byte) uint64 {
	var m uint64
	for k := 0; k < blockSize; k += 8 {
		// Multiplying gathers the eight lowest bits of bytes in the highest byte.
		m |= specials(binary.LittleEndian.Uint64(b[k:k+8])) >> 7 * 0x0102040810204080 >> 56 << k
	}
	return m
}

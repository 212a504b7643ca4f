package ledger

import "hash/crc32"

// add continues a checksum.
func add(sum uint32, b []byte) uint32 { return crc32.Update(sum, castagnoli(), b) }

// castagnoli is the table that processors have an instruction for; the package
// makes it once.
func castagnoli() *crc32.Table { return crc32.MakeTable(crc32.Castagnoli) }

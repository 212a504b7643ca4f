package worktree

import (
	"os"
	"path/filepath"

	"golang.org/x/text/unicode/norm"
)

// SamePath reports whether two absolute paths name one file or directory. When
// both exist, device and inode decide, so symlinks, letter case and composed or
// decomposed names do not matter; else their spelling does, composed (reports
// B11, B12).
func SamePath(a, b string) bool {
	a, b = filepath.Clean(a), filepath.Clean(b)
	if a == b {
		return true
	}
	ia, errA := os.Stat(a)
	ib, errB := os.Stat(b)
	if errA == nil && errB == nil {
		return os.SameFile(ia, ib)
	}
	return norm.NFC.String(a) == norm.NFC.String(b)
}

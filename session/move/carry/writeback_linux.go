package carry

import (
	"os"

	"golang.org/x/sys/unix"
)

// WriteBack asks the system to begin writing a part of a file to the disk, so
// that less is left to do for the sync at the end. It waits for nothing, and that
// it cannot is no error.
func WriteBack(f *os.File, offset, size int64) {
	_ = unix.SyncFileRange(int(f.Fd()), offset, size, unix.SYNC_FILE_RANGE_WRITE)
}

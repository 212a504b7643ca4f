package carry

import (
	"os"

	"golang.org/x/sys/unix"
)

func renameNoReplace(staged, final string) error {
	err := unix.Renameat2(unix.AT_FDCWD, staged, unix.AT_FDCWD, final, unix.RENAME_NOREPLACE)
	if err != nil {
		return &os.LinkError{Op: "rename", Old: staged, New: final, Err: err}
	}
	return nil
}

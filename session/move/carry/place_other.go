//go:build !linux

package carry

import (
	"os"
	"syscall"
)

func renameNoReplace(staged, final string) error {
	return &os.LinkError{Op: "link", Old: staged, New: final, Err: syscall.ENOTSUP}
}

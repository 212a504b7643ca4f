package ui

import (
	"os"

	"golang.org/x/sys/unix"
)

// dropOutput forgets what a terminal was sent and did not take yet.
func dropOutput(f *os.File) { _ = unix.IoctlSetInt(int(f.Fd()), unix.TCFLSH, unix.TCOFLUSH) }

//go:build !linux && !darwin

package host

import (
	"errors"
	"syscall"
)

// startOf reports whether a process is there; when it started is not known here.
func startOf(pid int) (start string, ok bool) { return "", exists(pid) }

func parentOf(int) int { return 0 }

func bootID() string { return "" }

func machineID() string { return "" }

// exists reports whether a process has the id.
func exists(pid int) bool {
	err := syscall.Kill(pid, 0)
	return err == nil || errors.Is(err, syscall.EPERM)
}

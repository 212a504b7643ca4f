package pty

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"syscall"

	"coppice/session/proc"
)

// members returns the processes of a session of the system, by its id.
func members(session int) []int {
	return slices.DeleteFunc(proc.IDs("/proc"), func(pid int) bool { return sessionOf(pid) != session })
}

// sessionOf returns the session of a process, 0 if it is gone or only waits to be
// buried.
func sessionOf(pid int) int {
	p, _ := proc.Of("/proc", pid)
	return p.Session
}

// ignores reports whether a process ignores a signal.
func ignores(pid int, s syscall.Signal) bool {
	data, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "status"))
	if err != nil {
		return false
	}
	_, rest, _ := bytes.Cut(data, []byte("\nSigIgn:"))
	mask, _, _ := bytes.Cut(rest, []byte("\n"))
	bits, err := strconv.ParseUint(string(bytes.TrimSpace(mask)), 16, 64)
	return err == nil && bits&(1<<(uint(s)-1)) != 0
}

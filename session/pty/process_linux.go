package pty

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
)

// members returns the processes of a session of the system, by its id.
func members(session int) []int {
	dir, err := os.Open("/proc")
	if err != nil {
		return nil
	}
	defer func() { _ = dir.Close() }()
	names, _ := dir.Readdirnames(-1)
	var pids []int
	for _, name := range names {
		if pid, err := strconv.Atoi(name); err == nil && sessionOf(pid) == session {
			pids = append(pids, pid)
		}
	}
	return pids
}

// sessionOf returns the session of a process, 0 if it is gone or only waits to be
// buried: the 6th field of its stat, counted behind the last ")", since a name may
// hold anything.
func sessionOf(pid int) int {
	data, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "stat"))
	if err != nil {
		return 0
	}
	fields := bytes.Fields(data[bytes.LastIndexByte(data, ')')+1:])
	const state, session = 0, 3 // fields 3 and 6
	if len(fields) <= session || bytes.ContainsAny(fields[state], "ZXx") {
		return 0
	}
	id, _ := strconv.Atoi(string(fields[session]))
	return id
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

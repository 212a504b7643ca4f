package host

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// startOf returns when a running process started, in clock ticks after boot: the
// 22nd field of its stat, counted behind the last ")", since a name may hold
// anything. It is not ok for a process that is gone or only waits to be buried.
func startOf(pid int) (start string, ok bool) {
	fields := statOf(pid)
	const state, started = 0, 19 // fields 3 and 22
	if len(fields) <= started || bytes.ContainsAny(fields[state], "ZXx") {
		return "", false
	}
	return string(fields[started]), true
}

// parentOf returns the parent of a process, 0 where that is not known.
func parentOf(pid int) int {
	fields := statOf(pid)
	const parent = 1 // field 4
	if len(fields) <= parent {
		return 0
	}
	id, _ := strconv.Atoi(string(fields[parent]))
	return id
}

// statOf returns the fields of a process's stat from the third on.
func statOf(pid int) [][]byte {
	data, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "stat"))
	if err != nil {
		return nil
	}
	return bytes.Fields(data[bytes.LastIndexByte(data, ')')+1:])
}

// bootID names the time since the system was started.
func bootID() string { return oneLineOf("/proc/sys/kernel/random/boot_id") }

// machineID names the machine and the set of process ids that this process sees.
func machineID() string {
	namespace, err := os.Readlink("/proc/self/ns/pid")
	if err != nil {
		return ""
	}
	return oneLineOf("/etc/machine-id") + " " + namespace
}

func oneLineOf(path string) string {
	data, _ := os.ReadFile(path)
	return strings.TrimSpace(string(data))
}

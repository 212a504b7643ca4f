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
	data, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "stat"))
	if err != nil {
		return "", false
	}
	fields := bytes.Fields(data[bytes.LastIndexByte(data, ')')+1:])
	const state, started = 0, 19 // fields 3 and 22
	if len(fields) <= started || bytes.ContainsAny(fields[state], "ZXx") {
		return "", false
	}
	return string(fields[started]), true
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

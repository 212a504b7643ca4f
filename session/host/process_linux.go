package host

import (
	"os"
	"strings"

	"coppice/session/proc"
)

// startOf returns when a running process started, in clock ticks after boot. It is
// not ok for a process that is gone or only waits to be buried.
func startOf(pid int) (start string, ok bool) {
	p, ok := proc.Of("/proc", pid)
	return p.Start, ok
}

// parentOf returns the parent of a process, 0 where that is not known.
func parentOf(pid int) int {
	p, _ := proc.Of("/proc", pid)
	return p.Parent
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

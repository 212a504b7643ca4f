package host

import (
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// startOf returns when a running process started. It is not ok for a process that
// is gone or only waits to be buried.
func startOf(pid int) (start string, ok bool) {
	p, err := unix.SysctlKinfoProc("kern.proc.pid", pid)
	const zombie = 5
	if err != nil || p.Proc.P_pid != int32(pid) || p.Proc.P_stat == zombie {
		return "", false
	}
	t := p.Proc.P_starttime
	return fmt.Sprintf("%d.%06d", t.Sec, t.Usec), true
}

// parentOf returns the parent of a process, 0 where that is not known.
func parentOf(pid int) int {
	p, err := unix.SysctlKinfoProc("kern.proc.pid", pid)
	if err != nil {
		return 0
	}
	return int(p.Eproc.Ppid)
}

// bootID names the time since the system was started; start times do it here.
func bootID() string { return "" }

// machineID names the machine.
func machineID() string {
	name, _ := os.Hostname()
	return name
}

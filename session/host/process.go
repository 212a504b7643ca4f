package host

import "syscall"

// process names one process for good: ids are used again, after a reboot all of
// them.
type process struct {
	PID     int    `json:"pid"`
	Start   string `json:"start"`   // as the system tells it, "" where it does not
	Boot    string `json:"boot"`    // of the system, "" where it does not tell
	Machine string `json:"machine"` // and its set of process ids
}

// thisProcess names a running process.
func thisProcess(pid int) process {
	start, _ := startOf(pid)
	return process{PID: pid, Start: start, Boot: bootID(), Machine: machineID()}
}

// presence is what can be told about a process.
type presence int

const (
	dead presence = iota
	alive
	rebooted // dead since the system was started anew
	elsewhere
)

// find tells whether the process is alive, and still the one that was named.
func (p process) find() presence {
	switch {
	case p.PID <= 0:
		return dead
	case p.Machine != machineID() && p.Machine != "":
		return elsewhere
	case p.Boot != bootID():
		return rebooted
	}
	if start, ok := startOf(p.PID); !ok || start != p.Start {
		return dead
	}
	return alive
}

// signal signals the process if it is alive and the one that was named.
func (p process) signal(s syscall.Signal) error {
	if p.find() != alive {
		return syscall.ESRCH
	}
	return syscall.Kill(p.PID, s)
}

// Package proc owns how the files of /proc are read, in which Linux tells of
// processes. It never signals a process, and knows of no agents.
package proc

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
)

// Process is what is known of one that runs.
type Process struct {
	Parent  int
	Session int    // of the system
	Start   string // in clock ticks after boot
}

// Of returns a process. proc is the /proc file system, "" where there is none. It
// is not ok for a process that is gone or only waits to be buried.
func Of(proc string, pid int) (p Process, ok bool) {
	data, err := os.ReadFile(filepath.Join(proc, strconv.Itoa(pid), "stat"))
	if proc == "" || err != nil {
		return Process{}, false
	}
	fields := bytes.Fields(data[bytes.LastIndexByte(data, ')')+1:]) // behind the name, which may hold anything
	const state, parent, session, start = 0, 1, 3, 19               // fields 3, 4, 6 and 22
	if len(fields) <= start || bytes.ContainsAny(fields[state], "ZXx") {
		return Process{}, false
	}
	p.Parent, _ = strconv.Atoi(string(fields[parent]))
	p.Session, _ = strconv.Atoi(string(fields[session]))
	p.Start = string(fields[start])
	return p, true
}

// IDs returns the ids of all processes, in no order.
func IDs(proc string) []int {
	dir, err := os.Open(proc)
	if err != nil {
		return nil
	}
	defer func() { _ = dir.Close() }()
	names, _ := dir.Readdirnames(-1)
	var ids []int
	for _, name := range names {
		if id, err := strconv.Atoi(name); err == nil {
			ids = append(ids, id)
		}
	}
	return ids
}

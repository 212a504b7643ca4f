package launch

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
)

// processes is the /proc file system, "" where there is none.
type processes string

// stat returns the parent of a process and when it started, in clock ticks after
// boot: fields 4 and 22 of its stat, counted behind the last ")", since a name may
// hold anything. It is not ok for one that is gone or only waits to be buried.
func (p processes) stat(pid int) (parent int, start string, ok bool) {
	data, err := os.ReadFile(filepath.Join(string(p), strconv.Itoa(pid), "stat"))
	if err != nil {
		return 0, "", false
	}
	fields := bytes.Fields(data[bytes.LastIndexByte(data, ')')+1:])
	if len(fields) <= 19 || bytes.ContainsAny(fields[0], "ZXx") {
		return 0, "", false
	}
	parent, err = strconv.Atoi(string(fields[1]))
	return parent, string(fields[19]), err == nil
}

// start returns when a process started that runs.
func (p processes) start(pid int) (start string, ok bool) {
	_, start, ok = p.stat(pid)
	return start, ok
}

// below returns the start of every process that descends from one of roots, by
// id, the roots that run among them.
func (p processes) below(roots map[int]string) map[int]string {
	dir, err := os.Open(string(p))
	if err != nil {
		return nil
	}
	defer func() { _ = dir.Close() }()
	names, _ := dir.Readdirnames(-1)
	type process struct {
		parent int
		start  string
	}
	all := map[int]process{}
	for _, name := range names {
		if pid, err := strconv.Atoi(name); err == nil {
			if parent, start, ok := p.stat(pid); ok {
				all[pid] = process{parent, start}
			}
		}
	}
	found := map[int]string{}
	for pid, one := range all {
		for at, steps := pid, 0; at > 0 && steps < len(all); at, steps = all[at].parent, steps+1 {
			if start, ok := roots[at]; ok && (start == "" || start == all[at].start) {
				found[pid] = one.start
				break
			}
		}
	}
	return found
}

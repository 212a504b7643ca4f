package launch

import "coppice/session/proc"

// processes is the /proc file system, "" where there is none.
type processes string

// start returns when a process started that runs.
func (p processes) start(pid int) (start string, ok bool) {
	found, ok := proc.Of(string(p), pid)
	return found.Start, ok
}

// below returns the start of every process that descends from one of roots, by
// id, the roots that run among them.
func (p processes) below(roots map[int]string) map[int]string {
	all := map[int]proc.Process{}
	for _, pid := range proc.IDs(string(p)) {
		if one, ok := proc.Of(string(p), pid); ok {
			all[pid] = one
		}
	}
	found := map[int]string{}
	for pid, one := range all {
		for at, steps := pid, 0; at > 0 && steps < len(all); at, steps = all[at].Parent, steps+1 {
			if start, ok := roots[at]; ok && (start == "" || start == all[at].Start) {
				found[pid] = one.Start
				break
			}
		}
	}
	return found
}

package session

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"coppice/session/observe"
	"coppice/session/proc"
	"coppice/transcript"
)

// Limits of the registry.
const (
	registryMax = 4096    // files looked at
	pidMax      = 1 << 22 // the highest process id of Linux
)

// ReadLive returns the sessions that an agent process has open now, by session
// id, from the client's registry <root>/sessions/<pid>.json (observed G). proc is
// the /proc file system, "" where there is none.
//
// A file counts when its process is alive and the same one: leftovers of killed
// clients stay for ever, and process ids are used again. Where that cannot be
// told the state is StateUnknown, and Reason says why: a process of another
// machine or container that shares the config root, a registry without a start
// time, a system without /proc. Files that make no sense are passed over. When
// two processes have the same session open (report F1), the one that changed its
// state last is returned, and Reason names the other.
func ReadLive(root, proc string) map[string]Live {
	return registry{root: root, proc: proc, domain: pidDomain(proc)}.read()
}

// registry reads the client's register of live sessions.
type registry struct {
	root   string
	proc   string
	domain string // in which our process ids mean something, "" when not known
}

func (r registry) read() map[string]Live {
	live := map[string]Live{}
	changed := map[string]float64{}
	for _, pid := range r.pids() {
		e, ok := r.entry(pid)
		if !ok {
			continue
		}
		l, ok := r.live(pid, e)
		if !ok {
			continue
		}
		if other, twice := live[e.SessionID]; twice {
			if e.UpdatedAt < changed[e.SessionID] {
				other.Reason = join(other.Reason, "also open in "+l.Where)
				live[e.SessionID] = other
				continue
			}
			l.Reason = join(l.Reason, "also open in "+other.Where)
		}
		live[e.SessionID], changed[e.SessionID] = l, e.UpdatedAt
	}
	return live
}

// pids returns the process ids that have a file, in order.
func (r registry) pids() []int {
	dir, err := os.Open(filepath.Join(r.root, "sessions"))
	if err != nil {
		return nil
	}
	defer func() { _ = dir.Close() }()
	names, _ := dir.Readdirnames(2 * registryMax) // every process has a .key beside its .json
	var pids []int
	for _, name := range names {
		digits, ok := strings.CutSuffix(name, ".json")
		pid, err := strconv.Atoi(digits)
		if ok && err == nil && pid > 0 && pid <= pidMax && digits == strconv.Itoa(pid) && len(pids) < registryMax {
			pids = append(pids, pid)
		}
	}
	slices.Sort(pids)
	return pids
}

// entry reads the file of one process.
func (r registry) entry(pid int) (observe.Registration, bool) {
	e, err := observe.ReadRegistration(filepath.Join(r.root, "sessions", strconv.Itoa(pid)+".json"))
	return e, err == nil && transcript.IsID(e.SessionID) && (e.PID == 0 || e.PID == int64(pid))
}

// live says what an entry means now; false when its process is gone.
func (r registry) live(pid int, e observe.Registration) (Live, bool) {
	l := Live{Status: e.Status(), PID: pid, Where: pidName(pid), Name: e.UserName(), Dir: e.Cwd}
	if e.Job() {
		l.Where = fmt.Sprintf("a background job of the agent (pid %d)", pid)
	}
	if e.PIDDomain != "" && r.domain != "" && e.PIDDomain != r.domain {
		l.Where += " on another machine or in a container"
		l.State, l.Need, l.Reason = StateUnknown, "", "its process runs on another machine or in a container and cannot be looked at"
		return l, true
	}
	alive, doubt := r.same(pid, e)
	if doubt != "" {
		l.State, l.Need, l.Reason = StateUnknown, "", doubt
	}
	return l, alive
}

// pidName is where an agent runs when nothing else is known of that.
func pidName(pid int) string { return fmt.Sprintf("pid %d", pid) }

// same reports whether the process of an entry is alive and the one that wrote
// it. doubt says why that is not certain.
func (r registry) same(pid int, e observe.Registration) (alive bool, doubt string) {
	if r.proc == "" {
		err := syscall.Kill(pid, 0)
		return err == nil || errors.Is(err, syscall.EPERM),
			"a process with this id is alive, but whether it is the agent cannot be told on this system"
	}
	now, ok := proc.Of(r.proc, pid)
	recorded := e.Started()
	switch {
	case !ok:
		return false, ""
	case recorded == "":
		return true, "the registry does not say when the process started, so it may be another one"
	}
	return now.Start == recorded, ""
}

// pidDomain names the set of processes that share our process ids, as the client
// does: the machine and the process namespace. It is "" when either is not known.
func pidDomain(proc string) string {
	if proc == "" {
		return ""
	}
	machine, err := os.ReadFile("/etc/machine-id")
	if err != nil {
		return ""
	}
	namespace, err := os.Readlink(filepath.Join(proc, "self/ns/pid"))
	if err != nil {
		return ""
	}
	return "linux:" + strings.TrimSpace(string(machine)) + ":" + namespace
}

func join(a, b string) string {
	if a == "" {
		return b
	}
	return a + "; " + b
}

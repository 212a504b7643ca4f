package host

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/fsnotify/fsnotify"

	"coppice/session/observe"
)

// follow keeps up with the agent until ctx ends: with the session that it has open,
// and with what it does. `/clear`, `/resume` and `/branch` change the session in
// place in the agent's own file <root>/sessions/<pid>.json (observed G); no other
// file tells (report C13). An agent without such a file keeps the session that it
// began with, unless an event names another.
func (s *server) follow(ctx context.Context) {
	f := follower{server: s, pid: s.program.PID()}
	f.start, _ = startOf(f.pid)
	var events <-chan fsnotify.Event
	var lost <-chan error
	if s.record.Root != "" {
		dir := filepath.Join(s.record.Root, "sessions")
		f.file = filepath.Join(dir, strconv.Itoa(f.pid)+".json")
		if w, err := fsnotify.NewWatcher(); err == nil {
			defer func() { _ = w.Close() }()
			watchNearest(w, dir)
			f.watcher, events, lost = w, w.Events, w.Errors
		}
	}
	next := time.NewTimer(f.look())
	defer next.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case e := <-events:
			if !f.concerns(e) {
				continue
			}
		case _, ok := <-lost: // events were lost
			if !ok {
				return
			}
		case <-s.told:
		case <-next.C:
		}
		next.Reset(f.look())
	}
}

// follower is what the following goroutine knows.
type follower struct {
	server  *server
	watcher *fsnotify.Watcher
	pid     int
	start   string               // of the agent's process, "" when not known
	file    string               // the agent's in the register, "" for an agent without one
	said    observe.Registration // the last that it said there
	path    string               // the transcript
	of      string               // the session that path is of
	sought  time.Time            // when path was looked for
}

// concerns reports whether something happened to the agent's file, or on the way to
// where it will be.
func (f *follower) concerns(e fsnotify.Event) bool {
	switch {
	case e.Name == f.file:
		return true
	case f.said.SessionID == "" && filepath.Dir(e.Name) == filepath.Dir(f.file):
		return true // it may be a process of the agent's
	case e.Has(fsnotify.Create) && strings.HasPrefix(f.file, e.Name+string(filepath.Separator)):
		watchNearest(f.watcher, filepath.Dir(f.file))
		return true
	}
	return false
}

// lookEvery is how often an agent is looked at that does not register what it does.
const lookEvery = time.Second

// seekEvery is how often a transcript is looked for that is not there yet.
const seekEvery = 5 * time.Second

// look finds out what the agent does, and returns when to look again.
func (f *follower) look() time.Duration {
	var seen observe.Seen
	if f.registered() {
		_ = f.server.rebind(f.said.SessionID) // what cannot be had is in the host's Info
		seen.Registry = f.said.Status()
	}
	event, at, glimpse := f.server.watched()
	seen.Hook = event.Status(at)
	now := time.Now()
	silent := seen.Registry.State == "" || seen.Registry.State == observe.Unknown
	if silent {
		if event.Name == observe.SessionStart && validSession(event.Session) {
			_ = f.server.rebind(event.Session)
		}
		seen.Transcript, seen.Calls = f.tail()
		seen.Screen = glimpse.Status(now)
	}
	f.server.does(seen, now)
	if silent {
		return lookEvery
	}
	if ends := observe.LeadEnds(seen); ends.After(now) {
		return ends.Sub(now)
	}
	return time.Hour // it will tell
}

// tail returns what the agent's transcript tells of this run of it.
func (f *follower) tail() (observe.Status, bool) {
	info := f.server.tell()
	if f.file == "" || info.Session == "" {
		return observe.Status{}, false
	}
	if f.of != info.Session || f.path == "" && time.Since(f.sought) > seekEvery {
		f.path, f.of, f.sought = observe.TranscriptOf(info.Root, info.Session), info.Session, time.Now()
	}
	if f.path == "" {
		return observe.Status{}, false
	}
	s, calls := observe.Tail(f.path)
	if s.Since.Before(info.Started) {
		return observe.Status{}, false
	}
	return s, calls
}

// watchNearest watches a directory, or the nearest one above it that is there: it
// appears when the agent runs for the first time. What appears below that one
// before it is watched makes no event, so it is looked for once more.
func watchNearest(w *fsnotify.Watcher, dir string) {
	for near, before := watchUp(w, dir), ""; near != dir && near != before; {
		near, before = watchUp(w, dir), near
	}
}

// watchUp watches a directory or the nearest one above it, and says which.
func watchUp(w *fsnotify.Watcher, dir string) string {
	for {
		err := w.Add(dir)
		above := filepath.Dir(dir)
		if err == nil || !errors.Is(err, os.ErrNotExist) || above == dir {
			return dir
		}
		dir = above
	}
}

// registered reads the agent's file, and reports whether it says something. One that
// another process with the same id left does not; one that is being written says
// what it said before.
func (f *follower) registered() bool {
	if f.file == "" {
		return false
	}
	if f.said.SessionID == "" {
		f.find()
	}
	r, err := observe.ReadRegistration(f.file)
	switch {
	case errors.Is(err, os.ErrNotExist):
		f.said = observe.Registration{}
	case err != nil || !validSession(r.SessionID):
	case r.Started() == "" || f.start == "" || r.Started() == f.start:
		f.said = r
	}
	return f.said.SessionID != ""
}

// find looks for the process that registers: the one that the host started, or,
// where that is a wrapper, one below it. An agent that this one started in turn is
// not meant, so the nearest counts.
func (f *follower) find() {
	dir := filepath.Dir(f.file)
	entries, _ := os.ReadDir(dir)
	nearest := 0
	for _, e := range entries {
		name, _ := strings.CutSuffix(e.Name(), ".json")
		pid, err := strconv.Atoi(name)
		if err != nil {
			continue
		}
		if steps, ok := below(pid, f.server.program.PID()); ok && (nearest == 0 || steps+1 < nearest) {
			nearest, f.file = steps+1, filepath.Join(dir, e.Name())
			f.start, _ = startOf(pid)
		}
	}
}

// belowMax bounds the way up from a process.
const belowMax = 64

// below returns how many processes above a process another one is, 0 for itself.
func below(pid, above int) (steps int, ok bool) {
	for ; pid > 1 && steps < belowMax; steps++ {
		if pid == above {
			return steps, true
		}
		pid = parentOf(pid)
	}
	return 0, false
}

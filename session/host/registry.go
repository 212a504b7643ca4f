package host

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"

	"github.com/fsnotify/fsnotify"
)

// followRegistry binds the host to the session that its agent says it has open,
// until ctx ends. `/clear`, `/resume` and `/branch` change it in place in the
// agent's own file <root>/sessions/<pid>.json (observed G); no other file tells
// (report C13). An agent without such a file keeps the session that it began with.
func (s *server) followRegistry(ctx context.Context) {
	if s.record.Root == "" {
		return
	}
	w, err := fsnotify.NewWatcher()
	if err != nil {
		return
	}
	defer func() { _ = w.Close() }()
	pid := s.program.PID()
	start, _ := startOf(pid)
	dir := filepath.Join(s.record.Root, "sessions")
	file := filepath.Join(dir, strconv.Itoa(pid)+".json")
	look := func() {
		if session, ok := registered(file, start); ok {
			_ = s.rebind(session) // what cannot be had is in the host's Info
		}
	}
	watchNearest(w, dir)
	look()
	for {
		select {
		case <-ctx.Done():
			return
		case e, ok := <-w.Events:
			switch {
			case !ok:
				return
			case e.Name == file:
				look()
			case e.Has(fsnotify.Create) && strings.HasPrefix(file, e.Name+string(filepath.Separator)):
				watchNearest(w, dir)
				look()
			}
		case _, ok := <-w.Errors: // events were lost
			if !ok {
				return
			}
			look()
		}
	}
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

// registered returns the session that an agent's file names. A file that is being
// written, or that another process with the same id left, says nothing.
func registered(path, start string) (session string, ok bool) {
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0)
	if err != nil {
		return "", false
	}
	defer func() { _ = f.Close() }()
	const limit = 64 << 10
	data, err := io.ReadAll(io.LimitReader(f, limit))
	var entry struct {
		Session string          `json:"sessionId"`
		Start   json.RawMessage `json:"procStart"`
	}
	if err != nil || json.Unmarshal(data, &entry) != nil || !validSession(entry.Session) {
		return "", false
	}
	recorded := strings.Trim(string(entry.Start), `"`)
	return entry.Session, recorded == "" || recorded == "null" || start == "" || recorded == start
}

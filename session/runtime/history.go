package runtime

import (
	"cmp"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/tidwall/gjson"
)

// maxCheckpoints is how many checkpoints are kept whole, as the client does on
// disk (client-behaviour 1.4).
const maxCheckpoints = 100

// history folds file-history records: a snapshot holds every tracked file as it
// was before a prompt, an update replaces the snapshot of the same prompt, and a
// delta adds one file to one (observed 0).
type history struct {
	points []*checkpoint // oldest first
	index  map[string]*checkpoint
	firsts map[string]string // path to the prompt of its first version
}

type checkpoint struct {
	uuid  string
	time  time.Time
	files map[string]FileVersion // by recorded path
}

func (h *history) begin() {
	h.index, h.firsts = map[string]*checkpoint{}, map[string]string{}
}

// snapshot takes a file-history-snapshot record.
func (h *history) snapshot(data []byte) {
	shot := gjson.GetBytes(data, "snapshot")
	uuid := shot.Get("messageId").Str
	if uuid == "" {
		uuid = gjson.GetBytes(data, "messageId").Str
	}
	if uuid == "" || !shot.IsObject() {
		return
	}
	p := h.point(uuid)
	p.time = stamp(shot.Get("timestamp"))
	clear(p.files)
	shot.Get("trackedFileBackups").ForEach(func(path, backup gjson.Result) bool {
		h.put(p, path.Str, backup)
		return true
	})
	h.trim()
}

// delta takes a file-history-delta record.
func (h *history) delta(data []byte) {
	uuid, path := gjson.GetBytes(data, "snapshotMessageId").Str, gjson.GetBytes(data, "trackingPath").Str
	if uuid == "" {
		return
	}
	p := h.point(uuid)
	if p.time.IsZero() {
		p.time = stamp(gjson.GetBytes(data, "timestamp"))
	}
	h.put(p, path, gjson.GetBytes(data, "backup"))
	h.trim()
}

// point returns the checkpoint of a prompt.
func (h *history) point(uuid string) *checkpoint {
	p := h.index[uuid]
	if p == nil {
		p = &checkpoint{uuid: uuid, files: map[string]FileVersion{}}
		h.index[uuid] = p
		h.points = append(h.points, p)
	}
	return p
}

// put adds one file to a checkpoint.
func (h *history) put(p *checkpoint, path string, backup gjson.Result) {
	if path == "" || !backup.IsObject() {
		return
	}
	if _, there := h.firsts[path]; !there {
		h.firsts[path] = p.uuid
	}
	version := FileVersion{
		Path: path, Backup: backup.Get("backupFileName").Str,
		Version: count(backup.Get("version")), Time: stamp(backup.Get("backupTime")),
	}
	// A path below the directory is recorded short, beside where its file lay.
	if parent := backup.Get("realParentDir").Str; !filepath.IsAbs(path) && filepath.IsAbs(parent) {
		version.Path = filepath.Join(parent, filepath.Base(path))
	}
	p.files[path] = version
}

// trim leaves of the older checkpoints the first version of each file. It waits
// for twice as many as are kept, so that it is seldom at work.
func (h *history) trim() {
	if len(h.points) > 2*maxCheckpoints+len(h.firsts) {
		h.cut()
	}
}

func (h *history) cut() {
	old := len(h.points) - maxCheckpoints
	kept := h.points[:0]
	for i, p := range h.points {
		if i < old {
			for path := range p.files {
				if h.firsts[path] != p.uuid {
					delete(p.files, path)
				}
			}
			if len(p.files) == 0 {
				delete(h.index, p.uuid)
				continue
			}
		}
		kept = append(kept, p)
	}
	clear(h.points[len(kept):])
	h.points = kept
}

// checkpoints returns what was folded. Backups are looked for below the config
// root only; missing counts those that are not there.
func (h *history) checkpoints(root place, session string) (list []Checkpoint, missing int) {
	if len(h.points) > maxCheckpoints {
		h.cut()
	}
	there := map[string]bool{}
	for _, p := range h.points {
		c := Checkpoint{UUID: p.uuid, Time: p.time, Files: make([]FileVersion, 0, len(p.files))}
		for _, v := range p.files {
			if v.Backup != "" {
				found, asked := there[v.Backup]
				if !asked {
					found = plainName(session) && plainName(v.Backup) && root.regular(filepath.Join("file-history", session, v.Backup))
					there[v.Backup] = found
					if !found {
						missing++
					}
				}
				v.Missing = !found
			}
			c.Files = append(c.Files, v)
		}
		slices.SortFunc(c.Files, func(a, b FileVersion) int {
			return cmp.Or(strings.Compare(a.Path, b.Path), cmp.Compare(a.Version, b.Version))
		})
		list = append(list, c)
	}
	return list, missing
}

// stamp reads a timestamp, zero when it is none.
func stamp(v gjson.Result) time.Time {
	at, err := time.Parse(time.RFC3339Nano, v.Str)
	if err != nil {
		return time.Time{}
	}
	return at.UTC()
}

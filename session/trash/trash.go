// Package trash takes sessions away so that they can be brought back: the
// transcript, its side directory and the client's file history of it, together
// with where they were.
//
// It never deletes what it took, but for entries older than it is told to keep,
// and never takes a session that is live.
package trash

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"coppice/session/move/carry"
	"coppice/transcript"
)

// Errors of Take and Restore.
var (
	ErrEmpty    = errors.New("the trash is empty")
	ErrNotFound = errors.New("the trash has no such session")
	ErrOccupied = errors.New("something is in the place of the trashed session: move it away, then undo again")
	ErrLive     = errors.New("the session is live: end it first")
	ErrTaken    = errors.New("the session is in the trash already: undo brings it back")
	ErrBusy     = errors.New("another coppice is using the trash; try again")
	// ErrPlace is returned for a path that is not the one of the session's
	// transcript below the projects of its config root: nothing is taken from there
	// nor put there.
	ErrPlace = errors.New("its path is not that of a transcript of this session below the config root")
	// ErrVersion is returned for an entry that a newer version of this program made.
	ErrVersion = errors.New("the entry is of a newer version of this program: update it")
)

// version is the one of the entries that are written.
const version = 1

// Trash is the folder of trashed sessions, in the state directory.
type Trash struct {
	Dir string // absolute; made when missing, mode 0700
	Now func() time.Time
	// Live says whether an agent has a session open. It is asked first, and again
	// right before the original goes; nil for never.
	Live func(id string) bool
	// Keep is the age from which on an entry is removed for good, at the next Take;
	// 0 keeps all.
	Keep time.Duration
	// Retention is the age by mtime at which the agent deletes transcripts, 0 for
	// its default: Restore makes one younger that is near it.
	Retention time.Duration
	// Wait bounds the wait for another process that is taking, restoring or moving;
	// 0 for carry.LockWait.
	Wait time.Duration
}

// Item is one trashed session. The JSON names are those of the entry's file.
type Item struct {
	ID      string    `json:"id"`
	Title   string    `json:"title"`
	Path    string    `json:"path"` // where the transcript was
	Root    string    `json:"root"` // the config root that it lay under
	Taken   time.Time `json:"taken"`
	Version int       `json:"version"`

	dir string // of the entry
}

// The files of an entry. An entry is a directory in Trash.Dir, named by the time
// at which it was taken and the id.
const (
	itemName       = "item.json"
	transcriptName = "transcript.jsonl"
	sideName       = "side"
	historyName    = "file-history"
	// pendingName is an empty file: the session is being taken, or was when its
	// process was killed, so that it may not be in the trash alone.
	pendingName = "pending"
)

// itemMax bounds what is read of an entry's file.
const itemMax = 1 << 20

// sideDir returns the side directory of a transcript.
func sideDir(path string) string { return strings.TrimSuffix(path, filepath.Ext(path)) }

// historyDir returns where the client keeps the file history of a session.
func historyDir(root, id string) string { return filepath.Join(root, "file-history", id) }

// List returns what is in the trash, newest first. An entry that cannot be read
// is left out and named in the error, with the others returned.
func (t Trash) List() ([]Item, error) {
	entries, err := os.ReadDir(t.Dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("list the trash: %w", err)
	}
	var items []Item
	var bad []error
	for _, entry := range entries {
		if strings.HasPrefix(entry.Name(), ".") || !entry.IsDir() {
			continue // a stage
		}
		dir := filepath.Join(t.Dir, entry.Name())
		item, err := readItem(dir)
		if err != nil && missing(dir) {
			continue // restored meanwhile
		}
		if err != nil {
			bad = append(bad, fmt.Errorf("entry %q of the trash: %w", entry.Name(), err))
			continue
		}
		items = append(items, item)
	}
	slices.SortStableFunc(items, func(a, b Item) int { return b.Taken.Compare(a.Taken) })
	return items, errors.Join(bad...)
}

func readItem(dir string) (Item, error) {
	f, err := carry.Open(filepath.Join(dir, itemName))
	if err != nil {
		return Item{}, err
	}
	defer func() { _ = f.Close() }()
	data, err := io.ReadAll(io.LimitReader(f, itemMax))
	if err != nil {
		return Item{}, err
	}
	item := Item{dir: dir}
	if err := json.Unmarshal(data, &item); err != nil {
		return Item{}, err
	}
	switch {
	case item.Version > version:
		return Item{}, ErrVersion
	case !transcript.IsID(item.ID):
		return Item{}, fmt.Errorf("its file %s names no session", itemName)
	}
	if err := item.check(); err != nil {
		return Item{}, fmt.Errorf("%w; what it holds is in %s, to be brought back by hand", err, dir)
	}
	return item, nil
}

// check returns ErrPlace for an item whose transcript belongs elsewhere than below
// the projects of its root, under its id.
func (it Item) check() error {
	name, ok := strings.CutSuffix(filepath.Base(it.Path), ".jsonl")
	switch {
	case !ok || !strings.EqualFold(name, it.ID):
	case !filepath.IsAbs(it.Root) || filepath.Clean(it.Root) != it.Root:
	case filepath.Clean(it.Path) != it.Path:
	case !strings.HasPrefix(it.Path, filepath.Join(it.Root, "projects")+string(filepath.Separator)):
	default:
		return nil
	}
	return fmt.Errorf("%q of session %s: %w", it.Path, it.ID, ErrPlace)
}

// find returns the newest entry of a session, "" for the one taken last. The
// error matches ErrNotFound or, for "", ErrEmpty.
func (t Trash) find(id string) (Item, error) {
	items, err := t.List()
	for _, item := range items {
		if id == "" || strings.EqualFold(item.ID, id) {
			return item, nil
		}
	}
	switch {
	case err != nil:
		return Item{}, errors.Join(ErrNotFound, err)
	case len(items) == 0 && id == "":
		return Item{}, ErrEmpty
	}
	return Item{}, ErrNotFound
}

// prune removes the entries that are older than they are to be kept. One that
// cannot be removed stays; the next Take tries again.
func (t Trash) prune(ctx context.Context) {
	if t.Keep <= 0 {
		return
	}
	items, _ := t.List()
	for _, item := range items {
		if ctx.Err() == nil && t.Now().Sub(item.Taken) > t.Keep {
			_ = remove(item.dir)
		}
	}
}

// remove removes an entry so that it is not one from the first moment on.
func remove(dir string) error {
	stage, err := carry.NewStage(filepath.Dir(dir))
	if err != nil {
		return err
	}
	return errors.Join(os.Rename(dir, stage.Path("entry")), stage.Close())
}

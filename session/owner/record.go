package owner

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"syscall"

	"github.com/google/renameio/v2"

	"coppice/session/move/carry"
	"coppice/worktree"
)

// ErrNewer is returned where a newer version of this program wrote what is known
// of the worktrees: nothing is changed then.
var ErrNewer = errors.New("a newer version of this program wrote it: use that one")

const (
	recordVersion = 1
	recordMax     = 16 << 20 // bytes
)

// record is what lies on disk: the worktrees that we made.
type record struct {
	Version   int             `json:"version"`
	Worktrees map[string]made `json:"worktrees"` // by path, symlinks resolved
}

// made is a worktree that we made.
type made struct {
	Session    string `json:"session"` // that it was made for; "" while none was started in it
	Repository string `json:"repository"`
	Branch     string `json:"branch"`
	Commit     string `json:"commit"` // that it began at
}

func (k Keeper) dir() string  { return filepath.Join(k.State, "bindings") }
func (k Keeper) file() string { return filepath.Join(k.dir(), "worktrees.json") }

// read reads the record. None is an empty one.
func (k Keeper) read() (record, error) {
	none := record{Version: recordVersion, Worktrees: map[string]made{}}
	f, err := os.OpenFile(k.file(), os.O_RDONLY|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0)
	if errors.Is(err, os.ErrNotExist) {
		return none, nil
	}
	if err != nil {
		return none, fmt.Errorf("read whose worktrees are whose: %w", err)
	}
	defer func() { _ = f.Close() }()
	data, err := io.ReadAll(io.LimitReader(f, recordMax))
	r := record{}
	if err == nil {
		err = json.Unmarshal(data, &r)
	}
	if r.Version > recordVersion {
		return none, fmt.Errorf("read whose worktrees are whose, %s: %w (version %d)", k.file(), ErrNewer, r.Version)
	}
	if err != nil {
		return none, fmt.Errorf("read whose worktrees are whose: %w; set %s aside: the worktrees themselves are in git", err, k.file())
	}
	if r.Worktrees == nil {
		r.Worktrees = map[string]made{}
	}
	return r, nil
}

// change changes the record while no other process does.
func (k Keeper) change(ctx context.Context, edit func(map[string]made)) error {
	unlock, err := k.lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	r, err := k.read()
	if err != nil {
		return err
	}
	edit(r.Worktrees)
	r.Version = recordVersion
	data, err := json.Marshal(r)
	if err == nil {
		err = renameio.WriteFile(k.file(), append(data, '\n'), 0o600, renameio.WithTempDir(k.dir()))
	}
	if err != nil {
		return fmt.Errorf("write whose worktrees are whose: %w", err)
	}
	return nil
}

// lock keeps other processes, and other goroutines of this one, from changing
// whose worktrees are whose, and from settling.
func (k Keeper) lock(ctx context.Context) (unlock func(), err error) {
	if err := os.MkdirAll(k.dir(), 0o700); err != nil {
		return nil, fmt.Errorf("make the place for who owns worktrees: %w", err)
	}
	path := filepath.Join(k.dir(), ".lock")
	f, err := carry.Lock(ctx, path, carry.LockWait, func() (*os.File, error) {
		return os.OpenFile(path, os.O_RDWR|os.O_CREATE|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0o600)
	})
	if err != nil {
		return nil, fmt.Errorf("lock %s: %w", k.dir(), err)
	}
	return func() { _ = f.Close() }, nil
}

// key is the name of a worktree in the record: its path, symlinks resolved as far
// as it exists.
func key(path string) string {
	return worktree.Locate(path).Resolved
}

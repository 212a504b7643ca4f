package trash

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"

	"coppice/session/move/carry"
	"coppice/transcript"
)

// Restore puts a session back where it was: the one with this id, the newest of
// several; "" for the one taken last. It never replaces anything: where something
// is in its place, the error matches ErrOccupied and the session stays in the
// trash. Killed in between, the next Restore goes on. Of several at once, in any
// process, one restores the session and the others return ErrNotFound. Path of the
// item says where the session is: elsewhere than it was when it was moved after the
// Take that took it had been killed.
//
// The other errors match ErrEmpty (only for ""), ErrBusy, ErrPlace or one of the
// file system.
func (t Trash) Restore(ctx context.Context, id string) (Item, error) {
	item, err := t.find(id)
	if err != nil {
		return Item{}, fmt.Errorf("restore a session from the trash: %w", err)
	}
	if item, err = t.restore(ctx, item); err != nil {
		return item, fmt.Errorf("restore session %s from the trash: %w", item.ID, err)
	}
	return item, nil
}

// restore restores the session of found, which was in the trash a moment ago.
func (t Trash) restore(ctx context.Context, found Item) (_ Item, err error) {
	lock, err := t.lock(ctx)
	if err != nil {
		return found, err
	}
	defer func() { err = errors.Join(err, lock.Close()) }() // which ends the lock
	item, err := t.find(found.ID)
	if errors.Is(err, ErrNotFound) && missing(found.dir) {
		return found, fmt.Errorf("it is back already, at %s: %w", found.Path, err)
	}
	if err != nil {
		return found, err
	}
	if missing(filepath.Join(item.dir, pendingName)) {
		return item, t.putBack(ctx, item)
	}
	// It was never taken for good, so nobody may move it meanwhile.
	still, err := carry.LockDir(ctx, filepath.Join(item.Root, "projects"), t.wait(), unix.LOCK_EX)
	if errors.Is(err, carry.ErrLocked) {
		err = fmt.Errorf("lock the folders of all projects: %w", ErrBusy)
	}
	if err != nil {
		return item, err
	}
	defer func() { err = errors.Join(err, still.Close()) }()
	if item.Path, err = whereabouts(ctx, item); err != nil {
		return item, err
	}
	return item, t.putBack(ctx, item)
}

// whereabouts returns the path of the transcript that has all that the entry of
// item has, as it was moved after a Take that was killed; else the path of item.
func whereabouts(ctx context.Context, item Item) (string, error) {
	projects := filepath.Join(item.Root, "projects")
	folders, err := os.ReadDir(projects)
	if err != nil || !missing(item.Path) {
		return item.Path, err
	}
	for _, folder := range folders {
		path := filepath.Join(projects, folder.Name(), filepath.Base(item.Path))
		if missing(path) {
			continue
		}
		if all, err := begins(ctx, path, filepath.Join(item.dir, transcriptName)); err != nil || all {
			return path, err
		}
	}
	return item.Path, nil
}

// begins reports whether the file at path begins with all that is held.
func begins(ctx context.Context, path, held string) (bool, error) {
	f, err := carry.Open(path)
	if errors.Is(err, carry.ErrNotRegular) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	defer func() { _ = f.Close() }()
	h, err := carry.Open(held)
	if err != nil {
		return false, err
	}
	defer func() { _ = h.Close() }()
	info, err := h.Stat()
	if err != nil {
		return false, err
	}
	return carry.Same(ctx, f, h, info.Size())
}

func (t Trash) putBack(ctx context.Context, item Item) error {
	held := filepath.Join(item.dir, transcriptName)
	f, err := carry.Open(held)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	if !missing(item.Path) {
		if there, err := begins(ctx, item.Path, held); err != nil || !there {
			return occupied(item.Path, err)
		}
	}
	made, err := t.lay(ctx, item, f, info)
	if err != nil {
		made.Undo()
		return err
	}
	t.supersede(ctx, item)
	if err := remove(item.dir); err != nil {
		return fmt.Errorf("it is back at %s, but in the trash too: %w", item.Path, err)
	}
	return nil
}

// occupied returns the error for something in the place of what was at path, and
// what was found out about it.
func occupied(path string, err error) error {
	if err == nil {
		return fmt.Errorf("%s: %w", path, ErrOccupied)
	}
	return fmt.Errorf("%s: %w: %w", path, ErrOccupied, err)
}

// lay puts the parts of an entry in their places, the transcript last.
func (t Trash) lay(ctx context.Context, item Item, f *os.File, info fs.FileInfo) (made carry.Made, err error) {
	folder := filepath.Dir(item.Path)
	if _, err := carry.MakeDir(folder); err != nil {
		return nil, err
	}
	stage, err := carry.NewStage(folder)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, stage.Close()) }()
	history := historyDir(item.Root, item.ID)
	if made, err = lodge(ctx, filepath.Join(item.dir, historyName), history); err != nil {
		return made, err
	}
	side, err := lodge(ctx, filepath.Join(item.dir, sideName), sideDir(item.Path))
	if made = append(made, side...); err != nil {
		return made, err
	}
	staged := stage.Path("transcript")
	if err := hold(ctx, f.Name(), staged, f, info); err != nil {
		return made, err
	}
	if err := t.freshen(staged, info); err != nil {
		return made, err
	}
	err = carry.Place(staged, item.Path)
	if errors.Is(err, fs.ErrExist) {
		there, cmp := begins(ctx, item.Path, staged)
		if err = nil; cmp != nil || !there { // what is there is of a Take or Restore that was killed
			err = occupied(item.Path, cmp)
		}
	} else if err == nil {
		made = append(made, item.Path)
	}
	if err != nil {
		return made, err
	}
	return made, carry.SyncDir(folder)
}

// lodge puts one gathered tree of an entry in its place.
func lodge(ctx context.Context, from, to string) (_ carry.Made, err error) {
	if _, err := os.Lstat(from); errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if _, err := carry.MakeDir(filepath.Dir(to)); err != nil {
		return nil, err
	}
	stage, err := carry.NewStage(filepath.Dir(to))
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, stage.Close()) }()
	if _, err := carry.Gather(ctx, from, stage.Path("tree"), carry.Options{Link: true, Symlinks: true}); err != nil {
		return nil, err
	}
	made, err := carry.Settle(ctx, stage.Path("tree"), to)
	if errors.Is(err, fs.ErrExist) {
		err = fmt.Errorf("%w: %w", err, ErrOccupied)
	}
	return made, err
}

// freshen makes a transcript that the agent would soon remove for its age count
// as written now.
func (t Trash) freshen(path string, info fs.FileInfo) error {
	if now := t.Now(); transcript.Expiring(info.ModTime(), now, t.Retention) {
		return os.Chtimes(path, now, now)
	}
	return nil
}

package trash

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/google/renameio/v2"

	"coppice/session/move/carry"
	"coppice/transcript"
)

// Take moves the transcript at path and what belongs to the session under root
// into the trash. Across file systems it copies, verifies and then removes.
// Nothing is lost when it fails or is killed: what is not in the trash is where
// it was, and the next Take of the same session goes on. Of several at once, in
// any process, one takes the session and the others return ErrTaken.
//
// When the transcript is in the trash all the same, the item is returned beside
// the error: some of its side files are still in their old place too, or another
// program moved or replaced the transcript in the last moment. The errors match
// ErrLive, ErrTaken, ErrBusy, ErrPlace, carry.ErrLocked, carry.ErrChanged,
// carry.ErrNotRegular or one of the file system; of a session that is moved away at
// the same moment it is fs.ErrNotExist.
func (t Trash) Take(ctx context.Context, root, path, id, title string) (Item, error) {
	item, err := t.take(ctx, Item{ID: id, Title: title, Path: filepath.Clean(path), Root: filepath.Clean(root), Version: version})
	if err != nil {
		return item, fmt.Errorf("take session %s to the trash: %w", id, err)
	}
	return item, nil
}

func (t Trash) live(id string) bool { return t.Live != nil && t.Live(id) }

func (t Trash) take(ctx context.Context, item Item) (_ Item, err error) {
	if !transcript.IsID(item.ID) {
		return Item{}, fmt.Errorf("%q is no session id", item.ID)
	}
	if err := item.check(); err != nil {
		return Item{}, err
	}
	if t.live(item.ID) {
		return Item{}, ErrLive
	}
	if err := os.MkdirAll(t.Dir, 0o700); err != nil {
		return Item{}, err
	}
	lock, err := t.lock(ctx)
	if err != nil {
		return Item{}, err
	}
	defer func() { err = errors.Join(err, lock.Close()) }() // which ends the lock
	item.Taken = t.Now().UTC()
	return t.takeLocked(ctx, item)
}

// takeLocked takes the session. The transcript is locked, too: nobody else moves
// it or appends to it meanwhile.
func (t Trash) takeLocked(ctx context.Context, item Item) (Item, error) {
	f, err := carry.OpenLocked(ctx, item.Path, t.wait())
	if errors.Is(err, fs.ErrNotExist) && t.has(item) {
		err = fmt.Errorf("%s: %w", item.Path, ErrTaken)
	}
	if err != nil {
		return Item{}, err
	}
	defer func() { _ = f.Close() }()
	info, err := f.Stat()
	if err != nil {
		return Item{}, err
	}
	if item, err = t.enter(ctx, item, f, info); err != nil {
		return Item{}, err
	}
	if item, err = t.vacate(ctx, item, f, info); err == nil {
		t.supersede(ctx, item)
		t.prune(ctx)
	}
	return item, err
}

// has reports whether the session was taken from the place of item.
func (t Trash) has(item Item) bool {
	items, _ := t.List()
	return slices.ContainsFunc(items, func(it Item) bool {
		return strings.EqualFold(it.ID, item.ID) && it.Path == item.Path
	})
}

// supersede removes the entries that a killed Take or Restore left behind: of the
// same session, of the same place, with the same transcript as the entry of item,
// which is whole. As long as a transcript is in its place, so are the side files.
func (t Trash) supersede(ctx context.Context, item Item) {
	items, _ := t.List()
	for _, old := range items {
		if old.dir == item.dir || old.ID != item.ID || old.Path != item.Path {
			continue
		}
		same, err := carry.SamePath(ctx, filepath.Join(old.dir, transcriptName), filepath.Join(item.dir, transcriptName))
		if err == nil && same {
			_ = remove(old.dir)
		}
	}
}

// enter makes the entry: whole, synced, under its final name.
func (t Trash) enter(ctx context.Context, item Item, f *os.File, info fs.FileInfo) (_ Item, err error) {
	stage, err := carry.NewStage(t.Dir)
	if err != nil {
		return item, err
	}
	defer func() { err = errors.Join(err, stage.Close()) }()
	staged := stage.Path("entry")
	if err := os.Mkdir(staged, 0o700); err != nil {
		return item, err
	}
	if err := hold(ctx, item.Path, filepath.Join(staged, transcriptName), f, info); err != nil {
		return item, err
	}
	opt := carry.Options{Link: true, Symlinks: true}
	if _, err := carry.Gather(ctx, sideDir(item.Path), filepath.Join(staged, sideName), opt); err != nil {
		return item, err
	}
	if _, err := carry.Gather(ctx, historyDir(item.Root, item.ID), filepath.Join(staged, historyName), opt); err != nil {
		return item, err
	}
	data, err := json.Marshal(item)
	if err != nil {
		return item, err
	}
	if err := os.WriteFile(filepath.Join(staged, pendingName), nil, 0o600); err != nil {
		return item, err
	}
	if err := renameio.WriteFile(filepath.Join(staged, itemName), data, 0o600, renameio.WithTempDir(staged)); err != nil {
		return item, err
	}
	if err := carry.SyncDir(staged); err != nil {
		return item, err
	}
	item.dir = filepath.Join(t.Dir, item.Taken.Format("20060102T150405.000000000Z")+"-"+strings.ToLower(item.ID))
	if err := carry.PlaceDir(staged, item.dir); err != nil {
		return item, err
	}
	return item, carry.SyncDir(t.Dir)
}

// hold brings the transcript into an entry: as another name of the same file,
// or, on another file system, as a verified copy with its mtime.
func hold(ctx context.Context, path, staged string, f *os.File, info fs.FileInfo) error {
	if os.Link(path, staged) == nil {
		if there, err := os.Lstat(staged); err != nil || os.SameFile(there, info) {
			return err
		}
		return fmt.Errorf("link %s: %w", path, carry.ErrChanged)
	}
	if err := carry.Copy(ctx, staged, f, info.Size(), info.Mode()); err != nil {
		return err
	}
	held, err := carry.Open(staged)
	if err != nil {
		return err
	}
	defer func() { _ = held.Close() }()
	if same, err := carry.Same(ctx, f, held, info.Size()); err != nil || !same {
		return errors.Join(err, fmt.Errorf("copy %s: %w", path, carry.ErrChanged))
	}
	return os.Chtimes(staged, info.ModTime(), info.ModTime())
}

// vacate removes the originals, the transcript first. The entry goes when the
// transcript has to stay.
func (t Trash) vacate(ctx context.Context, item Item, f *os.File, info fs.FileInfo) (Item, error) {
	held := filepath.Join(item.dir, transcriptName)
	linked := false
	if there, err := os.Lstat(held); err == nil {
		linked = os.SameFile(there, info)
	}
	if t.live(item.ID) {
		return withdraw(item, f, ErrLive)
	}
	now, err := f.Stat()
	if err == nil && !linked && (now.Size() != info.Size() || !now.ModTime().Equal(info.ModTime())) {
		err = fmt.Errorf("take %s: %w", item.Path, carry.ErrChanged)
	}
	if err != nil {
		return withdraw(item, f, err)
	}
	added, gone, err := carry.Retire(f, item.Path, now.Size())
	if err != nil && !gone {
		return withdraw(item, f, err)
	}
	if len(added) > 0 && !linked {
		err = errors.Join(err, carry.Extend(held, added))
	}
	_ = os.Remove(filepath.Join(item.dir, pendingName))
	_, side := carry.Clear(ctx, sideDir(item.Path), filepath.Join(item.dir, sideName))
	_, history := carry.Clear(ctx, historyDir(item.Root, item.ID), filepath.Join(item.dir, historyName))
	if side = errors.Join(side, history); side != nil {
		side = fmt.Errorf("it is in the trash, but files of it are still in their old place too: %w", side)
	}
	return item, errors.Join(err, side, carry.SyncDir(filepath.Dir(item.Path)))
}

// withdraw removes the entry of a transcript that has to stay where it is, and
// returns the reason. Where the transcript is there no more, as another program
// moved or replaced it, the entry may be the last copy: it stays, and the item is
// returned.
func withdraw(item Item, f *os.File, reason error) (Item, error) {
	if carry.Names(item.Path, f) {
		return Item{}, errors.Join(reason, remove(item.dir))
	}
	return item, fmt.Errorf("another program moved, removed or replaced %s meanwhile; the trash keeps it as it was: %w", item.Path, reason)
}

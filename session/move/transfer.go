package move

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"coppice/session/move/carry"
	"coppice/transcript"
)

// transfer brings everything to the target, then removes it at the source.
func (m *mover) transfer(ctx context.Context, src *os.File) (err error) {
	info, err := src.Stat()
	if err != nil {
		return err
	}
	done, err := m.arrived(ctx, src, info.Size())
	if err != nil {
		return err
	}
	if m.res.Notes, err = m.stale(ctx, src, info.Size()); err != nil {
		return err
	}
	stage, err := carry.NewStage(m.Folder)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, stage.Close()) }()
	staged := stage.Path("transcript")
	if !done {
		if err := m.copy(ctx, src, info, staged); err != nil {
			return err
		}
	}
	got, err := carry.Gather(ctx, m.from, stage.Path("side"), carry.Options{Link: true, Symlinks: true})
	if err != nil {
		return err
	}
	made, err := carry.Settle(ctx, stage.Path("side"), m.to)
	if err == nil && !done {
		if err = carry.Place(staged, m.target); err == nil {
			made = append(made, m.target)
		}
		if errors.Is(err, fs.ErrExist) {
			err = ErrExists
		}
	}
	gone := false
	if err == nil {
		gone, err = m.retire(src, info)
	}
	if err != nil && !gone {
		if _, lost := os.Lstat(m.Source); errors.Is(lost, fs.ErrNotExist) {
			return fmt.Errorf("another program took the original, so %s stays: %w", m.target, err) // it may be the last one
		}
		made.Undo()
		return err
	}
	m.res.Path, m.res.Files = m.target, got.Files
	return errors.Join(err, m.side(ctx))
}

// copy makes the staged transcript: the source, byte for byte, and the records.
func (m *mover) copy(ctx context.Context, src *os.File, info fs.FileInfo, staged string) error {
	if err := carry.Copy(ctx, staged, src, info.Size(), info.Mode()); err != nil {
		return err
	}
	if err := os.Chtimes(staged, info.ModTime(), info.ModTime()); err != nil {
		return err
	}
	if err := transcript.Append(staged, records(m.Request), m.keep()); err != nil {
		return err
	}
	made, err := carry.Open(staged)
	if err != nil {
		return err
	}
	defer func() { _ = made.Close() }()
	same, err := carry.Same(ctx, src, made, info.Size())
	if err == nil && !same {
		err = fmt.Errorf("copy %s: %w", m.Source, carry.ErrChanged)
	}
	return err
}

// arrived reports whether the target holds what a killed Move of the same request
// put there. One that was made from less than the source holds by now is removed:
// there is nothing in it that the source has not. Any other file is ErrExists.
func (m *mover) arrived(ctx context.Context, src *os.File, size int64) (bool, error) {
	target, err := carry.Open(m.target)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if errors.Is(err, carry.ErrNotRegular) {
		return false, errors.Join(ErrExists, err)
	}
	if err != nil {
		return false, err
	}
	defer func() { _ = target.Close() }()
	info, err := target.Stat()
	if err != nil {
		return false, err
	}
	body := info.Size() - int64(len(m.records))
	if !endsWith(target, info.Size(), m.records) || body > size+1 || body == size+1 && !endsWith(target, size+1, []byte("\n")) {
		return false, ErrExists
	}
	same, err := carry.Same(ctx, src, target, min(body, size))
	if err != nil || !same {
		return false, errors.Join(err, ErrExists)
	}
	if body >= size {
		return true, nil
	}
	return false, os.Remove(m.target)
}

// retire removes the original, now that the target is durable. What another
// program added to it in the last moment goes to the target.
func (m *mover) retire(src *os.File, info fs.FileInfo) (gone bool, err error) {
	if err := carry.SyncDir(m.Folder); err != nil {
		return false, err
	}
	if m.live() {
		return false, ErrLive
	}
	if now, err := src.Stat(); err != nil {
		return false, err
	} else if now.Size() != info.Size() || !now.ModTime().Equal(info.ModTime()) {
		return false, fmt.Errorf("move %s: %w", m.Source, carry.ErrChanged)
	}
	added, gone, err := carry.Retire(src, m.Source, info.Size())
	if len(added) == 0 {
		return gone, err
	}
	return gone, carry.Extend(m.target, added)
}

// side removes the side files that are at the target, after it has brought there
// those that are not.
func (m *mover) side(ctx context.Context) error {
	if m.from == m.to {
		return nil
	}
	if err := m.bring(ctx); err != nil {
		return fmt.Errorf("the transcript is at %s, but not all of its side files: %w", m.target, err)
	}
	left, err := carry.Clear(ctx, m.from, m.to)
	if err != nil {
		return fmt.Errorf("the session is at %s, but its side files are still in the old place too: %w", m.target, err)
	}
	for _, name := range left {
		m.res.Notes = append(m.res.Notes, fmt.Sprintf("%q is no file and was left in %s", name, m.from))
	}
	if err := carry.SyncDir(filepath.Dir(m.from)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// bring takes side files that are still at the source to the target.
func (m *mover) bring(ctx context.Context) (err error) {
	if _, err := os.Lstat(m.from); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	stage, err := carry.NewStage(m.Folder)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, stage.Close()) }()
	if _, err = carry.Gather(ctx, m.from, stage.Path("side"), carry.Options{Link: true, Symlinks: true}); err != nil {
		return err
	}
	_, err = carry.Settle(ctx, stage.Path("side"), m.to)
	return err
}

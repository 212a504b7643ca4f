package fork

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"coppice/session/move/carry"
	"coppice/transcript"
)

// workshop makes the files of a fork in stages and puts them in their places.
type workshop struct {
	req     Request
	stage   *carry.Stage // beside the fork's file
	history *carry.Stage // beside its file history; nil when there is none
	folder  string       // the topmost directory that was made for the fork; "" for none
	made    []string     // what is in its place already
	whole   bool
	notes   []string
	listed  []string // side files that the source had at the beginning, relative to its side directory

	elsewhere int // results that the fork does not hold
}

func begin(req Request) (*workshop, error) {
	folder, err := carry.MakeDir(req.Folder)
	if err != nil {
		return nil, err
	}
	stage, err := carry.NewStage(req.Folder)
	if err != nil {
		return nil, err
	}
	w := &workshop{req: req, stage: stage, folder: folder}
	w.listed = sideFiles(w.sourceSide())
	return w, nil
}

func (w *workshop) path() string    { return filepath.Join(w.req.Folder, w.req.ID+".jsonl") }
func (w *workshop) sideDir() string { return filepath.Join(w.req.Folder, w.req.ID) }

// close removes the stages, and what was put in its place when the fork is not
// whole.
func (w *workshop) close() error {
	var errs []error
	if !w.whole {
		for _, path := range slices.Backward(w.made) {
			errs = append(errs, os.RemoveAll(path))
		}
	}
	errs = append(errs, w.stage.Close())
	if w.history != nil {
		errs = append(errs, w.history.Close())
	}
	if !w.whole && w.folder != "" {
		_ = os.Remove(w.folder) // unless somebody uses it by now
	}
	return errors.Join(errs...)
}

// make makes everything, the transcript's name last.
func (w *workshop) make(ctx context.Context, p *plan, src io.ReaderAt) error {
	side, err := w.side(ctx)
	if err != nil {
		return err
	}
	history, err := w.fileHistory(ctx)
	if err != nil {
		return err
	}
	staged := w.stage.Path("transcript")
	if err := w.proven(ctx, staged, p, src); err != nil {
		return err
	}
	if err := w.vanished(); err != nil {
		return err
	}
	if history != "" {
		if err := w.place(history, historyDir(w.req.Root, w.req.ID)); err != nil {
			return err
		}
	}
	if side != "" {
		if err := w.place(side, w.sideDir()); err != nil {
			return err
		}
	}
	err = carry.Place(staged, w.path())
	if errors.Is(err, fs.ErrExist) {
		return ErrExists
	}
	if err != nil {
		return err
	}
	if w.elsewhere > 0 {
		w.notes = append(w.notes, fmt.Sprintf("%d large results are not kept with the fork but where the source names them", w.elsewhere))
	}
	if n, err := p.replaced(); err != nil {
		return err
	} else if n > 0 {
		w.notes = append(w.notes, fmt.Sprintf("messages of the source that have the id of another one and were not copied: %d", n))
	}
	w.made = append(w.made, w.path())
	if err := carry.SyncDir(w.req.Folder); err != nil {
		return err
	}
	w.whole = true
	return nil
}

// replaced counts the messages that are not in the fork since another one with
// their uuid is. The same bytes again are none.
func (p *plan) replaced() (int, error) {
	n := 0
	for i := range p.ledger.Rows {
		row := &p.ledger.Rows[i]
		place, ok := p.place[row.UUID]
		if !ok || p.order[place] == i || row.Void || !p.says(i) {
			continue
		}
		other := &p.ledger.Rows[p.order[place]]
		a, err := p.ledger.Bytes(row.Offset, row.Size)
		if err != nil {
			return 0, err
		}
		b, err := p.ledger.Bytes(other.Offset, other.Size)
		if err != nil {
			return 0, err
		}
		if !bytes.Equal(a, b) {
			n++
		}
	}
	return n, nil
}

func historyDir(root, id string) string { return filepath.Join(root, "file-history", id) }

// place puts a finished directory in its place.
func (w *workshop) place(staged, final string) error {
	err := carry.PlaceDir(staged, final)
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%w: %w", ErrExists, err)
	}
	if err != nil {
		return err
	}
	w.made = append(w.made, final)
	return carry.SyncDir(filepath.Dir(final))
}

// side gathers the side files and writes the sidecar of the name. It returns the
// staged directory, "" when there is nothing in it.
func (w *workshop) side(ctx context.Context) (string, error) {
	dir := w.stage.Path("side")
	from := w.sourceSide()
	got, err := carry.Gather(ctx, from, dir, carry.Options{Only: func(name string) bool { return slices.Contains(sideNames(), name) }})
	if err != nil {
		return "", fmt.Errorf("copy the side files: %w", err)
	}
	for _, name := range got.Left {
		w.notes = append(w.notes, fmt.Sprintf("%q in %s is no file and was not copied", name, from))
	}
	if got.Files > 0 {
		w.notes = append(w.notes, fmt.Sprintf("%d stored results and subagents were copied along", got.Files))
	}
	if w.req.Name == "" {
		if got.Files == 0 {
			return "", nil
		}
		return dir, nil
	}
	if err := os.Mkdir(dir, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return "", err
	}
	return dir, w.sidecar(filepath.Join(dir, "custom-title.json"))
}

// sourceSide returns the side directory of the source.
func (w *workshop) sourceSide() string {
	return filepath.Join(filepath.Dir(w.req.Source), w.req.SourceID)
}

// sidecar writes the copy of the name that the client keeps beside a transcript.
func (w *workshop) sidecar(path string) error {
	return writeSynced(path, transcript.TitleSidecar(w.req.Name, w.req.Now))
}

func writeSynced(path string, data []byte) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	return errors.Join(err, f.Sync(), f.Close())
}

// fileHistory gathers the copies of files that the client keeps to take edits
// back. It returns the staged directory, "" when there are none.
func (w *workshop) fileHistory(ctx context.Context) (string, error) {
	from := historyDir(w.req.Root, w.req.SourceID)
	if info, err := os.Lstat(from); err != nil || !info.IsDir() {
		return "", nil
	}
	stage, err := carry.NewStage(filepath.Dir(from))
	if err != nil {
		return "", fmt.Errorf("copy the file history: %w", err)
	}
	w.history = stage
	got, err := carry.Gather(ctx, from, stage.Path("history"), carry.Options{})
	if err != nil {
		return "", fmt.Errorf("copy the file history: %w", err)
	}
	for _, name := range got.Left {
		w.notes = append(w.notes, fmt.Sprintf("%q in %s is no file and was not copied", name, from))
	}
	return stage.Path("history"), nil
}

// transcript writes the staged transcript and syncs it. good says that both
// policies find the conversation in it.
func (w *workshop) transcript(ctx context.Context, staged string, p *plan, src io.ReaderAt) (good bool, err error) {
	out, err := os.OpenFile(staged, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return false, err
	}
	defer func() { err = errors.Join(err, out.Close()) }()
	copied := func(name string) bool {
		_, err := os.Lstat(filepath.Join(w.stage.Path("side"), name))
		return err == nil
	}
	l := newLines(w.req, p, src, newPaths(w.req, w.sideDir(), copied), out)
	if err := l.write(ctx); err != nil {
		return false, err
	}
	w.elsewhere = l.elsewhere
	var syncing sync.WaitGroup
	var unsynced error
	syncing.Go(func() { unsynced = out.Sync() })
	good = true
	if p.doubtful() {
		good, err = p.proves(ctx, out)
	}
	syncing.Wait()
	return good, errors.Join(err, unsynced)
}

// proven writes the staged transcript so that both policies find the conversation
// in it. Where they do not, as of two compactions that preserve rows only one is
// copied, its rows are put in a line; and where a message has rows on both sides
// of a compaction, those before it are left out.
func (w *workshop) proven(ctx context.Context, staged string, p *plan, src io.ReaderAt) error {
	for {
		good, err := w.transcript(ctx, staged, p, src)
		if err != nil || good {
			return err
		}
		switch {
		case !p.linear:
			p.straighten()
		case len(p.chain.Before) > 0:
			w.notes = append(w.notes, "what the conversation was before it was compacted is not copied: parts of its messages are in both")
			p.forget()
		default:
			w.notes = append(w.notes, "the agent may find another conversation in this fork than the one that was copied")
			return nil
		}
		if err := os.Remove(staged); err != nil {
			return err
		}
	}
}

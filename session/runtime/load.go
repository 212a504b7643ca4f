package runtime

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/tidwall/gjson"

	"coppice/transcript"
	"coppice/transcript/ledger"
)

// Load rebuilds the state of the session whose transcript is at path. id is the
// session's, from the file's name. Everything of the session is read from the
// transcript as it is now and from the files beside it. What is missing or odd
// beside the transcript is Lost or a Finding, not an error; errors are those of
// reading the transcript, of ctx, and ErrEmpty. The caller closes the Runtime.
func Load(ctx context.Context, path, id string, source Source, env Environment) (*Runtime, error) {
	f, info, err := openRegular(path)
	if err != nil {
		return nil, fmt.Errorf("load the session %s: %w", id, err)
	}
	l, err := ledger.Read(ctx, f, info.Size())
	if err != nil {
		_ = f.Close()
		return nil, fmt.Errorf("load the session %s: %w", id, err)
	}
	r, err := LoadRead(ctx, f, l, id, source, env)
	if err != nil {
		_ = f.Close()
		return nil, err
	}
	r.file = f
	return r, nil
}

// LoadRead is Load of a transcript that was read already: l is what f held then.
// The file stays the caller's, who closes it when the Runtime is no longer used.
func LoadRead(ctx context.Context, f *os.File, l *ledger.Ledger, id string, source Source, env Environment) (*Runtime, error) {
	info, err := f.Stat()
	if err != nil {
		return nil, fmt.Errorf("load the session %s: %w", id, err)
	}
	load := loader{path: f.Name(), id: id, source: source, env: env, modified: info.ModTime()}
	load.out = &Runtime{Source: source, ID: id, Ledger: l}
	if err := load.load(ctx, f, info.Size()); err != nil {
		if errors.Is(err, ledger.ErrNoConversation) {
			err = ErrEmpty
		}
		return nil, fmt.Errorf("load the session %s: %w", id, err)
	}
	return load.out, nil
}

// openRegular opens a regular file and never waits for one.
func openRegular(path string) (*os.File, os.FileInfo, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK|syscall.O_NOCTTY, 0)
	if err != nil {
		return nil, nil, err
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("open %s: %w", path, transcript.ErrNotRegular)
	}
	if err != nil {
		_ = f.Close()
		return nil, nil, err
	}
	return f, info, nil
}

// load gathers what the transcript tells, then what lies beside it.
func (l *loader) load(ctx context.Context, f io.ReaderAt, size int64) error {
	var err error
	r := l.out
	if r.Chain, err = r.Ledger.Chain(ledger.Keep); err != nil {
		return err
	}
	state, err := new(transcript.Scanner).Scan(ctx, f, size, nil)
	if err != nil {
		return err
	}
	r.Summary = state.Summary
	l.records.ledger, l.walker.ledger = r.Ledger, r.Ledger
	if err := l.records.gather(ctx); err != nil {
		return err
	}
	if err := l.walker.walk(ctx, r.Chain); err != nil {
		return err
	}
	model, err := l.newestModel()
	if err != nil {
		return err
	}
	l.open()
	defer l.close()
	r.Model = RestoreModel(model, l.env)
	return l.restore()
}

// newestModel returns the model of the newest answer in the conversation.
func (l *loader) newestModel() (string, error) {
	rows := l.out.Chain.Rows
	for i := len(rows) - 1; i >= 0; i-- {
		row := &l.out.Ledger.Rows[rows[i]]
		if row.Kind != ledger.Assistant {
			continue
		}
		data, err := l.out.Ledger.Bytes(row.Offset, row.Size)
		if err != nil {
			return "", err
		}
		if slug := gjson.GetBytes(data, "slug").Str; l.walker.slug == "" {
			l.walker.slug = slug
		}
		if model := gjson.GetBytes(data, "message.model").Str; realModel(model) {
			return model, nil
		}
	}
	return "", nil
}

// open opens the places that may be read.
func (l *loader) open() {
	sum := &l.out.Summary
	if l.ranIn = sum.Dir; sum.Worktree != nil && sum.Worktree.Path != "" {
		l.ranIn = sum.Worktree.Path
	}
	if l.out.Dir = l.env.Dir; l.out.Dir == "" {
		l.out.Dir = l.ranIn
	}
	l.root, l.dir = openPlace(l.env.Root), openPlace(l.env.Dir)
	l.settings = ReadSettings(l.env.Root, l.env.Dir)
	for _, path := range l.settings.Unread {
		l.find(CheckSettings, "%s cannot be read: its settings do not count", path)
	}
}

func (l *loader) close() {
	l.root.close()
	l.dir.close()
}

// name returns the name of the session: what a person called it, else what was
// generated (the title rule as far as it is about names, observed J).
func (l *loader) name() string {
	sum := &l.out.Summary
	names := []string{sum.CustomTitle, "", sum.AITitle}
	if !sum.TitleCleared && l.source == FromStore {
		if name, ok := l.root.below(l.path); ok {
			side := filepath.Join(strings.TrimSuffix(name, filepath.Ext(name)), "custom-title.json")
			if data, err := l.root.read(side, maxSettings); err == nil && gjson.ValidBytes(data) {
				names[1] = gjson.GetBytes(data, "customTitle").Str
			}
		}
	}
	for _, name := range names {
		if name = strings.TrimSpace(name); name != "" {
			return name
		}
	}
	return ""
}

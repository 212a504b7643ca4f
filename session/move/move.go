// Package move takes a session's transcript and its side files to the project
// folder of another directory, as the client relocates one (observed D).
//
// It verifies the copy before the original is removed, never touches a session
// that is live, and decides neither where a session belongs nor whether that
// directory exists. Like the client it changes no byte of what was recorded:
// absolute paths in there that hold no longer are named in Notes.
package move

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"coppice/session/move/carry"
	"coppice/transcript"
)

// Errors of Move.
var (
	// ErrExists is returned when the target folder holds the session already.
	ErrExists = errors.New("the target folder holds a transcript of this session already")
	// ErrLive is returned for a session that an agent has open.
	ErrLive = errors.New("the session is live: end it first")
)

// Request says what to move.
type Request struct {
	ID     string
	Source string // path of the transcript
	Folder string // the project folder that it goes to, absolute; made when missing
	Dir    string // absolute: the directory that it belongs to from now on
	// Unbind clears a worktree binding that names another directory.
	Unbind bool
	Live   func() bool // asked first, and again right before the original goes; nil for never
	Now    time.Time
	// Retention is the age by mtime at which the agent deletes transcripts, 0 for
	// its default (see transcript.AppendOptions).
	Retention time.Duration
}

// Result says what was done.
type Result struct {
	Path  string
	Files int      // side files that moved along
	Notes []string // stale absolute paths in the transcript, in our own words
}

// Move copies, verifies, appends the relocated record (and, with Unbind, the
// cleared binding) to the copy, puts it under its final name, and removes the
// original. At every moment at least one whole transcript is under its name;
// killed in between, the next Move of the same request finishes the work. The
// original is locked (carry.OpenLocked): of several who move or delete it at once
// one does, and the others find nothing there, fs.ErrNotExist.
//
// After an error everything is where it was, but for one case: when the
// transcript has moved and some of its side files have not, Result names the new
// path beside the error. The errors match ErrExists, ErrLive, carry.ErrLocked,
// carry.ErrConflict, carry.ErrChanged, carry.ErrNotRegular or one of the file
// system.
func Move(ctx context.Context, req Request) (Result, error) {
	m, err := begin(req)
	if err == nil {
		err = m.run(ctx)
	}
	if err != nil {
		err = fmt.Errorf("move session %s: %w", req.ID, err)
	}
	return m.res, err
}

// mover is one Move.
type mover struct {
	Request
	target   string
	from, to string // the side directories
	records  []byte // what is appended to the copy
	res      Result
}

func begin(req Request) (*mover, error) {
	m := &mover{Request: req}
	if !transcript.IsID(req.ID) {
		return m, fmt.Errorf("%q is no session id", req.ID)
	}
	for _, path := range []string{req.Source, req.Folder, req.Dir} {
		if !filepath.IsAbs(path) {
			return m, fmt.Errorf("the path %q is not absolute", path)
		}
	}
	m.target = filepath.Join(req.Folder, req.ID+".jsonl")
	m.from, m.to = strings.TrimSuffix(req.Source, filepath.Ext(req.Source)), filepath.Join(req.Folder, req.ID)
	for _, record := range records(req) {
		m.records = append(append(m.records, record...), '\n')
	}
	return m, nil
}

func (m *mover) live() bool { return m.Live != nil && m.Live() }

func (m *mover) run(ctx context.Context) error {
	if m.live() {
		return ErrLive
	}
	moving, err := carry.LockDir(ctx, filepath.Dir(filepath.Dir(m.Source)), carry.LockWait, unix.LOCK_SH)
	if err != nil {
		return err
	}
	defer func() { _ = moving.Close() }()
	src, err := carry.OpenLocked(ctx, m.Source, carry.LockWait)
	if errors.Is(err, fs.ErrNotExist) {
		if _, there := os.Lstat(m.target); there == nil { // a Move was killed behind the removal
			m.res.Path = m.target
			return m.side(ctx)
		}
	}
	if err != nil {
		return err
	}
	defer func() { _ = src.Close() }()
	if _, err := carry.MakeDir(m.Folder); err != nil {
		return err
	}
	here, err := sameDir(filepath.Dir(m.Source), m.Folder)
	switch {
	case err != nil:
		return err
	case here:
		return errors.Join(src.Close(), m.inPlace()) // which locks it for itself
	}
	return m.transfer(ctx, src)
}

func sameDir(a, b string) (bool, error) {
	x, err := os.Stat(a)
	if err != nil {
		return false, err
	}
	y, err := os.Stat(b)
	if err != nil {
		return false, err
	}
	return os.SameFile(x, y), nil
}

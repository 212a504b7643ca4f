package session

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"coppice/transcript"
	"coppice/worktree"
)

// FromFile returns the session of any one transcript file, wherever it lies, as
// far as the file itself tells: nothing is known of other copies, of live agents
// and of a repository that its directory is gone from. The id is the one that the
// file is named by, else the one that its records name, else "". A file that
// cannot be read is an error.
func FromFile(ctx context.Context, path string) (Session, error) {
	f, err := openRegular(path)
	if err != nil {
		return Session{}, fmt.Errorf("open the transcript: %w", err)
	}
	defer func() { _ = f.Close() }()
	info, err := f.Stat()
	if err != nil {
		return Session{}, fmt.Errorf("look at the transcript: %w", err)
	}
	var scanner transcript.Scanner
	state, err := scanner.Scan(ctx, f, info.Size(), nil)
	if err != nil {
		return Session{}, fmt.Errorf("read %s: %w", path, err)
	}
	sum := state.Summary
	id, named := transcriptID(filepath.Base(path))
	if !named && transcript.IsID(sum.SessionID) {
		id = sum.SessionID
	}
	s := Session{
		ID: id, Path: path, ModTime: info.ModTime(), Summary: sum,
		Updated: sum.Updated, NotReady: notReady(&sum, info.Size(), ""),
	}
	if s.Updated.IsZero() {
		s.Updated = time.Unix(0, info.ModTime().UnixNano()).UTC()
	}
	p := placer{locate: worktree.Locate}
	s.Dir, s.Place = homeOf(&sum, filepath.Base(filepath.Dir(path)), p.locateForm)
	s.Project = projectOf(s.Place, "")
	if !strings.EqualFold(sum.ForkedFrom, id) {
		s.Parent = sum.ForkedFrom
	}
	s.Title, s.TitleSource = titleOf(&sum, readSidecar(path))
	s.Copies = []Copy{{Path: path, Dir: s.Dir, Updated: s.Updated, Size: info.Size()}}
	return s, nil
}

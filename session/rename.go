package session

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/google/renameio/v2"

	"coppice/session/runtime"
	"coppice/transcript"
)

// Errors of Rename about the name.
var (
	// ErrNameEmpty is returned for a name in which nothing can be seen.
	ErrNameEmpty = transcript.ErrEmptyTitle
	// ErrNameIsID is returned for a name that has the shape of a session id: such
	// a session could never be called by it (observed C, J).
	ErrNameIsID = errors.New("the name looks like a session id and could not be used as a name")
)

// Renamer renames sessions as the client's /rename does (observed J): a
// custom-title and an agent-name record at the end of the transcript in use, and
// the sidecar <id>/custom-title.json beside it. Other copies of the session keep
// their names.
type Renamer struct {
	Root string // the agent's config root
	Now  func() time.Time
	// Live says whether an agent has a session open, or may have; nil for none.
	Live func(id string) bool
}

// Rename gives s a name and returns s as it is then. The name is stored cleaned,
// see CleanName. A name that another session has is allowed; SameName tells. The
// records are durable when it returns. The error wraps ErrNameEmpty, ErrNameIsID
// or that of the file system; s keeps its old name then.
func (r Renamer) Rename(ctx context.Context, s Session, name string) (Session, error) {
	title, err := CleanName(name)
	if err != nil {
		return s, err
	}
	if err := ctx.Err(); err != nil {
		return s, err
	}
	isLive := r.Live != nil && r.Live(s.ID)
	var beside error
	err = transcript.Append(s.Path, transcript.TitleRecords(s.ID, title), transcript.AppendOptions{
		Live: isLive, KeepTime: !isLive, Retention: runtime.ReadSettings(r.Root, "").Retention(),
		// Under the append lock, so that of two names given at once the same is the
		// last in both places, and none is left where a session was moved away.
		Then: func() { beside = writeSidecar(s.Path, title, r.Now()) },
	})
	if err != nil {
		return s, fmt.Errorf("rename session %s: %w", s.ID, err)
	}
	s.Title, s.TitleSource = title, TitleCustom
	s.Summary.CustomTitle, s.Summary.TitleCleared, s.Summary.AgentName = title, false, title
	if beside != nil {
		return s, fmt.Errorf("session %s is renamed, but not the copy of its name: %w", s.ID, beside)
	}
	return s, nil
}

// CleanName returns a name as it will be stored, see transcript.CleanTitle. The
// errors are ErrNameEmpty and ErrNameIsID.
func CleanName(name string) (string, error) {
	title, err := transcript.CleanTitle(name)
	if err == nil && transcript.IsID(title) {
		return "", ErrNameIsID
	}
	return title, err
}

// writeSidecar writes the copy of the name that lies beside the transcript, with
// the client's modes.
func writeSidecar(path, title string, now time.Time) error {
	dir := strings.TrimSuffix(path, filepath.Ext(path))
	if err := os.Mkdir(dir, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	if info, err := os.Lstat(dir); err != nil {
		return err
	} else if !info.IsDir() {
		return fmt.Errorf("%s is no directory", dir)
	}
	return renameio.WriteFile(filepath.Join(dir, "custom-title.json"), transcript.TitleSidecar(title, now), 0o600, renameio.WithTempDir(dir))
}

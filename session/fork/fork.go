// Package fork makes a session that starts from a copy of another's history: a
// new id and its own file, its side files beside it, lineage on every row.
//
// A fork never owns its source's worktree, never inherits what a person granted,
// and leaves the source byte for byte as it was. Where a fork may run, and what
// it is called among all sessions, is session's to know; this package is told.
//
// Rows are copied as bytes. What is another in the fork are members at depth one:
//
//   - sessionId and forkedFrom say whose row it is and where it is from;
//   - cwd and gitBranch are those of the fork, as the client's own --fork-session
//     writes them (observed B): the client's picker and our store both find the
//     directory of a session by its rows, and the branch by the last of them;
//   - entrypoint where it names print mode or an SDK: lists hide such sessions, and
//     a fork is made by a person, to be gone on with;
//   - slug is dropped, so that the two do not write one plan file (report C9);
//   - parentUuid only where the source is damaged, so that the client follows
//     what Keep bridged, and isSidechain of the last row, which may not be one;
//
// and, in rows of the user and attachments, absolute paths into the side
// directory of the source. Rows of the assistant keep their text in any case:
// thinking is signed (report A18).
package fork

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"coppice/session/move/carry"
	"coppice/transcript"
	"coppice/transcript/ledger"
)

// Errors of Fork.
var (
	// ErrNotAPrompt is returned for an At that is no prompt of the conversation.
	ErrNotAPrompt = errors.New("a fork can only start at a prompt")
	// ErrFirstPrompt is returned for an At that nothing comes before.
	ErrFirstPrompt = errors.New("nothing was said before this prompt: start a new session instead")
	// ErrExists is returned for an id that a transcript has already.
	ErrExists = errors.New("a session with this id exists already")
)

// Request says what to fork.
type Request struct {
	Source   string // path of the transcript
	SourceID string
	ID       string // of the fork; a UUID
	Folder   string // the project folder that the fork's file goes to, absolute; made when missing
	Dir      string // absolute: the directory that the fork will run in
	Branch   string // checked out there; "" when there is none
	Name     string // cleaned, and unique among all sessions; "" for none
	// At is the uuid of the prompt before which the fork ends: the fork is asked
	// anew from there. "" for the whole conversation. Only prompts, never inside
	// one message group; those of other branches too.
	At  string
	Now time.Time
	// Root is the config root, which holds the client's file history; "" for the
	// one that Folder lies in as <root>/projects/<folder>.
	Root string
}

// Result says what was made.
type Result struct {
	ID, Path string
	Messages int              // prompts and assistant messages
	Findings []ledger.Finding // what was odd about the source: the fork is repaired
	Notes    []string         // what a person should know: what is shared, what was not copied, in our own words
	Prompt   string           // text of the prompt named by At, to be asked again
}

// Fork writes the fork: the Keep chain of the source, what a compaction put out
// of it included, with the new id, parents intact, forkedFrom on every row, side
// files copied and the paths to them rewritten. The file appears under its name
// whole, synced, with mode 0600 and the present mtime, or not at all; after an
// error nothing is left behind but, when that failed too, what the error names.
//
// The errors match ErrNotAPrompt, ErrFirstPrompt, ErrExists,
// ledger.ErrNoConversation, carry.ErrChanged, carry.ErrNotRegular or one of the
// file system.
func Fork(ctx context.Context, req Request) (Result, error) {
	res, err := fork(ctx, req)
	if err != nil {
		return Result{}, fmt.Errorf("fork session %s: %w", req.SourceID, err)
	}
	return res, nil
}

func fork(ctx context.Context, req Request) (Result, error) {
	if err := check(req); err != nil {
		return Result{}, err
	}
	if req.Root == "" {
		req.Root = filepath.Dir(filepath.Dir(req.Folder))
	}
	src, err := carry.Open(req.Source)
	if err != nil {
		return Result{}, err
	}
	defer func() { _ = src.Close() }()
	info, err := src.Stat()
	if err != nil {
		return Result{}, err
	}
	l, err := ledger.Read(ctx, src, info.Size())
	if err != nil {
		return Result{}, err
	}
	p, err := makePlan(l, req.At)
	if err != nil {
		return Result{}, err
	}
	w, err := begin(req)
	if err != nil {
		return Result{}, err
	}
	err = w.make(ctx, p, src)
	if err = errors.Join(err, w.close()); err != nil {
		return Result{}, err
	}
	return Result{
		ID: req.ID, Path: w.path(), Messages: p.messages, Findings: p.chain.Findings,
		Notes: w.notes, Prompt: p.prompt,
	}, nil
}

// check refuses what no fork can be made of.
func check(req Request) error {
	for _, id := range []string{req.SourceID, req.ID} {
		if !transcript.IsID(id) {
			return fmt.Errorf("%q is no session id", id)
		}
	}
	if strings.EqualFold(req.ID, req.SourceID) {
		return ErrExists
	}
	for _, path := range []string{req.Source, req.Folder, req.Dir} {
		if !filepath.IsAbs(path) {
			return fmt.Errorf("the path %q is not absolute", path)
		}
	}
	return taken(req)
}

// taken returns ErrExists when a project folder, the fork's or one beside it, has
// a transcript or a side directory with the fork's id: the client accepts a
// second one elsewhere, and then has two (observed C).
func taken(req Request) error {
	projects := filepath.Dir(req.Folder)
	folders, err := os.ReadDir(projects)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for _, folder := range folders {
		for _, name := range []string{req.ID + ".jsonl", req.ID} {
			path := filepath.Join(projects, folder.Name(), name)
			if _, err := os.Lstat(path); err == nil {
				return fmt.Errorf("%s: %w", path, ErrExists)
			}
		}
	}
	return nil
}

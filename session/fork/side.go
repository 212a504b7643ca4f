package fork

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"coppice/session/move/carry"
	"coppice/session/runtime"
)

// inheritance says how much of the side records of one type a fork gets.
type inheritance uint8

const (
	inheritNone inheritance = iota
	inheritLast             // the last one holds
	inheritAll              // each says something of its own
)

// inherits says what a fork gets of the records of a type (observed B). It gets
// neither the name (it has its own), nor the worktree binding, nor what the
// client keeps for itself (costs, the queue, the log of requests), nor what
// nobody knows.
func inherits(typ string) inheritance {
	switch typ {
	case "ai-title", "tag", "agent-color", "agent-setting", "mode", "permission-mode":
		return inheritLast
	case "content-replacement", "tools-used", "pr-link", "file-history-snapshot", "file-history-delta":
		return inheritAll
	}
	return inheritNone
}

// inheritsMode says whether a fork keeps a permission mode: never one that lets
// the agent act unasked (DESIGN "Permission mode at resume").
func inheritsMode(mode string) bool {
	return runtime.Strictness(mode) > runtime.Strictness(runtime.ModeAuto)
}

// sideNames are the directories of a session's side files that a fork gets copies
// of. The sidecar of the name is its own.
func sideNames() []string { return []string{"tool-results", "subagents"} }

// sideFiles lists the files below a side directory that a fork gets copies of,
// relative to it.
func sideFiles(dir string) []string {
	var out []string
	for _, top := range sideNames() {
		_ = filepath.WalkDir(filepath.Join(dir, top), func(path string, d fs.DirEntry, err error) error {
			if err != nil || !d.Type().IsRegular() {
				return nil // what cannot be read is the copying's to tell
			}
			if name, err := filepath.Rel(dir, path); err == nil {
				out = append(out, name)
			}
			return nil
		})
	}
	return out
}

// vanished returns an error when the source's transcript, or a side file before it
// was copied, went away while the fork was made: it would have only a part of what
// its rows name. The trash and a move take the transcript first.
func (w *workshop) vanished() error {
	gone := func(path string) bool {
		_, err := os.Lstat(path)
		return errors.Is(err, fs.ErrNotExist)
	}
	if gone(w.req.Source) {
		return fmt.Errorf("%s is gone: %w", w.req.Source, carry.ErrChanged)
	}
	for _, name := range w.listed {
		if from := filepath.Join(w.sourceSide(), name); gone(filepath.Join(w.stage.Path("side"), name)) && gone(from) {
			return fmt.Errorf("%s is gone: %w", from, carry.ErrChanged)
		}
	}
	return nil
}

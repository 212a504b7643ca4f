package session

import (
	"context"
	"time"

	"coppice/worktree"
)

// Options are what a Store needs to know. All paths are absolute.
type Options struct {
	Root      string   // the agent's config root, usually ~/.claude
	CacheFile string   // where summaries are kept between runs; "" for no cache
	Start     string   // directory the person stands in
	Roots     []string // where repositories are looked for, besides the sessions' directories
	Exclude   []string
	Git       worktree.Git
	Now       func() time.Time
	Proc      string // the /proc file system; "" where there is none
}

// Store is the index of sessions and repositories. One goroutine owns its
// state; what it knows leaves it as Updates, which hold copies.
type Store struct{ opt Options }

// NewStore makes a Store. It reads nothing yet.
func NewStore(opt Options) *Store { return &Store{opt: opt} }

// Update is a batch of news, in the order in which it became known. A receiver
// that applies every Update in turn has the whole state.
type Update struct {
	Sessions []Session // new or changed rows, whole
	Removed  []string  // ids whose last file vanished

	Repositories []worktree.Repository // new or changed, whole, by CommonDir
	Forgotten    []string              // common directories that no longer exist
	Statuses     []worktree.Status     // by Path

	Progress Progress
	Watch    WatchMode
	Err      string // a directory that could not be read, in words for the footer; "" for none
}

// Progress says how far a scan is. Listed is true once every file has a row;
// Complete once every late fact is in.
type Progress struct {
	Files, Done         int
	Bytes, DoneBytes    int64
	Listed, Complete    bool
	RepositoriesPending int
}

// WatchMode says how changes are noticed.
type WatchMode string

// The watch modes.
const (
	WatchEvents  WatchMode = "events"
	WatchPolling WatchMode = "polling" // every 5 s, visible directories only
	WatchNone    WatchMode = ""        // not yet, or a one-shot load
)

// Load reads everything once and returns all rows, newest first, and all
// repositories. Damaged or unreadable files are rows, never errors; the error
// is for a root that cannot be read at all (a missing one is an empty list).
func (s *Store) Load(ctx context.Context) ([]Session, []worktree.Repository, error) {
	return nil, nil, nil
}

// Watch sends Updates until ctx ends: rows first, then late facts, then
// whatever changes. emit is called from one goroutine at a time and may block.
func (s *Store) Watch(ctx context.Context, emit func(Update)) error { return nil }

// SetVisible tells a watching Store which transcripts are on the screen; they
// are looked at first, and are the ones polled when events cannot be had. It
// never blocks and may be called from any goroutine.
func (s *Store) SetVisible(paths []string) {}

// Refresh asks a watching Store to look again at everything (after an agent
// ran in the foreground). It never blocks.
func (s *Store) Refresh() {}

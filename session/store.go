package session

import (
	"context"
	"slices"
	"sync"
	"time"

	"coppice/worktree"
)

// Options are what a Store needs to know. All paths are absolute.
type Options struct {
	Root      string // the agent's config root, usually ~/.claude
	CacheFile string // where summaries are kept between runs; "" for no cache
	Start     string // directory the person stands in
	// ProjectName is the folder that new transcripts of any directory go to, ""
	// for one named after the directory (CLAUDE_CODE_PROJECT_DIR_NAME).
	ProjectName string
	Roots       []string // where repositories are looked for, besides the sessions' directories
	Exclude     []string
	Git         worktree.Git
	Now         func() time.Time
	Proc        string // the /proc file system; "" where there is none

	// Hosted tells which sessions our hosts keep live, by id: now and, to follow,
	// whenever that changes, until ctx ends. Only then may it wait. nil for none.
	Hosted func(ctx context.Context, follow bool, emit func(map[string]Live)) error
	// Where tells where a process runs, such as a pane of tmux, "" when it is not
	// known. It may take a moment. nil for no one who knows.
	Where func(ctx context.Context, pid int) string
}

// Store is the index of sessions and repositories. One goroutine owns its
// state; what it knows leaves it as Updates, which hold copies. Load and Watch
// each begin anew from the disk and the cache; only one of them runs at a time.
type Store struct {
	opt     Options
	outside outside

	mu      sync.Mutex
	visible []string
	refresh bool
	wake    chan struct{}
}

// NewStore makes a Store. It reads nothing yet.
func NewStore(opt Options) *Store {
	if opt.Now == nil {
		opt.Now = time.Now
	}
	return &Store{opt: opt, outside: realOutside(), wake: make(chan struct{}, 1)}
}

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
	Err      string // what cannot be read or written now, in words for the footer; "" for nothing
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
// repositories, without their branches. Damaged or unreadable files are rows, never errors; the error
// is for a root that cannot be read at all (a missing one is an empty list),
// and for an ended ctx. Rows are as good as those of a Watch that is Complete.
func (s *Store) Load(ctx context.Context) ([]Session, []worktree.Repository, error) {
	r := newRun(s, nil)
	if err := r.once(ctx); err != nil {
		return nil, nil, err
	}
	return r.idx.all(), r.idx.repositories(), nil
}

// Watch sends Updates until ctx ends: rows first, then late facts, then
// whatever changes. emit is called from one goroutine at a time and may block.
// The error is nil when ctx ended.
func (s *Store) Watch(ctx context.Context, emit func(Update)) error {
	return newRun(s, emit).watch(ctx)
}

// SetVisible tells a watching Store which transcripts are on the screen; they
// are looked at first, and are the ones polled when events cannot be had. It
// never blocks and may be called from any goroutine.
func (s *Store) SetVisible(paths []string) {
	s.mu.Lock()
	s.visible = slices.Clone(paths)
	s.mu.Unlock()
	s.rouse()
}

// Refresh asks a watching Store to look again at everything (after an agent
// ran in the foreground). It never blocks.
func (s *Store) Refresh() {
	s.mu.Lock()
	s.refresh = true
	s.mu.Unlock()
	s.rouse()
}

func (s *Store) rouse() {
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// asked returns what SetVisible and Refresh asked for since the last call.
func (s *Store) asked() (visible []string, refresh bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	refresh, s.refresh = s.refresh, false
	return s.visible, refresh
}

package session_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/fsnotify/fsnotify"
	"go.uber.org/goleak"

	"coppice/session"
	"coppice/session/sessiontest"
)

// Everything that happens to files while a Watch runs, one after the other, and
// nothing of it is left running.
func TestWatchFollows(t *testing.T) {
	leaks := goleak.IgnoreCurrent()
	t.Cleanup(func() { goleak.VerifyNone(t, leaks) })
	root := sessiontest.New(t)
	path := write(t, root, 1, "/w/app")
	w := watch(t, session.NewStore(options(root)))
	s := w.complete()
	if s.mode != session.WatchEvents || len(s.rows) != 1 || s.Files != 1 || s.Done != 1 || s.err != "" {
		t.Fatalf("start: %d rows, %+v, %q %q", len(s.rows), s.Progress, s.mode, s.err)
	}
	title := func(n int, want string) {
		t.Helper()
		w.until(want, func(s state) bool { return s.rows[sessiontest.ID(n)].Title == want })
	}

	k := talk(1, "/w/app")
	sessiontest.Append(t, path, k.Title("appended"))
	title(1, "appended")
	write(t, root, 2, "/w/app", func(k *sessiontest.Talk) string { return k.Title("new file") })
	title(2, "new file")
	write(t, root, 3, "/w/new/folder", func(k *sessiontest.Talk) string { return k.Title("new folder") })
	title(3, "new folder")
	sessiontest.Append(t, root.Path("/w/new/folder", sessiontest.ID(3)), talk(3, "").Title("in the new folder"))
	title(3, "in the new folder")

	side := strings.TrimSuffix(root.Path("/w/app", sessiontest.ID(4)), ".jsonl")
	write(t, root, 4, "/w/app")
	title(4, "p")
	root.WriteFile(t, strings.TrimPrefix(side, string(root))+"/custom-title.json", `{"customTitle":"beside"}`)
	title(4, "beside")

	replaced := filepath.Join(filepath.Dir(path), "tmp")
	if err := os.WriteFile(replaced, []byte(k.User("replaced")+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(replaced, path); err != nil {
		t.Fatal(err)
	}
	title(1, "replaced")
	if err := os.Truncate(path, 0); err != nil {
		t.Fatal(err)
	}
	w.until("a truncated file", func(s state) bool { return s.rows[sessiontest.ID(1)].Hidden == "empty file" })

	moved := root.Path("/w/app/tree", sessiontest.ID(2))
	if err := os.MkdirAll(filepath.Dir(moved), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(root.Path("/w/app", sessiontest.ID(2)), moved); err != nil {
		t.Fatal(err)
	}
	w.until("a moved file", func(s state) bool { return s.rows[sessiontest.ID(2)].Path == moved })
	remove(t, path)
	w.until("a removed file", func(s state) bool { _, ok := s.rows[sessiontest.ID(1)]; return !ok })
	remove(t, root.Folder("/w/new/folder"))
	s = w.until("a removed folder", func(s state) bool { _, ok := s.rows[sessiontest.ID(3)]; return !ok })
	for _, id := range s.removed {
		if id == sessiontest.ID(2) {
			t.Error("a moved session was removed in between")
		}
	}
	remove(t, root.Projects())
	w.until("nothing", func(s state) bool { return len(s.rows) == 0 })
	write(t, root, 5, "/w/again")
	title(5, "p")
	w.stop()
}

// A folder that was renamed, or removed and made again in one go, is followed
// under the name that it has now.
func TestWatchFollowsFolders(t *testing.T) {
	t.Parallel()
	root := sessiontest.New(t)
	write(t, root, 1, "/w/before")
	write(t, root, 2, "/w/remade")
	w := watch(t, session.NewStore(options(root)))
	w.complete()
	after := root.Path("/w/after", sessiontest.ID(1))
	if err := os.Rename(root.Folder("/w/before"), filepath.Dir(after)); err != nil {
		t.Fatal(err)
	}
	w.until("a renamed folder", func(s state) bool { return s.rows[sessiontest.ID(1)].Path == after })
	sessiontest.Append(t, after, talk(1, "").Title("in the renamed folder"))
	w.until("a change in it", func(s state) bool { return s.rows[sessiontest.ID(1)].Title == "in the renamed folder" })
	if removed := w.complete().removed; len(removed) > 0 {
		t.Errorf("%q were removed in between", removed)
	}

	for range 2 {
		remove(t, root.Folder("/w/remade"))
		write(t, root, 3, "/w/remade")
		w.until("a folder made again", func(s state) bool {
			_, old := s.rows[sessiontest.ID(2)]
			_, now := s.rows[sessiontest.ID(3)]
			return now && !old
		})
		sessiontest.Append(t, root.Path("/w/remade", sessiontest.ID(3)), talk(3, "").Title("in the new folder"))
		w.until("a change in it", func(s state) bool { return s.rows[sessiontest.ID(3)].Title == "in the new folder" })
		remove(t, root.Folder("/w/remade"))
		write(t, root, 2, "/w/remade")
		w.until("the old one again", func(s state) bool {
			_, old := s.rows[sessiontest.ID(2)]
			_, now := s.rows[sessiontest.ID(3)]
			return old && !now
		})
	}
}

// A root that does not exist yet is waited for.
func TestWatchMissingRoot(t *testing.T) {
	t.Parallel()
	root := sessiontest.Root(filepath.Join(t.TempDir(), "home", "config"))
	w := watch(t, session.NewStore(options(root)))
	if s := w.complete(); s.mode != session.WatchEvents || s.err != "" {
		t.Fatalf("mode %q, err %q", s.mode, s.err)
	}
	write(t, root, 1, "/w/app")
	w.until("the first session", func(s state) bool { return len(s.rows) == 1 })
}

// clock hands out tickers that a test drives.
type clock struct {
	mu     sync.Mutex
	tick   map[time.Duration]chan time.Time
	active map[time.Duration]int
	made   int
}

func newClock(store *session.Store) *clock {
	c := &clock{tick: map[time.Duration]chan time.Time{}, active: map[time.Duration]int{}}
	for _, d := range []time.Duration{session.PollEvery, session.LiveEvery, session.SaveEvery} {
		c.tick[d] = make(chan time.Time)
	}
	store.SetTick(func(d time.Duration) (<-chan time.Time, func()) {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.made++
		c.active[d]++
		return c.tick[d], func() {
			c.mu.Lock()
			defer c.mu.Unlock()
			c.active[d]--
		}
	})
	return c
}

func (c *clock) running(d time.Duration) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.active[d]
}

// Where events cannot be had, what is on the screen is looked at every 5 s.
func TestWatchPolling(t *testing.T) {
	t.Parallel()
	root := sessiontest.New(t)
	path := write(t, root, 1, "/w/app")
	store := session.NewStore(options(root))
	c := newClock(store)
	store.SetAddWatch(func(*fsnotify.Watcher, string) error {
		return &os.PathError{Op: "inotify_add_watch", Err: syscall.ENOSPC}
	})
	w := watch(t, store)
	if s := w.complete(); s.mode != session.WatchPolling {
		t.Fatalf("mode %q", s.mode)
	}
	store.SetVisible([]string{path})
	sessiontest.Append(t, path, talk(1, "").Title("polled"))
	write(t, root, 2, "/w/other")
	c.tick[session.PollEvery] <- time.Now()
	w.until("a poll", func(s state) bool { return s.rows[sessiontest.ID(1)].Title == "polled" && len(s.rows) == 2 })
	sessiontest.Append(t, path, talk(1, "").Title("again"))
	remove(t, root.Path("/w/other", sessiontest.ID(2)))
	store.SetVisible([]string{path, root.Path("/w/other", sessiontest.ID(2))})
	c.tick[session.PollEvery] <- time.Now()
	w.until("another poll", func(s state) bool { return s.rows[sessiontest.ID(1)].Title == "again" && len(s.rows) == 1 })
}

// The kernel's limit may be reached in the middle.
func TestWatchLimitReached(t *testing.T) {
	t.Parallel()
	root := sessiontest.New(t)
	for n := range 4 {
		write(t, root, n, filepath.Join("/w", string(rune('a'+n))))
	}
	store := session.NewStore(options(root))
	newClock(store)
	left := 4
	store.SetAddWatch(func(w *fsnotify.Watcher, dir string) error {
		if left--; left < 0 {
			return syscall.ENOSPC
		}
		return w.Add(dir)
	})
	w := watch(t, store)
	if s := w.complete(); s.mode != session.WatchPolling || len(s.rows) != 4 {
		t.Errorf("mode %q, %d rows", s.mode, len(s.rows))
	}
}

// Nothing ticks while events can be had and no agent is live.
func TestWatchIdle(t *testing.T) {
	t.Parallel()
	root := sessiontest.New(t)
	write(t, root, 1, "/w/app")
	opt := options(root)
	opt.CacheFile = filepath.Join(t.TempDir(), "cache")
	store := session.NewStore(opt)
	c := newClock(store)
	w := watch(t, store)
	w.complete()
	w.until("the cache", func(state) bool { _, err := os.Stat(opt.CacheFile); return err == nil })
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.made != 0 {
		t.Errorf("%d tickers", c.made)
	}
}

// Late facts come in batches and never take a row back; what is on the screen
// comes first.
func TestWatchBatches(t *testing.T) {
	t.Parallel()
	root := sessiontest.New(t)
	const n = 600
	filler := strings.Repeat("many words ", 30_000)
	for i := range n {
		k := talk(i, "/w/app")
		rows := short(k, "p")
		if i%100 == 0 {
			rows = []string{k.User("p"), k.Assistant(filler), k.Title("deep"), k.Assistant(filler), k.Mode()}
		}
		root.Write(t, k.Dir, k.ID, rows...)
	}
	w := watch(t, session.NewStore(options(root)))
	s := w.complete()
	if len(s.rows) != n || s.Done != n || s.DoneBytes != s.Bytes {
		t.Errorf("%d rows, %+v", len(s.rows), s.Progress)
	}
	if len(s.updates) > 40 {
		t.Errorf("%d updates", len(s.updates))
	}
	listed := false
	for i, u := range s.updates {
		if listed && !u.Progress.Listed {
			t.Errorf("update %d takes the list back", i)
		}
		listed = u.Progress.Listed
	}
	for i := range n {
		if row := s.rows[sessiontest.ID(i)]; i%100 == 0 && row.Title != "deep" {
			t.Errorf("%d: %q", i, row.Title)
		}
	}
}

// A Watch ends at once whenever it is told to, whatever it is doing.
func TestWatchEndsAnyTime(t *testing.T) {
	leaks := goleak.IgnoreCurrent()
	root := sessiontest.New(t)
	app := repository(t, filepath.Join(t.TempDir(), "app"))
	for i := range 300 {
		write(t, root, i, app)
	}
	opt := options(root)
	opt.Start = app
	opt.Roots = []string{filepath.Dir(app)}
	opt.CacheFile = filepath.Join(t.TempDir(), "cache")
	for end := range 5 {
		ctx, cancel := context.WithCancel(t.Context())
		n := 0
		err := session.NewStore(opt).Watch(ctx, func(session.Update) {
			if n++; n > end {
				cancel()
			}
		})
		cancel()
		if err != nil {
			t.Error(err)
		}
	}
	goleak.VerifyNone(t, leaks)
}

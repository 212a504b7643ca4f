package session_test

import (
	"context"
	"maps"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"coppice/session"
	"coppice/session/sessiontest"
	"coppice/worktree"
)

// options are those of a store on root.
func options(root sessiontest.Root) session.Options {
	return session.Options{Root: string(root), Git: gitReader(), Proc: "/proc"}
}

// gitReader reads repositories without anyone's configuration.
func gitReader() worktree.Git {
	env := append(worktree.CleanEnv(os.Environ()), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1")
	return worktree.Git{Program: "git", Env: env, Timeout: 10 * time.Second}
}

// load returns all rows by id.
func load(t *testing.T, opt session.Options) map[string]session.Session {
	t.Helper()
	rows, _, err := session.NewStore(opt).Load(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	byID := map[string]session.Session{}
	for _, r := range rows {
		byID[r.ID] = r
	}
	if len(byID) != len(rows) {
		t.Fatalf("%d rows, %d ids", len(rows), len(byID))
	}
	return byID
}

// state is what a receiver of Updates knows.
type state struct {
	rows     map[string]session.Session
	repos    map[string]worktree.Repository
	statuses map[string]worktree.Status
	removed  []string // all that were ever removed
	updates  []session.Update
	session.Progress
	mode session.WatchMode
	err  string
}

// watching is a Watch in progress.
type watching struct {
	t     *testing.T
	store *session.Store
	stop  func()
	mu    sync.Mutex
	state state
	news  chan struct{}
}

// watch starts one; it ends with the test, or with stop.
func watch(t *testing.T, store *session.Store) *watching {
	t.Helper()
	w := &watching{t: t, store: store, news: make(chan struct{}, 1)}
	w.state.rows = map[string]session.Session{}
	w.state.repos = map[string]worktree.Repository{}
	w.state.statuses = map[string]worktree.Status{}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- store.Watch(ctx, w.apply) }()
	w.stop = sync.OnceFunc(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Errorf("watch: %v", err)
		}
	})
	t.Cleanup(w.stop)
	return w
}

func (w *watching) apply(u session.Update) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, s := range u.Sessions {
		w.state.rows[s.ID] = s
	}
	for _, id := range u.Removed {
		delete(w.state.rows, id)
	}
	w.state.removed = append(w.state.removed, u.Removed...)
	for _, r := range u.Repositories {
		w.state.repos[r.CommonDir] = r
	}
	for _, c := range u.Forgotten {
		delete(w.state.repos, c)
	}
	for _, s := range u.Statuses {
		w.state.statuses[s.Path] = s
	}
	w.state.Progress, w.state.mode, w.state.err = u.Progress, u.Watch, u.Err
	w.state.updates = append(w.state.updates, u)
	select {
	case w.news <- struct{}{}:
	default:
	}
}

// until waits for a state.
func (w *watching) until(what string, ok func(s state) bool) state {
	w.t.Helper()
	deadline := time.NewTimer(time.Minute)
	defer deadline.Stop()
	for {
		w.mu.Lock()
		s := w.state
		s.rows, s.repos, s.statuses = maps.Clone(s.rows), maps.Clone(s.repos), maps.Clone(s.statuses)
		w.mu.Unlock()
		if ok(s) {
			return s
		}
		select {
		case <-w.news:
		case <-time.After(10 * time.Millisecond): // a condition may look elsewhere
		case <-deadline.C:
			w.t.Fatalf("still waiting for %s: %d rows, progress %+v, mode %q, err %q", what, len(s.rows), s.Progress, s.mode, s.err)
		}
	}
}

// complete waits for the end of the first scan.
func (w *watching) complete() state {
	w.t.Helper()
	return w.until("completion", func(s state) bool { return s.Complete && s.Listed })
}

// talk is a session of dir.
func talk(n int, dir string) *sessiontest.Talk {
	return &sessiontest.Talk{ID: sessiontest.ID(n), Dir: dir, Branch: "main"}
}

// short is a whole small conversation.
func short(k *sessiontest.Talk, prompt string) []string {
	return []string{k.Mode(), k.User(prompt), k.Assistant("done: " + prompt), k.LastPrompt(prompt)}
}

// repository makes a repository with one commit and returns its real path.
func repository(t *testing.T, dir string) string {
	t.Helper()
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	dir, err := filepath.EvalSymlinks(dir)
	if err != nil {
		t.Fatal(err)
	}
	git(t, dir, "init", "-q", "-b", "main")
	git(t, dir, "commit", "-q", "--allow-empty", "-m", "first")
	return dir
}

func git(t *testing.T, dir string, args ...string) {
	t.Helper()
	if err := sessiontest.Git(t.Context(), dir, args...); err != nil {
		t.Fatal(err)
	}
}

func remove(t *testing.T, path string) {
	t.Helper()
	if err := os.RemoveAll(path); err != nil {
		t.Fatal(err)
	}
}

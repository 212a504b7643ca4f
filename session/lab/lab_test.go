//go:build lab

package lab_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"coppice/config"
	"coppice/session"
	"coppice/session/lab"
	"coppice/session/runtime"
	"coppice/worktree"
	"coppice/worktree/worktreetest"
)

// room is a client with an endpoint, a repository with a linked worktree, and
// another project.
type room struct {
	lab.Client
	t        *testing.T
	endpoint *lab.Endpoint
	repo     string
	linked   string
	other    string
	terms    int
}

// client is the installed client: in the directory that COPPICE_LAB_DIR names,
// or in the person's cache.
var client = sync.OnceValues(func() (string, error) {
	dir := os.Getenv("COPPICE_LAB_DIR")
	if dir == "" {
		cache, err := os.UserCacheDir()
		if err != nil {
			return "", err
		}
		dir = filepath.Join(cache, "coppice-lab")
	}
	return lab.Install(context.Background(), dir)
})

func newRoom(t *testing.T) *room {
	t.Helper()
	program, err := client()
	if err != nil {
		t.Fatal(err)
	}
	endpoint, err := lab.StartEndpoint()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(endpoint.Close)
	base := worktreetest.Dir(t)
	repo := worktreetest.New(t, filepath.Join(base, "app"))
	linked := repo.Worktree(filepath.Join(base, "linked"), "feat")
	other := worktreetest.New(t, filepath.Join(base, "other"))
	r := &room{
		Client: lab.Client{
			Program: program, Home: filepath.Join(base, "home"), Root: filepath.Join(base, "root"),
			URL: endpoint.URL, Path: os.Getenv("PATH"),
		},
		t: t, endpoint: endpoint, repo: repo.Dir, linked: linked.Dir, other: other.Dir,
	}
	worktreetest.MkdirAll(t, r.Home)
	if err := r.Trust(r.repo, r.linked, r.other); err != nil {
		t.Fatal(err)
	}
	return r
}

// ctx bounds one wait.
func (r *room) ctx() context.Context {
	ctx, cancel := context.WithTimeout(r.t.Context(), 40*time.Second)
	r.t.Cleanup(cancel)
	return ctx
}

func (r *room) must(err error) {
	r.t.Helper()
	if err != nil {
		r.t.Fatal(err)
	}
}

// open starts the client in a terminal.
func (r *room) open(dir string, args ...string) *lab.Terminal {
	r.t.Helper()
	return r.openAs(dir, r.Environ(), append([]string{r.Program}, args...)...)
}

func (r *room) openAs(dir string, env []string, args ...string) *lab.Terminal {
	r.t.Helper()
	sockets, err := os.MkdirTemp("", "lab") // short enough for a socket
	r.must(err)
	r.terms++
	term, err := lab.Open(r.ctx(), filepath.Join(sockets, "s"), dir, env, args...)
	r.must(err)
	r.t.Cleanup(func() {
		term.Close()
		_ = os.RemoveAll(sockets)
	})
	return term
}

// talk starts a session and has it answer once; it returns its id.
func (r *room) talk(dir, prompt string, args ...string) string {
	r.t.Helper()
	before := r.ids()
	term := r.open(dir, args...)
	r.must(term.See(r.ctx(), "❯"))
	r.must(term.Enter(r.ctx(), prompt))
	r.must(term.See(r.ctx(), "Answer"))
	r.exit(term)
	for _, id := range r.ids() {
		if !slices.Contains(before, id) {
			return id
		}
	}
	r.t.Fatal("the client stored no session")
	return ""
}

// exit ends a client.
func (r *room) exit(term *lab.Terminal) {
	r.t.Helper()
	r.must(term.Enter(r.ctx(), "/exit"))
	_, err := term.Ended(r.ctx())
	r.must(err)
}

func (r *room) ids() []string {
	var ids []string
	names, _ := filepath.Glob(filepath.Join(r.Root, "projects", "*", "*.jsonl"))
	for _, name := range names {
		ids = append(ids, strings.TrimSuffix(filepath.Base(name), ".jsonl"))
	}
	return ids
}

// load returns what our index says.
func (r *room) load() ([]session.Session, []worktree.Repository) {
	r.t.Helper()
	store := session.NewStore(session.Options{
		Root: r.Root, Start: r.repo, Now: time.Now, Proc: "/proc",
		Git: worktree.Git{Program: worktreetest.Program(r.t), Env: worktreetest.Env(r.Home)},
	})
	rows, repos, err := store.Load(r.ctx())
	r.must(err)
	return rows, repos
}

func (r *room) row(id string) session.Session {
	r.t.Helper()
	rows, _ := r.load()
	s, err := session.Resolve(rows, id)
	r.must(err)
	return s
}

// plan plans to resume a session with the installed client.
func (r *room) plan(id string, req session.Request) (session.Planner, session.Plan) {
	r.t.Helper()
	cfg := config.Default()
	claude := cfg.Agents["claude"]
	claude.Command = []string{r.Program}
	cfg.Agents["claude"] = claude
	p := session.Planner{
		Config: cfg, Root: r.Root, Env: r.Environ(),
		DefaultMode: func(dir string) string { return runtime.ReadSettings(r.Root, dir).DefaultMode },
		Live:        func() map[string]session.Live { return session.ReadLive(r.Root, "/proc") },
	}
	rows, repos := r.load()
	s, err := session.Resolve(rows, id)
	r.must(err)
	return p, p.Plan(r.ctx(), s, repos, req)
}

// registered waits until a session is live and returns the directory that its
// client says it is in.
func (r *room) registered(id string) (dir string) {
	r.t.Helper()
	ctx := r.ctx()
	tick := time.NewTicker(30 * time.Millisecond)
	defer tick.Stop()
	for {
		if l, ok := session.ReadLive(r.Root, "/proc")[id]; ok && l.State == session.StateIdle {
			data, err := os.ReadFile(filepath.Join(r.Root, "sessions", fmt.Sprintf("%d.json", l.PID)))
			r.must(err)
			var entry struct{ Cwd string }
			r.must(json.Unmarshal(data, &entry))
			return entry.Cwd
		}
		select {
		case <-ctx.Done():
			r.t.Fatal("the session is not live in time")
		case <-tick.C:
		}
	}
}

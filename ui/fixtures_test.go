package ui

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"coppice/config"
	"coppice/session"
	"coppice/session/doctor"
	"coppice/transcript"
	"coppice/ui/clip"
	"coppice/ui/screentest"
	"coppice/ui/theme"
	"coppice/worktree"
)

func TestMain(m *testing.M) {
	if os.Getenv(busyVariable) != "" {
		busy()
	}
	os.Exit(screentest.Main(m))
}

// noon is the time of all tests.
func noon() time.Time { return time.Date(2031, 5, 6, 12, 0, 0, 0, time.UTC) }

// id returns the UUID of number n.
func id(n int) string { return fmt.Sprintf("%08x-0000-4000-8000-%012x", n, n) }

// made returns a session in a directory of a repository.
func made(n int, title, dir, branch string, age time.Duration) session.Session {
	repo := "/home/ann/src/app"
	s := session.Session{
		ID: id(n), Title: title, TitleSource: session.TitleCustom, Dir: dir, Project: repo,
		Path:    "/home/ann/.claude/projects/p/" + id(n) + ".jsonl",
		Updated: noon().Add(-age),
		Place:   worktree.Place{Dir: dir, Resolved: dir, Exists: true, CommonDir: repo + "/.git", Root: dir, State: worktree.Present},
		Summary: transcript.Summary{
			SessionID: id(n), Size: int64(n) * 4321, Messages: n, Branch: branch, Dir: dir, Complete: true,
			HasMain: true, Prompted: true, FirstPrompt: "first words of " + title, LastPrompt: "last words of " + title,
			Created: noon().Add(-age - time.Hour), Updated: noon().Add(-age),
		},
	}
	s.Copies = []session.Copy{{Path: s.Path, Dir: dir, Updated: s.Updated, Size: s.Summary.Size}}
	return s
}

// sample is a store's news with a bit of everything.
func sample() session.Update {
	app := worktree.Repository{
		CommonDir: "/home/ann/src/app/.git", Name: "app", Main: "/home/ann/src/app",
		Worktrees: []worktree.Worktree{
			{Path: "/home/ann/src/app", Name: "app", Branch: "main", Main: true, State: worktree.Present},
			{Path: "/home/ann/src/app-feat", Name: "feat-x", Branch: "feat-x", State: worktree.Present, Locked: true},
			{Path: "/home/ann/src/app-old", Name: "old-idea", Branch: "old-idea", State: worktree.Missing, Detail: "its directory is gone"},
		},
	}
	for i := range 9 {
		app.Branches = append(app.Branches, worktree.Branch{Name: fmt.Sprintf("release-%d", i+1)})
	}
	infra := worktree.Repository{
		CommonDir: "/home/ann/src/infra/.git", Name: "infra", Main: "/home/ann/src/infra",
		Worktrees: []worktree.Worktree{{Path: "/home/ann/src/infra", Name: "infra", Branch: "trunk", Main: true, State: worktree.Present}},
		Branches:  []worktree.Branch{{Name: "spare"}},
	}
	return session.Update{
		Sessions:     sampleSessions(),
		Repositories: []worktree.Repository{app, infra},
		Statuses: []worktree.Status{
			{Path: "/home/ann/src/app", Dirty: 3, Ahead: 1, Upstream: true, At: noon()},
			{Path: "/home/ann/src/app-feat", At: noon()},
		},
		Progress: session.Progress{Files: 12, Done: 12, Listed: true, Complete: true},
		Watch:    session.WatchEvents,
	}
}

// sampleSessions are the rows of sample.
func sampleSessions() []session.Session {
	main, feat := "/home/ann/src/app", "/home/ann/src/app-feat"
	parser := made(41, "parser-work", main, "main", 2*time.Minute)
	parser.Live = &session.Live{PID: 4711, Status: session.Status{State: session.StateWorking, Since: noon().Add(-time.Minute)}, Where: "pid 4711"}
	fork := made(44, "alt-idea", main, "main", 9*time.Minute)
	fork.Parent, fork.Summary.ForkedFrom = parser.ID, parser.ID
	wt := made(12, "tidy the build", feat, "feat-x", time.Hour)
	wt.Summary.PR = &transcript.PR{Number: 77, URL: "https://example.org/ann/app/pull/77", Repository: "ann/app"}
	waiting := made(8, "migrate-db", feat, "feat-x", 0)
	waiting.Live = &session.Live{PID: 4712, Status: session.Status{State: session.StateWaiting, Reason: "permission", Since: noon()}}
	broken := made(3, "3f2a…", main, "", 72*time.Hour)
	broken.TitleSource = session.TitleNone
	broken.Title = "(no prompt)"
	broken.Summary.DamageCount = 1
	broken.Summary.Damage = []transcript.Damage{{Line: 41, Kind: transcript.DamageTorn}}
	gone := made(20, "old plans", "/home/ann/src/app-lost", "old", 400*time.Hour)
	gone.Place.Exists, gone.Place.State, gone.Place.Root = false, worktree.Gone, ""
	hidden := made(1, "print run", main, "main", 5*time.Hour)
	hidden.Hidden = "print mode or SDK (sdk-cli)"
	infra := made(30, "rotate certificates", "/home/ann/src/infra", "trunk", 30*time.Hour)
	infra.Project, infra.Place.CommonDir = "/home/ann/src/infra", "/home/ann/src/infra/.git"
	notes := made(5, "groceries", "/home/ann/notes", "", 50*time.Hour)
	notes.Project, notes.Place = "/home/ann/notes", worktree.Place{Dir: "/home/ann/notes", Exists: true, State: worktree.Plain}
	notes.Copies = append(notes.Copies, session.Copy{Path: "/elsewhere", Dir: "/elsewhere"})
	return []session.Session{parser, fork, wt, waiting, broken, gone, hidden, infra, notes}
}

// hostile is news whose every text tries to take over the terminal (reports G1, G2).
func hostile() session.Update {
	u := sample()
	titles := []string{
		"\x1b[2J\x1b]0;owned\a red", `fix [red] x[yellow]y ["r"]z[""] [-]`, "👩‍🍳 👨‍👨‍👧 🏳️‍🌈 ⛅️ 한글 e\u0301",
		"left \u202eright\u202c \u2066x\u2069", strings.Repeat("wide漢字", 60), "\x00\x9b31m\r\n\ttab", "\xff\xfe\xfd", "", "[::b]bold[::-]",
	}
	for i := range u.Sessions {
		u.Sessions[i].Title = titles[i%len(titles)]
		u.Sessions[i].Summary.Branch = "b\x1b[31m" + titles[(i+1)%len(titles)]
	}
	u.Repositories[0].Name = "\x1b]52;c;QQ==\a[red]app"
	u.Repositories[0].Worktrees[1].Name = "feat\x1b[31m\u202e[::r]"
	u.Repositories[1].Branches = []worktree.Branch{{Name: "\x1b[Hspare[white]"}}
	u.Err = "cannot read \x1b[2J/x[red]"
	return u
}

// sampleConfig is a configuration with one agent.
func sampleConfig() config.Config {
	return config.Config{
		Agent:  "claude",
		Agents: map[string]config.Agent{"claude": {Kind: "terminal", Command: []string{"claude"}, Resume: []string{"--resume", "{id}"}}},
		UI:     config.UI{Theme: "dark", Mouse: true},
	}
}

// sampleTail is the end of a conversation.
func sampleTail() transcript.Tail {
	return transcript.Tail{Messages: []transcript.Message{
		{UUID: "u1", Role: transcript.RoleUser, Time: noon().Add(-5 * time.Minute), Blocks: []transcript.Block{{Kind: transcript.BlockText, Text: "make the tokenizer accept tabs"}}},
		{UUID: "a1", Role: transcript.RoleAssistant, Time: noon().Add(-4 * time.Minute), Blocks: []transcript.Block{
			{Kind: transcript.BlockText, Text: "I look at the tests first."},
			{Kind: transcript.BlockCall, Tool: "Bash", Input: "go test ./...", Answer: &transcript.Result{Text: "ok\nok\nok", Lines: 3}},
			{Kind: transcript.BlockText, Text: "All green. The last word."},
		}},
	}}
}

// fakeStore is a Store that a test feeds.
type fakeStore struct {
	news chan session.Update

	mu        sync.Mutex
	visible   []string
	refreshed int
}

func newFakeStore(first ...session.Update) *fakeStore {
	s := &fakeStore{news: make(chan session.Update, 100)}
	for _, u := range first {
		s.news <- u
	}
	return s
}

func (s *fakeStore) Watch(ctx context.Context, emit func(session.Update)) error {
	for {
		select {
		case u := <-s.news:
			emit(u)
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

func (s *fakeStore) SetVisible(paths []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.visible = paths
}

func (s *fakeStore) Refresh() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.refreshed++
}

// refreshes is how often Refresh was called.
func (s *fakeStore) refreshes() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.refreshed
}

// sampleOptions are options whose functions do nothing harmful.
func sampleOptions() Options {
	th, _ := theme.Named("dark")
	return Options{
		Store: newFakeStore(), Config: sampleConfig(), Theme: th, Version: "test", Now: noon,
		Dirs:  config.Dirs{Home: "/home/ann", Projects: "/home/ann/.claude/projects"},
		Start: "/home/ann/src/app",
		ReadTail: func(context.Context, session.Session) (transcript.Tail, error) {
			return sampleTail(), nil
		},
		Plan: func(_ context.Context, s session.Session, _ []worktree.Repository, req session.Request) session.Plan {
			return plain(s, req)
		},
		Resume: func(context.Context, session.Plan) error { return nil },
		Rename: func(context.Context, session.Session, string) error { return nil },
		PlanFork: func(_ context.Context, s session.Session, _ []worktree.Repository, req session.Request) session.Plan {
			return plainFork(s, req)
		},
		Fork:     func(context.Context, session.Plan) ([]string, error) { return nil, nil },
		Delete:   func(context.Context, session.Session) error { return nil },
		Undelete: func(context.Context, string) error { return nil },
		Examine: func(_ context.Context, s session.Session) (doctor.Report, error) {
			return doctor.Report{ID: s.ID, Path: s.Path}, nil
		},
		Copy: func(context.Context, string, func([]byte) error) clip.Result {
			return clip.Result{Way: clip.Terminal}
		},
	}
}

// plain is a plan with nothing unusual.
func plain(s session.Session, req session.Request) session.Plan {
	dir := s.Dir
	if req.Dir != "" {
		dir = req.Dir
	}
	return session.Plan{Session: s.ID, Transcript: s.Path, Action: "resume", Cwd: dir, Command: []string{"claude", "--resume", s.ID}}
}

// plainFork is a plan of a fork in the directory of its source, where it shares
// the files, with another directory to choose.
func plainFork(s session.Session, req session.Request) session.Plan {
	p := session.Plan{
		Session: s.ID, Transcript: s.Path, Action: session.ActionFork, Cwd: s.Dir,
		Fork:    &session.PlanFork{ID: id(99), Name: req.Fork.Name, Shared: true},
		Choices: []session.PlanChoice{{Dir: "/home/ann/src/app-feat", Label: "files of its own, on feat-x"}},
	}
	if req.Dir != "" && req.Dir != s.Dir {
		p.Cwd, p.Fork.Shared, p.Choices = req.Dir, false, nil
	}
	return p
}

// bench is a model that a test drives without a screen.
type bench struct {
	t *testing.T
	*model
	copies []string
}

// newBench returns a model of a size with news applied and the work that they
// ask for done.
func newBench(t *testing.T, opt Options, w, h int, news ...session.Update) *bench {
	t.Helper()
	b := &bench{t: t, model: newModel(opt)}
	b.clip = func(_ context.Context, s string) clip.Result {
		b.copies = append(b.copies, s)
		return opt.Copy(context.Background(), s, nil)
	}
	b.send(sized{w, h})
	for _, u := range news {
		b.send(storeChanged{[]session.Update{u}})
	}
	return b
}

// send updates by a message and runs all work that follows, in order.
func (b *bench) send(in msg) {
	for _, c := range b.update(in) {
		b.send(c.run(context.Background()))
	}
}

// press presses keys by name.
func (b *bench) press(names ...string) {
	for _, n := range names {
		k := keyed{name: n}
		if r := []rune(n); len(r) == 1 {
			k.r = r[0]
		}
		if n == "Space" {
			k.r = ' '
		}
		b.send(k)
	}
}

// typed types text.
func (b *bench) typed(s string) {
	for _, r := range s {
		b.send(keyed{name: string(r), r: r})
	}
}

// text draws the model and returns the screen, a line each.
func (b *bench) text() string {
	b.t.Helper()
	return screenText(b.t, b.model)
}

// golden compares got with a file in testdata, or writes it with -update.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name+".txt")
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s differs (run with -update to accept):\n%s\nwant:\n%s", path, got, want)
	}
}

package session_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"coppice/session"
	"coppice/session/sessiontest"
)

// Every file with a session's name is a row, whatever is in it (DESIGN "Which
// files are rows"); nothing else is one (reports B1, B25, B26, F5).
func TestLoadRows(t *testing.T) {
	t.Parallel()
	root := sessiontest.New(t)
	dir := "/w/app"
	write := func(n int, rows ...string) { root.Write(t, dir, sessiontest.ID(n), rows...) }
	k := talk(1, dir)
	write(1, short(k, "explain the parser")...)
	k = talk(2, dir)
	write(2, append(short(k, "x"), strings.Repeat("\x00", 400), k.User("after the damage"))...)
	k = talk(3, dir)
	write(3, k.Sidechain("look around"), k.User("go on"), k.Assistant("yes"))
	root.WriteFile(t, filepath.Join("projects", session.Encode(dir), sessiontest.ID(4)+".jsonl"), "not json\n{{{\n")
	k = talk(5, dir)
	k.Entrypoint = "sdk-cli"
	write(5, short(k, "print this")...)
	write(6)
	k = talk(7, dir)
	write(7, k.Mode(), k.Title("only a name"))
	k = talk(8, dir)
	write(8, k.Mode(), k.Local("/clear"))
	k = talk(9, dir)
	write(9, k.Team("blue goes first"), k.Assistant("ok"))
	root.WriteFile(t, filepath.Join("projects", session.Encode(dir), sessiontest.ID(10)+".jsonl"), "\n\n\n")
	upper := strings.ToUpper("abcdef0a-1111-4222-8333-00000000000f")
	root.Write(t, dir, upper, short(&sessiontest.Talk{ID: upper, Dir: dir}, "loud")...)
	folder := filepath.Join("projects", session.Encode(dir))
	root.WriteFile(t, filepath.Join(folder, sessiontest.ID(1), "subagents", "agent-1.jsonl"), talk(1, dir).Sidechain("x"))
	root.WriteFile(t, filepath.Join(folder, "agent-2.jsonl"), talk(1, dir).Sidechain("x"))
	root.WriteFile(t, filepath.Join(folder, sessiontest.ID(20), "tool-results", "r.txt"), "output")
	root.WriteFile(t, filepath.Join(folder, "sessions-index.json"), `{"entries":[]}`)
	root.WriteFile(t, "history.jsonl", `{"display":"old"}`)

	rows := load(t, options(root))
	tests := []struct {
		id, title, hidden string
		ready             bool
	}{
		{sessiontest.ID(1), "explain the parser", "", true},
		{sessiontest.ID(2), "x", "", true},
		{sessiontest.ID(3), "go on", "", true},
		{sessiontest.ID(4), "(no prompt)", "", false},
		{sessiontest.ID(5), "print this", "print mode or SDK (sdk-cli)", true},
		{sessiontest.ID(6), "(no prompt)", "empty file", false},
		{sessiontest.ID(7), "only a name", "no conversation", false},
		{sessiontest.ID(8), "/clear", "only local commands", true},
		{sessiontest.ID(9), "blue goes first", "agent team", true},
		{sessiontest.ID(10), "(no prompt)", "", false},
		{upper, "loud", "", true},
	}
	for _, tt := range tests {
		row, ok := rows[tt.id]
		if !ok {
			t.Errorf("%s: no row", tt.id)
			continue
		}
		delete(rows, tt.id)
		if row.Title != tt.title || row.Hidden != tt.hidden || (row.NotReady == "") != tt.ready {
			t.Errorf("%s: title %q, hidden %q, not ready %q, want %q, %q, %t", tt.id, row.Title, row.Hidden, row.NotReady, tt.title, tt.hidden, tt.ready)
		}
		if damaged := row.Summary.DamageCount > 0; damaged != slices.Contains([]string{sessiontest.ID(2), sessiontest.ID(4), sessiontest.ID(10)}, tt.id) {
			t.Errorf("%s: damaged: %t", tt.id, damaged)
		}
		if !row.Summary.Complete || len(row.Copies) != 1 || row.Copies[0].Path != row.Path || row.Problem != "" {
			t.Errorf("%s: %+v", tt.id, row)
		}
	}
	for id := range rows {
		t.Errorf("%s should be no row", id)
	}
}

// B5, B6: what a client appends without a word being said is no activity, and
// mtimes mean nothing.
func TestLoadOrder(t *testing.T) {
	t.Parallel()
	root := sessiontest.New(t)
	now := time.Now()
	var want []string
	for n := range 5 {
		k := talk(n, "/w/app")
		k.At = sessiontest.Base().Add(-time.Duration(n) * 24 * time.Hour)
		path := root.Write(t, k.Dir, k.ID, append(short(k, "p"), k.AITitle("t"), k.Mode())...)
		if err := os.Chtimes(path, now, now.Add(time.Duration(n)*time.Second)); err != nil {
			t.Fatal(err)
		}
		want = append(want, k.ID)
	}
	rows, _, err := session.NewStore(options(root)).Load(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, r := range rows {
		got = append(got, r.ID)
	}
	if !slices.Equal(got, want) {
		t.Errorf("order %q, want %q", got, want)
	}
}

// B4 titles far from both ends, and beside the file.
func TestLoadTitles(t *testing.T) {
	t.Parallel()
	root := sessiontest.New(t)
	deep := talk(1, "/w/app")
	filler := strings.Repeat("many words ", 20_000)
	root.Write(t, deep.Dir, deep.ID, deep.User("p"), deep.Assistant(filler), deep.Title("deep"), deep.Assistant(filler), deep.AITitle("ai"))
	side := talk(2, "/w/app")
	path := root.Write(t, side.Dir, side.ID, append(short(side, "p"), side.AITitle("ai"))...)
	name := strings.TrimPrefix(strings.TrimSuffix(path, ".jsonl"), string(root)) + "/custom-title.json"
	root.WriteFile(t, name, `{"customTitle":"from beside","by":"user","at":"2026-03-01T09:00:00Z"}`)
	bad := talk(3, "/w/app")
	path = root.Write(t, bad.Dir, bad.ID, append(short(bad, "p"), bad.AITitle("ai"))...)
	name = strings.TrimPrefix(strings.TrimSuffix(path, ".jsonl"), string(root)) + "/custom-title.json"
	root.WriteFile(t, name, `{"customTitle":7`)
	hang := talk(4, "/w/app")
	path = root.Write(t, hang.Dir, hang.ID, append(short(hang, "p"), hang.AITitle("ai"))...)
	fifo := strings.TrimSuffix(path, ".jsonl") + "/custom-title.json"
	if err := os.MkdirAll(filepath.Dir(fifo), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(fifo, 0o600); err != nil {
		t.Fatal(err)
	}
	cleared := talk(5, "/w/app")
	path = root.Write(t, cleared.Dir, cleared.ID, append(short(cleared, "p"), cleared.Title("old"), cleared.Title(""))...)
	name = strings.TrimPrefix(strings.TrimSuffix(path, ".jsonl"), string(root)) + "/custom-title.json"
	root.WriteFile(t, name, `{"customTitle":"old"}`)
	rows := load(t, options(root))
	for n, want := range map[int]string{1: "deep", 2: "from beside", 3: "ai", 4: "ai", 5: "p"} {
		if got := rows[sessiontest.ID(n)].Title; got != want {
			t.Errorf("session %d: %q, want %q", n, got, want)
		}
	}
}

// C1, C10: a fork names its parent; what it was copied to does not matter.
func TestLoadForks(t *testing.T) {
	t.Parallel()
	root := sessiontest.New(t)
	a, b, c := talk(1, "/w/app"), talk(2, "/w/other"), talk(3, "/w/app")
	b.ForkedFrom, c.ForkedFrom = a.ID, c.ID
	for _, k := range []*sessiontest.Talk{a, b, c} {
		root.Write(t, k.Dir, k.ID, short(k, "p")...)
	}
	rows := load(t, options(root))
	if rows[b.ID].Parent != a.ID || rows[a.ID].Parent != "" || rows[c.ID].Parent != "" {
		t.Errorf("parents %q %q %q", rows[a.ID].Parent, rows[b.ID].Parent, rows[c.ID].Parent)
	}
}

// Under a fixed name of the project folder the copy in it is the current one.
func TestLoadProjectName(t *testing.T) {
	t.Parallel()
	root := sessiontest.New(t)
	k := talk(1, "/w/app")
	newest := root.Write(t, k.Dir, k.ID, append(short(k, "p"), k.User("more"))...)
	k = talk(1, "/w/app")
	text := strings.Join(short(k, "p"), "\n") + "\n"
	root.WriteFile(t, filepath.Join("projects", "work", k.ID+".jsonl"), text)
	for name, want := range map[string]string{"": newest, "work": filepath.Join(root.Projects(), "work", k.ID+".jsonl")} {
		opt := options(root)
		opt.ProjectName = name
		if row := load(t, opt)[k.ID]; row.Path != want || row.Dir != "/w/app" {
			t.Errorf("named %q: %q in %q, want %q", name, row.Path, row.Dir, want)
		}
	}
}

// F10 the root in force counts, and a missing one is an empty list.
func TestLoadRoots(t *testing.T) {
	t.Parallel()
	one, two := sessiontest.New(t), sessiontest.New(t)
	a, b := talk(1, "/w/app"), talk(2, "/w/app")
	one.Write(t, a.Dir, a.ID, short(a, "p")...)
	two.Write(t, b.Dir, b.ID, short(b, "p")...)
	if rows := load(t, options(two)); len(rows) != 1 || rows[b.ID].Title != "p" {
		t.Errorf("%d rows", len(rows))
	}
	if rows := load(t, options(sessiontest.Root(filepath.Join(t.TempDir(), "none")))); len(rows) != 0 {
		t.Errorf("missing root: %d rows", len(rows))
	}
	file := sessiontest.Root(filepath.Join(t.TempDir()))
	file.WriteFile(t, "projects", "a file")
	if _, _, err := session.NewStore(options(file)).Load(t.Context()); err == nil {
		t.Error("unreadable root: no error")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := session.NewStore(options(one)).Load(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("ended context: %v", err)
	}
}

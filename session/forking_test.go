package session_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"coppice/session"
	"coppice/session/sessiontest"
	"coppice/transcript/transcripttest"
	"coppice/worktree/worktreetest"
)

// C3: a fork never has the name of another session.
func TestForkName(t *testing.T) {
	t.Parallel()
	row := func(id, title string, source session.TitleSource) session.Session {
		return session.Session{ID: id, Title: title, TitleSource: source}
	}
	oak := row(idA, "oak", session.TitleCustom)
	rows := []session.Session{oak, row(idB, "OAK (fork)", session.TitleAI), row(idC, "said first (fork)", session.TitleFirst)}
	long := row(idA, strings.Repeat("界", 200), session.TitleCustom)
	tests := []struct {
		name   string
		source session.Session
		wanted string
		want   string
		err    error
	}{
		{"title", oak, "", "oak (fork) (2)", nil},
		{"a fork of a fork", rows[1], "", "OAK (fork) (2)", nil},
		{"not named", row(idC, "said first", session.TitleFirst), "", "said first (fork)", nil},
		{"nothing said", row(idC, "(no prompt)", session.TitleNone), "", "session bbbbbbbb (fork)", nil},
		{"hostile title", row(idC, "a\x1b[31m\u202eb\n", session.TitleCustom), " ", "a [31m b (fork)", nil},
		{"long", long, "", strings.Repeat("界", 193) + " (fork)", nil},
		{"wanted", oak, " elm\t", "elm", nil},
		{"wanted and taken", oak, "Oak", "Oak (2)", nil},
		{"an id", oak, idB, "", session.ErrNameIsID},
		{"invisible", oak, "\u200b\u2060", "", session.ErrNameEmpty},
	}
	for _, tt := range tests {
		got, err := session.ForkName(rows, tt.source, tt.wanted, session.SuffixFork)
		if got != tt.want || !errors.Is(err, tt.err) {
			t.Errorf("%s: %q, %v, want %q, %v", tt.name, got, err, tt.want, tt.err)
		}
		if n := utf8.RuneCountInString(got); n > 200 {
			t.Errorf("%s: %d characters", tt.name, n)
		}
	}
}

func TestFolder(t *testing.T) {
	t.Parallel()
	if got := session.Folder("/r", "", "/src/my app"); got != "/r/projects/-src-my-app" {
		t.Error(got)
	}
	if got := session.Folder("/r", "fixed", "/src/my app"); got != "/r/projects/fixed" {
		t.Error(got)
	}
}

// A fork in the same checkout shares files, and says so; the other checkouts are
// offered.
func TestPlanFork(t *testing.T) {
	t.Parallel()
	repo := worktreetest.New(t, worktreetest.Dir(t))
	tree := repo.Worktree(repo.Dir+"-tree", "topic")
	worktreetest.MkdirAll(t, filepath.Join(repo.Dir, "sub"))
	p := planner()
	repos := open(t, repo.Dir)
	s := sessionIn(repo.Dir, "main")
	s.Live = &session.Live{PID: 1, Status: session.Status{State: session.StateWorking}}
	p.Live = func() map[string]session.Live { return map[string]session.Live{idA: *s.Live} }
	fork := func(dir string) session.Plan {
		got := p.Fork(t.Context(), s, repos, session.Request{Dir: dir, Fork: &session.ForkRequest{Name: "x"}})
		if got.Action != session.ActionFork || got.Fork == nil || len(got.Fork.ID) != 36 || got.Fork.Name != "x" || len(got.Command) > 0 {
			t.Fatalf("plan %+v", got)
		}
		return got
	}
	same := fork("")
	if !same.Fork.Shared || same.Cwd != repo.Dir || !mentions(same.Notes, "same files", repo.Dir, "--dir") ||
		len(same.Choices) != 1 || same.Choices[0].Dir != tree.Dir {
		t.Errorf("plan %+v", same)
	}
	if want := session.Folder(p.Root, "", repo.Dir); filepath.Dir(same.Fork.Path) != want || filepath.Base(same.Fork.Path) != same.Fork.ID+".jsonl" {
		t.Errorf("path %s, want it in %s", same.Fork.Path, want)
	}
	if below := fork(filepath.Join(repo.Dir, "sub")); !below.Fork.Shared {
		t.Errorf("in the same checkout: %+v", below)
	}
	other := fork(tree.Dir)
	if other.Fork.Shared || len(other.Notes) > 0 || other.Branch != "topic" || other.Worktree.Path != tree.Dir {
		t.Errorf("plan %+v", other)
	}
	p.ProjectName = "fixed"
	if got := fork(tree.Dir); filepath.Base(filepath.Dir(got.Fork.Path)) != "fixed" {
		t.Errorf("path %s", got.Fork.Path)
	}
}

// A link to a directory leads to the folder of the directory (observed H).
func TestPlanForkLink(t *testing.T) {
	t.Parallel()
	dir := worktreetest.Dir(t)
	real, link := filepath.Join(dir, "real"), filepath.Join(dir, "link")
	worktreetest.MkdirAll(t, real)
	if err := os.Symlink(real, link); err != nil {
		t.Fatal(err)
	}
	p := planner()
	got := p.Fork(t.Context(), sessionIn(real, ""), nil, session.Request{Dir: link, Fork: &session.ForkRequest{Name: "x"}})
	if filepath.Dir(got.Fork.Path) != session.Folder(p.Root, "", real) || !got.Fork.Shared {
		t.Errorf("plan %+v", got)
	}
}

func TestPlanForkRefused(t *testing.T) {
	t.Parallel()
	dir := worktreetest.Dir(t)
	req := session.Request{Fork: &session.ForkRequest{Name: "x"}}
	s := sessionIn(dir, "")
	s.NotReady = "the transcript is empty"
	if got := planner().Fork(t.Context(), s, nil, req); got.Action != session.ActionRefuse || !mentions(got.Blockers, "is empty", "nothing to fork") {
		t.Errorf("plan %+v", got)
	}
	s = sessionIn(dir, "")
	s.Problem = "no permission"
	if got := planner().Fork(t.Context(), s, nil, req); got.Action != session.ActionRefuse || !mentions(got.Blockers, "no permission", s.Path) {
		t.Errorf("plan %+v", got)
	}
	if got := planner().Fork(t.Context(), sessionIn(filepath.Join(dir, "gone"), ""), nil, req); got.Action != session.ActionRefuse || got.Fork.Path != "" ||
		!mentions(got.Blockers, "coppice fork "+idA+" --dir") {
		t.Errorf("plan %+v", got)
	}
	s = sessionIn(filepath.Join(dir, "gone"), "")
	s.Summary.Dirs = append(s.Summary.Dirs, dir)
	if got := planner().Fork(t.Context(), s, nil, req); got.Action != session.ActionChoose || len(got.Choices) != 1 {
		t.Errorf("plan %+v", got)
	}
}

// A plan with a fork starts the agent on the fork.
func TestPlanResumeFork(t *testing.T) {
	t.Parallel()
	dir := worktreetest.Dir(t)
	s := sessionIn(dir, "")
	s.Live = &session.Live{PID: 1, Status: session.Status{State: session.StateIdle}}
	s.Copies = append(s.Copies, session.Copy{Path: "/elsewhere/" + idA + ".jsonl"})
	got := plan(t, planner(), s, nil, session.Request{Fork: &session.ForkRequest{ID: idB, Name: "x", At: idC}})
	if got.Action != session.ActionResume || got.Unusual() || got.Session != idA || got.Fork == nil || got.Fork.At != idC ||
		got.Command[2] != idB {
		t.Errorf("plan %+v", got)
	}
}

// A file anywhere is a session, as far as it tells.
func TestFromFile(t *testing.T) {
	t.Parallel()
	dir := worktreetest.Dir(t)
	b := transcripttest.New(idA)
	b.Dir = dir
	b.User("plant an oak").Assistant(transcripttest.Text("Done.")).Title("oak")
	path := filepath.Join(dir, "backup of tuesday.jsonl")
	worktreetest.WriteFile(t, path, string(b.Bytes()))
	s, err := session.FromFile(t.Context(), path)
	if err != nil || s.ID != idA || s.Title != "oak" || s.Dir != dir || s.Path != path || len(s.Copies) != 1 || s.NotReady != "" || !s.Summary.Complete {
		t.Errorf("%+v, %v", s, err)
	}
	named := filepath.Join(dir, idB+".jsonl")
	worktreetest.WriteFile(t, named, string(b.Bytes()))
	if s, err := session.FromFile(t.Context(), named); err != nil || s.ID != idB {
		t.Errorf("%+v, %v", s, err)
	}
	worktreetest.WriteFile(t, path, "")
	if s, err := session.FromFile(t.Context(), path); err != nil || s.NotReady == "" || s.ID != "" {
		t.Errorf("%+v, %v", s, err)
	}
	if _, err := session.FromFile(t.Context(), dir); err == nil {
		t.Error("a directory is no transcript")
	}
	if _, err := session.FromFile(t.Context(), filepath.Join(dir, "none")); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
}

func TestCheckEnded(t *testing.T) {
	t.Parallel()
	root := sessiontest.New(t)
	if err := session.CheckEnded(string(root), "", idA); err != nil {
		t.Error(err)
	}
	root.WriteFile(t, "sessions/1.json", `{"pid":1,"sessionId":"`+idA+`","status":"busy","pidDomain":"elsewhere"}`)
	err := session.CheckEnded(string(root), "", idA) // without /proc nobody can tell
	if !errors.Is(err, session.ErrLive) || !strings.Contains(err.Error(), "sessions/1.json") {
		t.Error(err)
	}
	if err := session.CheckEnded(string(root), "", idB); err != nil {
		t.Error(err)
	}
}

//go:build lab

package lab_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"coppice/session"
	"coppice/session/agent"
	"coppice/worktree/worktreetest"
)

// B17, B20, B23: a planned resume runs in the right directory, with the whole
// history, and a live session is not resumed twice.
func TestResumeRunsWhereItBelongs(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	inMain := r.talk(r.repo, "a word: hazelnut")
	inLinked := r.talk(r.linked, "a word: walnut")
	inOther := r.talk(r.other, "a word: chestnut")
	tests := []struct {
		id, word, dir string
		request       session.Request
	}{
		{inMain, "hazelnut", r.repo, session.Request{}},
		{inLinked, "walnut", r.linked, session.Request{}},
		{inOther, "chestnut", r.other, session.Request{}},
		{inOther, "chestnut", r.linked, session.Request{Dir: r.linked}},
		{inLinked, "walnut", r.repo, session.Request{Dir: r.repo, Prompt: "--version is a prompt here"}},
	}
	for _, tt := range tests {
		p, plan := r.plan(tt.id, tt.request)
		if plan.Action != session.ActionResume || plan.Cwd != tt.dir {
			t.Fatalf("plan %+v", plan)
		}
		count := len(r.endpoint.Requests())
		term := r.openAs(plan.Cwd, p.Environ(plan), plan.Command...)
		if tt.request.Prompt == "" {
			r.must(term.See(r.ctx(), tt.word))
			r.must(term.Enter(r.ctx(), "which word was it"))
		}
		r.must(term.Wait(r.ctx(), "an answer", func(string) bool { return len(r.endpoint.Requests()) > count }))
		if dir := r.registered(tt.id); dir != tt.dir {
			t.Errorf("it runs in %s, want %s", dir, tt.dir)
		}
		sent, err := json.Marshal(r.endpoint.Requests()[count].Messages)
		r.must(err)
		if !strings.Contains(string(sent), tt.word) || !strings.Contains(string(sent), tt.request.Prompt) {
			t.Errorf("the request lacks %q or %q", tt.word, tt.request.Prompt)
		}
		if _, again := r.plan(tt.id, session.Request{}); again.Action != session.ActionRefuse {
			t.Errorf("a live session could be started again: %+v", again)
		}
		r.exit(term)
	}
}

// B18, B19, B20: a session of the client's own worktree, resumed from anywhere,
// runs in it; once the worktree is gone, where a person says.
func TestResumeWorktreeSession(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	_, err := r.Print(r.ctx(), r.repo, "--worktree", "spruce", "a word: pinecone")
	r.must(err)
	id := r.ids()[0]
	wt := filepath.Join(r.repo, ".claude", "worktrees", "spruce")
	r.must(r.Trust(r.repo, r.linked, r.other, wt))

	p, plan := r.plan(id, session.Request{})
	if plan.Action != session.ActionResume || plan.Cwd != wt || plan.Branch != "worktree-spruce" {
		t.Fatalf("plan %+v", plan)
	}
	term := r.openAs(plan.Cwd, p.Environ(plan), plan.Command...)
	if dir := r.registered(id); dir != wt {
		t.Errorf("it runs in %s, want %s", dir, wt)
	}
	term.Close()

	repo := worktreetest.At(t, r.repo)
	repo.Git("worktree", "unlock", wt)
	repo.Git("worktree", "remove", "--force", wt)
	for r.live(id) {
		r.must(r.ctx().Err())
	}
	_, plan = r.plan(id, session.Request{})
	if plan.Action != session.ActionChoose || len(plan.Choices) == 0 || plan.Choices[0].Dir != r.repo {
		t.Fatalf("without the worktree: %+v", plan)
	}
	p, plan = r.plan(id, session.Request{Dir: plan.Choices[0].Dir})
	term = r.openAs(plan.Cwd, p.Environ(plan), plan.Command...)
	r.must(term.See(r.ctx(), "pinecone"))
	if dir := r.registered(id); dir != r.repo {
		t.Errorf("it runs in %s, want %s", dir, r.repo)
	}
	r.exit(term)
}

func (r *room) live(id string) bool {
	_, ok := session.ReadLive(r.Root, "/proc")[id]
	return ok
}

// Observed C: of several files with one id, the planned one is resumed.
func TestResumeOneOfSeveralCopies(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	id := r.talk(r.other, "a word: acorn")
	data, err := os.ReadFile(r.row(id).Path)
	r.must(err)
	for _, dir := range []string{"-somewhere-else", "-and-elsewhere"} {
		worktreetest.WriteFile(t, filepath.Join(r.Root, "projects", dir, id+".jsonl"), string(data))
	}
	p, plan := r.plan(id, session.Request{Dir: r.repo, Prompt: "go on"})
	term := r.openAs(plan.Cwd, p.Environ(plan), plan.Command...)
	r.must(term.See(r.ctx(), "Answer 2"))
	r.exit(term)
	names, err := filepath.Glob(filepath.Join(r.Root, "projects", "*", id+".jsonl"))
	r.must(err)
	for _, name := range names {
		now, err := os.ReadFile(name)
		r.must(err)
		if grew := len(now) > len(data); grew != (name == plan.Transcript) {
			t.Errorf("%s grew: %v, and the plan says %s", name, grew, plan.Transcript)
		}
	}
	if len(names) != 3 {
		t.Errorf("the files are %q", names)
	}
}

// K: what the plan says about the permission mode is what the client shows.
func TestResumeMode(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	id := r.talk(r.repo, "a word: beech")
	path := r.row(id).Path
	for _, tt := range []struct{ stored, fresh, shown string }{
		{"plan", "", "plan mode"},
		{"default", "acceptEdits", "manual mode"},
		{"acceptEdits", "", "accept edits"},
		{"bypassPermissions", "", "auto mode"},
	} {
		worktreetest.AppendFile(t, path, `{"type":"permission-mode","permissionMode":"`+tt.stored+`","sessionId":"`+id+`"}`+"\n")
		if tt.fresh != "" {
			worktreetest.WriteFile(t, filepath.Join(r.repo, ".claude", "settings.json"), `{"permissions":{"defaultMode":"`+tt.fresh+`"}}`)
		} else {
			worktreetest.RemoveAll(t, filepath.Join(r.repo, ".claude"))
		}
		p, plan := r.plan(id, session.Request{})
		term := r.openAs(plan.Cwd, p.Environ(plan), plan.Command...)
		r.must(term.See(r.ctx(), tt.shown+" on"))
		r.exit(term)
	}
}

// The agent is handed the terminal by our own runner.
func TestRunTheClient(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	id := r.talk(r.linked, "a word: maple")
	p, plan := r.plan(id, session.Request{Prompt: "go on"})
	out, err := os.Create(filepath.Join(r.Home, "out"))
	r.must(err)
	defer func() { _ = out.Close() }()
	args := append([]string{plan.Command[0], "-p"}, plan.Command[1:]...)
	r.must(agent.Run(r.ctx(), agent.Cmd{Args: args, Dir: plan.Cwd, Env: p.Environ(plan), Out: out, Err: out}))
	data, err := os.ReadFile(out.Name())
	r.must(err)
	if !strings.Contains(string(data), "go on") {
		t.Errorf("the client printed %q", data)
	}
}

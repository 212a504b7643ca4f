package session_test

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"coppice/config"
	"coppice/session"
	"coppice/transcript"
	"coppice/worktree"
	"coppice/worktree/worktreetest"
)

// planner returns a Planner for tests: the default configuration, an agent
// program that is there.
func planner() session.Planner {
	return session.Planner{
		Config:   config.Default(),
		Root:     "/home/me/.claude",
		Env:      []string{"HOME=/home/me", "PATH=/bin", "CLAUDECODE=1", "GIT_DIR=/elsewhere"},
		LookPath: func(name string) (string, error) { return "/bin/" + name, nil },
	}
}

// sessionIn returns a healthy session that belongs to dir and was on branch.
func sessionIn(dir, branch string) session.Session {
	path := "/home/me/.claude/projects/p/" + idA + ".jsonl"
	return session.Session{
		ID: idA, Path: path, Copies: []session.Copy{{Path: path, Dir: dir}}, Dir: dir, Title: "t",
		Summary: transcript.Summary{
			SessionID: idA, Dirs: []string{dir}, Dir: dir, Branch: branch, Model: "a-model", Records: 4, Messages: 2,
			HasMain: true, Prompted: true, Complete: true, PermissionMode: "default",
		},
	}
}

// open reads the repositories of dirs.
func open(t *testing.T, dirs ...string) []worktree.Repository {
	t.Helper()
	git := worktree.Git{Program: worktreetest.Program(t), Env: worktreetest.Env(t.TempDir())}
	var repos []worktree.Repository
	for _, dir := range dirs {
		r, err := git.Open(t.Context(), dir)
		if err != nil {
			t.Fatal(err)
		}
		repos = append(repos, r)
	}
	return repos
}

func plan(t *testing.T, p session.Planner, s session.Session, repos []worktree.Repository, req session.Request) session.Plan {
	t.Helper()
	got := p.Plan(t.Context(), s, repos, req)
	if got.Command == nil || got.Env == nil || got.Lost == nil || got.Notes == nil || got.Warnings == nil || got.Blockers == nil || got.Choices == nil {
		t.Errorf("a list of the plan is nil: %+v", got)
	}
	if (got.Action == session.ActionRefuse) != (len(got.Blockers) > 0) {
		t.Errorf("action %q with blockers %q", got.Action, got.Blockers)
	}
	return got
}

// mentions reports whether one of texts holds every part.
func mentions(texts []string, parts ...string) bool {
	return slices.ContainsFunc(texts, func(text string) bool {
		return !slices.ContainsFunc(parts, func(part string) bool { return !strings.Contains(text, part) })
	})
}

// B17: the plan of a usual session names the directory and is started without
// a question.
func TestPlanUsual(t *testing.T) {
	t.Parallel()
	repo := worktreetest.New(t, worktreetest.Dir(t))
	got := plan(t, planner(), sessionIn(repo.Dir, "main"), open(t, repo.Dir), session.Request{Prompt: "go on"})
	want := session.Plan{
		Session: idA, Transcript: "/home/me/.claude/projects/p/" + idA + ".jsonl", Action: session.ActionResume, Cwd: repo.Dir,
		Worktree: session.PlanWorktree{Path: repo.Dir, State: "present", Action: "use"}, Branch: "main", Model: "a-model", Agent: "claude",
		Permission: session.PlanPermission{Mode: "manual", Reason: "recorded, and not laxer than auto, in which new sessions start"},
		Command:    []string{"claude", "--resume", idA, "--permission-mode", "default", "go on"}, Args: []string{},
		Env: map[string]string{"CLAUDECODE": "", "GIT_DIR": "", "PWD": repo.Dir},
		Lost: []string{
			"commands and monitors that ran in the background",
			"options it was started with, such as --mcp-config, --settings or --plugin-dir: give them again behind --",
		},
		Notes: []string{}, Warnings: []string{}, Blockers: []string{}, Choices: []session.PlanChoice{},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("plan (-want +got):\n%s", diff)
	}
	if got.Unusual() {
		t.Error("the plan counts as unusual")
	}
}

// F10: the agent is told the config root that the session is from.
func TestPlanRoot(t *testing.T) {
	t.Parallel()
	p := planner()
	p.Root = "/srv/other-root"
	s := sessionIn(worktreetest.Dir(t), "")
	got := plan(t, p, s, nil, session.Request{})
	if got.Env["CLAUDE_CONFIG_DIR"] != p.Root || !slices.Contains(p.Environ(got), "CLAUDE_CONFIG_DIR="+p.Root) {
		t.Errorf("env %v", got.Env)
	}
}

// A file system that does not answer does not hold up the caller for ever.
func TestPlanEnds(t *testing.T) {
	t.Parallel()
	p := planner()
	hold := make(chan struct{})
	t.Cleanup(func() { close(hold) })
	p.Locate = func(dir string) worktree.Place {
		<-hold
		return worktree.Place{Dir: dir}
	}
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer cancel()
	got := p.Plan(ctx, sessionIn("/dead", ""), nil, session.Request{})
	if got.Action != session.ActionRefuse || !mentions(got.Blockers, "in time") {
		t.Errorf("plan %+v", got)
	}
}

// The JSON of a plan has no null list (docs/json.md).
func TestPlanJSON(t *testing.T) {
	t.Parallel()
	got := planner().Plan(t.Context(), session.Session{}, nil, session.Request{Agent: "x"})
	data, err := json.Marshal(got)
	if err != nil || strings.Contains(strings.NewReplacer(`"fork":null`, "", `"restore":null`, "", `"live":null`, "").Replace(string(data)), "null") {
		t.Errorf("%s, %v", data, err)
	}
}

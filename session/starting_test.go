package session_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"coppice/config"
	"coppice/session"
	"coppice/transcript"
	"coppice/worktree/worktreetest"
)

// TestStart: a new session starts where it is asked to, under an id that is
// free, and its plan says why when it cannot.
func TestStart(t *testing.T) {
	t.Parallel()
	repo := worktreetest.New(t, "")
	root := t.TempDir()
	taken := filepath.Join(root, "projects", "-some-where", idB+".jsonl")
	if err := os.MkdirAll(filepath.Dir(taken), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(taken, []byte("{}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	p := planner()
	p.Root = root
	p.Config.Agents["shell"] = config.Agent{Kind: config.KindTerminal, Command: []string{"sh"}}
	p.Config.Agents["inner"] = config.Agent{Kind: config.KindMessages}
	tests := []struct {
		name    string
		req     session.StartRequest
		action  string
		command string
		blocker string
	}{
		{
			"everything",
			session.StartRequest{Dir: repo.Dir, ID: idA, Name: "oak", Mode: "plan", Prompt: "-do it", Args: []string{"--x"}},
			session.ActionStart, "claude --session-id " + idA + " --name oak --permission-mode plan --x -- -do it", "",
		},
		{"little", session.StartRequest{Dir: repo.Dir, ID: idA}, session.ActionStart, "claude --session-id " + idA, ""},
		{"an agent without ids", session.StartRequest{Dir: repo.Dir, Agent: "shell"}, session.ActionStart, "sh", ""},
		{"taken", session.StartRequest{Dir: repo.Dir, ID: idB}, session.ActionRefuse, "", "coppice resume " + idB},
		{"no id", session.StartRequest{Dir: repo.Dir, ID: "../x"}, session.ActionRefuse, "", "give a UUID"},
		{"no directory", session.StartRequest{Dir: filepath.Join(root, "none"), ID: idA}, session.ActionRefuse, "", "is no directory"},
		{"relative", session.StartRequest{Dir: "here", ID: idA}, session.ActionRefuse, "", "absolute path"},
		{"no such agent", session.StartRequest{Dir: repo.Dir, ID: idA, Agent: "none"}, session.ActionRefuse, "", "there is no agent"},
		{"not in a terminal", session.StartRequest{Dir: repo.Dir, ID: idA, Agent: "inner"}, session.ActionRefuse, "", "does not run in a terminal"},
		{"NUL", session.StartRequest{Dir: repo.Dir, ID: idA, Prompt: "a\x00b"}, session.ActionRefuse, "", "NUL byte"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got := p.Start(t.Context(), tt.req)
			if got.Action != tt.action {
				t.Fatalf("action %q, want %q: %q", got.Action, tt.action, got.Blockers)
			}
			if tt.command != "" && strings.Join(got.Command, " ") != tt.command {
				t.Errorf("command %q, want %q", got.Command, tt.command)
			}
			if tt.blocker != "" && !slices.ContainsFunc(got.Blockers, func(b string) bool { return strings.Contains(b, tt.blocker) }) {
				t.Errorf("blockers %q, want one with %q", got.Blockers, tt.blocker)
			}
		})
	}
}

// TestStartNames: the plan of a new session names the file that the agent will
// write, the branch it works on, and an id of its own.
func TestStartNames(t *testing.T) {
	t.Parallel()
	repo := worktreetest.New(t, "")
	p := planner()
	got := p.Start(t.Context(), session.StartRequest{Dir: repo.Dir})
	if !transcript.IsID(got.Session) || filepath.Base(got.Transcript) != got.Session+".jsonl" {
		t.Errorf("session %q in %q", got.Session, got.Transcript)
	}
	if got.Cwd != repo.Dir || got.Branch == "" || got.Worktree.Action != "use" {
		t.Errorf("runs in %q on %q, worktree %+v", got.Cwd, got.Branch, got.Worktree)
	}
	p.Config.Agents["shell"] = config.Agent{Kind: config.KindTerminal, Command: []string{"sh"}}
	if got := p.Start(t.Context(), session.StartRequest{Dir: repo.Dir, Agent: "shell"}); got.Session != "" || got.Transcript != "" {
		t.Errorf("a shell has session %q in %q", got.Session, got.Transcript)
	}
}

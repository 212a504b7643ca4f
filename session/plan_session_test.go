package session_test

import (
	"errors"
	"slices"
	"testing"

	"coppice/config"
	"coppice/session"
	"coppice/worktree/worktreetest"
)

// F1: never two processes on one session.
func TestPlanLive(t *testing.T) {
	t.Parallel()
	dir := worktreetest.Dir(t)
	s := sessionIn(dir, "")
	s.Live = &session.Live{PID: 4711, Status: session.Status{State: session.StateWaiting, Reason: "permission prompt"}, Where: "pid 4711"}
	got := plan(t, planner(), s, nil, session.Request{})
	if got.Action != session.ActionRefuse || !mentions(got.Blockers, "pid 4711", "waiting: permission prompt", "--take-over") {
		t.Errorf("live: %+v", got)
	}
	s.Live.State, s.Live.Reason = session.StateUnknown, "its process runs in a container"
	got = plan(t, planner(), s, nil, session.Request{})
	if got.Action != session.ActionRefuse || !mentions(got.Blockers, "container", "/home/me/.claude/sessions/4711.json") {
		t.Errorf("unknown: %+v", got)
	}
	p := planner()
	p.Live = func() map[string]session.Live { return nil }
	if got := plan(t, p, s, nil, session.Request{}); got.Unusual() {
		t.Errorf("ended meanwhile: %+v", got)
	}
	s.Live = nil
	p.Live = func() map[string]session.Live {
		return map[string]session.Live{idA: {PID: 1, Status: session.Status{State: session.StateIdle}, Where: "pid 1"}}
	}
	if got := plan(t, p, s, nil, session.Request{}); !mentions(got.Blockers, "pid 1", "idle") {
		t.Errorf("started meanwhile: %+v", got)
	}
}

func TestPlanTranscript(t *testing.T) {
	t.Parallel()
	dir := worktreetest.Dir(t)
	tests := []struct {
		name     string
		change   func(*session.Session)
		blockers []string
		warnings []string
		lost     []string
	}{
		{"unreadable", func(s *session.Session) { s.Problem = "no permission" }, []string{"no permission", "readable"}, nil, nil},
		{"not ready", func(s *session.Session) { s.NotReady = "the transcript is empty" }, []string{"is empty"}, nil, nil},
		{"no record", func(s *session.Session) { s.Summary.Records = 0 }, []string{"no readable record"}, nil, nil},
		{"damaged", func(s *session.Session) { s.Summary.DamageCount = 3 }, nil, []string{"3 unreadable lines"}, nil},
		{"interrupted", func(s *session.Session) { s.Summary.Interrupted = true }, nil, nil, []string{"cut off"}},
		{"added directories", func(s *session.Session) { s.Summary.AddedDirs = []string{"/lib"} }, nil, nil, []string{"/lib", "--add-dir"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := sessionIn(dir, "")
			tt.change(&s)
			got := plan(t, planner(), s, nil, session.Request{})
			if len(tt.blockers) > 0 != (len(got.Blockers) > 0) || len(tt.blockers) > 0 && !mentions(got.Blockers, tt.blockers...) {
				t.Errorf("blockers %q", got.Blockers)
			}
			if len(tt.warnings) > 0 != (len(got.Warnings) > 0) || len(tt.warnings) > 0 && !mentions(got.Warnings, tt.warnings...) {
				t.Errorf("warnings %q", got.Warnings)
			}
			if len(tt.lost) > 0 && !mentions(got.Lost, tt.lost...) {
				t.Errorf("lost %q", got.Lost)
			}
		})
	}
}

// Observed C: by id the client takes the copy of the present project, or none
// at all; by path it takes the file that was meant.
func TestPlanCopies(t *testing.T) {
	t.Parallel()
	s := sessionIn(worktreetest.Dir(t), "")
	s.Copies = append(s.Copies, session.Copy{Path: "/home/me/.claude/projects/q/" + idA + ".jsonl"})
	got := plan(t, planner(), s, nil, session.Request{})
	if !mentions(got.Warnings, "2 files", s.Path+" is used", "/q/") || !slices.Contains(got.Command, s.Path) || slices.Contains(got.Command, s.ID) {
		t.Errorf("plan %+v", got)
	}
	s.Summary.SessionID = idB
	if got := plan(t, planner(), s, nil, session.Request{}); !mentions(got.Warnings, idB) {
		t.Errorf("records of another session: %q", got.Warnings)
	}
}

func TestPlanAgent(t *testing.T) {
	t.Parallel()
	dir := worktreetest.Dir(t)
	p := planner()
	p.Config.Agents["mine"] = config.Agent{Kind: config.KindTerminal, Command: []string{"mine"}, Resume: []string{"-r", "{id}"}}
	p.Config.Agents["bare"] = config.Agent{Kind: config.KindTerminal, Command: []string{"bare"}}
	p.Config.Agents["none"] = config.Agent{Kind: config.KindTerminal}
	p.Config.Agents["built-in"] = config.Agent{Kind: config.KindMessages}
	tests := []struct {
		name     string
		request  session.Request
		found    bool
		blockers []string
		warnings []string
		command  []string
	}{
		{"another", session.Request{Agent: "mine"}, true, nil, []string{"permission mode", "agents.mine.mode"}, []string{"mine", "-r", idA}},
		{"prompt that it cannot take", session.Request{Agent: "mine", Prompt: "x"}, true, nil, []string{"agents.mine.prompt"}, []string{"mine", "-r", idA}},
		{"not installed", session.Request{}, false, []string{"claude cannot be run", "install Claude Code", "agents.claude.command"}, nil, nil},
		{"another not installed", session.Request{Agent: "mine"}, false, []string{"mine cannot be run", "agents.mine.command"}, nil, nil},
		{"unknown", session.Request{Agent: "typo"}, true, []string{`"typo"`, "[agents.typo]", "claude"}, nil, []string{}},
		{"cannot resume", session.Request{Agent: "bare"}, true, []string{"agents.bare.resume"}, nil, nil},
		{"no command", session.Request{Agent: "none"}, true, []string{"agents.none.command"}, nil, []string{}},
		{"built in", session.Request{Agent: "built-in"}, true, []string{"does not run in a terminal"}, nil, nil},
		{"NUL", session.Request{Prompt: "a\x00b"}, true, []string{"NUL"}, nil, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			p := p
			if !tt.found {
				p.LookPath = func(string) (string, error) { return "", errors.New("not in PATH") }
			}
			got := plan(t, p, sessionIn(dir, ""), nil, tt.request)
			if len(tt.blockers) > 0 != (len(got.Blockers) > 0) || len(tt.blockers) > 0 && !mentions(got.Blockers, tt.blockers...) {
				t.Errorf("blockers %q, want %q", got.Blockers, tt.blockers)
			}
			if tt.warnings != nil && !mentions(got.Warnings, tt.warnings...) {
				t.Errorf("warnings %q, want %q", got.Warnings, tt.warnings)
			}
			if tt.command != nil && !slices.Equal(got.Command, tt.command) {
				t.Errorf("command %q, want %q", got.Command, tt.command)
			}
		})
	}
}

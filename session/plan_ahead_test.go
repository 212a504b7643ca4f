package session_test

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"coppice/session"
	"coppice/worktree/worktreetest"
)

// ahead returns a planner to which the transcript looks like this.
func ahead(look session.Outlook, err error) session.Planner {
	p := planner()
	p.Outlook = func(context.Context, string) (session.Outlook, error) { return look, err }
	return p
}

// Where the client would drop messages the plan says how many, why, and what to do
// (observed A.2).
func TestPlanDropped(t *testing.T) {
	t.Parallel()
	dir := worktreetest.Dir(t)
	got := plan(t, ahead(session.Outlook{Dropped: 37, Mended: 37, Why: "line 4 is lost"}, nil), sessionIn(dir, ""), nil, session.Request{})
	if got.Dropped != 37 || !got.Unusual() || !mentions(got.Warnings, "drop 37 messages", "line 4 is lost", "coppice resume --fork "+idA) {
		t.Errorf("plan %+v", got)
	}
	got = plan(t, ahead(session.Outlook{Dropped: 3, Mended: 2, Why: "x"}, nil), sessionIn(dir, ""), nil, session.Request{})
	if got.Mended != 2 || !mentions(got.Warnings, "drop 3 messages", "which has 2 of them") {
		t.Errorf("plan %+v", got)
	}
	got = plan(t, ahead(session.Outlook{Dropped: 1, Why: "x"}, nil), sessionIn(dir, ""), nil, session.Request{})
	if !mentions(got.Warnings, "drop 1 message: x") || mentions(got.Warnings, "--fork") {
		t.Errorf("plan %+v", got)
	}
	got = plan(t, ahead(session.Outlook{}, nil), sessionIn(dir, ""), nil, session.Request{})
	if got.Unusual() {
		t.Errorf("nothing is dropped, and the plan is %+v", got)
	}
	got = plan(t, ahead(session.Outlook{}, errors.New("no permission")), sessionIn(dir, ""), nil, session.Request{})
	if !mentions(got.Warnings, "could not be found out", "no permission") {
		t.Errorf("plan %+v", got)
	}
	got = plan(t, ahead(session.Outlook{}, context.DeadlineExceeded), sessionIn(dir, ""), nil, session.Request{})
	if got.Unusual() || !mentions(got.Notes, "too large", "coppice doctor "+idA) {
		t.Errorf("plan %+v", got)
	}
	// A fork is repaired: nothing is to be warned of.
	got = plan(t, ahead(session.Outlook{Dropped: 37, Interrupted: "calls"}, nil), sessionIn(dir, ""), nil,
		session.Request{Fork: &session.ForkRequest{ID: idB, Name: "x"}})
	if got.Unusual() || got.Dropped != 0 {
		t.Errorf("plan %+v", got)
	}
}

// An interrupted turn is said, with what may have changed since, and gone on with
// when that is asked for.
func TestPlanInterrupted(t *testing.T) {
	t.Parallel()
	dir := worktreetest.Dir(t)
	for how, words := range map[string]string{
		"calls": "while a tool ran", "results": "before the agent saw", "prompt": "never answered",
	} {
		p := ahead(session.Outlook{Interrupted: how}, nil)
		got := plan(t, p, sessionIn(dir, ""), nil, session.Request{})
		if got.Interrupted != how || got.CarryOn || !mentions(got.Warnings, words, "nothing is run again", "may have changed since") ||
			!mentions(got.Notes, "coppice resume --carry-on "+idA) {
			t.Errorf("%s: plan %+v", how, got)
		}
		if slices.Contains(p.Environ(got), "CLAUDE_CODE_RESUME_INTERRUPTED_TURN=1") {
			t.Errorf("%s: the agent is asked to go on without having been told to", how)
		}
		got = plan(t, p, sessionIn(dir, ""), nil, session.Request{CarryOn: true})
		if !got.CarryOn || got.Env["CLAUDE_CODE_RESUME_INTERRUPTED_TURN"] != "1" || len(got.Notes) > 0 ||
			!slices.Contains(p.Environ(got), "CLAUDE_CODE_RESUME_INTERRUPTED_TURN=1") {
			t.Errorf("%s: plan %+v", how, got)
		}
	}
}

// F5: the client is about to remove the transcript.
func TestPlanRetention(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	now := time.Date(2031, 5, 6, 12, 0, 0, 0, time.UTC)
	p := planner()
	p.Root, p.Now = root, func() time.Time { return now }
	s := sessionIn(worktreetest.Dir(t), "")
	tests := []struct {
		name     string
		settings string
		days     int
		want     bool
	}{
		{"young", "", 26, false},
		{"near", "", 28, true},
		{"over", "", 31, true},
		{"kept for long", `{"cleanupPeriodDays":365}`, 31, false},
		{"kept for long, near", `{"cleanupPeriodDays":365}`, 363, true},
	}
	for _, tt := range tests {
		worktreetest.WriteFile(t, filepath.Join(root, "settings.json"), tt.settings)
		s.ModTime = now.Add(-time.Duration(tt.days)*24*time.Hour - time.Hour)
		got := plan(t, p, s, nil, session.Request{})
		if mentions(got.Notes, "cleanupPeriodDays", "resuming it keeps it") != tt.want || got.Unusual() {
			t.Errorf("%s: plan %+v", tt.name, got)
		}
	}
}

// The model that does not come back is named with the reason (client-behaviour 7.4).
func TestPlanModel(t *testing.T) {
	t.Parallel()
	dir := worktreetest.Dir(t)
	tests := []struct {
		name, stored, env string
		args              []string
		model, lost       string
	}{
		{"as recorded", "a-model", "", nil, "a-model", ""},
		{"environment", "a-model", "b-model", nil, "b-model", "b-model is set by ANTHROPIC_MODEL"},
		{"the same one", "a-model", "a-model", nil, "a-model", ""},
		{"asked for", "a-model", "b-model", []string{"--model", "c-model"}, "c-model", "c-model is asked for"},
		{"asked for otherwise", "a-model", "", []string{"--model=c-model"}, "c-model", "c-model is asked for"},
		{"a provider's", "eu.anthropic.x:0", "", nil, "", "an id of another provider"},
		{"none", "", "b-model", nil, "", ""},
	}
	for _, tt := range tests {
		p := planner()
		if tt.env != "" {
			p.Env = append(p.Env, "ANTHROPIC_MODEL="+tt.env)
		}
		s := sessionIn(dir, "")
		s.Summary.Model = tt.stored
		got := plan(t, p, s, nil, session.Request{Args: tt.args})
		if got.Model != tt.model || mentions(got.Lost, "the model ") != (tt.lost != "") || tt.lost != "" && !mentions(got.Lost, tt.lost) {
			t.Errorf("%s: model %q, lost %q", tt.name, got.Model, got.Lost)
		}
	}
}

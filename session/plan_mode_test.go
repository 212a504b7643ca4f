package session_test

import (
	"slices"
	"strings"
	"testing"

	"coppice/session"
	"coppice/worktree/worktreetest"
)

// DESIGN "Permission mode at resume". pass is what the agent is told; "" leaves
// it to the agent, which then starts as a new session would.
func TestPlanMode(t *testing.T) {
	t.Parallel()
	dir := worktreetest.Dir(t)
	tests := []struct {
		stored, fresh, asked string
		mode, pass           string
		warns                bool
	}{
		{"plan", "", "", "plan", "plan", false},
		{"plan", "default", "", "plan", "plan", false},
		{"default", "", "", "manual", "default", false},
		{"manual", "acceptEdits", "", "manual", "default", false}, // the client would take the laxer one
		{"default", "default", "", "manual", "", false},
		{"default", "plan", "", "plan", "", true},
		{"acceptEdits", "", "", "acceptEdits", "acceptEdits", false},
		{"acceptEdits", "auto", "", "acceptEdits", "acceptEdits", false},
		{"acceptEdits", "default", "", "manual", "", true},
		{"dontAsk", "acceptEdits", "", "dontAsk", "dontAsk", false},
		{"dontAsk", "default", "", "manual", "", true},
		{"auto", "", "", "auto", "", false},
		{"auto", "auto", "", "auto", "", false},
		{"auto", "default", "", "manual", "", true},
		{"auto", "bypassPermissions", "", "manual", "default", true},
		{"bypassPermissions", "", "", "auto", "", true},
		{"bypassPermissions", "default", "", "manual", "", true},
		{"bypassPermissions", "bypassPermissions", "", "bypassPermissions", "", false},
		{"", "default", "", "manual", "", false},
		{"of a newer client", "default", "", "manual", "", true},
		{"plan", "default", "bypassPermissions", "bypassPermissions", "bypassPermissions", false},
		{"acceptEdits", "default", "manual", "manual", "manual", false},
	}
	for _, tt := range tests {
		name := strings.Join([]string{tt.stored, tt.fresh, tt.asked}, "/")
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := planner()
			p.DefaultMode = func(at string) string {
				if at != dir {
					t.Errorf("settings of %q were asked for", at)
				}
				return tt.fresh
			}
			s := sessionIn(dir, "")
			s.Summary.PermissionMode = tt.stored
			got := plan(t, p, s, nil, session.Request{Mode: tt.asked})
			pass := ""
			if i := slices.Index(got.Command, "--permission-mode"); i >= 0 {
				pass = got.Command[i+1]
			}
			if got.Permission.Mode != tt.mode || pass != tt.pass || len(got.Warnings) > 0 != tt.warns || got.Permission.Reason == "" {
				t.Errorf("mode %q (%s), passed %q, warnings %q", got.Permission.Mode, got.Permission.Reason, pass, got.Warnings)
			}
		})
	}
}

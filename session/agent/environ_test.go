package agent_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"coppice/session/agent"
)

func TestEnviron(t *testing.T) {
	t.Parallel()
	const home, standard = "HOME=/home/me", "/home/me/.claude"
	tests := []struct {
		name      string
		inherited []string
		root      string
		want      []string
	}{
		{
			"a plain shell",
			[]string{home, "PATH=/bin", "PWD=/elsewhere", "LANG=C.UTF-8"},
			standard,
			[]string{home, "PATH=/bin", "LANG=C.UTF-8", "PWD=/repo"},
		},
		{
			"E7 started from a git hook",
			[]string{home, "GIT_DIR=/x/.git", "GIT_INDEX_FILE=i", "GIT_CONFIG_KEY_0=a", "GIT_EDITOR=vi"},
			standard,
			[]string{home, "GIT_EDITOR=vi", "PWD=/repo"},
		},
		{
			"started inside another session",
			[]string{
				home, "CLAUDECODE=1", "CLAUDE_CODE_CHILD_SESSION=1", "CLAUDE_CODE_SESSION_ID=x", "CLAUDE_PID=5",
				"CLAUDE_CODE_MESSAGING_TOKEN=t", "CLAUDE_ENV_FILE=/e", "GIT_EDITOR=true", "CLAUDE_CODE_ENTRYPOINT=cli",
			},
			standard,
			[]string{home, "PWD=/repo"},
		},
		{
			"a person's settings stay",
			[]string{
				home, "CLAUDE_CODE_USE_BEDROCK=1", "CLAUDE_CODE_PROJECT_DIR_NAME=p", "CLAUDE_CODE_MAX_OUTPUT_TOKENS=9",
				"ANTHROPIC_MODEL=m", "GIT_EDITOR=true", "GIT_AUTHOR_NAME=n",
			},
			standard,
			[]string{
				home, "CLAUDE_CODE_USE_BEDROCK=1", "CLAUDE_CODE_PROJECT_DIR_NAME=p", "CLAUDE_CODE_MAX_OUTPUT_TOKENS=9",
				"ANTHROPIC_MODEL=m", "GIT_EDITOR=true", "GIT_AUTHOR_NAME=n", "PWD=/repo",
			},
		},
		{"F10 another root", []string{home}, "/other", []string{home, "CLAUDE_CONFIG_DIR=/other", "PWD=/repo"}},
		{
			"F10 the default root, named",
			[]string{"CLAUDE_CONFIG_DIR=/home/me/.claude", home},
			standard,
			[]string{home, "CLAUDE_CONFIG_DIR=" + standard, "PWD=/repo"},
		},
		{"an empty name is none", []string{"CLAUDE_CONFIG_DIR=", home}, standard, []string{home, "PWD=/repo"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			before := slices.Clone(tt.inherited)
			got := agent.Environ(tt.inherited, tt.root, "/repo")
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("Environ (-want +got):\n%s", diff)
			}
			if !slices.Equal(before, tt.inherited) {
				t.Errorf("Environ changed its argument to %q", tt.inherited)
			}
		})
	}
}

func TestChanges(t *testing.T) {
	t.Parallel()
	before := []string{"A=1", "A=2", "B=1", "C=1", "no value"}
	after := []string{"A=2", "B=2", "D=4", "no value"}
	want := map[string]string{"B": "2", "C": "", "D": "4"}
	if diff := cmp.Diff(want, agent.Changes(before, after)); diff != "" {
		t.Errorf("Changes (-want +got):\n%s", diff)
	}
}

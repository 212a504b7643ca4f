package agent_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"coppice/config"
	"coppice/session/agent"
)

func TestCommand(t *testing.T) {
	t.Parallel()
	claude := config.Default().Agents["claude"]
	const id, fork = "7b0f5c9e-0000-4000-8000-000000000001", "7b0f5c9e-0000-4000-8000-000000000002"
	tests := []struct {
		name   string
		agent  config.Agent
		action agent.Action
		values agent.Values
		want   []string
	}{
		{"resume", claude, agent.Resume, agent.Values{ID: id}, []string{"claude", "--resume", id}},
		{
			"everything", claude, agent.Resume,
			agent.Values{ID: id, Name: "my name", Mode: "plan", Prompt: "go on; rm -rf $HOME"},
			[]string{"claude", "--resume", id, "--name", "my name", "--permission-mode", "plan", "go on; rm -rf $HOME"},
		},
		{"start", claude, agent.Start, agent.Values{ID: id}, []string{"claude", "--session-id", id}},
		{
			"fork", claude, agent.Fork,
			agent.Values{ID: id, New: fork},
			[]string{"claude", "--resume", id, "--fork-session", "--session-id", fork},
		},
		{"fork without a new id", claude, agent.Fork, agent.Values{ID: id}, []string{"claude"}},
		{
			"prompt that looks like an option", claude, agent.Resume,
			agent.Values{ID: id, Prompt: "--version"},
			[]string{"claude", "--resume", id, "--", "--version"},
		},
		{
			"arguments with a list do not swallow the prompt", claude, agent.Resume,
			agent.Values{ID: id, Prompt: "hello", Args: []string{"--add-dir", "a", "b"}},
			[]string{"claude", "--resume", id, "--add-dir", "a", "b", "--", "hello"},
		},
		{
			"the person set the prompt off", claude, agent.Resume,
			agent.Values{ID: id, Prompt: "-x", Args: []string{"--"}},
			[]string{"claude", "--resume", id, "--", "-x"},
		},
		{
			"prompt inside an argument",
			config.Agent{Command: []string{"a"}, Prompt: []string{"--say={prompt}"}},
			agent.Resume,
			agent.Values{Prompt: "-x"},
			[]string{"a", "--say=-x"},
		},
		{
			"values are not filled in again",
			config.Agent{Command: []string{"a"}, Resume: []string{"{id}/{mode}"}},
			agent.Resume,
			agent.Values{ID: "{mode}", Mode: "{id}"},
			[]string{"a", "{mode}/{id}"},
		},
		{"no command", config.Agent{}, agent.Resume, agent.Values{ID: id}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got := agent.Command(tt.agent, tt.action, tt.values)
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("Command (-want +got):\n%s", diff)
			}
		})
	}
}

func TestCommandLeavesTheConfigurationAlone(t *testing.T) {
	t.Parallel()
	a := config.Agent{Command: make([]string, 1, 8), Resume: []string{"{id}"}}
	a.Command[0] = "a"
	first := agent.Command(a, agent.Resume, agent.Values{ID: "1"})
	agent.Command(a, agent.Resume, agent.Values{ID: "2"})
	if first[1] != "1" {
		t.Errorf("a second command changed the first to %q", first)
	}
}

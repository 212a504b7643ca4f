package config

import _ "embed"

// Version is the version of the file's format that this program reads and
// writes. A file without a version is of this one.
const Version = 1

//go:embed default.toml
var defaultText string

// DefaultText returns the default configuration as a commented file. Load reads
// it as Default.
func DefaultText() string { return defaultText }

// Default returns the configuration in force without a file. Each call returns
// a new value: the caller may change it.
func Default() Config {
	return Config{
		Agent: "claude",
		Agents: map[string]Agent{"claude": {
			Kind:    KindTerminal,
			Command: []string{"claude"},
			Start:   []string{"--session-id", "{id}"},
			Resume:  []string{"--resume", "{id}"},
			Fork:    []string{"--resume", "{id}", "--fork-session", "--session-id", "{new}"},
			Name:    []string{"--name", "{name}"},
			Mode:    []string{"--permission-mode", "{mode}"},
			Prompt:  []string{"{prompt}"},
			Print:   []string{"--print", "--output-format", "{format}"},

			Observer: true,
		}},
		Projects: Projects{Roots: []string{}, Exclude: []string{}},
		Worktree: Worktree{
			Path:   "{repo}/.claude/worktrees/{name}",
			Branch: "worktree-{name}",
			Base:   "fresh",
			Links:  []string{},
			Setup:  []string{},
			PR:     true,
		},
		UI:   UI{Theme: "dark", Mouse: true, Title: true, Notify: "auto"},
		Keys: map[string]string{},
	}
}

// The kinds of agents.
const (
	KindTerminal = "terminal" // a program that draws on a terminal of its own
	KindMessages = "messages" // the built-in agent
)

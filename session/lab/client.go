package lab

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
)

// Version is the client that the tests are written against.
const Version = "2.1.332"

// key is made up. The client asks whether to use a key by its last 20 characters.
const key = "sk-ant-made-up-key-0000000000000000"

// Install installs the client into dir with npm, unless it is there already,
// and returns its program.
func Install(ctx context.Context, dir string) (string, error) {
	arch := runtime.GOARCH
	if arch == "amd64" {
		arch = "x64"
	}
	program := filepath.Join(dir, "node_modules", "@anthropic-ai", "claude-code-"+runtime.GOOS+"-"+arch, "claude")
	if out, err := exec.CommandContext(ctx, program, "--version").Output(); err == nil && len(out) >= len(Version) && string(out[:len(Version)]) == Version {
		return program, nil
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", fmt.Errorf("install the client: %w", err)
	}
	cmd := exec.CommandContext(ctx, "npm", "install", "--prefix", dir, "--no-audit", "--no-fund", "@anthropic-ai/claude-code@"+Version)
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("install the client: %w: %s", err, out)
	}
	if _, err := os.Stat(program); err != nil {
		return "", fmt.Errorf("install the client: %w", err)
	}
	return program, nil
}

// Client is an installed client with a world of its own.
type Client struct {
	Program string
	Home    string // its home directory
	Root    string // its config root
	URL     string // of the endpoint
	Path    string // PATH, for the commands that it runs
}

// Environ returns the whole environment of a run of the client.
func (c Client) Environ() []string {
	return []string{
		"PATH=" + c.Path, "HOME=" + c.Home, "LANG=C.UTF-8", "TERM=xterm-256color", "COLORTERM=truecolor",
		"CLAUDE_CONFIG_DIR=" + c.Root, "ANTHROPIC_BASE_URL=" + c.URL, "ANTHROPIC_API_KEY=" + key,
		"DISABLE_TELEMETRY=1", "DISABLE_ERROR_REPORTING=1", "DISABLE_AUTOUPDATER=1",
		"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1", "IS_SANDBOX=1",
		"GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1",
	}
}

// Print runs one turn without a terminal and returns what it printed.
func (c Client) Print(ctx context.Context, dir string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, c.Program, append([]string{"-p"}, args...)...)
	cmd.Dir, cmd.Env = dir, c.Environ()
	out, err := cmd.Output()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return string(out), fmt.Errorf("%w: %s", err, exit.Stderr)
	}
	return string(out), err
}

// Trust marks the introduction as done and dirs (symlinks resolved) as trusted,
// so that the client starts without questions.
func (c Client) Trust(dirs ...string) error {
	name := filepath.Join(c.Root, ".claude.json")
	state := map[string]any{}
	data, err := os.ReadFile(name)
	if err == nil {
		err = json.Unmarshal(data, &state)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("trust directories: %w", err)
	}
	state["hasCompletedOnboarding"], state["lastOnboardingVersion"], state["theme"] = true, Version, "dark"
	state["customApiKeyResponses"] = map[string]any{"approved": []string{key[len(key)-20:]}, "rejected": []string{}}
	projects, _ := state["projects"].(map[string]any)
	if projects == nil {
		projects = map[string]any{}
	}
	for _, dir := range dirs {
		projects[dir] = map[string]any{"hasTrustDialogAccepted": true, "hasCompletedProjectOnboarding": true}
	}
	state["projects"] = projects
	if data, err = json.Marshal(state); err != nil {
		return fmt.Errorf("trust directories: %w", err)
	}
	if err := os.MkdirAll(c.Root, 0o755); err != nil {
		return fmt.Errorf("trust directories: %w", err)
	}
	return os.WriteFile(name, data, 0o600)
}

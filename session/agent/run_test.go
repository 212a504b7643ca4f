package agent_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"coppice/session/agent"
)

// fake is the scripted agent, built once.
var fake = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "fakeagent")
	if err != nil {
		return "", err
	}
	name := filepath.Join(dir, "fakeagent")
	out, err := exec.Command("go", "build", "-o", name, "./fakeagent").CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("%w: %s", err, out)
	}
	return name, nil
})

// TestMain runs the tests, or, when a test started this binary again, one agent
// on the terminal that it was given.
func TestMain(m *testing.M) {
	if program := os.Getenv("RUN_AGENT"); program != "" {
		err := agent.Run(context.Background(), agent.Cmd{
			Args: []string{program}, Dir: os.Getenv("RUN_DIR"), Env: os.Environ(),
			In: os.Stdin, Out: os.Stdout, Err: os.Stderr,
		})
		fmt.Printf("back: %v\r\n", err)
		os.Exit(0)
	}
	code := m.Run()
	if name, err := fake(); err == nil {
		_ = os.RemoveAll(filepath.Dir(name))
	}
	os.Exit(code)
}

func fakeAgent(t *testing.T) string {
	t.Helper()
	name, err := fake()
	if err != nil {
		t.Fatal(err)
	}
	return name
}

func TestRunWithoutTerminal(t *testing.T) {
	t.Parallel()
	program := fakeAgent(t)
	dir := t.TempDir()
	log := filepath.Join(dir, "log")
	out, err := os.Create(filepath.Join(dir, "out"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = out.Close() }()
	work := filepath.Join(dir, "a directory")
	if err := os.Mkdir(work, 0o700); err != nil {
		t.Fatal(err)
	}
	err = agent.Run(t.Context(), agent.Cmd{
		Args: []string{program, "--resume", "an id"}, Dir: work,
		Env: []string{"FAKEAGENT_LOG=" + log, "FAKEAGENT_PRINT=hello", "FAKEAGENT_EXIT=3", "PWD=" + work},
		Out: out, Err: out,
	})
	var exit *agent.ExitError
	if !errors.As(err, &exit) || exit.Code != 3 || exit.Signal != 0 {
		t.Fatalf("Run = %v, want exit status 3", err)
	}
	var start struct {
		Cwd  string
		Args []string
	}
	data, err := os.ReadFile(log)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &start); err != nil {
		t.Fatal(err)
	}
	if start.Cwd != work || strings.Join(start.Args, "|") != "--resume|an id" {
		t.Errorf("started in %q with %q", start.Cwd, start.Args)
	}
	text, err := os.ReadFile(out.Name())
	if err != nil || string(text) != "hello\n" {
		t.Errorf("output %q (%v): terminal sequences belong on terminals only", text, err)
	}
}

func TestRunErrors(t *testing.T) {
	t.Parallel()
	program := fakeAgent(t)
	dir := t.TempDir()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	tests := []struct {
		name string
		ctx  context.Context
		cmd  agent.Cmd
		want func(error) bool
	}{
		{"killed", t.Context(), agent.Cmd{Args: []string{program}, Dir: dir, Env: []string{"FAKEAGENT_KILL=9"}}, func(err error) bool {
			var exit *agent.ExitError
			return errors.As(err, &exit) && exit.Signal == syscall.SIGKILL
		}},
		{"no program", t.Context(), agent.Cmd{Args: []string{"no-such-agent"}, Dir: dir}, func(err error) bool {
			return errors.Is(err, exec.ErrNotFound)
		}},
		{"no command", t.Context(), agent.Cmd{Dir: dir}, func(err error) bool { return err != nil }},
		{"directory gone", t.Context(), agent.Cmd{Args: []string{program}, Dir: filepath.Join(dir, "gone")}, func(err error) bool {
			return errors.Is(err, fs.ErrNotExist) && strings.Contains(err.Error(), "gone")
		}},
		{"no directory", t.Context(), agent.Cmd{Args: []string{program}}, func(err error) bool { return err != nil }},
		{"canceled", ctx, agent.Cmd{Args: []string{program}, Dir: dir}, func(err error) bool {
			return errors.Is(err, context.Canceled)
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if err := agent.Run(tt.ctx, tt.cmd); !tt.want(err) {
				t.Errorf("Run = %v", err)
			}
		})
	}
}

// An agent ends when the context does; one that ignores SIGTERM is killed after
// the grace.
func TestRunCancel(t *testing.T) {
	t.Parallel()
	program := fakeAgent(t)
	for _, setting := range []string{"FAKEAGENT_DEAF=1", "FAKEAGENT_HEARS=1"} {
		t.Run(setting, func(t *testing.T) {
			t.Parallel()
			read, write, err := os.Pipe()
			if err != nil {
				t.Fatal(err)
			}
			in, hold, err := os.Pipe()
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _, _, _ = read.Close(), hold.Close(), in.Close() })
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			done := make(chan error, 1)
			go func() {
				done <- agent.Run(ctx, agent.Cmd{
					Args: []string{program}, Dir: t.TempDir(), Env: []string{setting, "FAKEAGENT_WAIT=1"},
					In: in, Out: write, Grace: 50 * time.Millisecond,
				})
				_ = write.Close()
			}()
			line := make([]byte, len("fakeagent waits\n"))
			if _, err := io.ReadFull(read, line); err != nil {
				t.Fatal(err)
			}
			cancel()
			if err := <-done; !errors.Is(err, context.Canceled) {
				t.Errorf("Run = %v, want a canceled context", err)
			}
		})
	}
}

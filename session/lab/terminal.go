package lab

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// Terminal is a program in a terminal of its own, kept by a tmux server of its
// own.
type Terminal struct {
	socket string
}

// Size of a Terminal in cells.
const (
	Columns = 120
	Rows    = 60
)

// Open starts args in dir with the environment env and nothing else. socket is a
// path for the tmux server, shorter than 100 bytes.
func Open(ctx context.Context, socket, dir string, env []string, args ...string) (*Terminal, error) {
	t := &Terminal{socket: socket}
	command := append([]string{"env", "-i"}, append(env, args...)...)
	start := append([]string{
		"new-session", "-d", "-x", fmt.Sprint(Columns), "-y", fmt.Sprint(Rows), "-c", dir, "--",
	}, command...)
	// The screen stays when the program ends, so that its last words can be read.
	keep := []string{"start-server", ";", "set-option", "-g", "remain-on-exit", "on", ";"}
	if _, err := t.tmux(ctx, append(keep, start...)...); err != nil {
		return nil, fmt.Errorf("open a terminal: %w", err)
	}
	return t, nil
}

// closeWait bounds the wait for the end of a program: the client writes for a
// while after its terminal is gone.
const closeWait = 10 * time.Second

// Close ends the program and the server, and waits for the program's end.
func (t *Terminal) Close() {
	ctx, cancel := context.WithTimeout(context.Background(), closeWait)
	defer cancel()
	out, _ := t.tmux(ctx, "display-message", "-p", "#{pane_pid}")
	_, _ = t.tmux(ctx, "kill-server")
	pid, err := strconv.Atoi(strings.TrimSpace(out))
	if err != nil {
		return // there was none
	}
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for syscall.Kill(pid, 0) == nil {
		select {
		case <-ctx.Done():
			_ = syscall.Kill(pid, syscall.SIGKILL)
			return
		case <-tick.C:
		}
	}
}

// Screen returns the text on the screen.
func (t *Terminal) Screen(ctx context.Context) (string, error) {
	return t.tmux(ctx, "capture-pane", "-p")
}

// Wait waits until ok is true of the screen.
func (t *Terminal) Wait(ctx context.Context, what string, ok func(screen string) bool) error {
	tick := time.NewTicker(30 * time.Millisecond)
	defer tick.Stop()
	last := ""
	for {
		screen, err := t.Screen(ctx)
		switch {
		case err == nil && ok(screen):
			return nil
		case ctx.Err() != nil:
			return fmt.Errorf("wait for %s: %w; the screen was:\n%s", what, context.Cause(ctx), last)
		case err != nil:
			return fmt.Errorf("wait for %s: %w", what, err)
		}
		last = screen
		select {
		case <-ctx.Done():
		case <-tick.C:
		}
	}
}

// See waits until the screen shows text.
func (t *Terminal) See(ctx context.Context, text string) error {
	return t.Wait(ctx, fmt.Sprintf("%q", text), func(screen string) bool { return strings.Contains(screen, text) })
}

// Ended waits for the end of the program and returns its exit status.
func (t *Terminal) Ended(ctx context.Context) (status string, err error) {
	ended := func(string) bool {
		out, err := t.tmux(ctx, "display-message", "-p", "#{pane_dead} #{pane_dead_status}")
		dead, code, _ := strings.Cut(strings.TrimSpace(out), " ")
		status = code
		return err == nil && dead == "1"
	}
	err = t.Wait(ctx, "the end of the program", ended)
	again := time.NewTicker(statusAgain)
	defer again.Stop()
	for late := time.Now().Add(statusWait); err == nil && status == "" && time.Now().Before(late); <-again.C {
		ended("") // tmux may learn the status after the terminal was closed
	}
	return status, err
}

// How long the status of a program that has ended is waited for: one that a signal
// ended has none.
const (
	statusAgain = 20 * time.Millisecond
	statusWait  = 2 * time.Second
)

// Keys presses keys by their tmux names.
func (t *Terminal) Keys(ctx context.Context, keys ...string) error {
	_, err := t.tmux(ctx, append([]string{"send-keys"}, keys...)...)
	return err
}

// Type types text and waits until the screen shows it: the client drops an Enter
// that comes with the text.
func (t *Terminal) Type(ctx context.Context, text string) error {
	if _, err := t.tmux(ctx, "send-keys", "-l", "--", text); err != nil {
		return err
	}
	return t.See(ctx, text)
}

// Enter types text and presses Enter.
func (t *Terminal) Enter(ctx context.Context, text string) error {
	if err := t.Type(ctx, text); err != nil {
		return err
	}
	return t.Keys(ctx, "Enter")
}

func (t *Terminal) tmux(ctx context.Context, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "tmux", append([]string{"-u", "-f", "/dev/null", "-S", t.socket}, args...)...)
	out, err := cmd.Output()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		err = fmt.Errorf("tmux %s: %w: %s", args[0], err, exit.Stderr)
	}
	return string(out), err
}

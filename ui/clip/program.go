package clip

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"slices"
	"strings"
	"time"
)

// Why a way was not taken.
var (
	errAbsent  = errors.New("neither the terminal nor a program takes it")
	errTooLong = fmt.Errorf("more than %d bytes are too many for a terminal, and no clipboard program took it", MaxTerminal)
)

// tmux hands s to the tmux that we run in, which keeps it as a buffer and sends
// it on to its own terminal.
func (c Copier) tmux(ctx context.Context, s string) (Result, error) {
	if c.env("TMUX") == "" {
		return Result{}, errAbsent
	}
	return Result{Way: Tmux}, c.run(ctx, s, "tmux", "load-buffer", "-w", "-")
}

// program hands s to the first clipboard program that takes it.
func (c Copier) program(ctx context.Context, s string) (Result, error) {
	err := errAbsent
	for _, argv := range c.programs() {
		e := c.run(ctx, s, argv[0], argv[1:]...)
		if e == nil {
			return Result{Way: Program, Name: argv[0]}, nil
		}
		if !errors.Is(e, errAbsent) {
			err = e
		}
	}
	return Result{}, err
}

// programs returns the commands that could work here, each reading its text from
// standard input.
func (c Copier) programs() [][]string {
	var list [][]string
	if c.env("WAYLAND_DISPLAY") != "" {
		list = append(list, []string{"wl-copy"})
	}
	if c.env("DISPLAY") != "" {
		list = append(list, []string{"xclip", "-selection", "clipboard"}, []string{"xsel", "--clipboard", "--input"})
	}
	return append(list, []string{"pbcopy"}, []string{"clip.exe"})
}

// run runs a program with s on its standard input; errAbsent when there is no such
// program. It does not wait for what the program leaves behind: clipboard programs
// go on in the background.
func (c Copier) run(ctx context.Context, s, name string, args ...string) error {
	look := c.LookPath
	if look == nil {
		look = exec.LookPath
	}
	path, err := look(name)
	if err != nil {
		return errAbsent
	}
	ctx, cancel := context.WithTimeout(ctx, Timeout)
	defer cancel()
	cmd := exec.CommandContext(ctx, path, args...)
	cmd.Env = c.Environ
	cmd.Stdin = strings.NewReader(s)
	cmd.WaitDelay = 100 * time.Millisecond
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("run %s: %w", name, err)
	}
	return nil
}

// deaf reports whether the terminal is known, or may well be, not to take a
// clipboard from a program: then a clipboard program is asked first.
func (c Copier) deaf() bool {
	return c.mute() || c.env("TERM_PROGRAM") == "Apple_Terminal" || c.env("VTE_VERSION") != "" || c.env("STY") != ""
}

// mute reports whether the terminal would show the sequence, or surely ignores it.
func (c Copier) mute() bool {
	term := c.env("TERM")
	return term == "linux" || term == "dumb" || strings.HasPrefix(term, "vt")
}

// env returns a variable of Environ, the last one of that name, or "".
func (c Copier) env(name string) string {
	for _, kv := range slices.Backward(c.Environ) {
		if k, v, ok := strings.Cut(kv, "="); ok && k == name {
			return v
		}
	}
	return ""
}

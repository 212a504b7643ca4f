package worktree

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"slices"
	"syscall"
	"time"
)

const (
	defaultTimeout = 10 * time.Second
	grace          = 2 * time.Second // between SIGTERM and SIGKILL
	maxStderr      = 4 << 10
	maxOutput      = 256 << 20
)

// Command is one run of the git program.
type Command struct {
	Dir     string    // where it runs, absolute
	Options []string  // of git itself, before the name of the command
	Args    []string  // beginning with that name
	Stdin   io.Reader // nothing when nil
	Stdout  io.Writer // what it prints is dropped when nil

	Network   bool // it may reach other repositories: file, git, http, https, ssh
	Unhurried bool // no time limit but that of the context
}

// Run runs the git program. It is the only place that starts it.
//
// A run is quiet: no optional locks (report E6), no terminal, no pager, no
// hook, no fsmonitor, no clean-up on the side (report E18), and without Network
// no transport by which a partial clone could fetch; it has a process group and
// session of its own. When the time is up the group gets SIGTERM, so that a git
// that holds a lock can drop it, and SIGKILL only after a grace.
//
// The error is ErrNoProgram, a *GitError, or wraps that of ctx, of the writer or
// of starting the program.
func (g Git) Run(ctx context.Context, c Command) error {
	if g.Program == "" {
		return ErrNoProgram
	}
	if !c.Unhurried {
		timeout := g.Timeout
		if timeout <= 0 {
			timeout = defaultTimeout
		}
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, timeout)
		defer cancel()
	}
	if c.Stdout == nil {
		c.Stdout = io.Discard
	}
	stderr := &head4k{}
	cmd := exec.CommandContext(ctx, g.Program, c.arguments()...)
	cmd.Env = g.environment(c.Network)
	cmd.Stdin = c.Stdin
	cmd.Stdout = &bounded{w: c.Stdout, left: maxOutput}
	cmd.Stderr = stderr
	stop := EndGently(cmd)
	err := cmd.Run()
	stop()

	var exit *exec.ExitError
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return fmt.Errorf("git %s in %s: %w", c.Args[0], c.Dir, ctx.Err())
	case errors.As(err, &exit):
		return &GitError{Args: c.Args, ExitCode: exit.ExitCode(), Stderr: string(stderr.kept)}
	}
	return fmt.Errorf("git %s in %s: %w", c.Args[0], c.Dir, err)
}

// run is Run for a question: it hands what git prints to out.
func (g Git) run(ctx context.Context, out io.Writer, dir string, options []string, args ...string) error {
	return g.Run(ctx, Command{Dir: dir, Options: options, Args: args, Stdout: out})
}

func (c Command) arguments() []string {
	return slices.Concat([]string{
		"--no-optional-locks", "--no-pager", "-C", c.Dir,
		"-c", "core.fsmonitor=false",
		"-c", "core.hooksPath=/dev/null",
		"-c", "gc.auto=0",
		"-c", "maintenance.auto=false",
	}, c.Options, c.Args)
}

func (g Git) environment(network bool) []string {
	env := append(CleanEnv(g.Env),
		"LC_ALL=C",
		"GIT_OPTIONAL_LOCKS=0",
		"GIT_TERMINAL_PROMPT=0",
	)
	if network {
		return append(env, "GIT_ALLOW_PROTOCOL=file:git:http:https:ssh") // no ext, which runs a program
	}
	return append(env,
		"GIT_NO_LAZY_FETCH=1",
		"GIT_ALLOW_PROTOCOL=none", // no transport has that name
	)
}

// EndGently makes the end of the command's context end its whole process group,
// softly first. The function that it returns ends the wait for that.
func EndGently(cmd *exec.Cmd) (stop func()) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	cmd.WaitDelay = grace + time.Second
	done := make(chan struct{})
	cmd.Cancel = func() error {
		group := -cmd.Process.Pid
		time.AfterFunc(grace, func() {
			select {
			case <-done:
			default:
				_ = syscall.Kill(group, syscall.SIGKILL)
			}
		})
		return syscall.Kill(group, syscall.SIGTERM)
	}
	return func() { close(done) }
}

// bounded passes on what is written to it until there was too much.
type bounded struct {
	w    io.Writer
	left int64
}

func (b *bounded) Write(p []byte) (int, error) {
	b.left -= int64(len(p))
	if b.left < 0 {
		return 0, errTooLarge
	}
	return b.w.Write(p)
}

// head4k keeps the beginning of what is written to it. The buffer is no part of
// its methods: io.Copy would use its ReadFrom, which knows no limit.
type head4k struct{ kept []byte }

func (h *head4k) Write(p []byte) (int, error) {
	room := max(maxStderr-len(h.kept), 0)
	h.kept = append(h.kept, p[:min(room, len(p))]...)
	return len(p), nil
}

// records splits what is written to it at a byte and hands on each piece
// without that byte. A piece is only valid during the call.
type records struct {
	end  byte
	each func(record []byte)
	rest []byte
}

// maxRecord bounds one record, in bytes; paths are shorter on every system.
const maxRecord = 1 << 20

func (r *records) Write(p []byte) (int, error) {
	r.rest = append(r.rest, p...)
	from := 0
	for {
		i := bytes.IndexByte(r.rest[from:], r.end)
		if i < 0 {
			break
		}
		r.each(r.rest[from : from+i])
		from += i + 1
	}
	r.rest = append(r.rest[:0], r.rest[from:]...)
	if len(r.rest) > maxRecord {
		return 0, errTooLarge
	}
	return len(p), nil
}

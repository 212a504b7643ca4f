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

// run runs the git program in dir, an absolute path, and hands what it prints
// to out. Options are those of git itself, before the name of the command; args
// begin with that name. It is the only place that starts git.
//
// A run is read-only and quiet: no optional locks (report E6), no terminal, no
// pager, no hook, no fsmonitor, no transport by which a partial clone could
// fetch; it has a process group and session of its own. When the time is up the
// group gets SIGTERM, so that a git that holds a lock can drop it, and SIGKILL
// only after a grace.
//
// The error is ErrNoProgram, a *GitError, or wraps that of ctx, of out or of
// starting the program.
func (g Git) run(ctx context.Context, out io.Writer, dir string, options []string, args ...string) error {
	if g.Program == "" {
		return ErrNoProgram
	}
	timeout := g.Timeout
	if timeout <= 0 {
		timeout = defaultTimeout
	}
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()

	stderr := &head4k{}
	cmd := exec.CommandContext(ctx, g.Program, arguments(dir, options, args)...)
	cmd.Env = g.environment()
	cmd.Stdout = &bounded{w: out, left: maxOutput}
	cmd.Stderr = stderr
	stop := endGently(cmd)
	err := cmd.Run()
	stop()

	var exit *exec.ExitError
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return fmt.Errorf("git %s in %s: %w", args[0], dir, ctx.Err())
	case errors.As(err, &exit):
		return &GitError{Args: args, ExitCode: exit.ExitCode(), Stderr: string(stderr.kept)}
	}
	return fmt.Errorf("git %s in %s: %w", args[0], dir, err)
}

func arguments(dir string, options, args []string) []string {
	return slices.Concat([]string{
		"--no-optional-locks", "--no-pager", "-C", dir,
		"-c", "core.fsmonitor=false",
		"-c", "core.hooksPath=/dev/null",
	}, options, args)
}

func (g Git) environment() []string {
	return append(CleanEnv(g.Env),
		"LC_ALL=C",
		"GIT_OPTIONAL_LOCKS=0",
		"GIT_TERMINAL_PROMPT=0",
		"GIT_NO_LAZY_FETCH=1",
		"GIT_ALLOW_PROTOCOL=none", // no transport has that name
	)
}

// endGently makes the end of the command's context end its whole process group,
// softly first. The function that it returns ends the wait for that.
func endGently(cmd *exec.Cmd) (stop func()) {
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

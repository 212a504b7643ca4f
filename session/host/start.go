package host

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
)

// Start starts a host: the given program, which is to call Run, in a session (in
// the sense of the system) of its own. It returns when the agent runs, or with the
// reason why not: an error that matches ErrLive, ErrRuntime or one of pty's, or
// what the host said. The host is on its own then. If ctx ends first, so does the
// host.
func Start(ctx context.Context, d Dirs, program []string, spec Spec) (Info, error) {
	if err := spec.check(); err != nil {
		return Info{}, fmt.Errorf("start host: %w", err)
	}
	if err := d.Usable(); err != nil {
		return Info{}, fmt.Errorf("start host: %w", err)
	}
	d.prune()
	data, err := json.Marshal(spec)
	if err != nil {
		return Info{}, fmt.Errorf("start host: %w", err)
	}
	log, err := os.OpenFile(d.log(spec.Host), os.O_WRONLY|os.O_CREATE|os.O_TRUNC|os.O_APPEND|syscall.O_NOFOLLOW, 0o600)
	if err != nil {
		return Info{}, fmt.Errorf("start host: %w", err)
	}
	defer func() { _ = log.Close() }()
	answers, out, err := os.Pipe()
	if err != nil {
		return Info{}, fmt.Errorf("start host: %w", err)
	}
	defer func() { _ = answers.Close() }()
	cmd := exec.Command(program[0], program[1:]...)
	cmd.Dir = "/" // it holds no file system
	cmd.Stdout, cmd.Stderr = out, log
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	in, err := cmd.StdinPipe()
	if err == nil {
		err = cmd.Start()
	}
	_ = out.Close()
	if err != nil {
		return Info{}, fmt.Errorf("start host: %w", err)
	}
	var burying sync.WaitGroup
	burying.Go(func() { _ = cmd.Wait() }) // for as long as it runs, if this process does
	defer context.AfterFunc(ctx, func() {
		_ = cmd.Process.Signal(syscall.SIGTERM)
		_ = in.Close()
		_ = answers.Close()
	})()
	_, _ = in.Write(data) // one that does not read it says why, or ends
	_ = in.Close()
	info, err := d.readAnswer(answers, spec)
	if ctx.Err() != nil {
		err = ctx.Err()
	}
	if err != nil {
		return info, fmt.Errorf("start host: %w", err)
	}
	return info, nil
}

// startError is what a host said, and what it is.
type startError struct {
	text string
	is   error
}

func (e *startError) Error() string { return e.text }

func (e *startError) Unwrap() error { return e.is }

// readAnswer reads what a host says of its start.
func (d Dirs) readAnswer(from io.Reader, spec Spec) (Info, error) {
	const limit = 1 << 20
	var a answer
	err := json.NewDecoder(io.LimitReader(from, limit)).Decode(&a)
	switch {
	case err != nil:
		return Info{}, fmt.Errorf("it ended before it was ready: %s", d.lastWords(spec.Host))
	case a.Error == "":
		return a.Info, nil
	case a.Kind == "live":
		return Info{}, &LiveError{Session: spec.Session, Host: a.Held}
	}
	return Info{}, &startError{a.Error, kinds()[a.Kind]}
}

// lastWords returns what a host wrote to its log, in one line. Of a long log that
// is the beginning: what follows a panic tells where, not what.
func (d Dirs) lastWords(id string) string {
	const limit = 300
	data, _ := os.ReadFile(d.log(id))
	if words := strings.Join(strings.Fields(strings.ToValidUTF8(string(data[:min(len(data), limit)]), "")), " "); words != "" {
		return words
	}
	return "it said nothing"
}

package forge

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"time"

	"coppice/worktree"
)

// Request is a pull or merge request.
type Request struct {
	Number int
	Branch string // that is to be merged; foreign text, as all of it
	Title  string
	URL    string
	State  State
	Checks Checks
}

// State says what became of a request.
type State string

// The states of a request.
const (
	Open   State = "open"
	Draft  State = "draft"
	Merged State = "merged"
	Closed State = "closed"
)

// Checks says how the checks of a request stand.
type Checks string

// The results of checks.
const (
	Unknown Checks = ""
	Passing Checks = "passing"
	Failing Checks = "failing"
	Running Checks = "running"
)

// ErrNowhere is returned for a repository that no program can be asked about: it
// has no remote called origin at a known kind of place, or the program is not
// there.
var ErrNowhere = errors.New("nobody to ask about pull requests")

const (
	timeLimit = 15 * time.Second
	maxAnswer = 8 << 20 // bytes
	maxKept   = 4 << 10 // of what a program complains
	asked     = "50"    // requests, the newest
)

// Asker asks. It is safe for concurrent use.
type Asker struct {
	Git      worktree.Git
	LookPath func(string) (string, error)
}

// Ask returns the requests of a repository, one for each branch: the one that is
// open, else the newest. It ends within a quarter of a minute.
//
// The error is ErrNowhere, that of ctx, or says what the program complained, which
// is foreign text.
func (a Asker) Ask(ctx context.Context, repository string) (map[string]Request, error) {
	ctx, cancel := context.WithTimeout(ctx, timeLimit)
	defer cancel()
	var remote bytes.Buffer
	err := a.Git.Run(ctx, worktree.Command{Dir: repository, Args: []string{"remote", "get-url", "--", "origin"}, Stdout: &remote})
	if failed := (*worktree.GitError)(nil); errors.As(err, &failed) {
		return nil, ErrNowhere
	} else if err != nil {
		return nil, err
	}
	at, ok := parse(strings.TrimSpace(remote.String()))
	if !ok {
		return nil, ErrNowhere
	}
	err = ErrNowhere
	for _, kind := range kindsOf(at) {
		program, errPath := a.LookPath(kind.program)
		if errPath != nil {
			continue
		}
		var found []Request
		if found, err = kind.list(ctx, a.runner(program), at); err == nil {
			return byBranch(found), nil
		}
	}
	return nil, err
}

// kind is a kind of place, and the program that asks there.
type kind struct {
	program string
	list    func(ctx context.Context, run runner, at address) ([]Request, error)
}

// kindsOf returns what an address can be, by its name where that tells.
func kindsOf(at address) []kind {
	hub, lab := kind{"gh", listHub}, kind{"glab", listLab}
	several := strings.Count(at.path, "/") > 1
	switch {
	case strings.Contains(at.host, "github") && !several:
		return []kind{hub}
	case strings.Contains(at.host, "gitlab") || several:
		return []kind{lab}
	}
	return []kind{hub, lab}
}

// runner runs a program and returns what it prints.
type runner func(ctx context.Context, args ...string) ([]byte, error)

// runner returns one without a terminal, a question, a repository or an end that
// is late.
func (a Asker) runner(program string) runner {
	return func(ctx context.Context, args ...string) ([]byte, error) {
		cmd := exec.CommandContext(ctx, program, args...)
		cmd.Dir = "/"
		cmd.Env = append(worktree.CleanEnv(a.Git.Env), "GH_PROMPT_DISABLED=1", "GH_NO_UPDATE_NOTIFIER=1", "GH_FORCE_TTY=",
			"GLAB_CHECK_UPDATE=false", "NO_PROMPT=1", "NO_COLOR=1", "CLICOLOR_FORCE=0")
		out, complaint := &limited{left: maxAnswer}, &limited{left: maxKept, drop: true}
		cmd.Stdout, cmd.Stderr = out, complaint
		stop := worktree.EndGently(cmd)
		err := cmd.Run()
		stop()
		switch {
		case ctx.Err() != nil:
			return nil, fmt.Errorf("%s: %w", args[0], ctx.Err())
		case err != nil:
			said, _, _ := strings.Cut(strings.TrimSpace(complaint.kept.String()), "\n")
			return nil, fmt.Errorf("%s: %w: %s", program, err, said)
		}
		return out.kept.Bytes(), nil
	}
}

// limited keeps what is written to it, up to so many bytes; more is an error, or
// dropped. The buffer is no part of its methods: io.Copy would use its ReadFrom,
// which knows no limit.
type limited struct {
	kept bytes.Buffer
	left int
	drop bool
}

func (l *limited) Write(p []byte) (int, error) {
	n := len(p)
	if n > l.left && !l.drop {
		return 0, errors.New("the answer is too large")
	}
	p = p[:min(n, l.left)]
	l.left -= len(p)
	_, _ = l.kept.Write(p)
	return n, nil
}

// byBranch keeps one request for each branch.
func byBranch(all []Request) map[string]Request {
	out := map[string]Request{}
	for _, r := range all {
		if r.Branch == "" || r.Number < 1 {
			continue
		}
		if old, ok := out[r.Branch]; !ok || r.pending() && !old.pending() || r.pending() == old.pending() && r.Number > old.Number {
			out[r.Branch] = r
		}
	}
	return out
}

// pending reports whether a request still waits to be merged.
func (r Request) pending() bool { return r.State == Open || r.State == Draft }

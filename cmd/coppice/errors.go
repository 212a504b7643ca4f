package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"coppice/session"
	"coppice/session/trash"
	"coppice/ui/text"
	"coppice/worktree/change"
)

// The exit codes.
const (
	exitDone      = 0
	exitFailed    = 1
	exitUsage     = 2
	exitNotFound  = 3
	exitAmbiguous = 4
)

// usageError says that the command line itself is wrong.
type usageError struct{ err error }

func (e usageError) Error() string { return e.err.Error() }
func (e usageError) Unwrap() error { return e.err }

// usagef returns a usageError.
func usagef(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }

// silentError carries an exit code for a failure that was already told.
type silentError struct{ code int }

func (e silentError) Error() string { return fmt.Sprintf("exit code %d", e.code) }

// exitCode is the one place that turns an error into an exit code.
func exitCode(err error) int {
	var usage usageError
	var silent silentError
	var ambiguous *session.AmbiguousError
	switch {
	case err == nil:
		return exitDone
	case errors.As(err, &silent):
		return silent.code
	case errors.As(err, &usage), errors.Is(err, change.ErrName):
		return exitUsage
	case errors.Is(err, session.ErrNotFound), errors.Is(err, trash.ErrNotFound), errors.Is(err, errNoTree), errors.Is(err, change.ErrNothing):
		return exitNotFound
	case errors.As(err, &ambiguous), errors.Is(err, errManyTrees):
		return exitAmbiguous
	}
	return exitFailed
}

// report tells err on standard error.
func (a *app) report(err error) {
	var silent silentError
	if err == nil || errors.As(err, &silent) {
		return
	}
	var ambiguous *session.AmbiguousError
	if errors.As(err, &ambiguous) {
		a.tellCandidates(ambiguous)
		return
	}
	if errors.Is(err, context.Canceled) {
		err = errors.New("interrupted")
	}
	for line := range strings.SplitSeq(strings.TrimRight(err.Error(), "\n"), "\n") {
		a.warnf("%s", line)
	}
}

// warnf prints one line on standard error.
func (a *app) warnf(format string, args ...any) {
	line := a.ascii(text.Clean(fmt.Sprintf(format, args...)))
	// Nobody is left to be told when standard error fails.
	_, _ = fmt.Fprintln(a.env.Stderr, "coppice: "+line)
}

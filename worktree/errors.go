package worktree

import (
	"errors"
	"fmt"
	"strings"
)

// ErrNotRepository is returned for a directory outside any repository.
var ErrNotRepository = errors.New("not a git repository")

// ErrNoProgram is returned where the git program is needed and none is to be had.
var ErrNoProgram = errors.New("the git program is needed and none was found")

// errNotRegular is returned for a FIFO, a device or a directory where git keeps
// a file; it is not opened, because that could block for ever.
var errNotRegular = errors.New("not a regular file")

// errTooLarge is returned for a file that is larger than git ever makes it.
var errTooLarge = errors.New("file too large")

// GitError is a run of the git program that did not end well.
type GitError struct {
	Args     []string // what it was asked, without the settings that are always there
	ExitCode int      // -1 when a signal ended it
	Stderr   string   // at most 4 KB of what it said, foreign text
}

// Error gives the command and the line in which git names the cause.
func (e *GitError) Error() string {
	said := e.said()
	if said == "" {
		return fmt.Sprintf("git %s: exit code %d", e.name(), e.ExitCode)
	}
	return fmt.Sprintf("git %s: %s", e.name(), said)
}

func (e *GitError) name() string {
	if len(e.Args) == 0 {
		return ""
	}
	return e.Args[0]
}

// said returns the first line that git marks as the reason, else the first.
func (e *GitError) said() string {
	lines := strings.Split(strings.TrimSpace(e.Stderr), "\n")
	for _, line := range lines {
		for _, mark := range []string{"fatal: ", "error: "} {
			if text, ok := strings.CutPrefix(line, mark); ok {
				return clip(text)
			}
		}
	}
	return clip(lines[0])
}

// clip shortens foreign text to what fits on a line of explanation.
func clip(s string) string {
	const limit = 200
	s = strings.TrimSpace(strings.ToValidUTF8(s, "\uFFFD"))
	if runes := []rune(s); len(runes) > limit {
		return string(runes[:limit]) + "…"
	}
	return s
}

package session

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"coppice/transcript"
	"coppice/worktree"
)

// ErrNotFound is returned when no session has the id or name, or no known
// transcript the path.
var ErrNotFound = errors.New("no such session")

// prefixMin is the number of characters from which on the beginning of an id
// stands for it.
const prefixMin = 8

// AmbiguousError says that a value stands for several sessions.
type AmbiguousError struct {
	Value      string
	Candidates []Session // in the order of the list that was searched
}

func (e *AmbiguousError) Error() string {
	const shown = 5
	var list strings.Builder
	for i, s := range e.Candidates {
		if i == shown {
			fmt.Fprintf(&list, ", and %d more", len(e.Candidates)-shown)
			break
		}
		if i > 0 {
			list.WriteString(", ")
		}
		list.WriteString(s.ID)
	}
	return fmt.Sprintf("%q stands for %d sessions, name one by its id: %s", e.Value, len(e.Candidates), list.String())
}

// Resolve returns the session that a person means by value (DESIGN "Command
// line"): an id in any case, the path of a transcript, the beginning of an id of
// at least 8 characters, or an exact custom or generated title, where letter
// case and Unicode form do not count. A value that is an id is never a title
// (observed C). The errors are ErrNotFound and *AmbiguousError; nothing is ever
// chosen because it is the newest (report C13).
func Resolve(sessions []Session, value string) (Session, error) {
	value = strings.TrimSpace(value)
	var match func(Session) bool
	switch {
	case value == "":
		return Session{}, fmt.Errorf("an empty name: %w", ErrNotFound)
	case transcript.IsID(value):
		match = func(s Session) bool { return strings.EqualFold(s.ID, value) }
	case strings.HasSuffix(value, ".jsonl") && strings.ContainsRune(value, filepath.Separator):
		return resolvePath(sessions, value)
	default:
		match = func(s Session) bool {
			return len(value) >= prefixMin && hasPrefixFold(s.ID, value) || s.Named() && sameTitle(s.Title, value)
		}
	}
	var found []Session
	for _, s := range sessions {
		if match(s) {
			found = append(found, s)
		}
	}
	if len(found) == 0 && strings.HasSuffix(value, ".jsonl") {
		return resolvePath(sessions, value)
	}
	return only(found, value)
}

// only returns the one session found.
func only(found []Session, value string) (Session, error) {
	switch len(found) {
	case 0:
		return Session{}, fmt.Errorf("%q is no id, no beginning of one of %d characters or more, and no exact name: %w",
			value, prefixMin, ErrNotFound)
	case 1:
		return found[0], nil
	}
	return Session{}, &AmbiguousError{Value: value, Candidates: found}
}

// resolvePath finds the session whose transcript in use lies at path, by whatever
// name: the config root may be a symlink.
func resolvePath(sessions []Session, path string) (Session, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return Session{}, fmt.Errorf("resolve %s: %w", path, err)
	}
	for _, s := range sessions {
		if worktree.SamePath(s.Path, abs) {
			return s, nil
		}
		if slices.ContainsFunc(s.Copies, func(c Copy) bool { return worktree.SamePath(c.Path, abs) }) {
			return Session{}, fmt.Errorf("%s is a copy that is not in use, the session's transcript is %s: %w", path, s.Path, ErrNotFound)
		}
	}
	return Session{}, fmt.Errorf("%s is no transcript under the config root: %w", path, ErrNotFound)
}

// SameName returns the sessions whose name is name, other than the one with the
// id except. Names need not be unique, but one that is not cannot be resumed by
// (report C3).
func SameName(sessions []Session, name, except string) []Session {
	var found []Session
	for _, s := range sessions {
		if s.ID != except && s.Named() && sameTitle(s.Title, name) {
			found = append(found, s)
		}
	}
	return found
}

// UniqueName returns name, or "name (2)", "name (3)"… when sessions have that
// name already (report C3). The result is at most 200 characters long, as the
// client allows (observed J).
func UniqueName(sessions []Session, name string) string {
	name = cutRunes(name, titleMax)
	unique := name
	for n := 2; len(SameName(sessions, unique, "")) > 0; n++ {
		suffix := fmt.Sprintf(" (%d)", n)
		unique = strings.TrimSpace(cutRunes(name, titleMax-len(suffix))) + suffix
	}
	return unique
}

// Named reports whether the title of s is one that a session can be called by.
func (s Session) Named() bool {
	return s.TitleSource == TitleCustom || s.TitleSource == TitleSidecar || s.TitleSource == TitleAI
}

// sameTitle compares titles as a person does.
func sameTitle(a, b string) bool {
	fold := func(s string) string { return norm.NFC.String(strings.Join(strings.Fields(s), " ")) }
	return strings.EqualFold(fold(a), fold(b))
}

func hasPrefixFold(s, prefix string) bool {
	return len(s) >= len(prefix) && strings.EqualFold(s[:len(prefix)], prefix)
}

// cutRunes returns the first n characters of s.
func cutRunes(s string, n int) string {
	if utf8.RuneCountInString(s) <= n {
		return s
	}
	return string([]rune(s)[:n])
}

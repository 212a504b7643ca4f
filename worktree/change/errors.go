package change

import (
	"errors"
	"fmt"
	"strings"
)

var (
	// ErrName is returned for a name that no worktree or branch can have.
	ErrName = errors.New("unusable name")

	// ErrExists is returned where something is there already; it is never reused
	// or replaced (report E16).
	ErrExists = errors.New("already there")

	// ErrPlace is returned for a path at which no worktree may be made.
	ErrPlace = errors.New("no place for a worktree")

	// ErrInUse is returned for a branch that another worktree has checked out.
	ErrInUse = errors.New("checked out elsewhere")

	// ErrNothing is returned where what a worktree should be made from is not in
	// the repository.
	ErrNothing = errors.New("not in the repository")

	// ErrLosses is returned where a removal would lose something.
	ErrLosses = errors.New("something would be lost")

	// ErrLocked is returned for a worktree that somebody else locked.
	ErrLocked = errors.New("locked by somebody else")

	// ErrNoWorktree is returned for a path that is no linked worktree of the
	// repository: the main checkout is none.
	ErrNoWorktree = errors.New("no linked worktree")

	// ErrDiffers is returned where changes cannot be carried as they are: the two
	// checkouts are at different commits, or the receiving one has changes itself.
	ErrDiffers = errors.New("the two checkouts do not fit")

	// ErrDirty is returned where a checkout holds what another branch in it could
	// lose or would carry along.
	ErrDirty = errors.New("not clean")

	// ErrChanged is returned where a checkout was written to while it was copied.
	ErrChanged = errors.New("changed meanwhile")
)

// InUseError names the worktree that has a branch checked out, so that a person
// can go there (report E22). It is an ErrInUse.
type InUseError struct {
	Branch string // short name
	Path   string // of the worktree
}

func (e *InUseError) Error() string {
	return fmt.Sprintf("branch %q: %v: go to %s instead", e.Branch, ErrInUse, e.Path)
}

// Unwrap returns ErrInUse.
func (e *InUseError) Unwrap() error { return ErrInUse }

// LossError says what a removal would lose. It is an ErrLosses.
type LossError struct{ Losses Losses }

func (e *LossError) Error() string {
	return fmt.Sprintf("remove %s: %v: %s", e.Losses.Path, ErrLosses, strings.Join(e.Losses.Summary(), "; "))
}

// Unwrap returns ErrLosses.
func (e *LossError) Unwrap() error { return ErrLosses }

// LeftError is a failure whose traces could not all be undone.
type LeftError struct {
	Err  error    // what failed
	Left []string // what is left, each with its place and why
}

func (e *LeftError) Error() string {
	return fmt.Sprintf("%v; left behind: %s", e.Err, strings.Join(e.Left, "; "))
}

// Unwrap returns what failed.
func (e *LeftError) Unwrap() error { return e.Err }

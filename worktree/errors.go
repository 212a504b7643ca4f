package worktree

import "errors"

// ErrNotRepository is returned for a directory outside any repository.
var ErrNotRepository = errors.New("not a git repository")

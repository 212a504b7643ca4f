package worktree

import (
	"context"
	"time"
)

// Git reads repositories. It holds no state but its settings: safe for
// concurrent use.
type Git struct {
	Program string        // the git program; "" means none is to be had
	Env     []string      // environment for it, already scrubbed by CleanEnv
	Timeout time.Duration // for one run of the program
}

// Locate says where dir lies, by reading files only: no program is run and a
// missing directory is an answer (the nearest existing parent decides).
func Locate(dir string) Place { return Place{Dir: dir} }

// Open reads the repository that dir belongs to. The error is not nil only when
// dir belongs to none (ErrNotRepository) or ctx ended.
func (g Git) Open(ctx context.Context, dir string) (Repository, error) {
	return Repository{}, ErrNotRepository
}

// Status reads the state of one checkout with the git program.
func (g Git) Status(ctx context.Context, path string) Status { return Status{Path: path} }

// Find walks roots for repositories, at most depth directories deep, skipping
// excluded paths, and calls found once for each common directory.
func Find(ctx context.Context, roots, exclude []string, depth int, found func(dir string)) error {
	return nil
}

// CleanEnv returns env without the variables that make git look elsewhere
// (GIT_DIR, GIT_WORK_TREE, GIT_INDEX_FILE, GIT_CONFIG_*, …; report E7). The
// launched agent gets it too.
func CleanEnv(env []string) []string { return env }

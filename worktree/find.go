package worktree

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Find walks roots for repositories, at most depth directories deep (a root
// itself is at depth 0), skipping excluded paths, and calls found once for each
// common directory, with the first directory of it that was met: a checkout, or
// a bare repository.
//
// It does not look inside a repository, so nested ones and submodules are not
// found; nor in hidden directories and those that hold installed or built
// things (node_modules…), unless one is a root. A symlink to a directory is
// looked at, but not walked: what it leads to counts when it is a repository
// itself. Unreadable and missing directories are skipped. Paths are absolute.
// The error is that of ctx.
func Find(ctx context.Context, roots, exclude []string, depth int, found func(dir string)) error {
	f := finder{exclude: map[string]bool{}, seen: map[string]bool{}, found: found}
	for _, path := range exclude {
		f.exclude[filepath.Clean(path)] = true
		if resolved, err := filepath.EvalSymlinks(path); err == nil {
			f.exclude[resolved] = true
		}
	}
	for _, root := range roots {
		if resolved, err := filepath.EvalSymlinks(root); err == nil && filepath.IsAbs(resolved) {
			if err := f.walk(ctx, resolved, depth); err != nil {
				return err
			}
		}
	}
	return ctx.Err()
}

type finder struct {
	exclude map[string]bool
	seen    map[string]bool // common directories
	found   func(string)
}

// walk looks at dir and, when it is no repository, at what is in it.
func (f *finder) walk(ctx context.Context, dir string, depth int) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if f.exclude[dir] || f.offer(dir) || depth <= 0 {
		return nil
	}
	entries, err := os.ReadDir(dir)
	if err != nil && len(entries) == 0 {
		return nil
	}
	for _, entry := range entries {
		path := filepath.Join(dir, entry.Name())
		switch {
		case strings.HasPrefix(entry.Name(), ".") || slices.Contains(heavy(), entry.Name()):
		case entry.IsDir():
			if err := f.walk(ctx, path, depth-1); err != nil {
				return err
			}
		case entry.Type()&fs.ModeSymlink != 0:
			if resolved, err := filepath.EvalSymlinks(path); err == nil && !f.exclude[path] && !f.exclude[resolved] {
				f.offer(resolved)
			}
		}
	}
	return nil
}

// offer reports dir when it is the top of a checkout or a bare repository not
// reported yet, and says whether it is one.
func (f *finder) offer(dir string) bool {
	s, ok, err := look(dir)
	if errors.Is(err, fs.ErrPermission) || !ok {
		return false
	}
	if s.common != "" && !f.seen[s.common] {
		f.seen[s.common] = true
		f.found(dir)
	}
	return true
}

// heavy lists directories that hold no work of a person but many files. Those
// that only ever lie inside a repository need not be named.
func heavy() []string {
	return []string{"node_modules", "__pycache__", "venv", "site-packages", "Library"}
}

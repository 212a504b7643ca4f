package worktree

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// maxAdmins bounds how many registered worktrees of one repository are read.
const maxAdmins = 4096

// admin is one registered worktree: a directory under <common>/worktrees.
type admin struct {
	name string
	dir  string
	path string // of the checkout, as registered; "" when that cannot be read
}

// admins reads the register of a repository. A repository without linked
// worktrees has none. The error says that the list is not whole.
func admins(common string) ([]admin, error) {
	holder, err := os.Open(filepath.Join(common, "worktrees"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer func() { _ = holder.Close() }()
	names, err := holder.Readdirnames(maxAdmins)
	list := make([]admin, 0, len(names))
	for _, name := range names {
		if dir := filepath.Join(common, "worktrees", name); isDir(dir) {
			a, _ := readAdmin(dir)
			list = append(list, a)
		}
	}
	if len(names) == maxAdmins {
		return list, errTooMany
	}
	return list, err
}

// errTooMany says that a register is longer than maxAdmins.
var errTooMany = errors.New("more worktrees than can be listed")

// readAdmin reads where an entry of the register says that its checkout is:
// the path of a .git file, absolute or (git 2.48) relative to the entry.
func readAdmin(dir string) (admin, error) {
	a := admin{name: filepath.Base(dir), dir: dir}
	line, err := readLine(filepath.Join(dir, "gitdir"))
	if err == nil && line == "" {
		err = errors.New("gitdir names no path")
	}
	if err != nil {
		return a, fmt.Errorf("read worktree %s: %w", a.name, err)
	}
	a.path = strings.TrimSuffix(from(dir, line), "/.git")
	return a, nil
}

// state says whether a registered worktree and its directory find each other,
// and in one line why not.
func (a admin) state() (State, string) {
	if a.path == "" {
		return Unknown, "its entry in the repository cannot be read"
	}
	switch info, err := os.Stat(a.path); {
	case errors.Is(err, fs.ErrPermission):
		return Unknown, "no permission to look at its directory"
	case err != nil, !info.IsDir():
		return Missing, "its directory is gone"
	}
	file := filepath.Join(a.path, ".git")
	if _, err := os.Stat(file); errors.Is(err, fs.ErrPermission) {
		return Unknown, "no permission to look at its directory"
	}
	target, ok := pointer(file)
	switch {
	case ok && SamePath(target, a.dir):
		return Present, ""
	case ok && !exists(target):
		return Moved, "the repository was moved: run `git worktree repair` in it"
	case ok:
		return Prunable, "its directory belongs to another worktree now"
	}
	return Prunable, "its directory is no worktree any more: it has no .git file"
}

// lock says whether the worktree is locked and why: the first line of the
// reason, foreign text of at most 200 characters. Claude Code locks the
// worktrees that it makes (observed D).
func (a admin) lock() (locked bool, reason string) {
	file := filepath.Join(a.dir, "locked")
	if !exists(file) {
		return false, ""
	}
	text, _ := readLine(file)
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return true, clip(line)
}

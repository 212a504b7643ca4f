package worktree

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// spot is what git finds at one directory on its way up.
type spot struct {
	root   string // the checkout, "" in a bare repository
	git    string // its git directory, or where its .git file points in vain
	common string // "" when it cannot be told
	state  State  // Present, Bare, Moved, Unknown, or Plain for nothing at all
}

// climb walks from dir to the root of the file system, as git does, and stops
// at the first repository. clear is false when a directory on the way could not
// be looked at: git would stop there too, we can only guess.
func climb(dir string) (found spot, clear bool) {
	clear = true
	var lost spot // a checkout whose .git file leads nowhere
	for {
		s, ok, err := look(dir)
		if errors.Is(err, fs.ErrPermission) {
			clear = false
		}
		switch {
		case ok && lost.root != "":
			if registers(s.common, lost) {
				lost.common = s.common
			}
			return lost, clear
		case ok && s.state == Moved && s.common == "":
			lost = s
		case ok:
			return s, clear
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			break
		}
		dir = parent
	}
	if lost.root != "" {
		return lost, clear
	}
	return spot{state: Plain}, clear
}

// registers reports whether a repository has an entry for a checkout that lost
// its way: both were moved together (report E17).
func registers(common string, lost spot) bool {
	if common == "" {
		return false
	}
	a, err := readAdmin(filepath.Join(common, "worktrees", filepath.Base(lost.git)))
	return err == nil && filepath.Base(a.path) == filepath.Base(lost.root)
}

// look asks whether dir is the top of a checkout or a bare repository.
func look(dir string) (spot, bool, error) {
	file := filepath.Join(dir, ".git")
	info, err := os.Stat(file)
	switch {
	case err != nil:
	case info.IsDir():
		if c, ok := common(file); ok {
			return checkout(dir, file, c), true, nil
		}
		_, err = os.Lstat(filepath.Join(file, "HEAD")) // it may be one that is closed to us
	case info.Mode().IsRegular():
		return follow(dir, file), true, nil
	}
	if c, ok := common(dir); ok {
		return spot{git: dir, common: c, state: Bare}, true, nil
	}
	return spot{}, false, err
}

// checkout is the main checkout, or the root of a .bare layout, which is none
// (report E11).
func checkout(dir, git, common string) spot {
	if bare(common) {
		return spot{git: git, common: common, state: Bare}
	}
	return spot{root: dir, git: git, common: common, state: Present}
}

// follow goes where the .git file of dir points: to an entry among a
// repository's worktrees, to a submodule's repository, to a .bare directory, or
// nowhere.
func follow(dir, file string) spot {
	target, ok := pointer(file)
	if !ok {
		return spot{root: dir, state: Unknown}
	}
	c, ok := common(target)
	switch {
	case !ok:
		return spot{root: dir, git: target, common: owner(target), state: Moved}
	case !linked(target):
		return checkout(dir, target, c)
	}
	s := spot{root: dir, git: target, common: c, state: Present}
	if a, err := readAdmin(target); err != nil || !SamePath(filepath.Join(a.path, ".git"), file) {
		s.state = Moved
	}
	return s
}

// owner returns the repository that an entry among worktrees belonged to, when
// only the entry is gone.
func owner(entry string) string {
	holder := filepath.Dir(entry)
	if filepath.Base(holder) != "worktrees" {
		return ""
	}
	c, _ := common(filepath.Dir(holder))
	return c
}

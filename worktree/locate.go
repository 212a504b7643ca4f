package worktree

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Locate says where dir, an absolute path, lies, by reading files only: no
// program is run and a missing directory is an answer (the nearest existing
// parent decides). It asks what git would find from there, by git's own rules,
// and beyond that whether the directory is, was or only looks like a worktree:
//
//   - Present: inside a checkout; with Exists false, a directory in it is gone
//   - Bare: inside a repository but in no checkout; Root is ""
//   - Ghost: among worktrees, but none itself: git there finds the repository
//     around it (report E15); Root is the directory that looks like a worktree
//   - Missing, Prunable: registered in the repository around it; Root is the
//     registered path (report B18)
//   - Gone: does not exist; CommonDir is known when it lay in a repository
//   - Moved: its .git file leads nowhere, or to an entry that names another
//     place; CommonDir is "" when the repository cannot be told (report E17)
//   - Plain: exists, in no repository (report B22)
//   - Unknown: not absolute, unreadable, or with a .git file that is none
//
// A worktree whose parent directory is no part of the repository cannot be
// told once it is gone: the state is Gone, and only Open knows that its
// registration is still there.
func Locate(dir string) Place {
	p := Place{Dir: filepath.Clean(dir), Resolved: filepath.Clean(dir), State: Unknown}
	if !filepath.IsAbs(dir) {
		return p
	}
	base, readable := p.resolve()
	found, clear := climb(base)
	p.CommonDir, p.Root, p.State = found.common, found.root, found.state
	switch {
	case found.state == Plain && !p.Exists:
		p.State = Gone
	case found.state == Present || found.state == Bare:
		p.refine(found)
	}
	if !readable || !clear {
		p.State = Unknown
	}
	return p
}

// resolve sets Resolved and Exists and returns the nearest directory that
// exists. readable is false when dir may exist but cannot be looked at.
func (p *Place) resolve() (base string, readable bool) {
	base, readable = p.Dir, true
	if p.Exists = isDir(p.Dir); !p.Exists {
		base, readable = nearest(p.Dir)
	}
	resolved, err := filepath.EvalSymlinks(base)
	if err != nil {
		return base, readable
	}
	p.Resolved = filepath.Join(resolved, strings.TrimPrefix(p.Dir, base))
	return resolved, readable
}

// nearest returns the last directory on the way to path that exists. It goes
// down from the top: foreign paths can be of any length.
func nearest(path string) (dir string, readable bool) {
	dir = "/"
	for end := 1; end < len(path); {
		next := strings.IndexByte(path[end:], '/')
		if next < 0 {
			next = len(path) - end
		}
		end += next
		info, err := os.Stat(path[:end])
		if err != nil || !info.IsDir() {
			return dir, !errors.Is(err, fs.ErrPermission)
		}
		dir = path[:end]
		end++
	}
	return dir, true
}

// refine looks closer at a directory that git takes for a part of the checkout
// or repository around it: it may be a worktree that is gone, or none at all.
func (p *Place) refine(found spot) {
	ghost := ""
	if found.state == Present {
		ghost = inHolder(found.root, p.Resolved)
	}
	if p.Exists && ghost == "" && found.state != Bare {
		return
	}
	entries, _ := admins(found.common)
	for _, a := range entries {
		if a.path != "" && Within(a.path, p.Resolved) {
			p.Root = a.path
			p.State, _ = a.state()
			return
		}
	}
	switch {
	case ghost != "" && exists(ghost):
		p.Root, p.State = ghost, Ghost
	case ghost != "":
		p.Root, p.State = ghost, Gone
	case !p.Exists && found.state == Bare:
		p.State = Gone
	}
}

// Within reports whether path is dir or lies below it, by their spelling.
func Within(dir, path string) bool {
	rest, ok := strings.CutPrefix(path, strings.TrimSuffix(dir, "/"))
	return ok && (rest == "" || rest[0] == '/')
}

// holders returns the directories of a checkout that hold worktrees by
// convention, relative to it.
func holders() []string { return []string{".claude/worktrees", ".worktrees"} }

// inHolder returns the directory directly below a holder of root that path is
// or lies in, "" when there is none.
func inHolder(root, path string) string {
	for _, holder := range holders() {
		holder = filepath.Join(root, holder)
		if path == holder || !Within(holder, path) {
			continue
		}
		name, _, _ := strings.Cut(strings.TrimPrefix(path, holder+"/"), "/")
		return filepath.Join(holder, name)
	}
	return ""
}

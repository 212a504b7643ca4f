package worktree

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// checkouts lists the main checkout, the registered worktrees and what only
// looks like one.
func (r *reading) checkouts(ctx context.Context) {
	heads := r.heads(ctx)
	r.repo.Worktrees = []Worktree{}
	if r.repo.Main != "" {
		r.repo.Worktrees = append(r.repo.Worktrees, r.main(heads))
	}
	entries, err := admins(r.repo.CommonDir)
	if err != nil {
		r.problem("worktrees: " + clip(err.Error()))
	}
	for _, a := range entries {
		r.repo.Worktrees = append(r.repo.Worktrees, r.linked(a, heads))
	}
	r.strays()
}

// heads returns what the git program says of each checkout where no HEAD file
// does, else nil.
func (r *reading) heads(ctx context.Context) map[string]head {
	if r.settings.needs == "" || readHead(r.repo.CommonDir) != (head{}) {
		return nil
	}
	heads, err := r.git.listHeads(ctx, r.home())
	if err != nil && len(r.problems) == 0 {
		r.problem(explain("worktrees", r.settings.needs, err, r.home()))
	}
	return heads
}

func (r *reading) main(heads map[string]head) Worktree {
	w := Worktree{Path: r.repo.Main, Main: true, State: Present}
	r.describe(&w, r.repo.CommonDir, heads)
	switch {
	case !isDir(w.Path):
		w.State, w.Detail = Missing, "its directory is gone"
	case !isMain(w.Path, r.repo.CommonDir):
		w.State, w.Detail = Unknown, "named by core.worktree, but git does not find the repository from there"
	}
	return w
}

func (r *reading) linked(a admin, heads map[string]head) Worktree {
	w := Worktree{Path: a.path, Admin: a.name}
	w.State, w.Detail = a.state()
	w.Locked, w.LockReason = a.lock()
	if w.Path == "" {
		w.Path = a.dir
	} else if resolved, err := filepath.EvalSymlinks(w.Path); err == nil {
		w.Path = resolved
	}
	r.describe(&w, a.dir, heads)
	return w
}

// describe fills in what a git directory says of its checkout.
func (r *reading) describe(w *Worktree, dir string, heads map[string]head) {
	h := readHead(dir)
	if h == (head{}) {
		h = heads[w.Path]
	}
	w.Branch, w.Head = h.branch, h.hash
	var branch string
	if w.Operation, branch = operation(dir); branch != "" {
		w.Branch = branch
	}
	w.Detached = w.Branch == "" && w.Head != ""
}

// strays looks where worktrees are kept for directories that the register does
// not account for: a worktree that was renamed (report E24), one whose entry is
// gone (report E17), and plain directories, in which git finds the repository
// around them (report E15).
func (r *reading) strays() {
	known := map[string]bool{}
	for _, w := range r.repo.Worktrees {
		known[w.Path] = true
	}
	claims := map[string][]string{} // by name of the entry
	for dir, ghosts := range r.holders() {
		for _, path := range subdirs(dir) {
			if known[path] || r.holdsKnown(path) {
				continue
			}
			known[path] = true
			if entry := r.stray(path, ghosts); entry != "" {
				claims[entry] = append(claims[entry], path)
			}
		}
	}
	for entry, paths := range claims {
		r.rebind(entry, paths)
	}
}

// stray judges one directory that is not registered under its path. It returns
// the name of the entry that the directory claims to be, if it claims one.
func (r *reading) stray(path string, ghosts bool) (entry string) {
	file := filepath.Join(path, ".git")
	target, ok := pointer(file)
	switch {
	case ok && SamePath(filepath.Dir(target), filepath.Join(r.repo.CommonDir, "worktrees")):
		return filepath.Base(target)
	case ok && ghosts && !exists(target) && r.movedAlong(path, target):
		return filepath.Base(target)
	case ok && ghosts && !exists(target):
		r.add(path, Moved, "its .git file points to "+clip(target)+", which is gone")
	case ghosts && !exists(file):
		r.add(path, Ghost, "a plain directory: git works on the repository around it here")
	}
	return ""
}

// movedAlong reports whether a directory whose .git file points nowhere is a
// missing worktree of this repository that was moved together with it.
func (r *reading) movedAlong(path, target string) bool {
	w := r.registered(filepath.Base(target))
	return w != nil && w.State == Missing && filepath.Base(w.Path) == filepath.Base(path)
}

// rebind gives a missing worktree the one directory that claims to be it. Of
// several none is taken, and a worktree that is where it should be keeps its
// place against copies.
func (r *reading) rebind(entry string, paths []string) {
	w := r.registered(entry)
	switch {
	case w == nil:
		for _, path := range paths {
			r.add(path, Moved, "its entry in the repository is gone")
		}
	case w.State == Missing && len(paths) == 1:
		w.Detail = "moved here from " + clip(w.Path) + ": run `git worktree repair` with its path in the repository"
		w.Path, w.State = paths[0], Moved
	case w.State == Missing:
		w.Detail = fmt.Sprintf("its directory is gone; %d others claim to be it", len(paths))
	}
}

func (r *reading) add(path string, state State, detail string) {
	r.repo.Worktrees = append(r.repo.Worktrees, Worktree{Path: path, State: state, Detail: detail})
}

func (r *reading) registered(admin string) *Worktree {
	for i := range r.repo.Worktrees {
		if r.repo.Worktrees[i].Admin == admin {
			return &r.repo.Worktrees[i]
		}
	}
	return nil
}

// holders returns the directories in which worktrees may lie. The value says
// whether plain directories there are taken for ghosts: by convention, or
// because a registered worktree is there and the name says so, inside the main
// checkout. Beside a missing worktree only a renamed one is looked for.
func (r *reading) holders() map[string]bool {
	dirs := map[string]bool{}
	if r.repo.Main != "" {
		for _, holder := range holders() {
			dirs[filepath.Join(r.repo.Main, holder)] = true
		}
	}
	for _, w := range r.repo.Worktrees {
		dir := filepath.Dir(w.Path)
		if w.Admin == "" || Within(r.repo.CommonDir, dir) {
			continue
		}
		inside := r.repo.Main != "" && dir != r.repo.Main && Within(r.repo.Main, dir)
		if inside && strings.Contains(strings.ToLower(filepath.Base(dir)), "worktree") {
			dirs[dir] = true
		} else if w.State == Missing && !dirs[dir] {
			dirs[dir] = false
		}
	}
	return dirs
}

// holdsKnown reports whether a registered worktree lies below path.
func (r *reading) holdsKnown(path string) bool {
	for _, w := range r.repo.Worktrees {
		if Within(path, w.Path) {
			return true
		}
	}
	return false
}

// maxSiblings bounds how many entries of a directory are looked at for strays.
const maxSiblings = 1024

// subdirs returns the directories in dir; symlinks are not followed.
func subdirs(dir string) []string {
	f, err := os.Open(dir)
	if err != nil {
		return nil
	}
	defer func() { _ = f.Close() }()
	entries, _ := f.ReadDir(maxSiblings)
	var paths []string
	for _, entry := range entries {
		if entry.IsDir() {
			paths = append(paths, filepath.Join(dir, entry.Name()))
		}
	}
	return paths
}

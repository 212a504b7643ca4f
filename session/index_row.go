package session

import (
	"cmp"
	"path/filepath"
	"slices"
	"time"

	"coppice/worktree"
)

// row makes the row of a session from its copies. ok is false while none of
// them was looked at.
func (x *index) row(id string) (row Session, ok bool) {
	var files []*file
	var copies []Copy
	for _, f := range x.byID[id] {
		if f.known {
			files = append(files, f)
			copies = append(copies, Copy{Path: f.path, Dir: f.dir, Updated: f.updated(), Size: f.stamp.Size})
		}
	}
	if len(files) == 0 {
		return Session{}, false
	}
	used := 0
	if len(files) > 1 {
		used = InUse(copies, x.start, x.worktrees(), func(i int) string { return x.resolve(files[i]).CommonDir })
	}
	row = x.fill(files[used])
	row.Copies = append(row.Copies, copies[used])
	others := slices.Delete(copies, used, used+1)
	slices.SortStableFunc(others, func(a, b Copy) int { return b.Updated.Compare(a.Updated) })
	row.Copies = append(row.Copies, others...)
	if live, ok := x.live[id]; ok {
		row.Live = &live
	}
	return row, true
}

// fill makes the row of one file.
func (x *index) fill(f *file) Session {
	sum := f.state.Summary
	row := Session{
		ID:       f.id,
		Path:     f.path,
		ModTime:  time.Unix(0, f.stamp.ModTime),
		Summary:  sum,
		Dir:      f.dir,
		Place:    x.resolve(f),
		Updated:  f.updated(),
		Problem:  f.problem,
		NotReady: notReady(&sum, f.stamp.Size, f.problem),
	}
	if f.problem == "" {
		row.Hidden = hiddenReason(&sum, f.stamp.Size)
	}
	if row.Place.Exists && row.Place.Dir != "" {
		row.Dir = row.Place.Dir // the spelling that exists
	}
	row.Title, row.TitleSource = titleOf(&sum, f.sidecar)
	row.Project = projectOf(row.Place, x.repos[row.Place.CommonDir].Main)
	if sum.ForkedFrom != f.id {
		row.Parent = sum.ForkedFrom
	}
	return row
}

// InUse returns the index of the copy that is used when a session with several
// files is resumed by a person who stands in start: the copy in the folder of
// the current directory, else the newest one that belongs to the current
// repository (its folder is named after one of the repository's worktrees, or
// its own directory lies in it), else the newest of all. The client does the
// same, but refuses in the last case (observed C, report B19). worktrees are
// the checkouts of start's repository; commonDir names the repository of a copy.
func InUse(copies []Copy, start worktree.Place, worktrees []string, commonDir func(i int) string) int {
	best, rank := 0, -1
	for i, c := range copies {
		folder := filepath.Base(filepath.Dir(c.Path))
		r := 0
		switch {
		case start.Dir == "" || len(copies) == 1:
		case folder == Encode(start.Resolved):
			r = 2
		case slices.ContainsFunc(worktrees, func(w string) bool { return folder == Encode(w) }),
			start.CommonDir != "" && commonDir(i) == start.CommonDir:
			r = 1
		}
		if r > rank || r == rank && c.Updated.After(copies[best].Updated) {
			best, rank = i, r
		}
	}
	return best
}

// worktrees lists the checkouts of the repository of the start directory.
func (x *index) worktrees() []string {
	var paths []string
	if x.start.Root != "" {
		paths = append(paths, x.start.Root)
	}
	for _, w := range x.repos[x.start.CommonDir].Worktrees {
		paths = append(paths, w.Path)
	}
	return paths
}

// resolve returns the place of a file's directory, completed by what others
// know: a worktree that was removed from outside its repository is known by the
// records of where it was made, by other sessions, and by the repository itself
// while it is registered there (report B18).
func (x *index) resolve(f *file) worktree.Place {
	place := f.place
	if place.Dir == "" || place.Exists {
		return place
	}
	if place.CommonDir != "" {
		return place
	}
	place.CommonDir = cmp.Or(x.repositoryOf(place.Dir), f.origin.CommonDir)
	for _, w := range x.repos[place.CommonDir].Worktrees {
		if !w.Main && within(w.Path, place.Dir) {
			place.Root, place.State = w.Path, w.State
		}
	}
	return place
}

// repositoryOf returns the repository of a vanished directory as far as anyone
// knows it, looking at its parents too.
func (x *index) repositoryOf(dir string) string {
	for {
		if common, ok := x.lost[dir]; ok {
			return common
		}
		parent := filepath.Dir(dir)
		if parent == dir || parent == "." {
			return ""
		}
		dir = parent
	}
}

// learn takes note that a worktree belongs to a repository. Rows that nobody
// could place may now have one.
func (x *index) learn(path, common string) {
	if path == "" || common == "" || x.lost[path] == common {
		return
	}
	x.lost[path] = common
	x.touch(func(f *file) bool {
		return !f.place.Exists && f.place.CommonDir == "" && within(path, f.dir)
	})
}

// setRepository takes a repository as it is now.
func (x *index) setRepository(repo worktree.Repository) {
	x.repos[repo.CommonDir] = repo
	for _, w := range repo.Worktrees {
		if !w.Main {
			x.learn(w.Path, repo.CommonDir)
		}
	}
	x.touchRepository(repo.CommonDir)
}

// forgetRepository drops one that no longer exists.
func (x *index) forgetRepository(common string) {
	delete(x.repos, common)
	for path, c := range x.lost {
		if c == common {
			delete(x.lost, path)
		}
	}
	x.touchRepository(common)
}

// touchRepository marks the rows that may depend on a repository: those in it,
// and, where it is the one of the start directory, those with several copies.
func (x *index) touchRepository(common string) {
	x.touch(func(f *file) bool {
		return f.place.CommonDir == common || f.origin.CommonDir == common ||
			!f.place.Exists && x.repositoryOf(f.dir) == common ||
			common == x.start.CommonDir && len(x.byID[f.id]) > 1
	})
}

// within reports whether path is dir or lies below it.
func within(dir, path string) bool {
	return path == dir || len(path) > len(dir) && path[:len(dir)] == dir && path[len(dir)] == filepath.Separator
}

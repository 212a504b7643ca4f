package session

import (
	"cmp"
	"path/filepath"
	"slices"
	"time"

	"coppice/transcript"
	"coppice/worktree"
)

// row makes the row of a session from its copies, nil while none of them was
// looked at.
func (x *index) row(id string) *Session {
	var files []*file
	var copies []Copy
	for _, f := range x.byID[id] {
		if f.known {
			files = append(files, f)
			copies = append(copies, Copy{Path: f.path, Dir: f.dir, Updated: f.updated(), Size: f.stamp.Size})
		}
	}
	if len(files) == 0 {
		return nil
	}
	used := 0
	if len(files) > 1 {
		used = inUse(copies, x.home(), x.start, x.worktrees(), func(i int) string { return x.resolve(files[i]).CommonDir })
	}
	row := x.fill(files[used])
	row.Copies = append(row.Copies, copies[used])
	others := slices.Delete(copies, used, used+1)
	slices.SortFunc(others, func(a, b Copy) int { return cmp.Or(b.Updated.Compare(a.Updated), cmp.Compare(a.Path, b.Path)) })
	row.Copies = append(row.Copies, others...)
	if live, ok := x.live[id]; ok {
		row.Live = &live
		usage := files[used].usage()
		row.Context, row.Cost = usage.Context, usage.Cost
	}
	return row
}

// fill makes the row of one file.
func (x *index) fill(f *file) *Session {
	sum := &f.state.Summary
	row := &Session{
		ID:       f.id,
		Path:     f.path,
		ModTime:  time.Unix(0, f.stamp.ModTime),
		Summary:  *sum,
		Dir:      f.dir,
		Place:    x.resolve(f),
		Updated:  f.updated(),
		Problem:  f.problem,
		NotReady: notReady(sum, f.stamp.Size, f.problem),
	}
	if f.stamp.Size > 0 && sum.Complete && sum.Records+sum.DamageCount == 0 {
		row.Summary.Damage, row.Summary.DamageCount = []transcript.Damage{{Line: 1, Kind: transcript.DamageGarbage}}, 1
	}
	if f.problem == "" {
		row.Hidden = hiddenReason(sum, f.stamp.Size)
	}
	if row.Place.Exists && row.Place.Dir != "" {
		row.Dir = row.Place.Dir // the spelling that exists
	}
	row.Title, row.TitleSource = titleOf(sum, f.sidecar)
	row.Project = projectOf(row.Place, x.repos[row.Place.CommonDir].Main)
	if sum.ForkedFrom != f.id {
		row.Parent = sum.ForkedFrom
	}
	return row
}

// inUse returns the index of the copy that is used when a session with several
// files is resumed by a person who stands in start: the one in the folder home,
// where the client keeps the transcripts of start, else one that belongs to the
// repository of start (its folder is named after one of the repository's
// worktrees, or its own directory lies in it), else any. Of several it is the
// newest, and of equal ones the one whose folder is named after its directory. The
// client does the same, but refuses where any would do (observed C, report B19).
// worktrees are the checkouts of start's repository; commonDir names the
// repository of a copy.
func inUse(copies []Copy, home string, start worktree.Place, worktrees []string, commonDir func(i int) string) int {
	rank := func(i int) int {
		folder := filepath.Base(filepath.Dir(copies[i].Path))
		switch {
		case folder == home:
			return 2
		case slices.ContainsFunc(worktrees, func(w string) bool { return folder == Encode(w) }),
			start.CommonDir != "" && commonDir(i) == start.CommonDir:
			return 1
		}
		return 0
	}
	named := func(c Copy) int {
		if holds(filepath.Base(filepath.Dir(c.Path)), c.Dir) {
			return 1
		}
		return 0
	}
	best := 0
	for i := 1; i < len(copies); i++ {
		a, b := copies[i], copies[best]
		if cmp.Or(rank(i)-rank(best), a.Updated.Compare(b.Updated), named(a)-named(b), cmp.Compare(b.Path, a.Path)) > 0 {
			best = i
		}
	}
	return best
}

// home returns the name of the folder in which the client keeps the transcripts
// of the start directory, "" when there is none.
func (x *index) home() string {
	if x.folder != "" || x.start.Dir == "" {
		return x.folder
	}
	return Encode(x.start.Resolved)
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
// while it is registered there (report B18). A plain directory in the place of the
// worktree that a session is bound to is a ghost of it.
func (x *index) resolve(f *file) worktree.Place {
	place := f.place
	switch {
	case place.Dir == "" || place.CommonDir != "":
		return place
	case place.Exists:
		if place.State == worktree.Plain && f.origin.CommonDir != "" {
			place.CommonDir, place.Root, place.State = f.origin.CommonDir, f.dir, worktree.Ghost
		}
		return place
	}
	place.CommonDir = cmp.Or(x.repositoryOf(place.Dir), f.origin.CommonDir)
	for _, w := range x.repos[place.CommonDir].Worktrees {
		if !w.Main && worktree.Within(w.Path, place.Dir) {
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
		return !f.place.Exists && f.place.CommonDir == "" && worktree.Within(path, f.dir)
	})
}

// setRepository takes a repository as it is now.
func (x *index) setRepository(repo worktree.Repository) {
	x.repos[repo.CommonDir] = repo
	for _, w := range repo.Worktrees {
		if !w.Main {
			x.lost[w.Path] = repo.CommonDir
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

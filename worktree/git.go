package worktree

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Git reads repositories. It holds no state but its settings: safe for
// concurrent use.
type Git struct {
	Program string        // the git program; "" means none is to be had
	Env     []string      // environment for it, already scrubbed by CleanEnv
	Timeout time.Duration // for one run of the program; 10 s when zero

	// NoBranches makes Open leave Branches nil, and Head empty where a branch is
	// checked out, for who shows neither: there may be thousands, a file each.
	NoBranches bool
}

// Open reads the repository that dir, an absolute path, belongs to; dir may be
// in a checkout, be a bare repository or a common directory, or no longer exist
// (see Locate). Files answer first, the git program only what they cannot
// (report E1: go-git is given the common directory, never a linked worktree).
//
// The error is not nil only when dir belongs to none (ErrNotRepository) or ctx
// ended; everything else that went wrong is the Repository's Problem.
func (g Git) Open(ctx context.Context, dir string) (Repository, error) {
	place := Locate(dir)
	if place.CommonDir == "" {
		return Repository{}, fmt.Errorf("open %s: %w", dir, ErrNotRepository)
	}
	r := reading{git: g, repo: Repository{CommonDir: place.CommonDir}}
	r.settings, r.err = readSettings(place.CommonDir)
	r.identify(place)
	if !g.NoBranches {
		r.branches(ctx)
	}
	r.checkouts(ctx)
	r.finish()
	if err := ctx.Err(); err != nil {
		return Repository{}, fmt.Errorf("open %s: %w", dir, err)
	}
	return r.repo, nil
}

// reading is a Repository while it is put together.
type reading struct {
	git      Git
	repo     Repository
	settings settings
	err      error // why the settings are not known
	problems []string
}

func (r *reading) problem(text string) {
	if text != "" {
		r.problems = append(r.problems, text)
	}
}

// identify finds the main checkout and the name.
func (r *reading) identify(place Place) {
	common := r.repo.CommonDir
	r.repo.Bare = r.settings.bare
	switch {
	case r.settings.bare:
	case r.settings.worktree != "":
		r.repo.Main = from(common, r.settings.worktree)
		if resolved, err := filepath.EvalSymlinks(r.repo.Main); err == nil {
			r.repo.Main = resolved
		}
	case filepath.Base(common) == ".git":
		r.repo.Main = filepath.Dir(common)
	case place.Root != "" && isMain(place.Root, common):
		r.repo.Main = place.Root // a git directory kept elsewhere knows no way back
	}
	r.repo.Name = name(r.repo.Main, common)
}

// isMain reports whether the .git of a checkout is the common directory itself.
func isMain(root, common string) bool {
	file := filepath.Join(root, ".git")
	target, ok := pointer(file)
	if !ok {
		target = file
	}
	return SamePath(target, common)
}

// name is the short name of a repository.
func name(main, common string) string {
	if main != "" {
		return filepath.Base(main)
	}
	switch base := filepath.Base(common); base {
	case ".git", ".bare":
		return filepath.Base(filepath.Dir(common))
	default:
		if short := strings.TrimSuffix(base, ".git"); short != "" {
			return short
		}
		return base
	}
}

// home is a directory in which git finds the repository.
func (r *reading) home() string {
	if r.repo.Main != "" && isMain(r.repo.Main, r.repo.CommonDir) {
		return r.repo.Main
	}
	return r.repo.CommonDir
}

// branches reads the branches from files where go-git can, else from the git
// program.
func (r *reading) branches(ctx context.Context) {
	var err error
	why := r.settings.needs
	if why == "" {
		r.repo.Branches, err = readBranches(ctx, r.repo.CommonDir)
		if err == nil {
			for i := range r.repo.Branches {
				r.repo.Branches[i].Upstream = r.settings.upstream(r.repo.Branches[i].Name)
			}
			return
		}
		why = err.Error()
	}
	r.repo.Branches, err = r.git.listBranches(ctx, r.home())
	if err != nil {
		if r.err != nil {
			why = r.err.Error()
		}
		r.problem(explain("branches", clip(why), err, r.home()))
	}
}

// finish links branches with worktrees and gives every worktree its name.
func (r *reading) finish() {
	repo := &r.repo
	if repo.Branches == nil && !r.git.NoBranches {
		repo.Branches = []Branch{}
	}
	index := make(map[string]int, len(repo.Branches))
	for i, b := range repo.Branches {
		index[b.Name] = i
	}
	for i := range repo.Worktrees {
		w := &repo.Worktrees[i]
		if at, ok := index[w.Branch]; ok && w.Branch != "" {
			if w.Head == "" {
				w.Head = repo.Branches[at].Head
			}
			if repo.Branches[at].Worktree == "" {
				repo.Branches[at].Worktree = w.Path
			}
		}
	}
	slices.SortStableFunc(repo.Worktrees, func(a, b Worktree) int {
		if a.Main != b.Main {
			if a.Main {
				return -1
			}
			return 1
		}
		return strings.Compare(a.Path, b.Path)
	})
	nameTails(repo.Worktrees)
	repo.Problem = strings.Join(r.problems, "; ")
}

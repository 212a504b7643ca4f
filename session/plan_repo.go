package session

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"

	"coppice/worktree"
)

// repository returns the repository to which a place belongs or belonged.
func (d *draft) repository(place worktree.Place) worktree.Repository {
	commons := []string{place.CommonDir, d.session.Place.CommonDir}
	for _, dir := range d.recorded() {
		commons = append(commons, d.locate(dir).CommonDir)
	}
	if r, _ := d.registered(place); r.CommonDir != "" { // though nothing around it tells
		commons = append(commons, r.CommonDir)
	}
	for _, common := range commons {
		if r, ok := d.open(common); ok {
			return r
		}
	}
	return worktree.Repository{}
}

// neighboursMax bounds how many directories are looked at beside one that is
// gone.
const neighboursMax = 200

// lookAround adds the repositories that lie beside a directory that is gone, when
// nothing else tells to which it belonged: worktrees are often made beside their
// repository, and the repositories may not all be known yet.
func (d *draft) lookAround(place worktree.Place) {
	if _, tree := d.registered(place); place.CommonDir != "" || tree.Path != "" || d.foreign() {
		return
	}
	parent := filepath.Dir(place.Dir)
	dir, err := os.Open(parent)
	if err != nil {
		return
	}
	defer func() { _ = dir.Close() }()
	names, _ := dir.Readdirnames(neighboursMax)
	slices.Sort(names)
	for _, name := range names {
		if _, err := os.Lstat(filepath.Join(parent, name, ".git")); err != nil {
			continue
		}
		if r, ok := d.open(d.locate(filepath.Join(parent, name)).CommonDir); ok {
			d.repos = append(d.repos[:len(d.repos):len(d.repos)], r)
		}
		if _, tree := d.registered(place); tree.Path != "" {
			return
		}
	}
}

// registered returns the worktree that holds, or held, a place by what is
// registered in the known repositories.
func (d *draft) registered(place worktree.Place) (worktree.Repository, worktree.Worktree) {
	for _, r := range d.repos {
		for _, w := range r.Worktrees {
			if place.Dir != "" && !w.Main && worktree.Within(w.Path, place.Dir) {
				return r, w
			}
		}
	}
	return worktree.Repository{}, worktree.Worktree{}
}

// checkout returns the worktree that holds a place, nil when it is not known.
func (d *draft) checkout(place worktree.Place) (worktree.Repository, *worktree.Worktree) {
	r, ok := d.open(place.CommonDir)
	if ok && place.Root != "" {
		for i, w := range r.Worktrees {
			if w.Path == place.Root {
				return r, &r.Worktrees[i]
			}
		}
	}
	return worktree.Repository{}, nil
}

// open reads the repository with a common directory, once for a plan.
func (d *draft) open(common string) (worktree.Repository, bool) {
	if common == "" {
		return worktree.Repository{}, false
	}
	if r, ok := d.opened[common]; ok {
		return r, true
	}
	open := d.planner.Open
	if open == nil {
		open = d.planner.git().Open
	}
	r, err := open(d.ctx, common)
	if err != nil {
		i := slices.IndexFunc(d.repos, func(r worktree.Repository) bool { return r.CommonDir == common })
		if i < 0 {
			return worktree.Repository{}, false
		}
		r = d.repos[i]
	}
	if d.opened == nil {
		d.opened = map[string]worktree.Repository{}
	}
	d.opened[common] = r
	return r, true
}

// git returns the git program of the person.
func (p Planner) git() worktree.Git {
	program, err := exec.LookPath("git")
	if err != nil {
		program = "" // files tell enough in most cases
	}
	return worktree.Git{Program: program, Env: worktree.CleanEnv(p.Env), Timeout: planWait}
}

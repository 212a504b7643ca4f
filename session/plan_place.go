package session

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"coppice/worktree"
)

// findDir decides where the agent starts. The directory is always named, never
// the one that this program happens to stand in (report B17).
func (d *draft) findDir() {
	if d.request.Worktree != nil {
		d.findTree()
		return
	}
	dir, asked := d.session.Dir, d.request.Dir != ""
	if asked {
		dir = d.request.Dir
	}
	if !filepath.IsAbs(dir) {
		d.noPath(dir, asked)
		if d.request.Restore {
			d.block("no worktree of it is known: there is nothing to restore")
		}
		return
	}
	place := d.locate(dir)
	d.plan.Worktree = PlanWorktree{Path: place.Root, State: string(place.State)}
	if place.Root != "" {
		d.plan.Worktree.Action = TreeUse
	}
	switch {
	case d.request.Restore:
		d.restore(place)
		return
	case !place.Exists:
		d.plan.Worktree.Action = TreeMissing
		d.missing(place, asked)
		return
	case !asked && (place.State == worktree.Ghost || d.wasWorktree(place)):
		d.lookForRestore(place)
		d.warn(ghostText(place) + d.restoreHint())
		d.choose(place)
		d.offer(place.Dir, "the directory itself, although it is no worktree")
		return
	}
	d.plan.Cwd = place.Dir
	d.judge(place)
	if d.request.Fork == nil { // a fork is bound to none
		d.checkBinding(place)
	}
	d.checkBranch(place, asked)
}

// noPath handles a directory that is none of this system.
func (d *draft) noPath(dir string, asked bool) {
	switch {
	case asked:
		d.block(fmt.Sprintf("%q is not an absolute path: name the directory by one", dir))
	case dir == "":
		d.warn("no record names the directory that it ran in")
	default:
		d.warn(fmt.Sprintf("it was recorded on another machine: %s is no path here", dir))
	}
	if !asked {
		d.choose(worktree.Place{})
	}
}

// missing handles a directory that does not exist (reports B14, B16, B18).
func (d *draft) missing(place worktree.Place, asked bool) {
	if !asked {
		d.lookAround(place)
		d.lookForRestore(place)
	}
	_, tree := d.registered(place)
	if tree.Path != "" && place.Root == "" {
		d.plan.Worktree.Path, d.plan.Worktree.State = tree.Path, string(tree.State)
	}
	switch {
	case asked:
		d.block(fmt.Sprintf("%s is no directory: name one that exists", place.Dir))
		return
	case d.foreign():
		d.warn(fmt.Sprintf("it was recorded on another machine, or under another home: %s does not exist here", place.Dir))
	case d.plan.Restore != nil, d.session.Summary.Worktree != nil, tree.Path != "", place.State == worktree.Missing, place.State == worktree.Gone && place.Root != "":
		d.warn(fmt.Sprintf("its worktree %s is gone", place.Dir) + d.restoreHint())
	default:
		d.warn(fmt.Sprintf("its directory %s is gone", place.Dir))
	}
	d.choose(place)
}

// judge warns about a directory that is not what it was.
func (d *draft) judge(place worktree.Place) {
	switch place.State {
	case worktree.Ghost:
		d.warn(ghostText(place))
	case worktree.Moved:
		d.lookForRestore(place)
		d.warn(fmt.Sprintf("%s was moved, or its repository was: git does not work there until `git worktree repair` is run in the repository", place.Dir) + d.restoreHint())
	case worktree.Prunable:
		d.warn(fmt.Sprintf("%s no longer points to its repository: git there may work on another one", place.Dir))
	case worktree.Plain:
		if d.session.Summary.Branch != "" && d.request.Dir == "" {
			d.warn(fmt.Sprintf("%s is no longer in a git repository", place.Dir))
		}
	case worktree.Present, worktree.Bare, worktree.Missing, worktree.Gone, worktree.Unknown:
	}
}

// wasWorktree reports whether a plain directory lies where a worktree was.
func (d *draft) wasWorktree(place worktree.Place) bool {
	if place.State != worktree.Plain {
		return false
	}
	_, tree := d.registered(place)
	bound := d.session.Summary.Worktree
	return tree.Path != "" || bound != nil && bound.Path != "" && worktree.Within(bound.Path, place.Dir)
}

func ghostText(place worktree.Place) string {
	if place.State == worktree.Plain {
		return fmt.Sprintf("%s is no worktree any more, but a plain directory: git does not work there", place.Dir)
	}
	return fmt.Sprintf("%s is no worktree any more: git there works on the repository around it, on its branch", place.Dir)
}

// checkBinding says what the agent will do about the worktree that the session
// is bound to: it goes there from wherever it is started (observed D).
func (d *draft) checkBinding(place worktree.Place) {
	bound := d.session.Summary.Worktree
	if bound == nil || bound.Path == "" || worktree.Within(bound.Path, place.Dir) || worktree.Within(bound.Path, place.Resolved) {
		return
	}
	if at := d.locate(bound.Path); at.Exists && at.State != worktree.Ghost {
		d.warn(fmt.Sprintf("the session is bound to the worktree %s, and the agent goes there by itself", bound.Path))
		return
	}
	d.lose(fmt.Sprintf("its worktree %s: the agent drops the binding and stays in %s", bound.Path, place.Dir))
}

// checkBranch compares the branch that is checked out with the recorded one: a
// resumed agent would work on the wrong one (report B16).
func (d *draft) checkBranch(place worktree.Place, asked bool) {
	repo, tree := d.checkout(place)
	if tree == nil {
		return
	}
	recorded := d.session.Summary.Branch
	d.plan.Branch = tree.Branch
	if tree.Detached {
		d.plan.Branch = ""
	}
	if asked || recorded == "" || recorded == "HEAD" || recorded == d.plan.Branch {
		return
	}
	text := fmt.Sprintf("it was on the branch %s, but %s is now on %s", recorded, tree.Path, onBranch(*tree))
	if i := slices.IndexFunc(repo.Worktrees, func(w worktree.Worktree) bool { return usable(w) && w.Branch == recorded }); i >= 0 {
		text += fmt.Sprintf("; %s is checked out in %s", recorded, repo.Worktrees[i].Path)
		d.offer(repo.Worktrees[i].Path, "has the branch "+recorded)
	} else if repo.Branches != nil && !slices.ContainsFunc(repo.Branches, func(b worktree.Branch) bool { return b.Name == recorded }) && repo.Problem == "" {
		text += fmt.Sprintf("; %s no longer exists", recorded)
	}
	d.warn(text)
}

// onBranch says in words what a worktree has checked out.
func onBranch(w worktree.Worktree) string {
	switch {
	case !w.Detached && w.Branch != "":
		return w.Branch
	case w.Head != "":
		return "no branch (at " + cutRunes(w.Head, 7) + ")"
	}
	return "no branch"
}

// choose asks for another directory and offers those that come near, the best
// first (reports B14, B18, B23, E24).
func (d *draft) choose(place worktree.Place) {
	d.plan.Action = ActionChoose
	sum := d.session.Summary
	branch := sum.Branch
	if sum.Worktree != nil && sum.Worktree.Branch != "" {
		branch = sum.Worktree.Branch
	}
	repo := d.repository(place)
	if place.State == worktree.Present && place.Root != "" {
		d.offer(place.Root, "the checkout that held it")
	}
	for _, w := range repo.Worktrees {
		if usable(w) && branch != "" && w.Branch == branch {
			d.offer(w.Path, "has the branch "+branch)
		}
	}
	for _, w := range repo.Worktrees {
		label := "worktree " + w.Name
		if w.Main {
			label = "main checkout"
		}
		if usable(w) {
			d.offer(w.Path, label+", on "+onBranch(w))
		}
	}
	for _, dir := range d.recorded() {
		d.offer(dir, "also recorded")
	}
	if len(d.plan.Choices) == 0 {
		d.block("none of its directories exists here: name one that does with " + elsewhere(d.command, d.session))
	}
}

// choicesMax bounds the list of choices.
const choicesMax = 20

// offer adds a choice that exists and is not there yet.
func (d *draft) offer(dir, label string) {
	known := slices.ContainsFunc(d.plan.Choices, func(c PlanChoice) bool { return c.Dir == dir })
	if info, err := os.Stat(dir); known || err != nil || !info.IsDir() || len(d.plan.Choices) >= choicesMax {
		return
	}
	d.plan.Choices = append(d.plan.Choices, PlanChoice{Dir: dir, Label: label})
}

// usable reports whether an agent can work in a worktree.
func usable(w worktree.Worktree) bool { return w.State == worktree.Present }

// recorded returns every absolute directory that the session's records name.
func (d *draft) recorded() []string {
	sum := d.session.Summary
	dirs := []string{sum.Relocated}
	if sum.Worktree != nil {
		dirs = append(dirs, sum.Worktree.OriginalDir)
	}
	dirs = append(dirs, sum.Dirs...)
	dirs = append(dirs, sum.Dir)
	for _, c := range d.session.Copies {
		dirs = append(dirs, c.Dir)
	}
	return slices.DeleteFunc(dirs, func(dir string) bool { return !filepath.IsAbs(dir) || dir == d.session.Dir })
}

// foreign reports whether the session seems to be from another machine: none of
// its directories has so much as a parent here, beside the places where homes
// and disks are kept (report B24).
func (d *draft) foreign() bool {
	for _, dir := range append(d.recorded(), d.session.Dir) {
		for dir != "/" {
			if _, err := os.Stat(dir); err == nil {
				break
			}
			dir = filepath.Dir(dir)
		}
		if !slices.Contains([]string{"/", "/home", "/Users", "/mnt", "/media", "/Volumes"}, dir) {
			return false
		}
	}
	return true
}

// locate says where a directory lies, in whichever Unicode form it exists
// (report B11).
func (d *draft) locate(dir string) worktree.Place { return d.planner.locate(dir) }

func (p Planner) locate(dir string) worktree.Place {
	places := placer{locate: worktree.Locate}
	if p.Locate != nil {
		places.locate = p.Locate
	}
	return places.locateForm(dir)
}

package session

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"coppice/transcript"
	"coppice/worktree"
	"coppice/worktree/change"
)

// findTree decides about the worktree that is made first.
func (d *draft) findTree() {
	dir := d.session.Dir
	if d.request.Dir != "" {
		dir = d.request.Dir
	}
	place := worktree.Place{}
	if filepath.IsAbs(dir) {
		place = d.locate(dir)
	}
	repo, from := d.treeSource(place)
	if from == "" {
		d.block("it belongs to no git repository that is known here, so no worktree can be made for it: name a directory with " + elsewhere(d.command, d.session))
		return
	}
	req, o := d.request.Worktree, d.createOptions(repo, from)
	made, err := change.Preview(d.ctx, d.planner.git(), o)
	if err != nil {
		d.block(createText(err))
		return
	}
	d.plan.Worktree = PlanWorktree{
		Path: made.Path, Action: TreeCreate, Name: o.Name, Branch: made.Branch, Base: made.Base, Commit: made.Head, Carry: req.Carry, From: from,
	}
	d.plan.Cwd, d.plan.Branch = made.Path, made.Branch
	d.checkCarry(place, made.Head)
	if d.command == "resume" && d.request.Fork == nil {
		d.plan.Worktree.Moves = true
		d.plan.Notes = append(d.plan.Notes, "it is moved to the new worktree, and belongs there from then on: what it recorded stays, absolute paths of the old place included")
	}
}

// treeSource returns the repository to make a worktree in and the directory to
// make it from: the checkout of a place, or the main one where that is gone.
func (d *draft) treeSource(place worktree.Place) (worktree.Repository, string) {
	if place.Exists && place.Root != "" && place.State == worktree.Present {
		if r, ok := d.open(place.CommonDir); ok {
			return r, place.Root
		}
	}
	r := d.repository(place)
	if r.Main != "" {
		return r, r.Main
	}
	return r, r.CommonDir
}

// createOptions are those of the worktree that is asked for.
func (d *draft) createOptions(repo worktree.Repository, from string) change.CreateOptions {
	req, cfg := d.request.Worktree, d.planner.Config.Worktree
	o := change.CreateOptions{Repository: from, Name: req.Name, Path: cfg.Path, Branch: cfg.Branch, Base: cfg.Base}
	switch {
	case req.Base != "":
		o.Base = req.Base
	case req.Carry:
		o.Base = change.Head
	}
	switch {
	case req.Branch == "":
	case slices.ContainsFunc(repo.Branches, func(b worktree.Branch) bool { return b.Name == req.Branch }):
		o.From.Branch = req.Branch
	default:
		o.Branch = req.Branch
	}
	return o
}

// checkCarry says what stands in the way of changes that are to be carried.
func (d *draft) checkCarry(place worktree.Place, head string) {
	if !d.request.Worktree.Carry {
		return
	}
	_, tree := d.checkout(place)
	switch {
	case tree == nil || place.Root != d.plan.Worktree.From:
		d.block(fmt.Sprintf("its checkout %s is not there, so there are no changes to carry", place.Dir))
	case tree.Head != "" && tree.Head != head:
		d.block(fmt.Sprintf("changes are carried between checkouts of one commit, and the new worktree would begin at %s, not where %s is: leave the branch out and take the base %s",
			d.plan.Worktree.Base, tree.Path, change.Head))
	}
}

// createText says why a worktree cannot be made, and what to do.
func createText(err error) string {
	var used *change.InUseError
	switch {
	case errors.As(err, &used):
		return fmt.Sprintf("the branch %s is checked out in %s: go on there, or take another branch", used.Branch, used.Path)
	case errors.Is(err, change.ErrExists):
		return fmt.Sprintf("%v: take another name, or name the directory with --dir to work in it", err)
	case errors.Is(err, change.ErrName):
		return fmt.Sprintf("%v: take another name", err)
	}
	return err.Error()
}

// lost is what a plan knows of a worktree that is gone beside what it tells.
type lost struct {
	repository string // a directory of it
	warning    string // what would not come back
}

// lookForRestore says in the plan whether the worktree of the session, which is
// not there, could be restored.
func (d *draft) lookForRestore(place worktree.Place) {
	path := d.lostTree(place)
	if path == "" {
		return
	}
	d.plan.Restore = &PlanRestore{Path: path}
	o := d.restoreOptions(place, path)
	if o.Repository == "" {
		d.plan.Restore.Problem = "its repository is not known here"
		return
	}
	made, err := change.PreviewRestore(d.ctx, d.planner.git(), o)
	var used *change.InUseError
	switch {
	case errors.As(err, &used):
		d.plan.Restore.Problem = fmt.Sprintf("its branch %s is checked out in %s", used.Branch, used.Path)
	case errors.Is(err, change.ErrNothing):
		d.plan.Restore.Problem = "neither its branch nor the commit that it began at is in the repository any more"
	case err != nil:
		d.plan.Restore.Problem = err.Error()
	}
	d.plan.Restore.Branch, d.plan.Restore.Commit, d.gone.repository = made.Branch, made.Head, o.Repository
	if made.Branch != "" && made.Base == made.Head {
		d.gone.warning = fmt.Sprintf("its branch %s is gone: it is made again at %s, where the worktree began, and commits made on it since are not in it",
			made.Branch, cutRunes(made.Head, 7))
	}
}

// lostTree returns the worktree of the session that is not there as one, "" when
// none is known.
func (d *draft) lostTree(place worktree.Place) string {
	path := ""
	_, tree := d.registered(place)
	switch b := d.binding(place); {
	case tree.Path != "":
		path = tree.Path
	case b != nil:
		path = filepath.Clean(b.Path)
	case d.made(place.Dir).Path != "":
		path = d.made(place.Dir).Path
	case place.State == worktree.Missing, place.State == worktree.Gone, place.State == worktree.Ghost, place.State == worktree.Moved:
		path = place.Root
	}
	if path == "" {
		return ""
	}
	if at := d.locate(path); at.Exists && at.State == worktree.Present && worktree.SamePath(at.Root, path) {
		return ""
	}
	return path
}

// binding returns the worktree that the session is bound to, or was until its
// agent ended, when it holds a place, or the worktree itself is asked for.
func (d *draft) binding(place worktree.Place) *transcript.Worktree {
	sum := d.session.Summary
	for _, w := range []*transcript.Worktree{sum.Worktree, sum.Left} {
		if w != nil && filepath.IsAbs(w.Path) && (d.request.Restore || worktree.Within(filepath.Clean(w.Path), place.Dir)) {
			return w
		}
	}
	return nil
}

// restoreOptions gathers what is known of a worktree that is gone: by the register
// of git, by our own record, by the session's.
func (d *draft) restoreOptions(place worktree.Place, path string) change.RestoreOptions {
	made, sum := d.made(path), d.session.Summary
	o := change.RestoreOptions{Path: path, Repository: d.repository(place).CommonDir, Branch: made.Branch, Commit: made.Commit}
	if o.Repository == "" {
		o.Repository = made.Repository
	}
	if b := d.binding(place); b != nil {
		if o.Branch == "" {
			o.Branch = b.Branch
		}
		if o.Commit == "" {
			o.Commit = b.OriginalCommit
		}
	}
	if o.Branch == "" && sum.Branch != "HEAD" {
		o.Branch = sum.Branch
	}
	return o
}

// made is what is recorded of a worktree that we made.
func (d *draft) made(dir string) MadeTree {
	if d.planner.Made == nil {
		return MadeTree{}
	}
	return d.planner.Made(dir)
}

// MadeTree is a worktree that this program made.
type MadeTree struct {
	Path       string
	Repository string // its common directory
	Branch     string // "" for none
	Commit     string // that it began at
}

// Restore says how the worktree of a session that is gone would be brought back, and
// does nothing. The plan has no command; its action is ActionRestore or
// ActionRefuse. As for Plan, it ends in time, and its slices and maps are never nil.
func (p Planner) Restore(ctx context.Context, s Session, repos []worktree.Repository) Plan {
	return p.inTime(ctx, s, "restore", func(ctx context.Context) Plan {
		s = whole(ctx, s, p.locate)
		d := draft{command: "restore", ctx: ctx, planner: p, session: s, repos: repos, request: Request{Restore: true}, plan: emptyPlan(s)}
		d.plan.Action = ActionRestore
		d.findDir()
		if len(d.plan.Blockers) > 0 {
			d.plan.Action = ActionRefuse
		}
		return d.plan
	})
}

// restore plans to bring the worktree of the session back first.
func (d *draft) restore(place worktree.Place) {
	d.lookForRestore(place)
	r := d.plan.Restore
	switch {
	case r == nil:
		d.block("no worktree of it is gone: there is nothing to restore")
	case r.Problem != "":
		d.block(fmt.Sprintf("its worktree %s cannot be restored: %s; resume it in another directory with %s", r.Path, r.Problem, elsewhere("resume", d.session)))
	default:
		d.plan.Worktree = PlanWorktree{
			Path: r.Path, State: string(worktree.Missing), Action: TreeRestore, Branch: r.Branch, Base: r.Branch, Commit: r.Commit, From: d.gone.repository,
		}
		d.plan.Cwd, d.plan.Branch = r.Path, r.Branch
		d.plan.Notes = append(d.plan.Notes, fmt.Sprintf("its worktree %s is restored first", r.Path))
		if d.gone.warning != "" {
			d.warn(d.gone.warning)
		}
	}
}

// restoreHint says, behind a text about a worktree that is gone, how it comes
// back or why it does not.
func (d *draft) restoreHint() string {
	switch r := d.plan.Restore; {
	case r == nil:
		return ""
	case r.Problem != "":
		return "; it cannot be restored: " + r.Problem
	case d.command != "resume":
		return fmt.Sprintf("; `coppice worktree restore %s` brings it back", d.session.ID)
	}
	return fmt.Sprintf("; `coppice resume --restore %s` brings it back", d.session.ID)
}

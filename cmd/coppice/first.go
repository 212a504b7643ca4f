package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"coppice/session"
	"coppice/session/fork"
	"coppice/session/launch"
	"coppice/session/owner"
	"coppice/ui/text"
	"coppice/worktree"
	"coppice/worktree/change"
)

// first is what was made before an agent starts.
type first struct {
	tree  change.Created
	fork  fork.Result
	notes []string
}

// makeFirst makes what a plan asks for before its agent starts. It is there
// already when the agent is started once more.
func (a *app) makeFirst(ctx context.Context, plan session.Plan) error {
	_, err := a.makeOnce(ctx, plan, nil)
	return err
}

// makeOnce is makeFirst with what the set-up command prints, and with what a
// person should know about what was made, a line each.
func (a *app) makeOnce(ctx context.Context, plan session.Plan, output io.Writer) ([]string, error) {
	if _, done := a.made.Load(plan.Worktree.Path); done && plan.Worktree.Action != session.TreeUse {
		return nil, nil
	}
	if plan.Fork != nil {
		if _, err := os.Lstat(plan.Fork.Path); err == nil {
			return nil, nil
		}
	}
	done, err := a.prepare(ctx, plan, output)
	return done.notes, err
}

// prepare makes what a plan asks for: a worktree, then the fork in it or the
// session moved to it, then the changes carried there; and it sees to the locks of
// the worktrees that are shared by that. What fails loses nothing: a worktree made
// for it is removed again, or the error says where it is. output gets what the
// set-up command prints; nil puts that into the error.
func (a *app) prepare(ctx context.Context, plan session.Plan, output io.Writer) (first, error) {
	var done first
	var err error
	if done.tree, err = a.makeTree(ctx, plan, output); err != nil {
		return done, err
	}
	done.notes = done.tree.Notes
	switch {
	case plan.Fork != nil:
		done.fork, err = a.makeFork(ctx, plan)
		done.notes = append(done.notes, done.fork.Notes...)
	case plan.Worktree.Moves:
		var moved moveJSON
		moved, err = a.moveTo(ctx, plan)
		done.notes = append(done.notes, moved.Notes...)
	}
	if err != nil {
		return done, a.takeBack(plan, done.tree, err)
	}
	if plan.Worktree.Action != session.TreeUse && plan.Worktree.Path != "" {
		a.made.Store(plan.Worktree.Path, true)
	}
	if id := launch.Started(plan); id != "" && plan.Worktree.Action == session.TreeCreate {
		err = a.keeper().Bind(ctx, plan.Worktree.Path, id)
	}
	err = errors.Join(err, a.settleFor(ctx, plan))
	if err != nil {
		done.notes = append(done.notes, err.Error())
	}
	return done, a.carryChanges(ctx, plan, &done)
}

// makeTree makes or restores the worktree of a plan.
func (a *app) makeTree(ctx context.Context, plan session.Plan, output io.Writer) (change.Created, error) {
	var said bytes.Buffer
	if output == nil {
		output = &said
	}
	w := plan.Worktree
	var tree change.Created
	var err error
	switch w.Action {
	case session.TreeCreate:
		req := owner.CreateRequest{Repository: w.From, Name: w.Name, Branch: w.Branch, Base: change.Head}
		switch w.Base {
		case "HEAD":
		case w.Branch:
			req.From.Branch = w.Branch
		default:
			req.Base = change.Fresh
		}
		tree, err = a.keeper().Create(ctx, req, output)
	case session.TreeRestore:
		tree, err = a.keeper().Restore(ctx, owner.RestoreRequest{Repository: w.From, Path: w.Path, Branch: w.Branch, Commit: w.Commit}, output)
	default:
		return tree, nil
	}
	if words := strings.TrimSpace(text.Clean(said.String())); err != nil && words != "" {
		err = fmt.Errorf("%w: %s", err, text.Truncate(words, 500))
	}
	if err == nil && !worktree.SamePath(tree.Path, plan.Cwd) {
		err = a.takeBack(plan, tree, fmt.Errorf("the worktree was made in %s, and not where it was to be", tree.Path))
	}
	return tree, err
}

// moveTo moves the session of a plan to the worktree that was made for it.
func (a *app) moveTo(ctx context.Context, plan session.Plan) (moveJSON, error) {
	rows, _, err := a.load(ctx)
	if err != nil {
		return moveJSON{}, err
	}
	for _, s := range rows {
		if s.ID == plan.Session {
			return a.moveSession(ctx, s, plan.Cwd)
		}
	}
	return moveJSON{}, fmt.Errorf("move session %s: %w", plan.Session, session.ErrNotFound)
}

// carryChanges copies the changes of the checkout that a plan is made from. When
// that breaks off, all else is done.
func (a *app) carryChanges(ctx context.Context, plan session.Plan, done *first) error {
	if !plan.Worktree.Carry {
		return nil
	}
	carried, err := change.CarryChanges(ctx, a.git(), plan.Worktree.From, plan.Worktree.Path)
	for _, s := range carried.Skipped {
		done.notes = append(done.notes, "not carried: "+s)
	}
	if err == nil {
		return nil
	}
	what := "the session " + launch.Started(plan)
	if plan.Fork != nil {
		what = "the fork " + launch.Started(plan)
	}
	return fmt.Errorf("%w; %s and its worktree %s are there, and the changes still are in %s: copy them, or go on without", err, what, plan.Worktree.Path, plan.Worktree.From)
}

// takeBackTime bounds the removal of a worktree that was made for nothing.
const takeBackTime = time.Minute

// takeBack removes a worktree that was made for what then failed, when it still is
// as it was made, and returns the failure. One that was only found again stays.
func (a *app) takeBack(plan session.Plan, tree change.Created, failed error) error {
	w := plan.Worktree
	if tree.Found || w.Action != session.TreeCreate && w.Action != session.TreeRestore {
		return failed
	}
	ctx, cancel := context.WithTimeout(context.Background(), takeBackTime)
	defer cancel()
	err := a.keeper().Remove(ctx, nil, owner.RemoveRequest{
		Repository: w.From, Path: w.Path, DropIgnored: true, Branch: w.Action == session.TreeCreate && w.Base != w.Branch,
	})
	if err != nil {
		return fmt.Errorf("%w; the worktree %s, made for it, is left: %w", failed, w.Path, err)
	}
	return failed
}

// settleFor sees to the locks of the worktrees that a plan concerns, right before
// its agent starts in one of them.
func (a *app) settleFor(ctx context.Context, plan session.Plan) error {
	soon := session.Session{ID: launch.Started(plan), Dir: plan.Cwd, Place: worktree.Locate(plan.Cwd)}
	if soon.ID == "" {
		soon.ID = "new"
	}
	return a.settle(ctx, []session.Session{soon}, plan.Cwd)
}

// settle sees to the locks of the worktrees that hold dirs, by the sessions that
// there are now and those that will be soon.
func (a *app) settle(ctx context.Context, soon []session.Session, dirs ...string) error {
	k := a.keeper()
	trees := map[owner.Tree]bool{}
	for _, dir := range dirs {
		if tree, ok := k.Tree(ctx, dir); ok {
			trees[tree] = true
		}
	}
	if len(trees) == 0 || k.Git.Program == "" {
		return nil
	}
	rows, _, err := a.load(ctx)
	if err != nil {
		return err
	}
	for _, s := range soon {
		rows = withRow(rows, s)
	}
	for tree := range trees {
		err = errors.Join(err, k.Settle(ctx, rows, tree.Repository, tree.Path))
	}
	return err
}

// withRow adds a row unless there is one of the session.
func withRow(rows []session.Session, s session.Session) []session.Session {
	for _, r := range rows {
		if r.ID == s.ID {
			return rows
		}
	}
	return append(rows, s)
}

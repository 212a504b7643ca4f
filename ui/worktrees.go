package ui

import (
	"context"
	"io"

	"coppice/session"
	"coppice/session/owner"
	"coppice/worktree"
	"coppice/worktree/change"
)

// Worktrees makes, compares and removes worktrees. Its methods are called off the
// loop; rows are all sessions, repository is a directory of one. An owner.Keeper
// has most of them.
type Worktrees interface {
	// Create makes a worktree; output gets what the set-up command prints.
	Create(ctx context.Context, req owner.CreateRequest, output io.Writer) (change.Created, error)
	// Checkout checks a branch out in the main checkout, as change.Checkout.
	Checkout(ctx context.Context, repository, branch string) error
	// Compare compares a revision in a directory with the base.
	Compare(ctx context.Context, dir, revision string) worktree.Comparison
	// Users says who uses a worktree, Losses what its removal would lose.
	Users(rows []session.Session, path string) []owner.User
	// Made tells of the worktree that holds dir when we made it.
	Made(dir string) session.MadeTree
	Losses(ctx context.Context, rows []session.Session, repository, path string) (change.Losses, error)
	Remove(ctx context.Context, rows []session.Session, req owner.RemoveRequest) error
	// Merged lists the worktrees whose branches are merged.
	Merged(ctx context.Context, rows []session.Session, repository string) ([]owner.Merged, error)
}

type (
	// workPrinted says that work in a dialog has printed something, or ended.
	workPrinted struct{ work *workDialog }
	// treeMade says how the making of a worktree went.
	treeMade struct {
		work *workDialog
		made change.Created
		err  error
	}
	// treeStarted is agentStarted for an agent in a worktree that was made for it.
	treeStarted struct {
		work    *workDialog
		started agentStarted
		notes   []string
	}
	// moved says how the move of a session to another directory went.
	moved struct {
		id, dir string
		notes   []string
		err     error
	}
	// checkedOut says how the check-out of a branch went.
	checkedOut struct {
		branch string
		err    error
	}
	// lossesFound says what the removal of a worktree would lose; a late one is
	// dropped by its gen. ended is the session whose end asks, "" for a person.
	lossesFound struct {
		gen    int
		tree   treeRef
		losses change.Losses
		users  []owner.User
		ours   bool // it was made from here
		ended  string
		err    error
	}
	// treesRemoved says how removals went: what is gone, and why others are not.
	treesRemoved struct {
		gone   []string
		failed []string
	}
	// mergedFound lists merged worktrees; a late one is dropped by its gen.
	mergedFound struct {
		gen  int
		repo worktree.Repository
		rows []owner.Merged
		err  error
	}
	// compared says how a checkout or branch differs from the base.
	compared struct {
		key compareKey
		is  worktree.Comparison
	}
)

func (workPrinted) isMsg()  {}
func (treeMade) isMsg()     {}
func (treeStarted) isMsg()  {}
func (moved) isMsg()        {}
func (checkedOut) isMsg()   {}
func (lossesFound) isMsg()  {}
func (treesRemoved) isMsg() {}
func (mergedFound) isMsg()  {}
func (compared) isMsg()     {}

// treeRef names a worktree.
type treeRef struct{ repository, path string }

// treeNews takes in what became of work on worktrees.
func (m *model) treeNews(in msg) []cmd {
	switch in := in.(type) {
	case workPrinted:
		return in.work.more()
	case treeMade:
		return m.treeMade(in)
	case treeStarted:
		return m.treeStarted(in)
	case moved:
		return m.moved(in)
	case checkedOut:
		return m.checkedOut(in)
	case lossesFound:
		m.lossesFound(in)
	case treesRemoved:
		return m.treesRemoved(in)
	case mergedFound:
		m.mergedFound(in)
	case requestsFound:
		m.requestsFound(in)
	case compared:
		m.compared.loaded(in)
	}
	return nil
}

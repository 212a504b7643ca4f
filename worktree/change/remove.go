package change

import (
	"context"
	"fmt"

	"coppice/worktree"
)

// RemoveOptions says what a removal may cost.
type RemoveOptions struct {
	Force       bool     // whatever is lost, locks of others included
	DropIgnored bool     // ignored files may go, as they do with git itself
	Branch      bool     // its branch goes too
	Users       []string // who else uses it, as the caller knows: each counts as a loss
}

// Remove removes a linked worktree, of any state, and asks right before what
// would be lost: it is a LossError, and nothing is touched, when that is
// anything. Git looks once more where it can. The branch stays unless it is to
// go; then commits that neither another branch nor a remote nor, in other form,
// the base has are a loss too.
//
// Where the directory is gone, or is no worktree any more, only the entry in the
// repository goes: that one, never others (reports E14, E17, E18); what lies at
// its place is not touched. A removal that breaks off says so; git keeps the
// entry of a directory that it could not remove whole.
func Remove(ctx context.Context, git worktree.Git, repository, path string, o RemoveOptions) error {
	r, w, err := find(ctx, git, repository, path)
	if err != nil {
		return fmt.Errorf("remove: %w", err)
	}
	l, err := r.losses(ctx, w)
	if err != nil && !o.Force {
		return fmt.Errorf("remove %s: what would be lost is not known: %w", w.Path, err)
	}
	l.Users = o.Users
	if !o.Force && (l.Unsaved() || l.Ignored.Count > 0 && !o.DropIgnored || o.Branch && l.BranchLost()) {
		return &LossError{Losses: l}
	}
	if err := r.remove(ctx, w, l.links > 0, o.Force); err != nil {
		return fmt.Errorf("remove %s: %w", w.Path, err)
	}
	if !o.Branch || w.Branch == "" {
		return nil
	}
	if err := r.deleteBranch(ctx, w.Branch, w.Head); err != nil {
		return fmt.Errorf("removed %s, but not its branch: %w", w.Path, err)
	}
	return nil
}

func (r repo) remove(ctx context.Context, w worktree.Worktree, links, force bool) error {
	switch w.State {
	case worktree.Present:
	case worktree.Missing, worktree.Prunable:
		return r.forget(w)
	default:
		return fmt.Errorf("its state is %s: %s", w.State, w.Detail)
	}
	args := []string{"worktree", "remove"}
	options := []string{}
	switch {
	case force:
		args = append(args, "--force", "--force") // the second is for a lock
	case links || r.hasModules(w):
		args = append(args, "--force") // git refuses submodules, whatever is in them (report E21)
	default:
		var err error
		if options, err = r.git.Inert(ctx, w.Path); err != nil {
			return err
		}
	}
	return r.run(ctx, worktree.Command{Dir: r.home, Options: options, Args: append(args, "--", w.Path)})
}

package change

import (
	"context"
	"fmt"
	"strings"

	"coppice/worktree"
)

// Checkout checks out a local branch in the main checkout of a repository, which
// must be clean: no changed tracked file, none that git was told not to look at,
// no operation under way, and on a branch or at a commit that has a name.
// Untracked and ignored files stay; where the branch has other ones in their
// place git refuses.
//
// The error is, or wraps, ErrDirty, ErrPlace where there is no main checkout,
// ErrNothing, an InUseError, or that of git or of ctx; then nothing was changed,
// but where git itself broke off.
func Checkout(ctx context.Context, git worktree.Git, repository, branch string) error {
	r, err := open(ctx, git, repository)
	if err == nil {
		err = r.checkout(ctx, branch)
	}
	if err != nil {
		return fmt.Errorf("check out %q: %w", branch, err)
	}
	return nil
}

func (r repo) checkout(ctx context.Context, branch string) error {
	w, err := r.mainCheckout()
	if err != nil {
		return err
	}
	if _, err := r.existing(branch); err != nil {
		return err
	}
	if err := r.clean(ctx, w); err != nil {
		return err
	}
	// Ignored files too may be the only ones of their kind.
	err = r.run(ctx, worktree.Command{
		Dir: w.Path, Network: true, Args: []string{"switch", "--quiet", "--no-guess", "--no-overwrite-ignore", branch},
	})
	if err != nil {
		return err
	}
	head, err := r.ask(ctx, w.Path, "symbolic-ref", "HEAD")
	if err == nil && head != ref(branch) {
		err = fmt.Errorf("git checked out %q", head)
	}
	return err
}

// mainCheckout is the main checkout, when git agrees that it is one.
func (r repo) mainCheckout() (worktree.Worktree, error) {
	for _, w := range r.info.Worktrees {
		if w.Main && w.State == worktree.Present {
			return w, nil
		}
	}
	return worktree.Worktree{}, fmt.Errorf("%w: the repository has no main checkout", ErrPlace)
}

// clean is an ErrDirty when another branch in a checkout would lose something
// there, or take it along.
func (r repo) clean(ctx context.Context, w worktree.Worktree) error {
	dirty := func(n int, what string) error {
		return fmt.Errorf("%s: %w: %d %s: commit or stash them first", w.Path, ErrDirty, n, what)
	}
	if w.Operation != "" {
		return fmt.Errorf("%s: %w: a %s is under way", w.Path, ErrDirty, w.Operation)
	}
	state, err := r.state(ctx, w.Path)
	if err != nil {
		return err
	}
	changed := 0
	for _, record := range state {
		if !strings.HasPrefix(record, "? ") {
			changed++
		}
	}
	if changed > 0 {
		return dirty(changed, "changed files")
	}
	var l Losses
	if err := r.hidden(ctx, w, &l); err != nil {
		return err
	}
	if l.Hidden.Count > 0 {
		return dirty(l.Hidden.Count, "files that git was told not to look at")
	}
	if w.Branch != "" || w.Head == "" {
		return nil
	}
	unnamed, err := r.only(ctx, []string{w.Head}, []string{"--branches", "--tags", "--remotes"})
	if err == nil && len(unnamed) > 0 {
		err = fmt.Errorf("%s: %w: %d commits on no branch: make one first", w.Path, ErrDirty, len(unnamed))
	}
	return err
}

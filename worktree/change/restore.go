package change

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/google/renameio/v2"

	"coppice/worktree"
)

// RestoreOptions says what worktree to bring back.
type RestoreOptions struct {
	Repository string // a directory of it, absolute
	Path       string // where the worktree was
	Branch     string // short name of the branch that it had, or ""
	Commit     string // hash of the commit that it was at, or ""
	Fill       Fill
}

// Restore brings a worktree back to its path.
//
//   - Its entry in the repository is still there: the directory is made again from
//     it, with what was staged, and the entry stays.
//   - It is forgotten: it is made again on its branch; where that is gone too, the
//     branch is made again at the commit; without a branch HEAD is detached there.
//   - It is there, but the repository or it was moved: the two files by which
//     they find each other are set right, and nothing else (report E17).
//
// What lies at the path otherwise is an ErrExists, also an empty directory. When
// it fails or ctx ends, what it made is gone again, as with Create.
func Restore(ctx context.Context, git worktree.Git, o RestoreOptions) (Created, error) {
	fail := func(err error) (Created, error) {
		return Created{}, fmt.Errorf("restore worktree %s: %w", o.Path, err)
	}
	r, err := open(ctx, git, o.Repository)
	if err != nil {
		return fail(err)
	}
	var made Created
	if w, errLinked := r.linked(o.Path); errLinked == nil {
		made, err = r.revive(ctx, w, o)
	} else {
		made, err = r.again(ctx, o)
	}
	if err != nil {
		return fail(err)
	}
	return made, nil
}

// PreviewRestore says what Restore would bring back by what is known now, and
// changes nothing. The errors are those of Restore.
func PreviewRestore(ctx context.Context, git worktree.Git, o RestoreOptions) (Created, error) {
	fail := func(err error) (Created, error) {
		return Created{}, fmt.Errorf("restore worktree %s: %w", o.Path, err)
	}
	r, err := open(ctx, git, o.Repository)
	if err != nil {
		return fail(err)
	}
	if w, errLinked := r.linked(o.Path); errLinked == nil {
		if w.State != worktree.Missing && w.State != worktree.Moved {
			return fail(notGone(w))
		}
		return entryOf(w), nil
	}
	path, st, err := r.past(ctx, o)
	if err != nil {
		return fail(err)
	}
	return Created{Path: path, Branch: st.branch, Base: st.base, Head: st.commit}, nil
}

// again makes a worktree that git knows nothing of any more.
func (r repo) again(ctx context.Context, o RestoreOptions) (Created, error) {
	path, st, err := r.past(ctx, o)
	if err != nil {
		return Created{}, err
	}
	return r.build(ctx, path, st, o.Fill)
}

// past finds out what a worktree had that git knows nothing of any more.
func (r repo) past(ctx context.Context, o RestoreOptions) (string, start, error) {
	path, err := r.free(filepath.Clean(o.Path))
	if err != nil {
		return "", start{}, err
	}
	if _, ok := r.branch(o.Branch); ok {
		st, err := r.existing(o.Branch)
		return path, st, err
	}
	if o.Commit == "" {
		return "", start{}, fmt.Errorf("branch %q: %w", o.Branch, ErrNothing)
	}
	st := start{branch: o.Branch}
	if st.commit, err = r.commit(ctx, r.home, o.Commit); err != nil {
		return "", start{}, err
	}
	st.base = st.commit
	if st.branch != "" {
		err = r.newBranch(ctx, st.branch)
	}
	return path, st, err
}

// entryOf is what a worktree that has its entry still comes back as.
func entryOf(w worktree.Worktree) Created {
	return Created{Path: w.Path, Branch: w.Branch, Base: w.Branch, Head: w.Head, Found: w.State == worktree.Moved}
}

// notGone says that there is nothing to restore.
func notGone(w worktree.Worktree) error { return fmt.Errorf("%w: its state is %s", ErrExists, w.State) }

// revive brings back a worktree that has its entry still.
func (r repo) revive(ctx context.Context, w worktree.Worktree, o RestoreOptions) (Created, error) {
	made := entryOf(w)
	switch w.State {
	case worktree.Missing:
	case worktree.Moved:
		return made, r.relink(w)
	default:
		return Created{}, notGone(w)
	}
	s := site{repo: r, path: w.Path}
	err := s.directory()
	if err == nil {
		err = s.refill(ctx, w)
	}
	if err == nil {
		made.Notes, err = s.fill(ctx, o.Fill)
	}
	if err != nil {
		return Created{}, s.undo(ctx, err)
	}
	return made, nil
}

// refill checks out what the index of an entry has: HEAD's commit and what was
// staged. Without a readable index it is HEAD's commit.
func (s *site) refill(ctx context.Context, w worktree.Worktree) error {
	dir := s.admin(w)
	if err := os.WriteFile(filepath.Join(s.path, ".git"), []byte("gitdir: "+dir+"\n"), 0o666); err != nil {
		return err
	}
	if _, err := os.Lstat(filepath.Join(dir, "index")); os.IsNotExist(err) {
		if err := s.run(ctx, worktree.Command{Dir: s.path, Args: []string{"read-tree", "HEAD"}}); err != nil {
			return err
		}
	}
	if place := worktree.Locate(s.path); place.State != worktree.Present || place.Root != s.path {
		return fmt.Errorf("%w: its entry belongs to another place", ErrExists)
	}
	return s.run(ctx, worktree.Command{Dir: s.path, Network: true, Args: []string{"checkout-index", "--all", "--index", "--quiet"}})
}

// relink makes a worktree and its entry name each other again. The directory
// must claim that entry, and none other may hold it.
func (r repo) relink(w worktree.Worktree) error {
	if w.Admin == "" {
		return fmt.Errorf("%w: %s", ErrNothing, w.Detail)
	}
	back := filepath.Join(r.admin(w), "gitdir")
	before, err := os.ReadFile(back)
	if err != nil {
		return err
	}
	if err := renameio.WriteFile(back, []byte(filepath.Join(w.Path, ".git")+"\n"), 0o644); err != nil {
		return err
	}
	err = renameio.WriteFile(filepath.Join(w.Path, ".git"), []byte("gitdir: "+r.admin(w)+"\n"), 0o644)
	if err == nil && worktree.Locate(w.Path).State != worktree.Present {
		err = ErrExists
	}
	if err != nil {
		_ = renameio.WriteFile(back, before, 0o644)
	}
	return err
}

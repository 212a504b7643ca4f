package change

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"coppice/worktree"
)

// CreateOptions says what worktree to make.
type CreateOptions struct {
	Repository string // a directory of it, absolute; HEAD is the one that is checked out there
	Name       string // see CheckName; for a pull request "pr-<number>" when empty
	From       Source
	Path       string // where it goes: a pattern with {repo} and {name}
	Branch     string // name of a new branch: a pattern with {name}, or the name itself
	Base       string // Fresh or Head
	Fill       Fill
}

// Fill says what a new worktree gets besides what git checks out. Files that
// .worktreeinclude names are always copied (see include).
type Fill struct {
	Links  []string  // directories of the main checkout, relative to it, that the worktree gets as symlinks
	Setup  []string  // program and arguments, run in the worktree without a shell
	Output io.Writer // gets what Setup prints; nil drops it
}

// Created is a new worktree.
type Created struct {
	Path   string   // absolute, symlinks resolved
	Branch string   // short name; "" for a detached HEAD
	Base   string   // what it begins at: "origin/main", "HEAD", a branch, "#7"
	Head   string   // hash of its commit
	Notes  []string // what was not done as asked, a line each
	Found  bool     // it was there, and was only connected with its repository again
}

// Create makes a worktree. When it fails or ctx ends, everything that it made is
// gone again (a LeftError says what is not), and what was there before is as it
// was; only what a fetch brought stays.
//
// The error is, or wraps, ErrName, ErrExists, ErrPlace, ErrNothing, an
// InUseError, or that of git, of the file system, of the set-up command or of
// ctx.
func Create(ctx context.Context, git worktree.Git, o CreateOptions) (Created, error) {
	r, path, st, err := prepare(ctx, git, o, false)
	if err != nil {
		return Created{}, err
	}
	made, err := r.build(ctx, path, st, o.Fill)
	if err != nil {
		return Created{}, fmt.Errorf("create worktree %s: %w", path, err)
	}
	return made, nil
}

// Preview says what Create would make by what is known now, and changes nothing:
// the base may still be fetched, and of a pull request the commit is not known.
// The errors are those of Create.
func Preview(ctx context.Context, git worktree.Git, o CreateOptions) (Created, error) {
	_, path, st, err := prepare(ctx, git, o, true)
	if err != nil {
		return Created{}, err
	}
	return Created{Path: path, Branch: st.branch, Base: st.base, Head: st.commit}, nil
}

// prepare finds out where a new worktree goes and what it begins at.
func prepare(ctx context.Context, git worktree.Git, o CreateOptions, still bool) (r repo, path string, st start, err error) {
	if o.Name, err = o.name(); err != nil {
		return r, "", st, err
	}
	if r, err = open(ctx, git, o.Repository); err != nil {
		return r, "", st, err
	}
	r.still = still
	if path, err = r.place(o.Path, o.Name); err != nil {
		return r, "", st, err
	}
	if st, err = r.start(ctx, o); err != nil {
		err = fmt.Errorf("create worktree %s: %w", o.Name, err)
	}
	return r, path, st, err
}

// build makes a worktree at path and fills it, or undoes what it did.
func (r repo) build(ctx context.Context, path string, st start, fill Fill) (Created, error) {
	s := site{repo: r, path: path}
	err := s.directory()
	if err == nil {
		err = s.branch(ctx, &st)
	}
	if err == nil {
		err = s.add(ctx, st)
	}
	var notes []string
	if err == nil {
		notes, err = s.fill(ctx, fill)
	}
	if err != nil {
		return Created{}, s.undo(ctx, err)
	}
	if st.note != "" {
		notes = append([]string{st.note}, notes...)
	}
	return Created{Path: path, Branch: st.branch, Base: st.base, Head: st.commit, Notes: notes}, nil
}

// site is a worktree in the making, and what of it is ours to undo.
type site struct {
	repo
	path    string
	parents []string // directories made on the way, outermost first
	made    bool     // the directory itself
	began   bool     // git was told to add the worktree
	own     string   // the branch made for it, short name
	commit  string   // that the branch was made at; "" when a fetch decides
}

// directory makes the directory, and no other process did: git takes an empty
// one.
func (s *site) directory() error {
	for dir := filepath.Dir(s.path); ; dir = filepath.Dir(dir) {
		if _, err := os.Lstat(dir); err == nil {
			break
		} else if !os.IsNotExist(err) {
			return err
		}
		s.parents = append([]string{dir}, s.parents...)
	}
	for i, dir := range s.parents {
		if err := os.Mkdir(dir, 0o777); err != nil && !os.IsExist(err) {
			s.parents = s.parents[:i]
			return err
		}
	}
	err := os.Mkdir(s.path, 0o777)
	s.made = err == nil
	if os.IsExist(err) {
		return fmt.Errorf("%w", ErrExists)
	}
	return err
}

// branch makes the branch, when it is a new one.
func (s *site) branch(ctx context.Context, st *start) error {
	if st.exists || st.branch == "" {
		return nil
	}
	s.own, s.commit = st.branch, st.commit
	if st.request > 0 {
		err := s.request(ctx, st.request, st.branch)
		if err == nil {
			st.commit, err = s.repo.commit(ctx, s.home, ref(st.branch))
			s.commit = st.commit
		} else if ctx.Err() == nil {
			s.own = ""
		}
		return err
	}
	args := []string{"branch", "--quiet", "--no-track", "--", st.branch, st.commit}
	if st.follows != "" {
		args = []string{"branch", "--quiet", "--track", "--", st.branch, st.follows}
	}
	err := s.run(ctx, worktree.Command{Dir: s.home, Args: args})
	if said(err) {
		s.own = "" // git made none: if there is one now, somebody else did
	}
	return err
}

// add lets git make the worktree, and looks whether it is one: git in a
// directory that is none works on the repository around it (report E15).
func (s *site) add(ctx context.Context, st start) error {
	args := []string{"worktree", "add", "--quiet", "--", s.path, st.branch}
	if st.branch == "" {
		args = []string{"worktree", "add", "--quiet", "--detach", "--", s.path, st.commit}
	}
	s.began = true
	if err := s.run(ctx, worktree.Command{Dir: s.home, Args: args, Network: true}); err != nil {
		return err
	}
	place := worktree.Locate(s.path)
	head, err := s.ask(ctx, s.path, "rev-parse", "--symbolic-full-name", "HEAD")
	switch {
	case err != nil:
		return err
	case place.State != worktree.Present || place.Root != s.path:
		return errors.New("git made no worktree there")
	case st.branch != "" && head != ref(st.branch):
		return fmt.Errorf("git checked out %q there", head)
	}
	return nil
}

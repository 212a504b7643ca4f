package change

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"coppice/worktree"
)

// repo is the repository that is changed.
type repo struct {
	git  worktree.Git
	info worktree.Repository
	home string // where git finds it

	still bool // nothing is fetched
}

func open(ctx context.Context, git worktree.Git, dir string) (repo, error) {
	if git.Program == "" {
		return repo{}, worktree.ErrNoProgram
	}
	git.NoBranches = false
	info, err := git.Open(ctx, dir)
	if err != nil {
		return repo{}, err
	}
	home := info.Main
	if home == "" {
		home = info.CommonDir
	}
	return repo{git: git, info: info, home: home}, nil
}

// settings are the options of every run that may write: what a person has set
// for their own commands must not change what ours do.
func settings() []string {
	return []string{
		"-c", "submodule.recurse=false",
		"-c", "worktree.guessRemote=false",
		"-c", "gc.worktreePruneExpire=never",
		"-c", "advice.detachedHead=false",
	}
}

// run runs git for a change; only ctx ends it, since a checkout takes its time.
func (r repo) run(ctx context.Context, c worktree.Command) error {
	c.Options = append(settings(), c.Options...)
	c.Unhurried = true
	return r.git.Run(ctx, c)
}

// ask returns what git prints, without the line feed at its end.
func (r repo) ask(ctx context.Context, dir string, args ...string) (string, error) {
	var out bytes.Buffer
	err := r.git.Run(ctx, worktree.Command{Dir: dir, Args: args, Stdout: &out})
	return strings.TrimSuffix(out.String(), "\n"), err
}

// list returns the records that git prints, each ended by a NUL.
func list(ctx context.Context, git worktree.Git, c worktree.Command) ([]string, error) {
	var out bytes.Buffer
	c.Stdout = &out
	if err := git.Run(ctx, c); err != nil {
		return nil, err
	}
	return split(out.String(), "\x00"), nil
}

// split cuts a text at an ending mark. An empty text has no parts.
func split(text, end string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(strings.TrimSuffix(text, end), end)
}

// said reports whether git ran and answered no, which is an answer; any other
// error is none.
func said(err error) bool {
	var failed *worktree.GitError
	return errors.As(err, &failed) && failed.ExitCode > 0
}

// commit returns the hash of the commit that a revision names.
func (r repo) commit(ctx context.Context, dir, revision string) (string, error) {
	hash, err := r.ask(ctx, dir, "rev-parse", "--verify", "--quiet", "--end-of-options", revision+"^{commit}")
	if said(err) {
		return "", fmt.Errorf("commit %q: %w", revision, ErrNothing)
	}
	return hash, err
}

// linked returns the registered linked worktree at a path, whatever its state.
func (r repo) linked(path string) (worktree.Worktree, error) {
	for _, w := range r.info.Worktrees {
		if w.Admin != "" && worktree.SamePath(w.Path, path) {
			return w, nil
		}
	}
	return worktree.Worktree{}, fmt.Errorf("%s: %w of %s", path, ErrNoWorktree, r.home)
}

// find opens a repository and returns its linked worktree at a path.
func find(ctx context.Context, git worktree.Git, repository, path string) (repo, worktree.Worktree, error) {
	r, err := open(ctx, git, repository)
	if err != nil {
		return repo{}, worktree.Worktree{}, err
	}
	w, err := r.linked(path)
	return r, w, err
}

// admin is the directory of a worktree's entry in the repository.
func (r repo) admin(w worktree.Worktree) string {
	return filepath.Join(r.info.CommonDir, "worktrees", w.Admin)
}

// branch returns a local branch by its short name.
func (r repo) branch(name string) (worktree.Branch, bool) {
	for _, b := range r.info.Branches {
		if b.Name == name {
			return b, true
		}
	}
	return worktree.Branch{}, false
}

func ref(branch string) string { return "refs/heads/" + branch }

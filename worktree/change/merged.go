package change

import (
	"bytes"
	"context"
	"fmt"
	"strings"

	"coppice/worktree"
)

// Merged is a worktree whose branch has nothing that the base does not have.
type Merged struct {
	Path   string
	Branch string // short name
	Reason string // how the base came to have it
}

// FindMerged lists the linked worktrees of a repository whose branches the base
// has taken in, by path: the default branch of origin as it is known here, else
// what the main checkout is on. That nothing else would be lost with one is for
// FindLosses and Remove to say.
func FindMerged(ctx context.Context, git worktree.Git, repository string) ([]Merged, error) {
	r, err := open(ctx, git, repository)
	if err != nil {
		return nil, fmt.Errorf("look for merged worktrees: %w", err)
	}
	var found []Merged
	for _, w := range r.info.Worktrees {
		if w.Admin == "" || w.Branch == "" || w.State != worktree.Present {
			continue
		}
		reason, err := r.merged(ctx, w.Branch)
		if err != nil {
			return found, fmt.Errorf("look for merged worktrees: %w", err)
		}
		if reason != "" {
			found = append(found, Merged{Path: w.Path, Branch: w.Branch, Reason: reason})
		}
	}
	return found, nil
}

// merged says how the base has what a branch has: as its commits, as others with
// the same changes, or as one with all of them. It returns "" when it has not.
func (r repo) merged(ctx context.Context, branch string) (reason string, err error) {
	base, short, err := r.git.Base(ctx, r.info.CommonDir)
	if err != nil || base == "" || base == ref(branch) {
		return "", err
	}
	own, err := r.ask(ctx, r.home, "rev-list", "--count", ref(branch), "--not", base, "--")
	switch {
	case said(err):
		return "", nil // a branch without commits
	case err != nil:
		return "", err
	case own == "0":
		return "merged into " + short, nil
	}
	cherry, err := r.ask(ctx, r.home, "cherry", base, ref(branch))
	if err != nil {
		return "", err
	}
	lines := split(cherry, "\n")
	rebased := 0
	for _, line := range lines {
		if strings.HasPrefix(line, "- ") {
			rebased++
		}
	}
	merges, err := r.ask(ctx, r.home, "rev-list", "--count", "--merges", ref(branch), "--not", base, "--")
	if err != nil {
		return "", err
	}
	if rebased == len(lines) && rebased > 0 && merges == "0" { // git cherry leaves merges out
		return "its changes are in " + short, nil
	}
	commit, err := r.squashed(ctx, base, branch)
	if err != nil || commit == "" {
		return "", err
	}
	return fmt.Sprintf("squashed into %s as %.10s", short, commit), nil
}

// squashed returns the commit of the base that makes the same change as all of a
// branch since the two parted, by git's patch id, "" when there is none. Only
// commits that touch the same files are asked.
func (r repo) squashed(ctx context.Context, base, branch string) (string, error) {
	parted, err := r.ask(ctx, r.home, "merge-base", base, ref(branch))
	if said(err) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	paths, err := list(ctx, r.git, r.plain("diff-tree", "-r", "--name-only", "-z", parted, ref(branch), "--"))
	if err != nil || len(paths) == 0 {
		return "", err
	}
	whole, err := r.patchIDs(ctx, r.plain("diff-tree", "-p", parted, ref(branch), "--"))
	if err != nil || len(whole) != 1 {
		return "", err
	}
	log := r.plain("log", "-p", "--full-diff", "--no-merges", "--max-count="+maxCommits, "--format=commit %H",
		base, "^"+parted, "--", paths[0])
	log.Options = []string{"--literal-pathspecs"}
	candidates, err := r.patchIDs(ctx, log)
	if err != nil {
		return "", err
	}
	for _, c := range candidates {
		if c.id == whole[0].id {
			same, err := r.sameBinaries(ctx, parted, branch, c.commit)
			if err != nil || same {
				return c.commit, err
			}
		}
	}
	return "", nil
}

// plain is a command that prints differences as git makes them, whatever is
// configured.
func (r repo) plain(command string, args ...string) worktree.Command {
	return worktree.Command{Dir: r.home, Unhurried: true, Args: append([]string{
		command, "--no-ext-diff", "--no-textconv", "--no-renames", "--no-color", "--src-prefix=a/", "--dst-prefix=b/",
	}, args...)}
}

type patch struct{ id, commit string }

// patchIDs returns the ids of the patches that a command prints, in its order.
func (r repo) patchIDs(ctx context.Context, c worktree.Command) ([]patch, error) {
	var text, ids bytes.Buffer
	c.Stdout = &text
	if err := r.git.Run(ctx, c); err != nil {
		return nil, err
	}
	err := r.git.Run(ctx, worktree.Command{
		Dir: r.home, Unhurried: true, Args: []string{"patch-id", "--stable"}, Stdin: &text, Stdout: &ids,
	})
	var patches []patch
	for _, line := range split(ids.String(), "\n") {
		id, commit, _ := strings.Cut(line, " ")
		patches = append(patches, patch{id, commit})
	}
	return patches, err
}

// sameBinaries reports whether a commit has the branch's own bytes in every
// binary file that the branch changed: a patch id says little of those.
func (r repo) sameBinaries(ctx context.Context, parted, branch, commit string) (bool, error) {
	counts, err := list(ctx, r.git, r.plain("diff-tree", "-r", "--numstat", "-z", parted, ref(branch), "--"))
	if err != nil {
		return false, err
	}
	for _, count := range counts {
		path, binary := strings.CutPrefix(count, "-\t-\t")
		if !binary {
			continue
		}
		c := r.plain("diff-tree", "-r", "--quiet", commit, ref(branch), "--", path)
		c.Options = []string{"--literal-pathspecs"}
		if err := r.git.Run(ctx, c); said(err) {
			return false, nil
		} else if err != nil {
			return false, err
		}
	}
	return true, nil
}

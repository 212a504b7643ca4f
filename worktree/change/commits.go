package change

import (
	"context"
	"strings"

	"coppice/worktree"
)

// maxCommits bounds a list of commits.
const maxCommits = "1000"

// commits adds the commits that would have no name left.
func (r repo) commits(ctx context.Context, w worktree.Worktree, l *Losses) error {
	if w.Branch != "" && w.Head != "" {
		others := []string{"--exclude=" + w.Branch, "--branches", "--tags", "--remotes"}
		var err error
		if l.Commits, err = r.only(ctx, []string{ref(w.Branch)}, others); err != nil {
			return err
		}
		if len(l.Commits) > 0 {
			if l.Merged, err = r.merged(ctx, w.Branch); err != nil {
				return err
			}
		}
	}
	tips, err := r.record(ctx, w)
	if err != nil || len(tips) == 0 {
		return err
	}
	if w.Branch != "" {
		log, err := r.reflog(ctx, r.info.CommonDir, ref(w.Branch))
		if err != nil {
			return err
		}
		for _, entry := range log {
			tips = append(tips, "^"+entry.Hash)
		}
	}
	l.Unnamed, err = r.only(ctx, tips, []string{"--branches", "--tags", "--remotes", "--glob=refs/stash"})
	return err
}

// only returns the commits that the first revisions reach and the others do not,
// newest first. not holds options of git log that name references.
func (r repo) only(ctx context.Context, from, not []string) ([]Commit, error) {
	return r.log(ctx, worktree.Command{
		Dir:   r.home,
		Args:  append([]string{"log", "--max-count=" + maxCommits, "--stdin", "--not"}, not...),
		Stdin: strings.NewReader(strings.Join(from, "\n") + "\n"),
	})
}

// log runs a command of the log family and returns what it lists.
func (r repo) log(ctx context.Context, c worktree.Command) ([]Commit, error) {
	c.Unhurried = true
	c.Args = append([]string{c.Args[0], "-z", "--no-show-signature", "--no-mailmap", "--no-notes", "--no-color", "--format=%H %s"}, c.Args[1:]...)
	records, err := list(ctx, r.git, c)
	var commits []Commit
	for _, record := range records {
		hash, subject, _ := strings.Cut(record, " ")
		commits = append(commits, Commit{hash, subject})
	}
	return commits, err
}

// record returns the commits that the worktree's own files name: HEAD, where
// HEAD has been, and what an operation keeps. Steps of a rebase are left out:
// its result is what counts.
func (r repo) record(ctx context.Context, w worktree.Worktree) ([]string, error) {
	dir := r.admin(w)
	var tips []string
	if w.Head != "" {
		tips = append(tips, w.Head)
	}
	log, err := r.reflog(ctx, dir, "HEAD")
	if err != nil {
		return nil, err
	}
	for _, entry := range log {
		if !strings.HasPrefix(entry.Subject, "rebase") {
			tips = append(tips, entry.Hash)
		}
	}
	names, err := list(ctx, r.git, worktree.Command{
		Dir: dir, Options: []string{"--git-dir=" + dir},
		Args: []string{"for-each-ref", "--format=%(objectname)%00", "refs/worktree", "refs/bisect", "refs/rewritten"},
	})
	for _, name := range names {
		if name = strings.TrimSpace(name); name != "" {
			tips = append(tips, name)
		}
	}
	return tips, err
}

// reflog returns where a reference of a git directory has been, each commit with
// what was done. A reference that is gone, or has no log, has been nowhere.
func (r repo) reflog(ctx context.Context, dir, name string) ([]Commit, error) {
	log, err := r.log(ctx, worktree.Command{
		Dir: dir, Options: []string{"--git-dir=" + dir},
		Args: []string{"log", "--walk-reflogs", "--format=%H %gs", name, "--"},
	})
	if said(err) {
		return nil, nil
	}
	return log, err
}

// stashes adds the stashes that were made on the worktree's branch.
func (r repo) stashes(ctx context.Context, w worktree.Worktree, l *Losses) error {
	log, err := r.reflog(ctx, r.info.CommonDir, "refs/stash")
	for _, entry := range log {
		for _, made := range []string{"WIP on ", "On "} {
			if w.Branch != "" && strings.HasPrefix(entry.Subject, made+w.Branch+": ") {
				l.Stashes = append(l.Stashes, entry.Subject)
			}
		}
	}
	return err
}

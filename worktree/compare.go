package worktree

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// Comparison says how a checkout or branch differs from the base: the default
// branch of origin as it is known here, else what the repository's own HEAD is
// on. Only commits are compared; Status tells of what is not committed.
type Comparison struct {
	Base    string // short name, such as "origin/main"; "" where there is nothing to compare with
	Ahead   int    // commits that the base does not have
	Behind  int
	Commits []Commit // those ahead, newest first, at most maxCompared
	Files   []Change // that differ from where the two parted, at most maxCompared
	Changed int      // how many there are
	Added   int      // lines of all
	Removed int
	Problem string // why it is not known, "" when it is
}

// Commit names a commit. The subject is foreign text.
type Commit struct{ Hash, Subject string }

// Change is a file that differs.
type Change struct {
	Name           string // relative to the repository; foreign text
	Added, Removed int    // lines
	Binary         bool   // it has no lines
}

const maxCompared = 200

// Compare compares a revision, such as HEAD or the full name of a branch, in a
// directory of a repository with the base; it never fails: what went wrong is the
// Problem. Like Status it writes nothing, and nothing runs that the repository
// configures: files are not looked at, so no content filter has a part in it.
func (g Git) Compare(ctx context.Context, dir, revision string) Comparison {
	var c Comparison
	err := g.compare(ctx, dir, revision, &c)
	if err != nil {
		return Comparison{Base: c.Base, Problem: explainRun(err, dir)}
	}
	return c
}

func (g Git) compare(ctx context.Context, dir, revision string, c *Comparison) error {
	place := Locate(dir)
	if place.CommonDir == "" || place.State == Ghost || place.State == Prunable {
		return errors.New(unfit(place))
	}
	full, short, err := g.Base(ctx, place.CommonDir)
	if err != nil || full == "" || full == revision {
		return err
	}
	c.Base = short
	parted, err := g.line(ctx, dir, "merge-base", full, revision)
	if exit := (*GitError)(nil); errors.As(err, &exit) && exit.ExitCode == 1 {
		return fmt.Errorf("it has no commit in common with %s", short)
	}
	if err != nil {
		return err
	}
	counts, err := g.line(ctx, dir, "rev-list", "--left-right", "--count", full+"..."+revision, "--")
	if err != nil {
		return err
	}
	if _, err := fmt.Sscanf(counts, "%d %d", &c.Behind, &c.Ahead); err != nil {
		return fmt.Errorf("count commits: %w", err)
	}
	log := &records{each: func(record []byte) {
		hash, subject, _ := strings.Cut(string(record), " ")
		c.Commits = append(c.Commits, Commit{hash, subject})
	}}
	err = g.run(ctx, log, dir, nil, "log", "-z", "--no-show-signature", "--no-mailmap", "--no-notes", "--no-color",
		"--format=%h %s", "--max-count="+strconv.Itoa(maxCompared), full+".."+revision, "--")
	if err != nil {
		return err
	}
	return g.run(ctx, &records{each: c.add}, dir, nil, "diff-tree", "-r", "--numstat", "-z",
		"--no-renames", "--no-ext-diff", "--no-textconv", "--no-color", parted, revision, "--")
}

// add takes one record of git diff-tree --numstat -z: lines added, removed, name.
func (c *Comparison) add(record []byte) {
	fields := strings.SplitN(string(record), "\t", 3)
	if len(fields) < 3 {
		return
	}
	added, errAdded := strconv.Atoi(fields[0])
	removed, errRemoved := strconv.Atoi(fields[1])
	c.Changed++
	c.Added, c.Removed = c.Added+added, c.Removed+removed
	if len(c.Files) < maxCompared {
		c.Files = append(c.Files, Change{Name: fields[2], Added: added, Removed: removed, Binary: errAdded != nil || errRemoved != nil})
	}
}

// Base returns the full name of the branch that others are made from and merged
// into, and what to call it: the default branch of origin as it is known here,
// else what HEAD of the repository itself is on; "" where there is none.
func (g Git) Base(ctx context.Context, common string) (full, short string, err error) {
	for _, name := range []struct{ head, prefix string }{
		{"refs/remotes/origin/HEAD", "refs/remotes/"},
		{"HEAD", "refs/heads/"},
	} {
		var out bytes.Buffer
		err := g.run(ctx, &out, common, []string{"--git-dir=" + common}, "symbolic-ref", "--quiet", name.head)
		if failed := (*GitError)(nil); err != nil && !errors.As(err, &failed) {
			return "", "", err
		}
		full = strings.TrimSuffix(out.String(), "\n")
		if short, ok := strings.CutPrefix(full, name.prefix); ok && short != "" {
			return full, short, nil
		}
	}
	return "", "", nil
}

// line returns the one line that git prints.
func (g Git) line(ctx context.Context, dir string, args ...string) (string, error) {
	var out bytes.Buffer
	err := g.run(ctx, &out, dir, nil, args...)
	line, _, _ := strings.Cut(out.String(), "\n")
	return line, err
}

package worktree

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
)

// listBranches reads the local branches with the git program: what go-git
// cannot follow (report E3), and any repository whose files it stumbles over.
func (g Git) listBranches(ctx context.Context, dir string) ([]Branch, error) {
	branches := []Branch{}
	out := &records{end: '\n', each: func(line []byte) {
		fields := strings.Split(string(line), "\x00")
		if len(fields) < 3 || !isHash(fields[1]) {
			return
		}
		branches = append(branches, Branch{
			Name:     strings.TrimPrefix(fields[0], branchPrefix),
			Head:     fields[1],
			Upstream: shortRemote(fields[2]),
		})
	}}
	err := g.run(ctx, out, dir, nil, "for-each-ref",
		"--format=%(refname)%00%(objectname)%00%(upstream)", "--sort=refname", branchPrefix)
	return branches, err
}

// listHeads asks the git program what each checkout has checked out, by path as
// registered. Only a repository without HEAD files needs it; a git that knows
// such repositories knows -z too.
func (g Git) listHeads(ctx context.Context, dir string) (map[string]head, error) {
	heads := map[string]head{}
	var path string
	out := &records{end: 0, each: func(record []byte) {
		key, value, _ := bytes.Cut(record, []byte(" "))
		h := heads[path]
		switch string(key) {
		case "worktree":
			path = filepath.Clean(string(value))
			return
		case "HEAD":
			if hash := string(value); isHash(hash) && strings.Trim(hash, "0") != "" {
				h.hash = hash
			}
		case "branch":
			h.branch = trimBranch(string(value))
		default:
			return
		}
		heads[path] = h
	}}
	err := g.run(ctx, out, dir, nil, "worktree", "list", "--porcelain", "-z")
	return heads, err
}

// explain says in one line why something is missing and what is needed: what
// names the part, why names what go-git cannot read.
func explain(what, why string, err error, dir string) string {
	var failed *GitError
	switch {
	case errors.Is(err, ErrNoProgram):
		return fmt.Sprintf("%s: needs the git program (%s)", what, why)
	case errors.As(err, &failed) && foreign(dir):
		return fmt.Sprintf("%s: %s", what, trust(dir))
	case errors.As(err, &failed):
		return fmt.Sprintf("%s: needs a git program that reads it (%s); %s", what, why, failed)
	}
	return fmt.Sprintf("%s (%s): %s", what, why, clip(err.Error()))
}

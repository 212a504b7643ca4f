package worktree

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Status reads the state of one checkout, given by its top directory, with the
// git program; it never fails: what went wrong is the Problem.
//
// Only what Locate calls a checkout is asked: in a ghost directory git would
// answer for the repository around it (report E15). Ignored files are neither
// read nor counted (report E5), nothing is written, no lock is taken (report
// E6), and nothing runs that the repository configures. Hence two limits:
//   - content filters (Git LFS among them) do not run, so a file under one
//     counts as changed when its times changed, until git next looks itself;
//   - in submodules only a different commit counts, not changed files.
func (g Git) Status(ctx context.Context, path string) Status {
	status := Status{Path: path}
	status.Problem = g.status(ctx, &status)
	status.At = time.Now()
	if status.Problem != "" {
		status.Dirty, status.Ahead, status.Behind, status.Upstream = 0, 0, 0, false
	}
	return status
}

func (g Git) status(ctx context.Context, status *Status) (problem string) {
	place := Locate(status.Path)
	if problem := unfit(place); problem != "" {
		return problem
	}
	dir := place.Resolved
	options, err := g.Inert(ctx, dir)
	if err == nil {
		// Named, the checkout counts as one even where the shared configuration
		// says that the repository is bare (report E9).
		options = append(options, "--work-tree="+dir)
		err = g.run(ctx, &records{end: 0, each: count(status)}, dir, options, "status",
			"--porcelain=v2", "-z", "--branch", "--ahead-behind", "--no-renames",
			"--untracked-files=normal", "--ignore-submodules=dirty")
	}
	return explainRun(err, dir)
}

// explainRun says why git did not answer about a checkout, "" when it did.
func explainRun(err error, dir string) string {
	var failed *GitError
	switch {
	case err == nil:
		return ""
	case errors.Is(err, ErrNoProgram):
		return "needs the git program"
	case errors.Is(err, context.DeadlineExceeded):
		return "git did not answer in time"
	case errors.Is(err, context.Canceled):
		return "cancelled"
	case errors.As(err, &failed) && foreign(dir):
		return trust(dir)
	}
	return clip(err.Error())
}

// unfit says why a place cannot have a status, "" when it can. A worktree that
// was renamed still can: git finds its way from there.
func unfit(place Place) string {
	switch {
	case !place.Exists:
		return "its directory is gone"
	case place.State == Ghost:
		return "not a worktree: git works on the repository around it here"
	case place.State == Prunable:
		return "no worktree any more"
	case place.State == Moved && place.CommonDir == "":
		return "its repository was moved or is gone"
	case place.State == Bare:
		return "not a checkout: a bare repository"
	case place.CommonDir == "":
		return ErrNotRepository.Error()
	case !SamePath(place.Root, place.Resolved):
		return "not the top directory of a checkout"
	}
	return ""
}

// count returns what takes one record of `git status --porcelain=v2 -z`: a
// header, or one changed or untracked path.
func count(status *Status) func(record []byte) {
	return func(record []byte) {
		if len(record) < 2 {
			return
		}
		switch kind := record[0]; kind {
		case '1', '2', 'u', '?':
			if record[1] == ' ' {
				status.Dirty++
			}
		case '#':
			ab, ok := bytes.CutPrefix(record, []byte("# branch.ab +"))
			if !ok {
				return
			}
			ahead, behind, _ := bytes.Cut(ab, []byte(" -"))
			var errA, errB error
			status.Ahead, errA = strconv.Atoi(string(ahead))
			status.Behind, errB = strconv.Atoi(string(behind))
			status.Upstream = errA == nil && errB == nil
		}
	}
}

// Inert returns the options under which git runs nothing in dir that its
// configuration names: content filters are the one kind of program that status
// runs and that no single switch turns off. Listing the configuration runs
// nothing. It is an error when core.worktree sends git elsewhere (report E12).
func (g Git) Inert(ctx context.Context, dir string) ([]string, error) {
	drivers := map[string]bool{}
	var elsewhere string
	out := &records{end: 0, each: func(record []byte) {
		key, value, _ := bytes.Cut(record, []byte("\n"))
		if name, ok := filterName(key); ok {
			drivers[name] = true
		}
		if string(key) == "core.worktree" {
			elsewhere = string(value)
		}
	}}
	if err := g.run(ctx, out, dir, nil, "config", "--list", "-z"); err != nil {
		return nil, err
	}
	if err := pointsHere(dir, elsewhere); err != nil {
		return nil, err
	}
	inert := make([]string, 0, 8*len(drivers)+1)
	for name := range drivers {
		if strings.Contains(name, "=") {
			return nil, fmt.Errorf("content filter %q cannot be turned off", clip(name))
		}
		for _, setting := range []string{"clean=", "smudge=", "process=", "required=false"} {
			inert = append(inert, "-c", "filter."+name+"."+setting)
		}
	}
	return inert, nil
}

// filterName returns the driver of a key such as filter.<driver>.clean. The
// driver's name may hold anything, dots too.
func filterName(key []byte) (string, bool) {
	rest, ok := bytes.CutPrefix(key, []byte("filter."))
	end := bytes.LastIndexByte(rest, '.')
	if !ok || end < 0 {
		return "", false
	}
	return string(rest[:end]), true
}

// pointsHere is an error when core.worktree sends git to another directory than
// dir (report E12): its answer would be about that one.
func pointsHere(dir, worktree string) error {
	if worktree == "" {
		return nil
	}
	found, _, _ := look(dir)
	if linked(found.git) || SamePath(from(found.git, worktree), dir) {
		return nil
	}
	return fmt.Errorf("core.worktree names another directory: %s", clip(worktree))
}

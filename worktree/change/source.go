package change

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"coppice/worktree"
)

// Source says what a new worktree has checked out. At most one field is set;
// none is a new branch from the base.
type Source struct {
	Branch      string // a local branch, as it is
	Remote      string // a branch of a remote as it is known here, such as "origin/x": a new local x that follows it
	Commit      string // any name of a commit: a new branch there
	PullRequest int    // a pull or merge request of origin, which is asked for it: a new branch there
}

// The values of CreateOptions.Base.
const (
	Fresh = "fresh" // the default branch of origin, fetched when it was not for a day; HEAD where there is none
	Head  = "head"  // HEAD of the checkout that was asked from
)

const (
	remote    = "origin" // the only one that the client asks, too
	remotes   = "refs/remotes/"
	fetchAge  = 24 * time.Hour  // how old the last fetch may be for a fresh base
	fetchTime = 5 * time.Second // how long one may take then
)

// start is where a new worktree begins.
type start struct {
	branch  string // short name
	exists  bool   // the branch is taken as it is
	commit  string // hash; "" until a pull request was fetched
	base    string // what it is called
	follows string // full name of the remote branch to follow, or ""
	request int    // number of the pull request to fetch, or 0
	note    string // what was not as asked
}

// start resolves the source of a new worktree.
func (r repo) start(ctx context.Context, o CreateOptions) (start, error) {
	switch s := o.From; {
	case s.Branch != "":
		return r.existing(s.Branch)
	case s.Remote != "":
		return r.follow(ctx, s.Remote)
	case s.PullRequest != 0:
		st := start{branch: expand(o.Branch, "", o.Name), request: s.PullRequest, base: fmt.Sprintf("#%d", s.PullRequest)}
		if s.PullRequest < 0 {
			return st, fmt.Errorf("pull request %d: %w", s.PullRequest, ErrName)
		}
		return st, r.newBranch(ctx, st.branch)
	}
	st := start{branch: expand(o.Branch, "", o.Name), base: o.From.Commit}
	if err := r.newBranch(ctx, st.branch); err != nil {
		return st, err
	}
	var err error
	switch {
	case st.base != "":
		st.commit, err = r.commit(ctx, o.Repository, st.base)
	case o.Base == Fresh:
		err = r.fresh(ctx, o.Repository, &st)
	default:
		st.base = "HEAD"
		st.commit, err = r.commit(ctx, o.Repository, "HEAD")
	}
	return st, err
}

func (r repo) existing(name string) (start, error) {
	b, ok := r.branch(name)
	if !ok {
		return start{}, fmt.Errorf("branch %q: %w", name, ErrNothing)
	}
	return start{branch: name, exists: true, commit: b.Head, base: name}, r.takeable(name)
}

func (r repo) follow(ctx context.Context, short string) (start, error) {
	_, name, ok := strings.Cut(short, "/")
	if !ok {
		return start{}, fmt.Errorf("remote branch %q: %w: write it as remote/branch", short, ErrName)
	}
	st := start{branch: name, base: short, follows: remotes + short}
	if err := r.newBranch(ctx, name); err != nil {
		return st, err
	}
	var err error
	st.commit, err = r.commit(ctx, r.home, st.follows)
	return st, err
}

// fresh finds the newest known commit of the default branch of origin. That it
// cannot be fetched is a note, not an error.
func (r repo) fresh(ctx context.Context, dir string, st *start) error {
	head, err := r.ask(ctx, r.home, "symbolic-ref", "--quiet", remotes+remote+"/HEAD")
	if err != nil && !said(err) {
		return err
	}
	name, ok := strings.CutPrefix(head, remotes+remote+"/")
	if !ok {
		st.base = "HEAD"
		st.commit, err = r.commit(ctx, dir, "HEAD")
		return err
	}
	if !r.still && r.stale() {
		patient, cancel := context.WithTimeout(ctx, fetchTime)
		err := r.fetch(patient, "+"+ref(name)+":"+head)
		cancel()
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			st.note = "not fetched, " + remote + "/" + name + " may be old: " + err.Error()
		}
	}
	st.base = remote + "/" + name
	st.commit, err = r.commit(ctx, r.home, head)
	return err
}

// stale reports whether the last fetch is a day old, as the client counts it.
func (r repo) stale() bool {
	info, err := os.Stat(filepath.Join(r.info.CommonDir, "FETCH_HEAD"))
	return err != nil || time.Since(info.ModTime()) > fetchAge
}

// fetch brings one reference of origin; no others, no tags, and none is pruned.
func (r repo) fetch(ctx context.Context, refspec string, options ...string) error {
	args := append([]string{
		"fetch", "--quiet", "--no-tags", "--no-prune", "--no-recurse-submodules", "--no-auto-maintenance", "--refmap=",
	}, options...)
	return r.run(ctx, worktree.Command{Dir: r.home, Network: true, Args: append(args, "--", remote, refspec)})
}

// request fetches a pull or merge request into a new branch: the form of the
// reference is told by the address where it can be, else both are tried.
func (r repo) request(ctx context.Context, number int, branch string) error {
	address, err := r.ask(ctx, r.home, "remote", "get-url", "--", remote)
	if said(err) {
		return fmt.Errorf("pull request %d: %w: there is no remote called %s", number, ErrNothing, remote)
	} else if err != nil {
		return err
	}
	kinds := []string{"pull", "merge-requests"}
	switch {
	case strings.Contains(address, "github.com"):
		kinds = kinds[:1]
	case strings.Contains(address, "gitlab.com"):
		kinds = kinds[1:]
	}
	var failures []error
	for _, kind := range kinds {
		// FETCH_HEAD stays: its age tells when the default branch was fetched.
		err := r.fetch(ctx, "refs/"+kind+"/"+strconv.Itoa(number)+"/head:"+ref(branch), "--no-write-fetch-head")
		if err == nil || ctx.Err() != nil {
			return err
		}
		failures = append(failures, err)
	}
	return fmt.Errorf("pull request %d: %w: %w", number, ErrNothing, errors.Join(failures...))
}

package owner_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"coppice/session"
	"coppice/session/owner"
	"coppice/transcript"
	"coppice/worktree"
	"coppice/worktree/change"
	"coppice/worktree/worktreetest"
)

// Who refers to a worktree, and which of them it was made for.
func TestUsers(t *testing.T) {
	t.Parallel()
	const tree = "/w/app/.claude/worktrees/x"
	kept := row(first, "/w/app", 0)
	kept.Summary.Left = &transcript.Worktree{Path: tree}
	atHome := bound(first, tree, 0)
	atHome.Dir, atHome.Place = "/w/app", worktree.Place{}
	blank := row(first, tree, 0)
	blank.NotReady = "the transcript is empty"
	visiting := row(first, "/w/app", 0)
	visiting.Live = &session.Live{Dir: tree + "/sub"}
	is := func(id string, owns bool) owner.User { return owner.User{ID: id, Title: "work " + id[:1], Owner: owns} }
	for name, tt := range map[string]struct {
		rows []session.Session
		want []owner.User
	}{
		"nobody":                 {[]session.Session{row(first, "/w/app", 0), row(second, tree+"2", 0)}, nil},
		"in it":                  {[]session.Session{row(first, tree, 0)}, []owner.User{is(first, false)}},
		"below it":               {[]session.Session{row(first, tree+"/sub", 0)}, []owner.User{is(first, false)}},
		"bound from elsewhere":   {[]session.Session{atHome}, []owner.User{is(first, true)}},
		"left for good":          {[]session.Session{kept}, nil},
		"nothing to resume":      {[]session.Session{blank}, nil},
		"a visitor that is live": {[]session.Session{visiting}, []owner.User{{ID: first, Title: "work 1", Live: true}}},
		"the oldest that is bound": {
			[]session.Session{bound(third, tree, 9), bound(second, tree, 5), row(first, tree, 1)},
			[]owner.User{is(second, true), is(first, false), is(third, false)},
		},
		"a fork never": {[]session.Session{fork(second, first, tree, 1)}, []owner.User{is(second, false)}},
	} {
		got := owner.Users(tt.rows, tree)
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	forked := fork(second, first, tree, 0)
	forked.Summary.Worktree = &transcript.Worktree{Path: tree} // as the client's own fork has it
	if got := owner.Users([]session.Session{forked, bound(first, tree, 5)}, tree); !got[0].Owner || got[0].ID != first || got[1].Owner {
		t.Errorf("the fork is taken for the owner: %+v", got)
	}
}

// A worktree that we made is the session's that was started in it, a fork included;
// and nobody's else, later.
func TestMadeFor(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	made, err := w.keeper.Create(t.Context(), owner.CreateRequest{Repository: w.repo.Dir, Name: "x"}, nil)
	must(t, err)
	must(t, w.keeper.Bind(t.Context(), made.Path, second))
	must(t, w.keeper.Bind(t.Context(), made.Path, third))
	must(t, w.keeper.Bind(t.Context(), w.repo.Dir, third))
	rows := []session.Session{fork(second, first, made.Path, 1), bound(third, made.Path, 0)}
	if got := w.keeper.Users(rows, made.Path); len(got) != 2 || got[0].ID != second || !got[0].Owner || got[1].Owner {
		t.Errorf("the users are %+v", got)
	}
	tree := w.keeper.Made(filepath.Join(made.Path, "sub"))
	if want := (session.MadeTree{Path: made.Path, Repository: w.repo.Path(".git"), Branch: "worktree-x", Commit: made.Head}); tree != want {
		t.Errorf("remembered as %+v, want %+v", tree, want)
	}
	must(t, w.keeper.Remove(t.Context(), nil, owner.RemoveRequest{Repository: w.repo.Dir, Path: made.Path}))
	if w.keeper.Made(made.Path) != tree {
		t.Error("how it was is forgotten with it")
	}
	again, err := w.keeper.Restore(t.Context(), owner.RestoreRequest{Repository: tree.Repository, Path: tree.Path, Branch: tree.Branch, Commit: tree.Commit}, nil)
	must(t, err)
	if again.Path != made.Path || again.Branch != "worktree-x" {
		t.Errorf("restored as %+v", again)
	}
}

// What a newer version wrote is neither read nor written, and nothing is made that
// could not be remembered.
func TestNewerRecord(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	file := filepath.Join(w.keeper.State, "bindings", "worktrees.json")
	const newer = `{"version":2,"worktrees":{"/w":{"session":"x"}}}`
	worktreetest.WriteFile(t, file, newer)
	_, err := w.keeper.Create(t.Context(), owner.CreateRequest{Repository: w.repo.Dir, Name: "x"}, nil)
	if !errors.Is(err, owner.ErrNewer) || !strings.Contains(err.Error(), "version 2") {
		t.Errorf("made: %v", err)
	}
	if _, err := os.Lstat(w.repo.Path(".claude")); err == nil {
		t.Error("something was made")
	}
	if got := w.keeper.Made("/w"); got.Path != "" {
		t.Errorf("read as %+v", got)
	}
	if data, _ := os.ReadFile(file); string(data) != newer {
		t.Errorf("the file is now %s", data)
	}
}

// Many at once lose nothing of what each remembers.
func TestRecordAtOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	var wait sync.WaitGroup
	var paths [6]string
	for i := range paths {
		made, err := w.keeper.Create(t.Context(), owner.CreateRequest{Repository: w.repo.Dir, Name: fmt.Sprintf("x%d", i)}, nil)
		must(t, err)
		paths[i] = made.Path
	}
	for _, path := range paths {
		wait.Go(func() {
			if err := w.keeper.Bind(context.Background(), path, filepath.Base(path)); err != nil {
				t.Error(err)
			}
		})
	}
	wait.Wait()
	for _, path := range paths {
		id := filepath.Base(path)
		if got := w.keeper.Users([]session.Session{{ID: id, Dir: path}}, path); len(got) != 1 || !got[0].Owner {
			t.Errorf("%s: %+v", id, got)
		}
	}
}

func TestSource(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.repo.Git("branch", "topic")
	w.repo.Git("branch", "feat/a")
	w.repo.Git("update-ref", "refs/remotes/origin/far", "HEAD")
	for name, want := range map[string]change.Source{
		"topic": {Branch: "topic"}, "feat/a": {Branch: "feat/a"}, "origin/far": {Remote: "origin/far"}, "HEAD~0": {Commit: "HEAD~0"}, "none": {Commit: "none"},
		"#7": {PullRequest: 7}, "https://git.example/o/r/pull/8": {PullRequest: 8}, "https://git.example/a/b/c/-/merge_requests/9/diffs": {PullRequest: 9},
		"#": {Commit: "#"}, "#x": {Commit: "#x"}, "7": {Commit: "7"},
	} {
		got, err := w.keeper.Source(t.Context(), w.repo.Dir, name)
		if err != nil || got != want {
			t.Errorf("%s: %+v, %v; want %+v", name, got, err, want)
		}
	}
	if _, err := w.keeper.Source(t.Context(), w.repo.Dir, "--all"); !errors.Is(err, change.ErrNothing) {
		t.Errorf("an option is a source: %v", err)
	}
}

// orders are the orders in which three can end.
func orders() [][]string {
	return [][]string{
		{first, second, third}, {first, third, second}, {second, first, third}, {second, third, first}, {third, first, second}, {third, second, first},
	}
}

// An original, bound by its client, and two forks of it share a worktree. In
// whatever order they end, cleanly or killed, and whoever tries to remove the
// directory at that: it outlives the last. The client's own end is what
// session/lab shows; here git's refusal stands for it.
func TestOutlivesItsLastUser(t *testing.T) {
	t.Parallel()
	for _, how := range []string{"clean", "killed"} {
		for i, order := range orders() {
			t.Run(fmt.Sprint(how, i), func(t *testing.T) {
				t.Parallel()
				w := newWorld(t)
				tree := w.tree("x")
				rows := []session.Session{bound(first, tree.Dir, 0), fork(second, first, tree.Dir, 1), fork(third, first, tree.Dir, 2)}
				for _, s := range rows {
					w.live[s.ID] = session.Live{Dir: tree.Dir}
				}
				if how == "killed" {
					w.repo.Git("worktree", "lock", "--reason", "claude session x (pid 1 start 2)", tree.Dir)
				}
				must(t, w.keeper.Settle(t.Context(), rows, w.repo.Dir, tree.Dir))
				for n, id := range order {
					delete(w.live, id)
					if how == "clean" { // what the client does at a clean end
						if out, err := w.repo.Try("worktree", "remove", tree.Dir); err == nil {
							t.Fatalf("%s removed it: %s", id, out)
						}
					}
					must(t, w.keeper.Settle(t.Context(), rows, w.repo.Dir, tree.Dir))
					if place := worktree.Locate(tree.Dir); place.State != worktree.Present {
						t.Fatalf("after %v it is %+v", order[:n+1], place)
					}
					if n < len(order)-1 {
						err := w.keeper.Remove(t.Context(), rows, owner.RemoveRequest{Repository: w.repo.Dir, Path: tree.Dir})
						if !errors.Is(err, change.ErrLosses) {
							t.Fatalf("it was removed while %v are live: %v", order[n+1:], err)
						}
					}
					for _, s := range rows {
						if _, ok := w.keeper.Last(t.Context(), rows, s); ok {
							t.Errorf("its removal is offered at the end of %s, although three refer to it", s.ID)
						}
					}
				}
				checkLast(t, w, rows, tree)
			})
		}
	}
}

// checkLast lets the sessions be deleted one after the other: the lock is there for
// two, not for one, and only the last has the removal offered.
func checkLast(t *testing.T, w *world, rows []session.Session, tree worktreetest.Repo) {
	t.Helper()
	for n := len(rows); n > 0; n-- {
		must(t, w.keeper.Settle(t.Context(), rows[:n], w.repo.Dir, tree.Dir))
		reason, err := os.ReadFile(w.repo.Path(".git", "worktrees", "x", "locked"))
		if want := fmt.Sprintf("coppice: %d sessions use it, made for %s\n", n, first); n > 1 && string(reason) != want || (n > 1) != (err == nil) {
			t.Errorf("for %d it is locked %q, %v", n, reason, err)
		}
		if got, ok := w.keeper.Last(t.Context(), rows[:n], rows[0]); ok != (n == 1) || ok && got.Path != tree.Dir {
			t.Errorf("for %d its removal is offered: %v, %+v", n, ok, got)
		}
	}
}

// A lock of somebody else's is left alone, and so is a main checkout.
func TestSettleLeavesAlone(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	tree := w.tree("x")
	w.repo.Git("worktree", "lock", "--reason", "on a stick", tree.Dir)
	rows := []session.Session{row(first, tree.Dir, 0), row(second, tree.Dir, 1)}
	for _, n := range []int{2, 1} {
		must(t, w.keeper.Settle(t.Context(), rows[:n], w.repo.Dir, tree.Dir))
		must(t, w.keeper.Settle(t.Context(), rows[:n], w.repo.Dir, w.repo.Dir))
		if reason, _ := os.ReadFile(w.repo.Path(".git", "worktrees", "x", "locked")); string(reason) != "on a stick\n" {
			t.Errorf("the lock is %q", reason)
		}
	}
	l, err := w.keeper.Losses(t.Context(), rows, w.repo.Dir, tree.Dir)
	if err != nil || !l.Locked {
		t.Errorf("the losses are %+v, %v", l, err)
	}
	err = w.keeper.Remove(t.Context(), nil, owner.RemoveRequest{Repository: w.repo.Dir, Path: tree.Dir})
	if !errors.Is(err, change.ErrLosses) {
		t.Errorf("removed: %v", err)
	}
}

// Who is in a worktree is named among its losses, and the lock is back after a
// removal that was refused.
func TestRemoveRefused(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	tree := w.tree("x")
	rows := []session.Session{row(first, tree.Dir, 0), row(second, tree.Dir, 1)}
	must(t, w.keeper.Settle(t.Context(), rows, w.repo.Dir, tree.Dir))
	if l, err := w.keeper.Losses(t.Context(), rows, w.repo.Dir, tree.Dir); err != nil || l.Unsaved() {
		t.Errorf("two that have ended are a loss: %+v, %v", l, err)
	}
	w.live[third] = session.Live{Dir: tree.Dir}
	l, err := w.keeper.Losses(t.Context(), rows, w.repo.Dir, tree.Dir)
	if diff := cmp.Diff([]string{"33333333, which is live"}, l.Users); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	req := owner.RemoveRequest{Repository: w.repo.Dir, Path: tree.Dir}
	if err := w.keeper.Remove(t.Context(), rows, req); !errors.Is(err, change.ErrLosses) {
		t.Errorf("removed: %v", err)
	}
	if _, err := os.Lstat(w.repo.Path(".git", "worktrees", "x", "locked")); err != nil {
		t.Errorf("the lock is gone: %v", err)
	}
	clear(w.live)
	must(t, w.keeper.Remove(t.Context(), rows, req))
	if _, err := os.Lstat(tree.Dir); err == nil {
		t.Error("it is there still")
	}
}

// A process in a worktree is a user of it, a shell of a person, say.
func TestProcess(t *testing.T) {
	t.Parallel()
	if _, err := os.Stat("/proc/self/cwd"); err != nil {
		t.Skip("needs /proc")
	}
	w := newWorld(t)
	w.keeper.Proc = "/proc"
	tree := w.tree("x")
	cmd := exec.Command("cat")
	cmd.Dir = tree.Dir
	in, err := cmd.StdinPipe()
	must(t, err)
	must(t, cmd.Start())
	s := row(first, tree.Dir, 0)
	l, err := w.keeper.Losses(t.Context(), []session.Session{s}, w.repo.Dir, tree.Dir)
	if want := fmt.Sprintf("process %d (cat)", cmd.Process.Pid); err != nil || len(l.Users) != 1 || l.Users[0] != want {
		t.Errorf("users %q, %v; want %q", l.Users, err, want)
	}
	if _, ok := w.keeper.Last(t.Context(), []session.Session{s}, s); ok {
		t.Error("its removal is offered while a process is in it")
	}
	must(t, in.Close())
	must(t, cmd.Wait())
	if _, ok := w.keeper.Last(t.Context(), []session.Session{s}, s); !ok {
		t.Error("its removal is not offered")
	}
}

// A question that this program asks git is no user.
func TestOwnGit(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.keeper.Proc = "/proc"
	tree := w.tree("x")
	cmd := exec.Command("git", "cat-file", "--batch")
	cmd.Dir = tree.Dir
	in, err := cmd.StdinPipe()
	must(t, err)
	must(t, cmd.Start())
	l, err := w.keeper.Losses(t.Context(), nil, w.repo.Dir, tree.Dir)
	if err != nil || len(l.Users) != 0 {
		t.Errorf("users %q, %v", l.Users, err)
	}
	must(t, in.Close())
	must(t, cmd.Wait())
}

// Merged worktrees are listed with the reason, and with why one stays.
func TestMerged(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	clean, dirty, live := w.tree("clean"), w.tree("dirty"), w.tree("live")
	ahead := w.tree("ahead")
	ahead.Commit("new", "x")
	dirty.Write("draft", "x")
	w.live[first] = session.Live{Dir: live.Dir}
	got, err := w.keeper.Merged(t.Context(), nil, w.repo.Dir)
	must(t, err)
	want := map[string]string{clean.Dir: "", dirty.Dir: "1 untracked file", live.Dir: "used by 11111111, which is live"}
	for _, m := range got {
		if why, ok := want[m.Path]; !ok || strings.Join(m.Keep, "; ") != why || m.Reason == "" {
			t.Errorf("%+v, want %q", m, why)
		}
		delete(want, m.Path)
	}
	if len(want) > 0 {
		t.Errorf("not listed: %v", want)
	}
}

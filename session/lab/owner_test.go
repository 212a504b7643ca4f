//go:build lab

package lab_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/uuid"

	"coppice/config"
	"coppice/session"
	"coppice/session/fork"
	"coppice/session/lab"
	"coppice/session/owner"
	"coppice/worktree"
	"coppice/worktree/change"
	"coppice/worktree/worktreetest"
)

// keeper keeps the worktrees of a room.
func (r *room) keeper() owner.Keeper {
	return owner.Keeper{
		Git:   worktree.Git{Program: worktreetest.Program(r.t), Env: worktreetest.Env(r.Home)},
		State: filepath.Join(r.Home, "state"), Config: config.Default().Worktree, Proc: "/proc",
		Live: func() map[string]session.Live { return session.ReadLive(r.Root, "/proc") },
	}
}

// settle sees to the lock of a worktree by what our store says.
func (r *room) settle(path string) {
	r.t.Helper()
	rows, _ := r.load()
	r.must(r.keeper().Settle(r.ctx(), rows, r.repo, path))
}

// newID waits for the transcript of a session that was not there before.
func (r *room) newID(before []string) string {
	r.t.Helper()
	ctx := r.ctx()
	tick := time.NewTicker(30 * time.Millisecond)
	defer tick.Stop()
	for {
		for _, id := range r.ids() {
			if data, err := os.ReadFile(r.file(id)); err == nil && !slices.Contains(before, id) && strings.Contains(string(data), `"assistant"`) {
				return id
			}
		}
		select {
		case <-ctx.Done():
			r.t.Fatal("no transcript came in time")
		case <-tick.C:
		}
	}
}

// forkIn makes a fork that runs in a directory.
func (r *room) forkIn(source, dir string) string {
	r.t.Helper()
	id := uuid.NewString()
	_, err := fork.Fork(r.ctx(), fork.Request{
		Source: r.file(source), SourceID: source, ID: id, Folder: r.folder(dir), Dir: dir, Branch: "worktree-" + filepath.Base(dir), Name: id, Now: time.Now(),
	})
	r.must(err)
	return id
}

// orders are the orders in which three can end.
func orders() [][]int {
	return [][]int{{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}}
}

// A worktree that the client made for a session is shared with two forks of it. In
// whatever order they end, and however, the directory and its branch outlive the
// last of them; and none of the forks is ever its owner. Once two are deleted the
// lock is released, and the last may have it removed.
func TestWorktreeOutlivesItsLastUser(t *testing.T) {
	t.Parallel()
	for how, end := range map[string]func(*room, string, *lab.Terminal){
		"exit": func(r *room, _ string, term *lab.Terminal) { r.exit(term) },
		"kill": func(r *room, id string, term *lab.Terminal) {
			r.must(syscall.Kill(session.ReadLive(r.Root, "/proc")[id].PID, syscall.SIGKILL))
			_, err := term.Ended(r.ctx())
			r.must(err)
		},
	} {
		t.Run(how, func(t *testing.T) {
			t.Parallel()
			r := newRoom(t)
			for i, order := range orders() {
				r.endInOrder(fmt.Sprintf("larch%d", i), order, end)
			}
		})
	}
}

func (r *room) endInOrder(name string, order []int, end func(*room, string, *lab.Terminal)) {
	r.t.Helper()
	wt := filepath.Join(r.repo, ".claude", "worktrees", name)
	r.must(r.Trust(r.repo, r.linked, r.other, wt))
	before := r.ids()
	terms := []*lab.Terminal{r.open(r.repo, "--worktree", name)}
	r.must(terms[0].See(r.ctx(), "❯"))
	r.must(terms[0].Enter(r.ctx(), "a word: "+name))
	r.must(terms[0].See(r.ctx(), "Answer"))
	ids := []string{r.newID(before)}
	for range 2 {
		ids = append(ids, r.forkIn(ids[0], wt))
	}
	r.settle(wt)
	for _, id := range ids[1:] {
		term := r.open(wt, "--resume", id)
		terms = append(terms, term)
		if dir := r.registered(id); dir != wt {
			r.t.Errorf("%s: the fork runs in %s", name, dir)
		}
	}
	for n, i := range order {
		end(r, ids[i], terms[i])
		r.settle(wt)
		if info, err := os.Stat(wt); err != nil || !info.IsDir() {
			r.t.Fatalf("%s: after %v of %v the directory is gone: %v", name, order[:n+1], order, err)
		}
	}
	repo := worktreetest.At(r.t, r.repo)
	repo.Git("rev-parse", "--verify", "-q", "refs/heads/worktree-"+name)
	rows, _ := r.load()
	users := r.keeper().Users(rows, wt)
	if len(users) != 3 || users[0].ID != ids[0] || !users[0].Owner || users[1].Owner || users[2].Owner {
		r.t.Errorf("%s: the users are %+v", name, users)
	}
	lock := repo.Path(".git", "worktrees", name, "locked")
	if reason, err := os.ReadFile(lock); err != nil || !strings.HasPrefix(string(reason), "coppice: 3 sessions") {
		r.t.Errorf("%s: locked %q, %v", name, reason, err)
	}
	for _, id := range ids[1:] {
		r.must(os.Remove(r.file(id)))
	}
	r.settle(wt)
	if _, err := os.Lstat(lock); err == nil {
		r.t.Errorf("%s: still locked for one session", name)
	}
	rows, _ = r.load()
	s, err := session.Resolve(rows, ids[0])
	r.must(err)
	if tree, ok := r.keeper().Last(r.ctx(), rows, s); !ok || tree.Path != wt {
		r.t.Errorf("%s: the last user is not known: %+v in %s", name, tree, s.Dir)
	}
	r.must(r.keeper().Remove(r.ctx(), rows, owner.RemoveRequest{Repository: r.repo, Path: wt}))
}

// D, "keep": the client goes back to the main checkout as it ends, and we to the
// worktree that was kept, where the client resumes it; once it is gone it is
// restored, and resumed there again.
func TestKeptAndRestoredWorktree(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	wt := filepath.Join(r.repo, ".claude", "worktrees", "rowan")
	r.must(r.Trust(r.repo, r.linked, r.other, wt))
	term := r.open(r.repo, "--worktree", "rowan")
	r.must(term.See(r.ctx(), "❯"))
	r.must(term.Enter(r.ctx(), "a word: maple"))
	r.must(term.See(r.ctx(), "Answer"))
	id := r.newID(nil)
	worktreetest.WriteFile(t, filepath.Join(wt, "draft"), "bytes")
	r.must(term.Enter(r.ctx(), "/exit"))
	r.must(term.See(r.ctx(), "1. Keep"))
	r.must(term.Keys(r.ctx(), "Enter"))
	_, err := term.Ended(r.ctx())
	r.must(err)

	resumed := func(req session.Request) {
		t.Helper()
		p, plan := r.plan(id, req)
		if plan.Action != session.ActionResume || plan.Cwd != wt || plan.Branch != "worktree-rowan" {
			t.Fatalf("plan %+v", plan)
		}
		if plan.Worktree.Action == session.TreeRestore {
			_, err := r.keeper().Restore(r.ctx(), owner.RestoreRequest{
				Repository: plan.Worktree.From, Path: plan.Worktree.Path, Branch: plan.Worktree.Branch, Commit: plan.Worktree.Commit,
			}, nil)
			r.must(err)
		}
		term := r.openAs(plan.Cwd, p.Environ(plan), plan.Command...)
		r.must(term.See(r.ctx(), "maple"))
		if dir := r.registered(id); dir != wt {
			t.Errorf("it runs in %s, want %s", dir, wt)
		}
		r.must(term.Enter(r.ctx(), "go on with elm"))
		r.must(term.See(r.ctx(), "to: go on with elm"))
		r.exit(term)
	}
	resumed(session.Request{})
	resumed(session.Request{}) // the second time, too
	rows, _ := r.load()
	if l, err := r.keeper().Losses(r.ctx(), rows, r.repo, wt); err != nil || l.Untracked.Count != 1 {
		t.Errorf("the losses are %+v, %v", l, err)
	}
	r.must(r.keeper().Remove(r.ctx(), rows, owner.RemoveRequest{Repository: r.repo, Path: wt, Force: true}))
	resumed(session.Request{Restore: true})
}

// A worktree made here is entered by the client, by a directory and by its name,
// and a clean end there does not take it from who made it.
func TestWorktreeMadeHereIsEntered(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	made, err := r.keeper().Create(r.ctx(), owner.CreateRequest{Repository: r.repo, Name: "feat/oak"}, nil)
	r.must(err)
	r.must(r.Trust(r.repo, r.linked, r.other, made.Path))
	id := r.talk(made.Path, "a word: maple")
	if s := r.row(id); s.Dir != made.Path || s.Place.State != worktree.Present {
		t.Errorf("the row has %s, %s", s.Dir, s.Place.State)
	}
	r.must(r.keeper().Bind(r.ctx(), made.Path, id))
	rows, _ := r.load()
	if users := r.keeper().Users(rows, made.Path); len(users) != 1 || users[0].ID != id || !users[0].Owner {
		t.Errorf("the users are %+v", users)
	}
	other := r.forkIn(id, made.Path)
	r.settle(made.Path)

	term := r.open(r.repo, "--worktree", "feat/oak", "--resume", other)
	if dir := r.registered(other); dir != made.Path {
		t.Errorf("by its name the client runs in %s, want %s", dir, made.Path)
	}
	r.settle(made.Path)
	r.exit(term)
	if place := worktree.Locate(made.Path); place.State != worktree.Present {
		t.Errorf("after the client's own end it is %+v", place)
	}
	repo := worktreetest.At(t, r.repo)
	repo.Git("rev-parse", "--verify", "-q", "refs/heads/"+made.Branch)
	for _, w := range strings.Split(repo.Git("worktree", "list", "--porcelain"), "\n") {
		if reason, ok := strings.CutPrefix(w, "locked "); ok && change.ReadLock(reason).Kind != change.Ours {
			t.Errorf("the lock is %q", reason)
		}
	}
}

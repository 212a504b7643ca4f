package session_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"coppice/config"
	"coppice/session"
	"coppice/transcript"
	"coppice/worktree/worktreetest"
)

// treePlanner is planner with the rules for worktrees as they are by default, and
// git as a test has it.
func treePlanner(t *testing.T) session.Planner {
	t.Helper()
	worktreetest.Program(t)
	p := planner()
	p.Config.Worktree = config.Default().Worktree
	p.Env = append(p.Env, worktreetest.Env(t.TempDir())...)
	return p
}

// A worktree that is asked for is foretold, and nothing is made.
func TestPlanNewWorktree(t *testing.T) {
	t.Parallel()
	repo := worktreetest.New(t, filepath.Join(worktreetest.Dir(t), "app"))
	side := repo.Worktree(filepath.Join(filepath.Dir(repo.Dir), "side"), "side")
	tip := side.Commit("more", "x")
	repo.Git("branch", "free")
	head := repo.Git("rev-parse", "HEAD")
	path := repo.Path(".claude", "worktrees", "oak")
	tests := []struct {
		name, dir string
		request   session.WorktreeRequest
		want      session.PlanWorktree
	}{
		{"as configured", repo.Dir, session.WorktreeRequest{}, session.PlanWorktree{Branch: "worktree-oak", Base: "HEAD", Commit: head, From: repo.Dir}},
		{"on a branch", repo.Dir, session.WorktreeRequest{Branch: "free"}, session.PlanWorktree{Branch: "free", Base: "free", Commit: head, From: repo.Dir}},
		{"on a new branch", repo.Dir, session.WorktreeRequest{Branch: "try/it"}, session.PlanWorktree{Branch: "try/it", Base: "HEAD", Commit: head, From: repo.Dir}},
		{"from another checkout, with its changes", side.Dir, session.WorktreeRequest{Carry: true}, session.PlanWorktree{Branch: "worktree-oak", Base: "HEAD", Commit: tip, From: side.Dir, Carry: true}},
	}
	for _, tt := range tests {
		tt.request.Name = "oak"
		tt.want.Name, tt.want.Path, tt.want.Action = "oak", path, session.TreeCreate
		s := sessionIn(tt.dir, "main")
		for _, forked := range []bool{false, true} {
			req := session.Request{Worktree: &tt.request}
			if forked {
				req.Fork = &session.ForkRequest{Name: "x"}
			}
			got := plan(t, treePlanner(t), s, nil, req)
			tt.want.Moves = !forked
			if diff := cmp.Diff(tt.want, got.Worktree); diff != "" || got.Cwd != path || got.Action != session.ActionResume || got.Unusual() {
				t.Errorf("%s, forked %v: %+v (-want +got):\n%s", tt.name, forked, got, diff)
			}
			if forked && (got.Fork.Shared || filepath.Dir(got.Fork.Path) != session.Folder(treePlanner(t).Root, "", path)) {
				t.Errorf("%s: the fork is %+v", tt.name, got.Fork)
			}
		}
	}
	if _, err := os.Lstat(repo.Path(".claude")); err == nil {
		t.Error("planning made something")
	}
}

// What stands in the way is said, with the next step.
func TestPlanNewWorktreeRefused(t *testing.T) {
	t.Parallel()
	base := worktreetest.Dir(t)
	repo := worktreetest.New(t, filepath.Join(base, "app"))
	side := repo.Worktree(filepath.Join(base, "side"), "side")
	side.Commit("more", "x")
	repo.Worktree(repo.Path(".claude", "worktrees", "there"), "there")
	plain := filepath.Join(base, "plain")
	worktreetest.MkdirAll(t, plain)
	for name, tt := range map[string]struct {
		dir     string
		request session.WorktreeRequest
		want    []string
	}{
		"there already":      {repo.Dir, session.WorktreeRequest{Name: "there"}, []string{"already there", "take another name"}},
		"checked out":        {repo.Dir, session.WorktreeRequest{Name: "oak", Branch: "side"}, []string{"side is checked out in " + side.Dir}},
		"no name":            {repo.Dir, session.WorktreeRequest{Name: "../oak"}, []string{"unusable name"}},
		"no repository":      {plain, session.WorktreeRequest{Name: "oak"}, []string{"no git repository"}},
		"changes of another": {repo.Dir, session.WorktreeRequest{Name: "oak", Branch: "old", Carry: true}, []string{"checkouts of one commit"}},
		"changes of a gone":  {repo.Path(".claude", "worktrees", "gone"), session.WorktreeRequest{Name: "oak", Carry: true}, []string{"no changes to carry"}},
	} {
		if name == "changes of another" {
			repo.Commit("file", "y")
			repo.Git("branch", "old", "HEAD~1")
		}
		got := plan(t, treePlanner(t), sessionIn(tt.dir, ""), open(t, repo.Dir), session.Request{Worktree: &tt.request})
		if got.Action != session.ActionRefuse || !mentions(got.Blockers, tt.want...) {
			t.Errorf("%s: %s %q, want %q", name, got.Action, got.Blockers, tt.want)
		}
	}
}

// A worktree that is gone can be restored, or the plan says why not.
func TestPlanRestore(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		lose    func(repo worktreetest.Repo, path string)
		branch  string
		problem string
		warning string
	}{
		"removed":             {func(r worktreetest.Repo, path string) { r.Git("worktree", "remove", path) }, "feat", "", ""},
		"deleted, registered": {func(_ worktreetest.Repo, path string) { worktreetest.RemoveAll(t, path) }, "feat", "", ""},
		"its branch gone": {func(r worktreetest.Repo, path string) {
			r.Git("worktree", "remove", path)
			r.Git("branch", "-D", "-q", "feat")
		}, "feat", "", "made again at"},
		"its branch elsewhere": {func(r worktreetest.Repo, path string) {
			r.Git("worktree", "remove", path)
			r.Git("worktree", "add", "-q", path+"2", "feat")
		}, "", "feat is checked out in", ""},
		"something in its place": {func(r worktreetest.Repo, path string) {
			r.Git("worktree", "remove", path)
			worktreetest.MkdirAll(r.T(), path)
		}, "", "already there", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			repo := worktreetest.New(t, filepath.Join(worktreetest.Dir(t), "app"))
			path := repo.Worktree(repo.Path(".claude", "worktrees", "x"), "feat").Dir
			s := sessionIn(path, "feat")
			s.Summary.Worktree = &transcript.Worktree{Path: path, Branch: "feat", OriginalDir: repo.Dir, OriginalCommit: repo.Git("rev-parse", "HEAD")}
			if got := plan(t, treePlanner(t), s, open(t, repo.Dir), session.Request{}); got.Restore != nil || got.Action != session.ActionResume {
				t.Fatalf("while it is there: %+v", got)
			}
			tt.lose(repo, path)
			got := plan(t, treePlanner(t), s, open(t, repo.Dir), session.Request{})
			if got.Action != session.ActionChoose || got.Restore == nil || got.Restore.Path != path || got.Restore.Branch != tt.branch ||
				(tt.problem == "") != (got.Restore.Problem == "") || !mentions([]string{got.Restore.Problem}, tt.problem) {
				t.Fatalf("plan %+v, restore %+v", got, got.Restore)
			}
			hint := "coppice resume --restore " + idA
			if tt.problem != "" {
				hint = "cannot be restored: "
			}
			if !mentions(got.Warnings, hint) {
				t.Errorf("warnings %q", got.Warnings)
			}
			got = plan(t, treePlanner(t), s, open(t, repo.Dir), session.Request{Restore: true})
			if tt.problem != "" {
				if got.Action != session.ActionRefuse || !mentions(got.Blockers, tt.problem) {
					t.Errorf("plan %+v", got)
				}
				return
			}
			if got.Action != session.ActionResume || got.Cwd != path || got.Branch != "feat" || got.Worktree.Action != session.TreeRestore ||
				got.Unusual() != (tt.warning != "") || tt.warning != "" && !mentions(got.Warnings, tt.warning) {
				t.Errorf("plan %+v", got)
			}
		})
	}
}

// There is nothing to restore of what is there, or never was one.
func TestPlanNothingToRestore(t *testing.T) {
	t.Parallel()
	repo := worktreetest.New(t, filepath.Join(worktreetest.Dir(t), "app"))
	for _, dir := range []string{repo.Dir, "", filepath.Join(filepath.Dir(repo.Dir), "other")} {
		got := plan(t, treePlanner(t), sessionIn(dir, "main"), open(t, repo.Dir), session.Request{Restore: true})
		if got.Action != session.ActionRefuse || !mentions(got.Blockers, "nothing to restore") || got.Restore != nil {
			t.Errorf("%q: plan %+v", dir, got)
		}
	}
}

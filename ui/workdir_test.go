package ui

import (
	"context"
	"slices"
	"testing"

	"coppice/session"
	"coppice/worktree"
)

// With no session in what the scope names, a session, a shell and a new worktree
// start in the checkout that it names, or the person hears why not.
func TestEmptyScopeNamesTheCheckout(t *testing.T) {
	t.Parallel()
	const feat = "/home/ann/src/app-feat"
	infra := scope{project: "/home/ann/src/infra/.git", set: true}
	app := scope{project: "/home/ann/src/app/.git", set: true}
	tests := []struct {
		name  string
		scope scope
		dir   string // "" for none
		why   string
	}{
		{"a worktree", scope{project: app.project, set: true, worktree: feat}, feat, ""},
		{"a repository", infra, "/home/ann/src/infra", ""},
		{"a branch of a worktree", scope{project: app.project, set: true, branch: "feat-x"}, feat, ""},
		{"a branch without one", scope{project: infra.project, set: true, branch: "spare"}, "", "this branch has no worktree"},
		{"a worktree that is gone", scope{project: app.project, set: true, worktree: "/home/ann/src/app-old"}, "", "this worktree is gone (missing)"},
		{"everything", scope{}, "/home/ann/src/app", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			u := sample()
			u.Sessions = nil
			var dirs []string
			opt := sampleOptions()
			opt.Hosts, opt.Shell = newFakeHosts(), []string{"/bin/zsh"}
			opt.PlanNew = func(_ context.Context, req session.StartRequest) session.Plan {
				dirs = append(dirs, req.Dir)
				return session.Plan{Blockers: []string{"only asked"}}
			}
			b := newBench(t, opt, 140, 30, u)
			b.setScope(tt.scope)
			b.press("n")
			if tt.dir == "" {
				b.shows(tt.why)
				b.press("$")
				b.shows(tt.why)
			}
			if want := []string{tt.dir}; tt.dir != "" && !slices.Equal(dirs, want) || tt.dir == "" && len(dirs) > 0 {
				t.Errorf("started in %q, want %q", dirs, want)
			}
			if dir, _ := b.workDir(); dir != tt.dir {
				t.Errorf("a shell would run in %q", dir)
			}
			if _, from, _ := b.repoHere(); tt.scope.worktree == feat && from != feat {
				t.Errorf("a worktree would start from %q", from)
			}
		})
	}
}

// A session whose directory is gone gives nothing a directory: no other one takes
// its place.
func TestNoNewSessionWhereTheDirectoryIsGone(t *testing.T) {
	t.Parallel()
	opt := sampleOptions()
	opt.Hosts = newFakeHosts()
	b := newBench(t, opt, 140, 30, sample())
	b.press("A")
	for r := b.list.selected(); r.Title != "old plans"; r = b.list.selected() {
		b.press("Down")
	}
	b.press("n")
	b.shows("the directory of this session is gone: /home/ann/src/app-lost")
}

// A worktree that is removed takes the scope with it to its repository, and a
// repository that is forgotten to everything.
func TestScopeLeavesWhatIsRemoved(t *testing.T) {
	t.Parallel()
	u := sample()
	app, infra := u.Repositories[0], u.Repositories[1]
	u.Sessions = u.Sessions[:2] // none in app-feat
	b := newBench(t, sampleOptions(), 140, 30, u)
	narrow := scope{project: app.CommonDir, set: true, worktree: "/home/ann/src/app-feat"}
	b.setScope(narrow)
	less := app
	less.Worktrees = slices.DeleteFunc(slices.Clone(app.Worktrees), func(w worktree.Worktree) bool { return w.Path == narrow.worktree })
	b.send(storeChanged{[]session.Update{{Repositories: []worktree.Repository{less}, Progress: u.Progress}}})
	if want := (scope{project: app.CommonDir, set: true}); b.scope != want {
		t.Errorf("the scope is %+v", b.scope)
	}
	b.shows("app · all worktrees")
	b.setScope(scope{project: infra.CommonDir, set: true})
	b.send(storeChanged{[]session.Update{{Forgotten: []string{infra.CommonDir}, Progress: u.Progress}}})
	if !b.scope.everything() {
		t.Errorf("the scope is %+v", b.scope)
	}
}

// Esc leaves what is open; where nothing is, it says so and moves nothing.
func TestEscapeWithNothingOpen(t *testing.T) {
	t.Parallel()
	b := newBench(t, sampleOptions(), 140, 30, sample())
	b.press("Shift-Tab", "Esc")
	if b.focus != paneTree {
		t.Errorf("the keys are in pane %d", b.focus)
	}
	b.shows("nothing to leave; q quits")
}

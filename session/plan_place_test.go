package session_test

import (
	"context"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"coppice/session"
	"coppice/transcript"
	"coppice/worktree"
	"coppice/worktree/worktreetest"
)

func dirs(choices []session.PlanChoice) []string {
	var out []string
	for _, c := range choices {
		out = append(out, c.Dir)
	}
	return out
}

// B16: another branch is checked out than the recorded one.
func TestPlanBranch(t *testing.T) {
	t.Parallel()
	repo := worktreetest.New(t, filepath.Join(worktreetest.Dir(t), "app"))
	other := repo.Worktree(filepath.Join(filepath.Dir(repo.Dir), "feat"), "feat")
	repos := open(t, repo.Dir)
	tests := []struct {
		name, recorded string
		request        session.Request
		warning        []string
		choices        []string
	}{
		{"the same", "main", session.Request{}, nil, nil},
		{"none recorded", "", session.Request{}, nil, nil},
		{"was detached", "HEAD", session.Request{}, nil, nil},
		{"in another worktree", "feat", session.Request{}, []string{"feat", "now on main", "checked out in " + other.Dir}, []string{other.Dir}},
		{"gone", "old", session.Request{}, []string{"old no longer exists"}, nil},
		{"the directory was asked for", "old", session.Request{Dir: repo.Dir}, nil, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got := plan(t, planner(), sessionIn(repo.Dir, tt.recorded), repos, tt.request)
			if got.Action != session.ActionResume || got.Branch != "main" || got.Cwd != repo.Dir {
				t.Errorf("plan %+v", got)
			}
			if tt.warning == nil && len(got.Warnings) > 0 || tt.warning != nil && !mentions(got.Warnings, tt.warning...) {
				t.Errorf("warnings %q, want %q", got.Warnings, tt.warning)
			}
			if diff := cmp.Diff(tt.choices, dirs(got.Choices)); diff != "" {
				t.Errorf("choices (-want +got):\n%s", diff)
			}
		})
	}
	t.Run("the repositories are not read yet, or long ago", func(t *testing.T) {
		t.Parallel()
		repo := worktreetest.New(t, worktreetest.Dir(t))
		before := open(t, repo.Dir)
		repo.Git("checkout", "-q", "-b", "other")
		for _, repos := range [][]worktree.Repository{nil, before} {
			got := plan(t, planner(), sessionIn(repo.Dir, "main"), repos, session.Request{})
			if got.Branch != "other" || !mentions(got.Warnings, "now on other") {
				t.Errorf("branch %q, warnings %q", got.Branch, got.Warnings)
			}
		}
	})
	t.Run("a repository that cannot be read now", func(t *testing.T) {
		t.Parallel()
		p := planner()
		p.Open = func(context.Context, string) (worktree.Repository, error) {
			return worktree.Repository{}, worktree.ErrNotRepository
		}
		if got := plan(t, p, sessionIn(repo.Dir, "feat"), repos, session.Request{}); !mentions(got.Warnings, "now on main") {
			t.Errorf("warnings %q", got.Warnings)
		}
		bare := worktree.Repository{CommonDir: repos[0].CommonDir, Worktrees: repos[0].Worktrees[:1]}
		if got := plan(t, p, sessionIn(repo.Dir, "feat"), []worktree.Repository{bare}, session.Request{}); mentions(got.Warnings, "no longer exists") {
			t.Errorf("branches that were not read are said to be gone: %q", got.Warnings)
		}
		if got := plan(t, p, sessionIn(repo.Dir, "feat"), nil, session.Request{}); got.Unusual() || got.Branch != "feat" {
			t.Errorf("plan %+v", got)
		}
	})
	t.Run("detached now", func(t *testing.T) {
		t.Parallel()
		repo := worktreetest.New(t, worktreetest.Dir(t))
		repo.Git("checkout", "--detach")
		got := plan(t, planner(), sessionIn(repo.Dir, "main"), open(t, repo.Dir), session.Request{})
		if !mentions(got.Warnings, "now on no branch (at ") || got.Branch != "" {
			t.Errorf("branch %q, warnings %q", got.Branch, got.Warnings)
		}
	})
}

// B18, B23, E24: the worktree is gone; directories that exist are offered, and
// an explicit one is taken.
func TestPlanMissingWorktree(t *testing.T) {
	t.Parallel()
	for _, how := range []string{"removed", "deleted", "removed with its branch", "moved by git", "deleted outside the repository"} {
		t.Run(how, func(t *testing.T) {
			t.Parallel()
			repo := worktreetest.New(t, filepath.Join(worktreetest.Dir(t), "app"))
			at := repo.Path(".claude", "worktrees", "wt")
			if how == "deleted outside the repository" {
				at = filepath.Join(filepath.Dir(repo.Dir), "wt")
			}
			wt := repo.Worktree(at, "worktree-wt")
			other := repo.Worktree(filepath.Join(filepath.Dir(repo.Dir), "z-other"), "other")
			moved := filepath.Join(filepath.Dir(repo.Dir), "moved")
			want := []string{repo.Dir, other.Dir}
			switch how {
			case "removed":
				repo.Git("worktree", "remove", wt.Dir)
			case "deleted", "deleted outside the repository":
				worktreetest.RemoveAll(t, wt.Dir)
			case "removed with its branch":
				repo.Git("worktree", "remove", wt.Dir)
				repo.Git("branch", "-D", "worktree-wt")
			case "moved by git":
				repo.Git("worktree", "move", wt.Dir, moved)
				want = []string{moved, repo.Dir, other.Dir}
			}
			s := sessionIn(wt.Dir, "worktree-wt")
			s.Summary.Worktree = &transcript.Worktree{Path: wt.Dir, Name: "wt", Branch: "worktree-wt", OriginalDir: repo.Dir}
			got := plan(t, planner(), s, open(t, repo.Dir), session.Request{})
			if got.Action != session.ActionChoose || got.Cwd != "" || got.Worktree.Action != "missing" || !mentions(got.Warnings, wt.Dir, "gone") {
				t.Errorf("plan %+v", got)
			}
			if diff := cmp.Diff(want, dirs(got.Choices)); diff != "" {
				t.Errorf("choices (-want +got):\n%s", diff)
			}
			if _, ok := got.Env["PWD"]; ok {
				t.Error("PWD is set while there is no directory")
			}

			chosen := plan(t, planner(), s, open(t, repo.Dir), session.Request{Dir: repo.Dir})
			if chosen.Action != session.ActionResume || chosen.Cwd != repo.Dir || chosen.Branch != "main" || chosen.Unusual() {
				t.Errorf("with a directory: %+v", chosen)
			}
			if !mentions(chosen.Lost, wt.Dir, "drops the binding") {
				t.Errorf("lost %q", chosen.Lost)
			}
		})
	}
}

// B16: a directory inside the checkout is gone.
func TestPlanMissingSubdirectory(t *testing.T) {
	t.Parallel()
	repo := worktreetest.New(t, worktreetest.Dir(t))
	got := plan(t, planner(), sessionIn(repo.Path("web", "src"), "main"), open(t, repo.Dir), session.Request{})
	want := []session.PlanChoice{{Dir: repo.Dir, Label: "the checkout that held it"}}
	if got.Action != session.ActionChoose || !cmp.Equal(want, got.Choices) {
		t.Errorf("plan %+v", got)
	}
}

// B14: the project directory was moved; another recorded directory exists.
func TestPlanMissingProject(t *testing.T) {
	t.Parallel()
	base := worktreetest.Dir(t)
	old, now := filepath.Join(base, "old"), filepath.Join(base, "now")
	worktreetest.MkdirAll(t, now)
	s := sessionIn(old, "")
	s.Summary.Dirs = []string{old, now, filepath.Join(base, "neither"), "relative"}
	got := plan(t, planner(), s, nil, session.Request{})
	want := []session.PlanChoice{{Dir: now, Label: "also recorded"}}
	if got.Action != session.ActionChoose || !cmp.Equal(want, got.Choices) || !mentions(got.Warnings, "its directory "+old+" is gone") {
		t.Errorf("plan %+v", got)
	}
	s.Summary.Dirs = []string{old}
	got = plan(t, planner(), s, nil, session.Request{})
	if got.Action != session.ActionRefuse || !mentions(got.Blockers, "--dir") {
		t.Errorf("without any directory: %+v", got)
	}
}

// An ordinary session of a worktree that lay outside the repository: only the
// registration tells to which it belonged.
func TestPlanMissingWorktreeByRegistration(t *testing.T) {
	t.Parallel()
	repo := worktreetest.New(t, filepath.Join(worktreetest.Dir(t), "app"))
	wt := repo.Worktree(filepath.Join(filepath.Dir(repo.Dir), "wt"), "feat")
	worktreetest.RemoveAll(t, wt.Dir)
	want := []session.PlanChoice{{Dir: repo.Dir, Label: "main checkout, on main"}}
	beside := plan(t, planner(), sessionIn(wt.Dir, "feat"), nil, session.Request{})
	if beside.Action != session.ActionChoose || !cmp.Equal(want, beside.Choices) {
		t.Errorf("before the repository is known: %+v", beside)
	}
	got := plan(t, planner(), sessionIn(filepath.Join(wt.Dir, "sub"), "feat"), open(t, repo.Dir), session.Request{})
	if got.Action != session.ActionChoose || !cmp.Equal(want, got.Choices) || got.Worktree.Path != wt.Dir {
		t.Errorf("plan %+v", got)
	}
	if !mentions(got.Warnings, "its worktree "+wt.Dir) {
		t.Errorf("warnings %q", got.Warnings)
	}
}

// B11: the directory exists under the other Unicode form of its name.
func TestPlanUnicodeForm(t *testing.T) {
	t.Parallel()
	base := worktreetest.Dir(t)
	there := filepath.Join(base, "cafe\u0301")
	worktreetest.MkdirAll(t, there)
	got := plan(t, planner(), sessionIn(filepath.Join(base, "caf\u00e9"), ""), nil, session.Request{})
	if got.Action != session.ActionResume || got.Cwd != there {
		t.Errorf("plan %+v", got)
	}
}

// E15: a directory among worktrees that is none is never used silently.
func TestPlanGhost(t *testing.T) {
	t.Parallel()
	repo := worktreetest.New(t, worktreetest.Dir(t))
	ghost := repo.Path(".claude", "worktrees", "ghost")
	worktreetest.MkdirAll(t, ghost)
	s := sessionIn(ghost, "worktree-ghost")
	got := plan(t, planner(), s, open(t, repo.Dir), session.Request{})
	if got.Action != session.ActionChoose || got.Cwd != "" || !mentions(got.Warnings, ghost, "no worktree") {
		t.Errorf("plan %+v", got)
	}
	if diff := cmp.Diff([]string{repo.Dir, ghost}, dirs(got.Choices)); diff != "" {
		t.Errorf("choices (-want +got):\n%s", diff)
	}
	asked := plan(t, planner(), s, open(t, repo.Dir), session.Request{Dir: ghost})
	if asked.Action != session.ActionResume || asked.Cwd != ghost || !mentions(asked.Warnings, ghost) {
		t.Errorf("asked for: %+v", asked)
	}
}

// B18, E15: a plain directory lies where the worktree was.
func TestPlanPlainInPlaceOfWorktree(t *testing.T) {
	t.Parallel()
	for _, how := range []string{"removed", "deleted"} {
		t.Run(how, func(t *testing.T) {
			t.Parallel()
			repo := worktreetest.New(t, filepath.Join(worktreetest.Dir(t), "app"))
			wt := repo.Worktree(filepath.Join(filepath.Dir(repo.Dir), "wt"), "feat")
			s := sessionIn(wt.Dir, "feat")
			if how == "removed" { // then only the binding tells
				repo.Git("worktree", "remove", wt.Dir)
				s.Summary.Worktree = &transcript.Worktree{Path: wt.Dir, Branch: "feat", OriginalDir: repo.Dir}
			} else {
				worktreetest.RemoveAll(t, wt.Dir)
			}
			worktreetest.MkdirAll(t, wt.Dir)
			got := plan(t, planner(), s, open(t, repo.Dir), session.Request{})
			if got.Action != session.ActionChoose || got.Cwd != "" || !mentions(got.Warnings, wt.Dir, "plain directory") {
				t.Errorf("plan %+v", got)
			}
			if diff := cmp.Diff([]string{repo.Dir, wt.Dir}, dirs(got.Choices)); diff != "" {
				t.Errorf("choices (-want +got):\n%s", diff)
			}
			asked := plan(t, planner(), s, open(t, repo.Dir), session.Request{Dir: wt.Dir})
			if asked.Action != session.ActionResume || asked.Cwd != wt.Dir {
				t.Errorf("asked for: %+v", asked)
			}
		})
	}
}

// E17: the repository of a worktree was moved. B22: a directory is no longer a
// repository.
func TestPlanChangedDirectory(t *testing.T) {
	t.Parallel()
	t.Run("repository moved", func(t *testing.T) {
		t.Parallel()
		base := worktreetest.Dir(t)
		repo := worktreetest.New(t, filepath.Join(base, "app"))
		wt := repo.Worktree(filepath.Join(base, "wt"), "feat")
		worktreetest.Rename(t, repo.Dir, filepath.Join(base, "moved"))
		got := plan(t, planner(), sessionIn(wt.Dir, "feat"), nil, session.Request{})
		if got.Action != session.ActionResume || got.Cwd != wt.Dir || !mentions(got.Warnings, "git worktree repair") {
			t.Errorf("plan %+v", got)
		}
	})
	t.Run("no repository any more", func(t *testing.T) {
		t.Parallel()
		dir := worktreetest.Dir(t)
		got := plan(t, planner(), sessionIn(dir, "main"), nil, session.Request{})
		if got.Cwd != dir || !mentions(got.Warnings, "no longer in a git repository") {
			t.Errorf("plan %+v", got)
		}
		if got := plan(t, planner(), sessionIn(dir, ""), nil, session.Request{}); got.Unusual() {
			t.Errorf("a plain directory that never was one: %q", got.Warnings)
		}
	})
}

// B20: a session that is bound to a worktree starts there, and an agent that is
// started elsewhere goes there by itself.
func TestPlanBinding(t *testing.T) {
	t.Parallel()
	repo := worktreetest.New(t, filepath.Join(worktreetest.Dir(t), "app"))
	wt := repo.Worktree(repo.Path(".claude", "worktrees", "wt"), "worktree-wt")
	s := sessionIn(wt.Dir, "worktree-wt")
	s.Summary.Worktree = &transcript.Worktree{Path: wt.Dir, Branch: "worktree-wt", OriginalDir: repo.Dir}
	got := plan(t, planner(), s, open(t, repo.Dir), session.Request{})
	if got.Cwd != wt.Dir || got.Branch != "worktree-wt" || got.Unusual() {
		t.Errorf("plan %+v", got)
	}
	got = plan(t, planner(), s, open(t, repo.Dir), session.Request{Dir: repo.Dir})
	if got.Cwd != repo.Dir || !mentions(got.Warnings, "bound to the worktree "+wt.Dir) {
		t.Errorf("elsewhere: %+v", got)
	}
}

// B24: paths of other machines are named, not guessed at.
func TestPlanForeign(t *testing.T) {
	t.Parallel()
	for _, dir := range []string{`C:\Users\me\app`, `\\wsl.localhost\Ubuntu\app`, "/Users/somebody-else/app", "/mnt/z-none/app", "src/app"} {
		s := sessionIn(dir, "main")
		got := plan(t, planner(), s, nil, session.Request{})
		if got.Action != session.ActionRefuse || !mentions(got.Warnings, "another machine", dir) || !mentions(got.Blockers, "--dir") {
			t.Errorf("%s: %+v", dir, got)
		}
		here := worktreetest.Dir(t)
		got = plan(t, planner(), s, nil, session.Request{Dir: here})
		if got.Action != session.ActionResume || got.Cwd != here || got.Unusual() {
			t.Errorf("%s, with a directory: %+v", dir, got)
		}
	}
	got := plan(t, planner(), sessionIn("", ""), nil, session.Request{})
	if !mentions(got.Warnings, "no record names") || got.Action != session.ActionRefuse {
		t.Errorf("without a directory: %+v", got)
	}
}

func TestPlanAskedDirectory(t *testing.T) {
	t.Parallel()
	dir := worktreetest.Dir(t)
	file := filepath.Join(dir, "file")
	worktreetest.WriteFile(t, file, "")
	for _, asked := range []string{"relative", filepath.Join(dir, "gone"), file} {
		got := plan(t, planner(), sessionIn(dir, ""), nil, session.Request{Dir: asked})
		if got.Action != session.ActionRefuse || !mentions(got.Blockers, asked) {
			t.Errorf("%s: %+v", asked, got)
		}
	}
}

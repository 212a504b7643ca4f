package forge_test

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"coppice/worktree"
	"coppice/worktree/forge"
	"coppice/worktree/worktreetest"
)

// place is a repository, and programs that stand for gh and glab. Each writes
// down how it was run.
type place struct {
	worktreetest.Repo
	bin string
}

func newPlace(t *testing.T, remote string) place {
	t.Helper()
	r := worktreetest.New(t, "")
	if remote != "" {
		r.Git("remote", "add", "origin", remote)
	}
	return place{r, worktreetest.Dir(t)}
}

// program makes a program that answers by its first argument.
func (p place) program(name, script string) {
	path := filepath.Join(p.bin, name)
	worktreetest.WriteFile(p.T(), path, "#!/bin/sh\necho \"$PWD|$GIT_DIR|$GH_PROMPT_DISABLED|$*\" >> "+p.bin+"/runs\n"+script)
	if err := os.Chmod(path, 0o755); err != nil {
		p.T().Fatal(err)
	}
}

func (p place) ask(ctx context.Context) (map[string]forge.Request, error) {
	return forge.Asker{
		Git: worktree.Git{Program: worktreetest.Program(p.T()), Env: append(worktreetest.Env(p.bin), "GIT_DIR=/nowhere")},
		LookPath: func(name string) (string, error) {
			path := filepath.Join(p.bin, name)
			if _, err := os.Stat(path); err != nil {
				return "", exec.ErrNotFound
			}
			return path, nil
		},
	}.Ask(ctx, p.Dir)
}

func (p place) runs() string {
	data, _ := os.ReadFile(filepath.Join(p.bin, "runs"))
	return string(data)
}

func TestHub(t *testing.T) {
	t.Parallel()
	p := newPlace(t, "git@github.com:ann/app.git")
	p.program("gh", `cat <<'END'
[{"number":7,"title":"Accept tabs \u001b[2J","url":"https://x/7","state":"OPEN","headRefName":"feat","baseRefName":"main",
  "statusCheckRollup":[{"__typename":"CheckRun","status":"COMPLETED","conclusion":"SUCCESS"},{"__typename":"StatusContext","state":"SUCCESS"}]},
 {"number":9,"title":"closed later","state":"CLOSED","headRefName":"feat","baseRefName":"main"},
 {"number":3,"state":"MERGED","headRefName":"old","baseRefName":"main","statusCheckRollup":[]},
 {"number":4,"state":"MERGED","headRefName":"old","baseRefName":"main","statusCheckRollup":null},
 {"number":5,"state":"OPEN","isDraft":true,"headRefName":"draft","baseRefName":"main",
  "statusCheckRollup":[{"status":"IN_PROGRESS","conclusion":""},{"status":"COMPLETED","conclusion":"SUCCESS"}]},
 {"number":6,"state":"OPEN","headRefName":"red","baseRefName":"main",
  "statusCheckRollup":[{"status":"QUEUED"},{"status":"COMPLETED","conclusion":"TIMED_OUT"}]},
 {"number":8,"state":"OPEN","headRefName":"main","baseRefName":"main"},
 {"number":-1,"state":"OPEN","headRefName":"less"}]
END
`)
	got, err := p.ask(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]forge.Request{
		"feat":  {Number: 7, Branch: "feat", Title: "Accept tabs \x1b[2J", URL: "https://x/7", State: forge.Open, Checks: forge.Passing},
		"old":   {Number: 4, Branch: "old", State: forge.Merged},
		"draft": {Number: 5, Branch: "draft", State: forge.Draft, Checks: forge.Running},
		"red":   {Number: 6, Branch: "red", State: forge.Open, Checks: forge.Failing},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if runs := p.runs(); !strings.HasPrefix(runs, "/||1|pr list --repo github.com/ann/app --state all") {
		t.Errorf("ran %q", runs)
	}
}

func TestLab(t *testing.T) {
	t.Parallel()
	p := newPlace(t, "https://user:word@git.example.org:8443/group/team/app.git")
	p.program("glab", `case "$1" in
mr) echo '[{"iid":1,"title":"one","web_url":"u","state":"opened","source_branch":"a","target_branch":"main"},{"iid":2,"state":"merged","source_branch":"b","target_branch":"main"},{"iid":3,"state":"opened","draft":true,"source_branch":"c"},{"iid":4,"state":"closed","source_branch":"d"}]';;
ci) echo '[{"ref":"a","status":"failed"},{"ref":"a","status":"success"},{"ref":"refs/merge-requests/2/head","status":"success"},{"ref":"c","status":"running"}]';;
esac
`)
	got, err := p.ask(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]forge.Request{
		"a": {Number: 1, Branch: "a", Title: "one", URL: "u", State: forge.Open, Checks: forge.Failing},
		"b": {Number: 2, Branch: "b", State: forge.Merged, Checks: forge.Passing},
		"c": {Number: 3, Branch: "c", State: forge.Draft, Checks: forge.Running},
		"d": {Number: 4, Branch: "d", State: forge.Closed},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if runs := p.runs(); !strings.Contains(runs, "|mr list --repo https://git.example.org/group/team/app --all") || strings.Contains(runs, "word") {
		t.Errorf("ran %q", runs)
	}
}

// Nothing is run where nobody can be asked, and nothing of a remote becomes more
// than an address.
func TestNowhere(t *testing.T) {
	t.Parallel()
	for _, remote := range []string{
		"", "/srv/git/app.git", "file:///srv/git/app", "../app", "https://github.com", "https://github.com/ann", "git@github.com:app",
		"ext::sh -c touch% x", "https://github.com/-ann/app", "https://-host/ann/app", "git@github.com:ann/app;x", "https://github.com/ann/../app", "https://github.com/a b/c",
	} {
		p := newPlace(t, "")
		if remote != "" {
			p.Git("config", "remote.origin.url", remote)
		}
		p.program("gh", "echo '[]'\n")
		p.program("glab", "echo '[]'\n")
		if _, err := p.ask(context.Background()); !errors.Is(err, forge.ErrNowhere) || p.runs() != "" {
			t.Errorf("%q: %v, ran %q", remote, err, p.runs())
		}
	}
	p := newPlace(t, "https://github.com/ann/app")
	if _, err := p.ask(context.Background()); !errors.Is(err, forge.ErrNowhere) {
		t.Errorf("without the program: %v", err)
	}
}

// A program that fails, floods, talks nonsense or hangs is an error, in time.
func TestBadProgram(t *testing.T) {
	t.Parallel()
	for name, script := range map[string]string{
		"fails":    "echo 'log in first' >&2\nexit 4\n",
		"nonsense": "echo '<html>'\n",
		"floods":   "yes '[{}]'\n",
		"hangs":    "exec sleep 600\n",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newPlace(t, "https://github.com/ann/app")
			p.program("gh", script)
			ctx := context.Background()
			if name == "hangs" {
				var cancel context.CancelFunc
				ctx, cancel = context.WithTimeout(ctx, 300*time.Millisecond)
				defer cancel()
			}
			got, err := p.ask(ctx)
			if err == nil || got != nil {
				t.Errorf("got %v, %v", got, err)
			}
			if name == "fails" && !strings.Contains(err.Error(), "log in first") {
				t.Errorf("says %v", err)
			}
		})
	}
}

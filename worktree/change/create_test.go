package change_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"coppice/worktree"
	"coppice/worktree/change"
	"coppice/worktree/worktreetest"
)

func TestCreateLikeTheClient(t *testing.T) {
	t.Parallel()
	r := worktreetest.New(t, "")
	made := create(t, options(r, "feat/a-b"))
	want := change.Created{
		Path: r.Path(".claude/worktrees/feat+a-b"), Branch: "worktree-feat+a-b", Base: "HEAD", Head: r.Git("rev-parse", "HEAD"),
	}
	if made.Path != want.Path || made.Branch != want.Branch || made.Base != want.Base || made.Head != want.Head || made.Notes != nil {
		t.Errorf("made %+v, want %+v", made, want)
	}
	if place := worktree.Locate(made.Path); place.State != worktree.Present || place.Root != made.Path {
		t.Errorf("located as %+v", place)
	}
	create(t, options(r, "feat-a/b")) // report E20: not the same directory
}

func TestCreateSources(t *testing.T) {
	t.Parallel()
	origin := worktreetest.New(t, "")
	origin.Git("branch", "topic")
	first := origin.Git("rev-parse", "HEAD")
	origin.Git("update-ref", "refs/pull/7/head", first)
	origin.Git("update-ref", "refs/merge-requests/8/head", first)
	r := worktreetest.At(t, filepath.Join(worktreetest.Dir(t), "app"))
	worktreetest.MkdirAll(t, r.Dir)
	r.Git("clone", "-q", origin.Dir, ".")
	local := r.Commit("local", "x")
	newest := origin.Commit("later", "x")
	r.Git("branch", "old", first)
	r.Git("tag", "old", local) // a tag of the name of a branch must not count

	for name, tc := range map[string]struct {
		from         change.Source
		base         string
		branch, head string
	}{
		"fresh":  {change.Source{}, change.Fresh, "worktree-fresh", newest},
		"head":   {change.Source{}, change.Head, "worktree-head", local},
		"branch": {change.Source{Branch: "old"}, "", "old", first},
		"remote": {change.Source{Remote: "origin/topic"}, "", "topic", first},
		"commit": {change.Source{Commit: first}, "", "worktree-commit", first},
		"pull":   {change.Source{PullRequest: 7}, "", "worktree-pull", first},
		"merge":  {change.Source{PullRequest: 8}, "", "worktree-merge", first},
	} {
		o := options(r, name)
		o.From, o.Base = tc.from, tc.base
		made := create(t, o)
		at := worktreetest.At(t, made.Path)
		if made.Branch != tc.branch || at.Git("rev-parse", "HEAD") != tc.head || at.Git("branch", "--show-current") != tc.branch {
			t.Errorf("%s: made %+v at %s", name, made, at.Git("log", "-1", "--format=%H %D"))
		}
		if out := at.Git("status", "--porcelain"); out != "" {
			t.Errorf("%s: not clean: %s", name, out)
		}
	}
	if got := r.Git("rev-parse", "--abbrev-ref", "topic@{upstream}"); got != "origin/topic" {
		t.Errorf("topic follows %q", got)
	}
}

func TestFreshWithoutTheRemote(t *testing.T) {
	t.Parallel()
	origin := worktreetest.New(t, "")
	r := worktreetest.At(t, filepath.Join(worktreetest.Dir(t), "app"))
	worktreetest.MkdirAll(t, r.Dir)
	r.Git("clone", "-q", origin.Dir, ".")
	worktreetest.RemoveAll(t, origin.Dir)
	made := create(t, options(r, "x"))
	if made.Base != "origin/main" || len(made.Notes) != 1 || !strings.Contains(made.Notes[0], "not fetched") {
		t.Errorf("made %+v", made)
	}
}

// TestCreateRefuses names what must not be reused, reset or reached (reports
// E16, E20, E22).
func TestCreateRefuses(t *testing.T) {
	t.Parallel()
	r := worktreetest.New(t, "")
	r.Worktree("used", "used")
	r.Git("branch", "feat/x")
	r.Write(".claude/worktrees/ghost/file", "precious")
	r.Write("dir/file", "x")
	outside := worktreetest.Dir(t)
	if err := os.Symlink(outside, r.Path("link")); err != nil {
		t.Fatal(err)
	}
	gone := r.Worktree(".claude/worktrees/gone", "gone")
	worktreetest.RemoveAll(t, gone.Dir)
	before := snapshot(t, r)
	set := func(name string, change func(*change.CreateOptions)) change.CreateOptions {
		o := options(r, name)
		change(&o)
		return o
	}
	none := func(*change.CreateOptions) {}
	for name, tc := range map[string]struct {
		o    change.CreateOptions
		want error
	}{
		"empty":             {set("", none), change.ErrName},
		"up":                {set("..", none), change.ErrName},
		"up inside":         {set("a/../b", none), change.ErrName},
		"dash":              {set("-x", none), change.ErrName},
		"dash inside":       {set("a/-x", none), change.ErrName},
		"git":               {set(".GIT", none), change.ErrName},
		"line feed":         {set("a\nb", none), change.ErrName},
		"bidi":              {set("a\u202eb", none), change.ErrName},
		"long":              {set(strings.Repeat("x", 65), none), change.ErrName},
		"refused by git":    {set("a.lock", none), change.ErrName},
		"ghost":             {set("ghost", none), change.ErrExists},
		"letter case":       {set("Ghost", none), change.ErrExists},
		"registered":        {set("gone", none), change.ErrExists},
		"branch":            {set("n", func(o *change.CreateOptions) { o.Branch = "used" }), change.ErrExists},
		"branch case":       {set("n", func(o *change.CreateOptions) { o.Branch = "USED" }), change.ErrExists},
		"branch below":      {set("n", func(o *change.CreateOptions) { o.Branch = "used/{name}" }), change.ErrExists},
		"branch above":      {set("n", func(o *change.CreateOptions) { o.Branch = "feat" }), change.ErrExists},
		"branch dash":       {set("n", func(o *change.CreateOptions) { o.Branch = "-d" }), change.ErrName},
		"in use":            {set("n", func(o *change.CreateOptions) { o.From.Branch = "used" }), change.ErrInUse},
		"no branch":         {set("n", func(o *change.CreateOptions) { o.From.Branch = "nowhere" }), change.ErrNothing},
		"no remote":         {set("n", func(o *change.CreateOptions) { o.From.Remote = "origin/x" }), change.ErrNothing},
		"no commit":         {set("n", func(o *change.CreateOptions) { o.From.Commit = "--all" }), change.ErrNothing},
		"no request":        {set("n", func(o *change.CreateOptions) { o.From.PullRequest = 3 }), change.ErrNothing},
		"symlink":           {set("n", func(o *change.CreateOptions) { o.Path = "{repo}/link/{name}" }), change.ErrPlace},
		"inside git":        {set("n", func(o *change.CreateOptions) { o.Path = "{repo}/.git/{name}" }), change.ErrPlace},
		"inside a worktree": {set("n", func(o *change.CreateOptions) { o.Path = "{repo}/used/{name}" }), change.ErrPlace},
		"below a file":      {set("n", func(o *change.CreateOptions) { o.Path = "{repo}/README/{name}" }), change.ErrPlace},
		"relative":          {set("n", func(o *change.CreateOptions) { o.Path = "x/{name}" }), change.ErrPlace},
		"link up":           {set("n", func(o *change.CreateOptions) { o.Fill.Links = []string{"../x"} }), change.ErrName},
	} {
		_, err := change.Create(context.Background(), real(t), tc.o)
		if !errors.Is(err, tc.want) {
			t.Errorf("%s: error %v, want %v", name, err, tc.want)
		}
		if after := snapshot(t, r); after != before {
			t.Fatalf("%s left something:\n%s\nbefore:\n%s", name, after, before)
		}
	}
	var used *change.InUseError
	o := options(r, "n")
	o.From.Branch = "used"
	if _, err := change.Create(context.Background(), real(t), o); !errors.As(err, &used) || used.Path != r.Path("used") {
		t.Errorf("error %v does not say where the branch is", err)
	}
}

func TestCreateFills(t *testing.T) {
	t.Parallel()
	r := worktreetest.New(t, "")
	r.Write(".gitignore", ".env\nsecrets/\n*.log\nnode_modules\nlinked.env\n")
	r.Write(".worktreeinclude", ".env\nsecrets/\n*.log\n!no.log\nuntracked\nlinked.env\n")
	r.Git("add", ".")
	r.Git("commit", "-qm", "rules")
	for _, file := range []string{".env", "secrets/deep/key", "yes.log", "no.log", "untracked", "node_modules/x", "with\nfeed.log"} {
		r.Write(file, file)
	}
	if err := os.Chmod(r.Path(".env"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("/etc/hostname", r.Path("linked.env")); err != nil {
		t.Fatal(err)
	}
	o := options(r, "n")
	o.Fill.Links = []string{"node_modules", "absent"}
	o.Fill.Setup = []string{"sh", "-c", `printf '%s' "$0 $PWD" >ran; echo said; test -z "$GIT_DIR"`, "; rm -rf *"}
	var out bytes.Buffer
	o.Fill.Output = &out
	made := create(t, o)
	for _, file := range []string{".env", "secrets/deep/key", "yes.log", "with\nfeed.log"} {
		if got := read(t, filepath.Join(made.Path, file)); got != file {
			t.Errorf("%q holds %q", file, got)
		}
	}
	for _, file := range []string{"no.log", "untracked", "linked.env", "absent"} {
		missing(t, filepath.Join(made.Path, file))
	}
	if info, _ := os.Stat(filepath.Join(made.Path, ".env")); info.Mode().Perm() != 0o600 {
		t.Errorf(".env has mode %v", info.Mode())
	}
	if target, _ := os.Readlink(filepath.Join(made.Path, "node_modules")); target != r.Path("node_modules") {
		t.Errorf("node_modules leads to %q", target)
	}
	if got := read(t, filepath.Join(made.Path, "ran")); got != "; rm -rf * "+made.Path {
		t.Errorf("the command got %q", got)
	}
	if out.String() != "said\n" || len(made.Notes) != 1 {
		t.Errorf("output %q, notes %q", out.String(), made.Notes)
	}
}

func TestCreateRunsNoHook(t *testing.T) {
	t.Parallel()
	r := worktreetest.New(t, "")
	worktreetest.WriteScript(t, r.Path(".git/hooks/post-checkout"), "touch "+r.Path("ran")+"\n")
	create(t, options(r, "n"))
	missing(t, r.Path("ran"))
}

func TestCreateInBareLayout(t *testing.T) {
	t.Parallel()
	r := worktreetest.BareLayout(t, filepath.Join(worktreetest.Dir(t), "app"))
	o := options(r, "n")
	o.From.Branch = "main"
	if made := create(t, o); made.Path != r.Path(".claude/worktrees/n") {
		t.Errorf("made %+v", made)
	}
	bare := worktreetest.Init(t, filepath.Join(worktreetest.Dir(t), "app.git"), "--bare")
	_, err := change.Create(context.Background(), real(t), options(bare, "n"))
	wantErr(t, err, change.ErrPlace)
}

func TestFailedSetupLeavesNothing(t *testing.T) {
	t.Parallel()
	r := worktreetest.New(t, "")
	before := snapshot(t, r)
	o := options(r, "n")
	o.Fill.Setup = []string{"sh", "-c", "mkdir -p deep/er; chmod 500 deep; touch x; exit 3"}
	_, err := change.Create(context.Background(), real(t), o)
	var left *change.LeftError
	if err == nil || errors.As(err, &left) {
		t.Fatalf("error %v", err)
	}
	if after := snapshot(t, r); after != before {
		t.Errorf("left:\n%s\nbefore:\n%s", after, before)
	}
}

// TestCreateAndRemoveInOddRepositories: reports E3, E4, E9, E11, and a partial
// clone, whose checkout fetches.
func TestCreateAndRemoveInOddRepositories(t *testing.T) {
	t.Parallel()
	for name, prepare := range map[string]func() worktreetest.Repo{
		"sha256": func() worktreetest.Repo {
			r := worktreetest.Init(t, "", "--object-format=sha256")
			r.Commit("README", "one\n")
			return r
		},
		"sparse": func() worktreetest.Repo {
			r := worktreetest.New(t, "")
			r.Commit("dir/x", "x")
			r.Git("sparse-checkout", "set", "dir")
			return r
		},
		"bare layout with worktreeConfig": func() worktreetest.Repo {
			r := worktreetest.BareLayout(t, filepath.Join(worktreetest.Dir(t), "app"))
			r.Git("config", "extensions.worktreeConfig", "true")
			return r
		},
		"partial clone": func() worktreetest.Repo {
			origin := worktreetest.New(t, "")
			origin.Git("config", "uploadpack.allowFilter", "true")
			origin.Git("config", "uploadpack.allowAnySHA1InWant", "true")
			r := worktreetest.At(t, filepath.Join(worktreetest.Dir(t), "app"))
			worktreetest.MkdirAll(t, r.Dir)
			r.Git("clone", "-q", "--filter=blob:none", "--no-checkout", "file://"+origin.Dir, ".")
			return r
		},
	} {
		r := prepare()
		o := options(r, "n")
		made, err := change.Create(context.Background(), real(t), o)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		err = change.Remove(context.Background(), real(t), r.Dir, made.Path, change.RemoveOptions{Branch: true})
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

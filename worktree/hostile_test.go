package worktree_test

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"coppice/worktree"
	"coppice/worktree/worktreetest"
)

// armed is a repository that tries to run a program at every turn. Each program
// leaves a file named after what ran it in the directory fired.
func armed(t *testing.T) (app worktreetest.Repo, fired string) {
	t.Helper()
	top := worktreetest.Dir(t)
	fired = sub(top, "fired")
	worktreetest.MkdirAll(t, fired)
	app = worktreetest.New(t, sub(top, "app"))
	program := func(name string) string {
		path := sub(top, "bin", name)
		worktreetest.WriteScript(t, path, fmt.Sprintf(": >'%s/%s'\ncat\n", fired, name))
		return path
	}
	for i, driver := range []string{"plain", "with.dot", "UPPER", "back\\slash", `quo"te`, "-dash", ""} {
		file := fmt.Sprintf("f%d", i)
		app.Commit(file, "text\n")
		app.Configure(fmt.Sprintf("[filter %q]\n\tclean = %s\n\trequired = true\n",
			driver, program("clean-"+fmt.Sprint(i))))
		worktreetest.AppendFile(t, app.Path(".git/info/attributes"), fmt.Sprintf("%s filter=%s diff=d merge=m\n", file, driver))
	}
	app.Commit("p", "text\n")
	app.Commit(".gitattributes", "p filter=included\n")
	worktreetest.WriteFile(t, app.Path("more"), fmt.Sprintf("[filter \"included\"]\n\tprocess = %s\n\trequired\n", program("process")))
	app.Configure(fmt.Sprintf(`
[include]
	path = ../more
[core]
	fsmonitor = %[1]s
	hooksPath = %[2]s
	pager = %[3]s
	editor = %[3]s
	sshCommand = %[4]s
	gitProxy = %[4]s
	askPass = %[4]s
	alternateRefsCommand = %[4]s
	attributesFile = %[2]s/attributes
[pager]
	status = true
	config = true
[diff "d"]
	textconv = %[5]s
	command = %[5]s
[diff]
	external = %[5]s
[merge "m"]
	driver = %[5]s
[credential]
	helper = %[4]s
[alias]
	status = !%[3]s
	config = !%[3]s
[status]
	submoduleSummary = true
[gpg]
	program = %[3]s
[log]
	showSignature = true
`, program("fsmonitor"), sub(top, "hooks"), program("pager"), program("ssh"), program("diff")))
	for _, hook := range []string{"post-index-change", "fsmonitor-watchman", "reference-transaction", "pre-auto-gc", "post-checkout"} {
		worktreetest.WriteScript(t, sub(top, "hooks", hook), fmt.Sprintf(": >'%s/hook-%s'\n", fired, hook))
		worktreetest.WriteScript(t, app.Path(".git/hooks", hook), fmt.Sprintf(": >'%s/hook-%s'\n", fired, hook))
	}
	return app, fired
}

// touch gives files other times, so that git has to compare their content.
func touch(t *testing.T, app worktreetest.Repo, files ...string) {
	t.Helper()
	later := time.Now().Add(time.Hour)
	for _, file := range files {
		if err := os.Chtimes(app.Path(file), later, later); err != nil {
			t.Fatal(err)
		}
	}
}

func firedIn(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, entry := range entries {
		names = append(names, entry.Name())
	}
	return names
}

// TestNothingConfiguredRuns: no program that a repository names is run by
// reading it.
func TestNothingConfiguredRuns(t *testing.T) {
	t.Parallel()
	app, fired := armed(t)
	files := []string{"f0", "f1", "f2", "f3", "f4", "f5", "f6", "p"}
	touch(t, app, files...)
	worktreetest.RemoveAll(t, fired)
	worktreetest.MkdirAll(t, fired)

	status := real(t).Status(t.Context(), app.Dir)
	repo := open(t, real(t), app.Dir)
	if got := firedIn(t, fired); len(got) != 0 {
		t.Errorf("these ran: %v", got)
	}
	wantProblem(t, status.Problem, "")
	wantProblem(t, repo.Problem, "")
	if status.Dirty != 1 { // "more"; the content of the touched files is unchanged
		t.Errorf("%+v", status)
	}

	_, _ = app.Try("status", "--porcelain") // control: git itself runs some
	got := strings.Join(firedIn(t, fired), " ")
	for _, want := range []string{"fsmonitor", "clean-0", "clean-1", "clean-2", "clean-3", "clean-5", "clean-6", "process"} {
		if !strings.Contains(got, want) {
			t.Errorf("the trap %s does not work: only %s", want, got)
		}
	}
}

// TestFilterNameWithEquals: a driver whose name cannot be given on the command
// line is a reason not to ask.
func TestFilterNameWithEquals(t *testing.T) {
	t.Parallel()
	app, fired := armed(t)
	app.Configure("[filter \"a=b\"]\n\tclean = touch " + sub(fired, "equals") + "\n")
	worktreetest.AppendFile(t, app.Path(".git/info/attributes"), "README filter=a=b\n")
	touch(t, app, "README")
	wantProblem(t, real(t).Status(t.Context(), app.Dir).Problem, "cannot be turned off")
	if exists(sub(fired, "equals")) {
		t.Error("the filter ran")
	}
	_, _ = app.Try("status")
	if !exists(sub(fired, "equals")) {
		t.Error("the trap does not work")
	}
}

// TestSubmoduleConfigRuns: a submodule has a configuration of its own, which
// settings for the outer repository do not reach.
func TestSubmoduleConfigRuns(t *testing.T) {
	t.Parallel()
	lib, fired := armed(t)
	app := worktreetest.New(t, sub(lib.Dir, "../outer"))
	app.Git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", lib.Dir, "lib")
	app.Git("commit", "-q", "-m", "Add lib")
	config, err := os.ReadFile(lib.Path(".git/config"))
	if err != nil {
		t.Fatal(err)
	}
	worktreetest.AppendFile(t, app.Path(".git/modules/lib/config"), strings.ReplaceAll(string(config), "bare = false", ""))
	touch(t, worktreetest.At(t, app.Path("lib")), "p", "README")
	worktreetest.RemoveAll(t, fired)
	worktreetest.MkdirAll(t, fired)
	wantProblem(t, real(t).Status(t.Context(), app.Dir).Problem, "")
	if got := firedIn(t, fired); len(got) != 0 {
		t.Errorf("these ran: %v", got)
	}
	_, _ = app.Try("status")
	if len(firedIn(t, fired)) == 0 {
		t.Error("the trap does not work")
	}
}

// TestPartialCloneFetchesNothing: in a partial clone git fetches what it lacks,
// with programs that the configuration names.
func TestPartialCloneFetchesNothing(t *testing.T) {
	t.Parallel()
	top := worktreetest.Dir(t)
	origin := worktreetest.New(t, sub(top, "origin"))
	origin.Git("config", "uploadpack.allowFilter", "true")
	origin.Git("clone", "-q", "--no-checkout", "--filter=tree:0", "file://"+origin.Dir, sub(top, "app"))
	app := worktreetest.At(t, sub(top, "app"))
	marker := sub(top, "fired")
	script := sub(top, "upload")
	worktreetest.WriteScript(t, script, fmt.Sprintf(": >'%s'\nexit 1\n", marker))
	app.Git("config", "remote.origin.url", "ext::"+script)
	app.Git("config", "protocol.ext.allow", "always")

	_ = real(t).Status(t.Context(), app.Dir)
	if exists(marker) {
		t.Error("git fetched")
	}
	if _, err := os.Stat(app.Path(".git/objects/info/commit-graph")); err == nil {
		t.Error("something was written")
	}
	_, _ = app.Try("status")
	if !exists(marker) {
		t.Error("the trap does not work")
	}
}

// alive reports whether a process runs; one that only waits to be collected
// does not.
func alive(pid string) bool {
	n, err := strconv.Atoi(pid)
	if err != nil || syscall.Kill(n, 0) != nil {
		return false
	}
	stat, err := os.ReadFile("/proc/" + pid + "/stat")
	return err != nil || !strings.Contains(string(stat), ") Z ")
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// TestRunEnds: a git that does not answer is asked to end, and made to only
// when it does not; nothing of it is left.
func TestRunEnds(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		script string
		asked  bool
	}{
		"ends when asked": {`trap ': >"$HOME/asked"; exit 1' TERM
echo $$ >"$HOME/pid"
while :; do sleep 0.01; done`, true},
		"does not listen": {`trap '' TERM
sh -c 'trap "" TERM; echo $$ >"$HOME/pid"; exec sleep 1000' &
wait`, false},
		"prints for ever": {`echo $$ >"$HOME/pid"
exec yes`, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			app := worktreetest.New(t, "")
			home := worktreetest.Dir(t)
			script := sub(home, "git")
			worktreetest.WriteScript(t, script, c.script+"\n")
			g := worktree.Git{Program: script, Env: worktreetest.Env(home), Timeout: 500 * time.Millisecond}
			start := time.Now()
			status := g.Status(t.Context(), app.Dir)
			if took := time.Since(start); took > 10*time.Second {
				t.Errorf("took %v", took)
			}
			if status.Problem == "" {
				t.Errorf("%+v", status)
			}
			if exists(sub(home, "asked")) != c.asked {
				t.Errorf("asked to end: %v", !c.asked)
			}
			waitGone(t, sub(home, "pid"))
		})
	}
}

// waitGone waits until the process whose id is in a file has ended.
func waitGone(t *testing.T, file string) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	pid := strings.TrimSpace(string(data))
	for deadline := time.Now().Add(10 * time.Second); alive(pid); {
		if time.Now().After(deadline) {
			t.Fatalf("process %s is still there", pid)
		}
		time.Sleep(5 * time.Millisecond)
	}
}

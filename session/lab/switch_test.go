//go:build lab

package lab_test

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"coppice/session"
	"coppice/session/host"
	"coppice/session/launch"
	"coppice/worktree"
	"coppice/worktree/worktreetest"
)

// behind is a room whose sessions run in hosts, with the person's own hooks, which
// write a story.
type behind struct {
	*room
	launch.Launcher
	program string // coppice
	env     []string
	log     string
}

// newBehind returns the room, with two sessions of its repository.
func newBehind(t *testing.T) (b *behind, one, two string) {
	t.Helper()
	r := newRoom(t)
	one, two = r.talk(r.repo, "a word: hazelnut"), r.talk(r.repo, "a word: walnut")
	run, err := os.MkdirTemp("", "run") // short enough for a socket
	r.must(err)
	b = &behind{room: r, program: filepath.Join(run, "program"), log: filepath.Join(run, "log")}
	out, err := exec.Command("go", "build", "-o", b.program, "coppice/cmd/coppice").CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	state := filepath.Join(run, "state")
	b.env = append(r.Environ(), "XDG_RUNTIME_DIR="+run, "XDG_STATE_HOME="+state, "XDG_CONFIG_HOME="+filepath.Join(run, "config"))
	worktreetest.WriteFile(t, filepath.Join(run, "config", "coppice", "config.toml"),
		"[agents.claude]\ncommand = ["+quoted(r.Program)+"]\n")
	hook := func(event string) string {
		return `"` + event + `":[{"hooks":[{"type":"command","command":"sleep 0.3; { echo ` + event + `; cat; echo; } | tr -d '\\n' >>` + b.log + `; echo >>` + b.log + `"}]}]`
	}
	worktreetest.WriteFile(t, filepath.Join(r.Root, "settings.json"), `{"hooks":{`+hook("SessionStart")+`,`+hook("SessionEnd")+`}}`)
	p, _ := r.plan(one, session.Request{})
	b.Launcher = launch.Launcher{
		Dirs: host.Dirs{Runtime: filepath.Join(run, "coppice"), State: filepath.Join(state, "coppice")},
		Host: append([]string{"/usr/bin/env"}, append(slices.Clone(b.env), b.program, "host")...), Planner: p, Proc: "/proc",
		Load: func(context.Context) ([]session.Session, []worktree.Repository, error) {
			rows, repos := r.load()
			return rows, repos, nil
		},
	}
	t.Cleanup(func() {
		all, _ := host.List(context.Background(), b.Dirs)
		for _, h := range all {
			if h.State == host.Running {
				_, _ = host.Stop(context.Background(), b.Dirs, h.Host)
			}
		}
		_ = os.RemoveAll(run)
	})
	return b, one, two
}

func quoted(s string) string {
	data, _ := json.Marshal(s)
	return string(data)
}

// story is what the hooks wrote: event and the first characters of the session.
func (b *behind) story() (story []string) {
	data, _ := os.ReadFile(b.log)
	for line := range strings.Lines(string(data)) {
		event, input, ok := strings.Cut(strings.TrimSpace(line), "{")
		var in struct {
			ID     string `json:"session_id"`
			Source string
			Reason string
		}
		if ok && json.Unmarshal([]byte("{"+input), &in) == nil {
			story = append(story, strings.TrimSpace(strings.Join([]string{event, in.ID[:8], in.Source + in.Reason}, " ")))
		}
	}
	return story
}

func (b *behind) tells(want ...string) {
	b.t.Helper()
	b.until("the hooks are done", func() bool { return len(b.story()) >= len(want) })
	if got := b.story(); !slices.Equal(got, want) {
		b.t.Errorf("the hooks tell %q, want %q", got, want)
	}
}

func (b *behind) until(what string, ok func() bool) {
	b.t.Helper()
	for ctx := b.ctx(); !ok(); {
		if ctx.Err() != nil {
			b.t.Fatalf("waited in vain until %s", what)
		}
	}
}

// coppice runs a command of the program.
func (b *behind) coppice(args ...string) (string, error) {
	b.t.Helper()
	cmd := exec.Command(b.program, args...)
	cmd.Dir, cmd.Env = b.repo, b.env
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// live waits until the client of a session says that it is idle.
func (b *behind) live(id string) { b.registered(id) }

// The hooks of the end of one session are done before those of the start of the
// next, and a target that does not come up costs nothing.
func TestSwitchTheClient(t *testing.T) {
	t.Parallel()
	b, one, two := newBehind(t)
	_, plan := b.plan(one, session.Request{})
	info, err := b.Start(b.ctx(), plan, 100, 30)
	b.must(err)
	b.live(one)
	b.tells("SessionStart " + one[:8] + " resume")

	_, plan = b.plan(two, session.Request{})
	to, err := b.Switch(b.ctx(), info.Host, plan, 100, 30)
	b.must(err)
	if to.Back != nil || to.Host.Session != two {
		t.Fatalf("switched to %+v", to)
	}
	b.live(two)
	story := []string{"SessionStart " + one[:8] + " resume", "SessionEnd " + one[:8] + " other", "SessionStart " + two[:8] + " resume"}
	b.tells(story...)

	// The client does not know the id that it is given.
	_, plan = b.plan(one, session.Request{})
	plan.Command = []string{b.Client.Program, "--resume", "99999999-9999-4999-8999-999999999999"}
	back, err := b.Switch(b.ctx(), to.Host.Host, plan, 100, 30)
	b.must(err)
	if back.Back == nil || back.Host.Session != two {
		t.Fatalf("switched to %+v", back)
	}
	b.live(two)
	b.until("the session before is back", func() bool {
		got := b.story()
		return slices.Contains(got, "SessionEnd "+two[:8]+" other") && got[len(got)-1] == "SessionStart "+two[:8]+" resume" && len(got) > len(story)
	})
	t.Logf("the hooks tell %q; the client said %v", b.story(), back.Back)
}

// A session that is live in a terminal of its own is ended there, with its hooks,
// before it is started.
func TestTakeOverTheClient(t *testing.T) {
	t.Parallel()
	b, one, _ := newBehind(t)
	term := b.open(b.repo, "--resume", one)
	b.must(term.See(b.ctx(), "hazelnut"))
	b.live(one)
	if out, err := b.coppice("resume", one, "--bg"); err == nil || !strings.Contains(out, "--take-over") {
		t.Fatalf("resume says %s, %v", out, err)
	}
	_, plan := b.plan(one, session.Request{TakeOver: true})
	if plan.Action != session.ActionResume || plan.Live == nil {
		t.Fatalf("plan %+v", plan)
	}
	info, err := b.TakeOver(b.ctx(), plan, 100, 30)
	b.must(err)
	status, err := term.Ended(b.ctx())
	b.must(err)
	if status != "143" {
		t.Errorf("the client elsewhere ended with %s", status)
	}
	b.live(one)
	if info.Session != one {
		t.Errorf("live is %+v", info)
	}
	b.tells("SessionStart "+one[:8]+" resume", "SessionEnd "+one[:8]+" other", "SessionStart "+one[:8]+" resume")
}

// A new session behind the window is shown by attach, outlives its window, and is
// brought back after its host was killed.
func TestBringBackTheClient(t *testing.T) {
	t.Parallel()
	b, _, _ := newBehind(t)
	out, err := b.coppice("new", "--bg", "--json", "--name", "chestnuts", "a word: chestnut")
	var made struct{ Host, ID string }
	if err == nil {
		err = json.Unmarshal([]byte(out), &made)
	}
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	term := b.openAs(b.repo, b.env, b.program, "attach", made.Host)
	b.must(term.See(b.ctx(), "chestnut"))
	b.must(term.See(b.ctx(), "Answer"))
	term.Close()
	b.live(made.ID)
	all, err := host.List(b.ctx(), b.Dirs)
	b.must(err)
	b.must(syscall.Kill(all[0].HostPID, syscall.SIGKILL))
	b.until("the client is gone", func() bool { _, ok := session.ReadLive(b.Root, "/proc")[made.ID]; return !ok })
	if out, err := b.coppice("bring-back", "--list"); err != nil || !strings.Contains(out, made.ID) {
		t.Errorf("listed is %s, %v", out, err)
	}
	if out, err := b.coppice("bring-back"); err != nil || !strings.Contains(out, "live again") {
		t.Fatalf("bring-back says %s, %v", out, err)
	}
	b.live(made.ID)
	term = b.openAs(b.repo, b.env, b.program, "attach", made.ID[:8])
	b.must(term.See(b.ctx(), "chestnut"))
	term.Close()
	b.tells("SessionStart "+made.ID[:8]+" startup", "SessionEnd "+made.ID[:8]+" other", "SessionStart "+made.ID[:8]+" resume")
}

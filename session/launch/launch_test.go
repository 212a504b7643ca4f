package launch_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"coppice/config"
	"coppice/session"
	"coppice/session/host"
	"coppice/session/launch"
	"coppice/session/sessiontest"
	"coppice/transcript/faulttest"
	"coppice/transcript/transcripttest"
	"coppice/worktree"
)

// TestMain runs the tests, or a host when a test started this binary again.
func TestMain(m *testing.M) {
	if os.Getenv("LAUNCH_HOST") != "" {
		dirs := host.Dirs{Runtime: os.Getenv("LAUNCH_RUNTIME"), State: os.Getenv("LAUNCH_STATE")}
		if err := host.Run(context.Background(), dirs, os.Stdin, os.Stdout); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// agentScript stands in for the client: it registers the session that its last
// argument names, writes down its start, and at SIGTERM its end, by a hook in a
// session of its own which outlives it. A session whose name has "bad" in it
// cannot be opened.
const agentScript = `#!/bin/sh
for id; do :; done
case "$id" in *bad*) echo "no conversation found"; exit 1;; esac
ticks=$(sed 's/.*) //' /proc/$$/stat | cut -d' ' -f20)
mkdir -p "$ROOT/sessions"
file="$ROOT/sessions/$$.json"
trap 'setsid sh -c "sleep 1; echo end $id >>$LOG" & rm -f "$file"; sleep 0.5; exit 143' TERM
printf '{"pid":%d,"sessionId":"%s","procStart":"%s","status":"idle"}' $$ "$id" "$ticks" >"$file.new"
echo "start $id" >>"$LOG"
mv "$file.new" "$file"
echo "here is $id"
while :; do sleep 0.05; done
`

// place is where sessions of a test are started.
type place struct {
	t *testing.T
	launch.Launcher
	dir, log string
	sessions []session.Session
}

func newPlace(t *testing.T) *place {
	t.Helper()
	if _, err := os.Stat("/proc/self/stat"); err != nil {
		t.Skip("needs /proc")
	}
	dir, err := os.MkdirTemp("", "l") // names of sockets must be short
	if err == nil {
		err = faulttest.WriteProgram(filepath.Join(dir, "agent"), []byte(agentScript))
	}
	if err != nil {
		t.Fatal(err)
	}
	p := &place{t: t, dir: dir, log: filepath.Join(dir, "log")}
	dirs := host.Dirs{Runtime: filepath.Join(dir, "run"), State: filepath.Join(dir, "state")}
	root := filepath.Join(dir, "root")
	cfg := config.Default()
	cfg.Agents["claude"] = config.Agent{
		Kind: config.KindTerminal, Command: []string{filepath.Join(dir, "agent")},
		Start: []string{"--session-id", "{id}"}, Resume: []string{"--resume", "{id}"},
	}
	cfg.Agents["shell"] = config.Agent{Kind: config.KindTerminal, Command: []string{"/bin/sh"}}
	p.Launcher = launch.Launcher{
		Dirs: dirs, Proc: "/proc",
		Host: []string{"/usr/bin/env", "LAUNCH_HOST=1", "LAUNCH_RUNTIME=" + dirs.Runtime, "LAUNCH_STATE=" + dirs.State, os.Args[0]},
		Planner: session.Planner{
			Config: cfg, Root: root, Env: []string{"PATH=" + os.Getenv("PATH"), "HOME=" + dir, "ROOT=" + root, "LOG=" + p.log},
			Live: func() map[string]session.Live { return session.ReadLive(root, "/proc") },
		},
		Load: func(context.Context) ([]session.Session, []worktree.Repository, error) { return p.sessions, nil, nil },
	}
	t.Cleanup(func() {
		all, _ := host.List(context.Background(), dirs)
		for _, h := range all {
			_ = syscall.Kill(h.HostPID, syscall.SIGKILL)
			_ = syscall.Kill(h.PID, syscall.SIGKILL)
		}
		_ = os.RemoveAll(dir)
	})
	return p
}

// session makes a session with a transcript, and returns the plan to resume it.
func (p *place) session(id string) session.Plan {
	p.t.Helper()
	b := transcripttest.New(id)
	b.Dir = p.dir
	b.User("prune the roses").Assistant(transcripttest.Text("done"))
	path := sessiontest.Root(p.Planner.Root).WriteFile(p.t, filepath.Join("projects", "p", id+".jsonl"), string(b.Bytes()))
	s := session.Session{ID: id, Path: path, Copies: []session.Copy{{Path: path}}, Dir: p.dir}
	p.sessions = append(p.sessions, s)
	return session.Plan{
		Session: id, Transcript: path, Action: session.ActionResume, Cwd: p.dir, Agent: "claude",
		Command: []string{p.Planner.Config.Agents["claude"].Command[0], "--resume", id},
	}
}

func (p *place) start(plan session.Plan) host.Info {
	p.t.Helper()
	info, err := p.Start(p.t.Context(), plan, 80, 24)
	if err != nil {
		p.t.Fatal(err)
	}
	p.until("it is live", func() bool { _, ok := session.ReadLive(p.Planner.Root, "/proc")[launch.Started(plan)]; return ok })
	return info
}

func (p *place) until(what string, ok func() bool) {
	p.t.Helper()
	again := time.NewTicker(5 * time.Millisecond)
	defer again.Stop()
	for end := time.Now().Add(30 * time.Second); !ok(); <-again.C {
		if time.Now().After(end) {
			p.t.Fatalf("waited in vain until %s", what)
		}
	}
}

// story is what the agents wrote down.
func (p *place) story() []string {
	data, _ := os.ReadFile(p.log)
	return strings.Split(strings.TrimSpace(string(data)), "\n")
}

// running returns the sessions of the hosts that run.
func (p *place) running() (ids []string) {
	p.t.Helper()
	all, err := host.List(p.t.Context(), p.Dirs)
	if err != nil {
		p.t.Fatal(err)
	}
	for _, h := range all {
		if h.State == host.Running {
			ids = append(ids, h.Session)
		}
	}
	return ids
}

const idA, idB = "aaaaaaaa-0000-4000-8000-00000000000a", "bbbbbbbb-0000-4000-8000-00000000000b"

// The hook of the end of one session is done before the other starts, although the
// agent itself does not wait for it.
func TestSwitch(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	from := p.start(p.session(idA))
	to, err := p.Switch(t.Context(), from.Host, p.session(idB), 80, 24)
	if err != nil || to.Back != nil || to.Host.Session != idB || to.Note != "" {
		t.Fatalf("%+v, %v", to, err)
	}
	if want := []string{"start " + idA, "end " + idA, "start " + idB}; !slices.Equal(p.story(), want) {
		t.Errorf("the story is %q, want %q", p.story(), want)
	}
	if got := p.running(); !slices.Equal(got, []string{idB}) {
		t.Errorf("live are %q", got)
	}
}

// A target that does not come up costs nothing: the session before is resumed.
func TestSwitchFallsBack(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	from := p.start(p.session(idA))
	to, err := p.Switch(t.Context(), from.Host, p.session("bad"), 80, 24)
	if err != nil || to.Back == nil || !strings.Contains(to.Back.Error(), "no conversation found") || to.Host.Session != idA {
		t.Fatalf("%+v, %v", to, err)
	}
	p.until("it is back", func() bool { return len(p.story()) == 3 })
	if want := []string{"start " + idA, "end " + idA, "start " + idA}; !slices.Equal(p.story(), want) {
		t.Errorf("the story is %q, want %q", p.story(), want)
	}
	if got := p.running(); !slices.Equal(got, []string{idA}) {
		t.Errorf("live are %q", got)
	}
}

// Whatever can be known to fail is known before anything ends.
func TestSwitchChecksFirst(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	from := p.start(p.session(idA))
	elsewhere := p.elsewhere(idB)
	for name, spoil := range map[string]func(*session.Plan){
		"live elsewhere":   func(plan *session.Plan) { *plan = p.session(idB) },
		"itself":           func(plan *session.Plan) { plan.Session = idA },
		"no transcript":    func(plan *session.Plan) { plan.Transcript += ".gone" },
		"no directory":     func(plan *session.Plan) { plan.Cwd += "/gone" },
		"no program":       func(plan *session.Plan) { plan.Command = []string{"/no/such/program"} },
		"no command":       func(plan *session.Plan) { plan.Command = nil },
		"a refusal":        func(plan *session.Plan) { plan.Action, plan.Blockers = session.ActionRefuse, []string{"no"} },
		"nothing prepared": func(plan *session.Plan) { plan.Name = "fails" },
	} {
		plan := p.session("cccccccc-0000-4000-8000-00000000000c")
		spoil(&plan)
		l := p.Launcher
		l.Prepare = func(_ context.Context, plan session.Plan) error {
			if plan.Name == "fails" {
				return errors.New("the fork could not be written")
			}
			return nil
		}
		if to, err := l.Switch(t.Context(), from.Host, plan, 80, 24); err == nil || errors.Is(err, launch.ErrEnded) {
			t.Errorf("%s: %+v, %v", name, to, err)
		}
	}
	if got := p.running(); !slices.Equal(got, []string{idA}) {
		t.Errorf("live are %q", got)
	}
	_ = elsewhere.Process.Kill()
	_ = elsewhere.Wait()
}

// elsewhere runs an agent that no host keeps.
func (p *place) elsewhere(id string, env ...string) *exec.Cmd {
	p.t.Helper()
	cmd := exec.Command(filepath.Join(p.dir, "agent"), id)
	cmd.Env = append(slices.Clone(p.Planner.Env), env...)
	if err := cmd.Start(); err != nil {
		p.t.Fatal(err)
	}
	p.t.Cleanup(func() { _ = cmd.Process.Kill() })
	p.until("it is live", func() bool { _, ok := session.ReadLive(p.Planner.Root, "/proc")[id]; return ok })
	return cmd
}

// A session that is live elsewhere is started when it has ended there, hooks and
// all, and not before.
func TestTakeOver(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	elsewhere := p.elsewhere(idA)
	ended := make(chan error, 1)
	go func() { ended <- elsewhere.Wait() }()
	plan := p.session(idA)
	if _, err := p.Start(t.Context(), plan, 80, 24); !errors.Is(err, launch.ErrLive) {
		t.Fatalf("start: %v", err)
	}
	info, err := p.TakeOver(t.Context(), plan, 80, 24)
	if err != nil || info.Session != idA {
		t.Fatalf("take over: %+v, %v", info, err)
	}
	<-ended
	p.until("it is there", func() bool { return len(p.story()) == 3 })
	if want := []string{"start " + idA, "end " + idA, "start " + idA}; !slices.Equal(p.story(), want) {
		t.Errorf("the story is %q, want %q", p.story(), want)
	}
	again, err := p.TakeOver(t.Context(), plan, 80, 24) // from a host of ours
	if err != nil || again.Host == info.Host || !slices.Equal(p.running(), []string{idA}) {
		t.Errorf("take over again: %+v, %v", again, err)
	}
}

// A process that only has the id of the one that registered is left alone.
func TestTakeOverOfAnotherProcess(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	other := exec.Command("sleep", "60")
	if err := other.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _, _ = other.Process.Kill(), other.Wait() }()
	sessiontest.Root(p.Planner.Root).WriteFile(t, filepath.Join("sessions", fmt.Sprint(other.Process.Pid, ".json")),
		fmt.Sprintf(`{"pid":%d,"sessionId":%q,"status":"idle"}`, other.Process.Pid, idA)) // no start
	if _, err := p.TakeOver(t.Context(), p.session(idA), 80, 24); err == nil || !strings.Contains(err.Error(), "not certain") {
		t.Errorf("take over: %v", err)
	}
	if err := other.Process.Signal(syscall.Signal(0)); err != nil {
		t.Errorf("the other process: %v", err)
	}
}

// What was live when hosts were killed is listed once, in its order, and comes back
// in it; what is live again is not listed.
func TestBringBack(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	a := p.start(p.session(idA))
	b := p.start(p.session(idB))
	fresh := p.start(p.Planner.Start(t.Context(), session.StartRequest{Dir: p.dir, Name: "seedlings"}))
	shell := p.Planner.Start(t.Context(), session.StartRequest{Dir: p.dir, Agent: "shell"})
	plain, err := p.Start(t.Context(), shell, 80, 24)
	if err != nil {
		t.Fatal(err)
	}
	for _, info := range []host.Info{a, b, fresh, plain} {
		_ = syscall.Kill(info.HostPID, syscall.SIGKILL)
		_ = syscall.Kill(info.PID, syscall.SIGKILL)
	}
	p.until("they are gone", func() bool {
		_, held, _ := host.Held(p.Dirs, p.Planner.Root, idB) // until the last thread of its host is gone
		return len(p.running()) == 0 && len(session.ReadLive(p.Planner.Root, "/proc")) == 0 && !held
	})
	p.start(p.session(idB)) // by hand
	lost, err := p.Lost(t.Context())
	if err != nil || len(lost) != 3 || lost[0].Session != idA || lost[1].Name != "seedlings" || lost[2].Agent != "shell" || lost[0].Why == "" {
		t.Fatalf("lost are %+v, %v", lost, err)
	}
	p.sessions = p.sessions[:1]
	back := p.BringBack(t.Context(), lost, 80, 24)
	for i, one := range back {
		if one.Err != nil || one.Host == "" || one.Lost.Host != lost[i].Host {
			t.Errorf("brought back %+v", one)
		}
	}
	if want := []string{idB, idA, lost[1].Session, ""}; !slices.Equal(p.running(), want) {
		t.Errorf("live are %q, want %q", p.running(), want)
	}
	if again, err := p.Lost(t.Context()); err != nil || len(again) != 0 {
		t.Errorf("lost still are %+v, %v", again, err)
	}
}

// What cannot be brought back stays lost, is named, and can be dismissed.
func TestBringBackFails(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	info := p.start(p.session(idA))
	_ = syscall.Kill(info.HostPID, syscall.SIGKILL)
	_ = syscall.Kill(info.PID, syscall.SIGKILL)
	p.until("it is gone", func() bool { lost, _ := p.Lost(t.Context()); return len(lost) == 1 })
	lost, _ := p.Lost(t.Context())
	if err := os.Remove(filepath.Join(p.dir, "agent")); err != nil {
		t.Fatal(err)
	}
	back := p.BringBack(t.Context(), lost, 80, 24)
	if len(back) != 1 || back[0].Err == nil || !strings.Contains(back[0].Err.Error(), "cannot be run") {
		t.Errorf("brought back %+v", back)
	}
	if again, _ := p.Lost(t.Context()); len(again) != 1 {
		t.Errorf("lost are %+v", again)
	}
	if err := p.Dismiss(t.Context(), lost); err != nil {
		t.Error(err)
	}
	if again, _ := p.Lost(t.Context()); len(again) != 0 {
		t.Errorf("lost are %+v", again)
	}
}

// F1: an agent that goes on without its host, and keeps no register, still has its
// session.
func TestBringBackOfAnOrphan(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	plan := p.session(idA)
	plan.Command = []string{"/bin/sh", "-c", "trap '' HUP; touch up; while :; do sleep 0.1; done"}
	info, err := p.Start(t.Context(), plan, 80, 24)
	if err != nil {
		t.Fatal(err)
	}
	p.until("it does not hear of hang-ups", func() bool { _, err := os.Stat(filepath.Join(p.dir, "up")); return err == nil })
	_ = syscall.Kill(info.HostPID, syscall.SIGKILL)
	p.until("its host is gone", func() bool {
		lost, _ := p.Lost(t.Context())
		_, held, _ := host.Held(p.Dirs, p.Planner.Root, idA)
		return len(lost) == 1 && !held
	})
	lost, _ := p.Lost(t.Context())
	soon, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	if back := p.BringBack(soon, lost, 80, 24); !errors.Is(back[0].Err, launch.ErrLive) || !strings.Contains(back[0].Err.Error(), strconv.Itoa(info.PID)) {
		t.Errorf("brought back beside process %d: %+v", info.PID, back)
	}
	_ = syscall.Kill(info.PID, syscall.SIGKILL)
	if back := p.BringBack(t.Context(), lost, 80, 24); back[0].Err != nil {
		t.Error(back[0].Err)
	}
}

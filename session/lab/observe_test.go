//go:build lab

package lab_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/google/uuid"

	"coppice/session"
	"coppice/session/host"
	"coppice/session/observe"
	"coppice/session/terminal"
	"coppice/worktree"
	"coppice/worktree/worktreetest"
)

// program is coppice itself: hosts and hooks are its processes.
var program = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "coppice")
	if err != nil {
		return "", err
	}
	out, err := exec.Command("go", "build", "-o", dir, "coppice/cmd/coppice").CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("build: %w: %s", err, out)
	}
	return filepath.Join(dir, "coppice"), nil
})

// hosted is the client in a host of ours, with an index that follows it, and with
// hooks that a person has anyhow.
type hosted struct {
	*room
	host.Dirs
	id   string // of the session
	host string
	view *host.Viewer
	log  string // what the person's hooks wrote
	late []time.Duration

	mu   sync.Mutex
	rows []seen
}

// seen is what the row said, and when.
type seen struct {
	live *session.Live
	at   time.Time
}

// startHosted starts the client with more arguments. hooks are the settings that
// the person has.
func startHosted(t *testing.T, settings func(log string) string, args ...string) *hosted {
	t.Helper()
	bin, err := program()
	if err != nil {
		t.Fatal(err)
	}
	h := &hosted{room: newRoom(t), id: uuid.NewString()}
	short, err := os.MkdirTemp("", "o") // names of sockets must be short
	h.must(err)
	t.Cleanup(func() { _ = os.RemoveAll(short) })
	h.log = filepath.Join(short, "log")
	h.Dirs = host.Dirs{Runtime: filepath.Join(short, "run", "coppice"), State: filepath.Join(short, "state", "coppice")}
	h.must(h.Usable())
	worktreetest.WriteFile(t, filepath.Join(h.Root, "settings.json"), settings(h.log))
	h.follow()
	info, err := host.Start(h.ctx(), h.Dirs, []string{
		"/usr/bin/env", "XDG_RUNTIME_DIR=" + filepath.Join(short, "run"), "XDG_STATE_HOME=" + filepath.Join(short, "state"), bin, "host",
	}, host.Spec{
		Host: host.NewID(), Agent: "claude", Session: h.id, Root: h.Root, Dir: h.repo, Env: h.Environ(), Columns: 120, Rows: 50, Scrollback: 1000,
		Args:     append([]string{h.Program, "--session-id", h.id, "--permission-mode", "default"}, args...),
		Observer: []string{bin, "observe"}, ObserverAt: 1,
	})
	h.must(err)
	h.host = info.Host
	t.Cleanup(func() { _, _ = host.Stop(context.Background(), h.Dirs, h.host) })
	h.view, err = host.Attach(h.ctx(), h.Dirs, h.host, 120, 50)
	h.must(err)
	t.Cleanup(func() { _ = h.view.Close() })
	h.see("❯")
	return h
}

// follow keeps what the row of the session says.
func (h *hosted) follow() {
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	h.t.Cleanup(func() {
		cancel()
		<-done
	})
	store := session.NewStore(session.Options{
		Root: h.Root, Start: h.repo, Now: time.Now, Proc: "/proc",
		Git: worktree.Git{Program: worktreetest.Program(h.t), Env: worktreetest.Env(h.Home)},
		Hosted: func(ctx context.Context, _ bool, emit func(map[string]session.Live)) error {
			return host.Watch(ctx, h.Dirs, func(all []host.Host) {
				live := map[string]session.Live{}
				for _, one := range all {
					if one.State == host.Running {
						live[one.Session] = session.Live{Status: one.Status, Host: one.Host, PID: one.PID}
					}
				}
				emit(live)
			})
		},
	})
	go func() {
		defer close(done)
		_ = store.Watch(ctx, func(u session.Update) {
			h.mu.Lock()
			defer h.mu.Unlock()
			for _, s := range u.Sessions {
				if s.ID == h.id {
					h.rows = append(h.rows, seen{s.Live, time.Now()})
				}
			}
		})
	}()
}

func (h *hosted) wait(what string, ok func() bool) {
	h.t.Helper()
	ctx := h.ctx()
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for !ok() {
		select {
		case <-ctx.Done():
			h.mu.Lock()
			defer h.mu.Unlock()
			h.t.Fatalf("waited for that %s; the row: %+v; the screen:\n%s", what, h.rows, h.screen())
		case <-tick.C:
		}
	}
}

func (h *hosted) screen() (s string) {
	h.view.Terminal().Look(func(v terminal.View) {
		s = v.Copy(terminal.Range{From: terminal.Point{Row: v.Oldest()}, To: terminal.Point{Row: v.End()}})
	})
	return s
}

func (h *hosted) see(text string) {
	h.t.Helper()
	h.wait("the screen has "+text, func() bool { return strings.Contains(h.screen(), text) })
}

// enter types a line. The client takes a return that comes with the text as part of
// it.
func (h *hosted) enter(text string) {
	h.t.Helper()
	h.view.Send([]byte(text))
	h.see(text)
	h.view.Send([]byte("\r"))
}

// choose answers a dialog that shows text with a key, until it is gone: the client
// does not take keys at once.
func (h *hosted) choose(text, key string) {
	h.t.Helper()
	h.see(text)
	again := time.NewTicker(time.Second)
	defer again.Stop()
	h.view.Send([]byte(key))
	h.wait(text+" is gone", func() bool {
		select {
		case <-again.C:
			if strings.Contains(h.screen(), text) {
				h.view.Send([]byte(key))
			}
		default:
		}
		return !strings.Contains(h.screen(), text)
	})
}

// becomes waits until the row says something new, and notes how long after its
// cause that was: the time that the client, or our host, gives as the beginning.
func (h *hosted) becomes(state session.State, need session.Need) session.Live {
	h.t.Helper()
	var found seen
	next := 0
	h.wait(fmt.Sprintf("the row says %s %s", state, need), func() bool {
		h.mu.Lock()
		defer h.mu.Unlock()
		for i := next; i < len(h.rows); i++ {
			if l := h.rows[i].live; l != nil && l.State == state && l.Need == need {
				found, h.rows = h.rows[i], h.rows[i:]
				return true
			}
		}
		return false
	})
	late := found.at.Sub(found.live.Since)
	h.t.Logf("%s %s: %v after its cause, by %s (%s)", state, need, late.Round(time.Millisecond), found.live.Source, found.live.Reason)
	h.late = append(h.late, late)
	return *found.live
}

// last is what the row says now.
func (h *hosted) last() session.Live {
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.rows) == 0 || h.rows[len(h.rows)-1].live == nil {
		return session.Live{}
	}
	return *h.rows[len(h.rows)-1].live
}

// prompt checks how soon the row said what it said. The client, its hooks and the
// endpoint share the machine with this test, so one of them may be late.
func (h *hosted) prompt() {
	h.t.Helper()
	const limit, one = 500 * time.Millisecond, 3 * time.Second
	slices.Sort(h.late)
	if h.late[len(h.late)/2] > limit || h.late[len(h.late)-1] > one {
		h.t.Errorf("the states came this long after their causes: %v", h.late)
	}
}

// hooks returns what the person's hooks wrote.
func (h *hosted) hooks() []string {
	data, _ := os.ReadFile(h.log)
	return strings.Fields(string(data))
}

// logging are settings with a hook of the person's for each event.
func logging(name string, more string) func(string) string {
	return func(log string) string {
		hooks := map[string]any{}
		for _, event := range append(observe.Events(), "UserPromptSubmit") {
			hooks[event] = []any{map[string]any{"hooks": []any{map[string]any{
				"type": "command", "command": fmt.Sprintf("cat >/dev/null; echo %s:%s >>'%s'", name, event, log),
			}}}}
		}
		data, _ := json.Marshal(map[string]any{"hooks": hooks})
		return strings.TrimSuffix(string(data), "}") + more + "}"
	}
}

// Each state is on the row soon after its cause, and the person's hooks run once
// each, in order.
func TestStatesOnTheRow(t *testing.T) {
	h := startHosted(t, logging("mine", ""))
	h.enter("hello")
	h.see("Answer")
	h.becomes(session.StateIdle, "")
	h.enter("RUN:{touch made}")
	h.becomes(session.StateWorking, "")
	h.becomes(session.StateWaiting, session.NeedPermission)
	h.wait("the row says what for", func() bool { return h.last().Reason == "Bash: touch made" })
	h.choose("1. ", "\r")
	h.becomes(session.StateWorking, "")
	h.becomes(session.StateIdle, "")
	h.enter("ASK:{Which way}")
	h.becomes(session.StateWaiting, session.NeedQuestion)
	h.wait("the row says which question", func() bool { return h.last().Reason == "Which way" })
	h.choose("1. First", "\r")
	h.becomes(session.StateIdle, "")
	h.enter("/exit")
	<-h.view.Done()
	h.prompt()
	if s := h.view.Info().Status; s.State != observe.Ended || s.Code != 0 {
		t.Errorf("ended: %+v", s)
	}
	want := []string{"SessionStart", "UserPromptSubmit", "UserPromptSubmit", "PermissionRequest", "UserPromptSubmit", "PermissionRequest", "SessionEnd"}
	for i, event := range want {
		want[i] = "mine:" + event
	}
	if got := h.hooks(); !slices.Equal(got, want) {
		t.Errorf("the person's hooks: %q, want %q", got, want)
	}
}

// However the agent ends, the person's hooks run once each and in order, those of
// their settings and those of their --settings.
func TestHooksAtTheEnd(t *testing.T) {
	ends := map[string]func(h *hosted){
		"exit": func(h *hosted) { h.enter("/exit") },
		"stop": func(h *hosted) {
			_, err := host.Stop(h.ctx(), h.Dirs, h.host)
			h.must(err)
		},
		"SIGTERM": func(h *hosted) { h.must(syscall.Kill(h.view.Info().PID, syscall.SIGTERM)) },
		"SIGHUP":  func(h *hosted) { h.must(syscall.Kill(h.view.Info().PID, syscall.SIGHUP)) },
	}
	for name, end := range ends {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "my settings.json")
			h := startHosted(t, func(log string) string {
				worktreetest.WriteFile(t, file, logging("option", "")(log))
				return logging("mine", "")(log)
			}, "--settings", file)
			h.wait("both have started", func() bool { return len(h.hooks()) == 2 })
			h.wait("the host has heard", func() bool { return h.view.Info().Status.State == observe.Idle })
			end(h)
			<-h.view.Done()
			h.wait("both have ended", func() bool { return len(h.hooks()) >= 4 })
			got := h.hooks()
			slices.Sort(got[:2]) // hooks of one event run side by side
			slices.Sort(got[2:])
			if want := []string{"mine:SessionStart", "option:SessionStart", "mine:SessionEnd", "option:SessionEnd"}; !slices.Equal(got, want) {
				t.Errorf("hooks: %q, want %q", got, want)
			}
		})
	}
}

// A person who has all hooks off keeps that, and the register tells the states.
func TestHooksOff(t *testing.T) {
	h := startHosted(t, logging("mine", `,"disableAllHooks":true`))
	h.enter("hello")
	h.see("Answer")
	h.becomes(session.StateIdle, "")
	h.enter("RUN:{touch made}")
	if l := h.becomes(session.StateWaiting, session.NeedPermission); l.Source != observe.Registry {
		t.Errorf("who says so is %s", l.Source)
	}
	h.choose("1. ", "\x1b")
	h.becomes(session.StateIdle, "")
	h.enter("/exit")
	<-h.view.Done()
	if got := h.hooks(); len(got) > 0 {
		t.Errorf("hooks ran: %q", got)
	}
}

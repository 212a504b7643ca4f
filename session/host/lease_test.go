package host_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"coppice/session/host"
)

// C14, F1: one process for a session.
func TestLease(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	first := w.shell(answering)
	first.Root, first.Session = filepath.Join(w.State, "root"), "11111111-1111-4111-8111-111111111111"
	if err := os.MkdirAll(first.Root, 0o700); err != nil {
		t.Fatal(err)
	}
	info := w.start(first)
	second := w.shell("echo started > second; " + answering)
	second.Root, second.Session = first.Root, first.Session
	_, err := w.tryStart(second)
	var live *host.LiveError
	if !errors.Is(err, host.ErrLive) || !errors.As(err, &live) || live.Host != first.Host || live.Session != first.Session {
		t.Fatalf("started twice: %v", err)
	}
	if _, err := os.Stat(filepath.Join(w.State, "second")); err == nil {
		t.Error("the agent was started before the lease was had")
	}
	link := filepath.Join(w.State, "same root")
	if err := os.Symlink(first.Root, link); err != nil {
		t.Fatal(err)
	}
	for _, root := range []string{first.Root, link, first.Root + "/"} {
		if id, held, err := host.Held(w.Dirs, root, first.Session); id != first.Host || !held || err != nil {
			t.Errorf("%s: held by %q: %v, %v", root, id, held, err)
		}
	}
	for _, session := range []string{"22222222-1111-4111-8111-111111111111", "../x", ""} {
		if id, held, err := host.Held(w.Dirs, first.Root, session); id != "" || held || err != nil {
			t.Errorf("%q: held by %q: %v, %v", session, id, held, err)
		}
	}
	other := w.shell(answering)
	other.Root, other.Session = filepath.Join(w.State, "another root"), first.Session
	w.start(other)
	if _, err := host.Stop(t.Context(), w.Dirs, first.Host); err != nil {
		t.Fatal(err)
	}
	w.start(second)
	w.until("the first host has ended", func() bool { return !running(info.HostPID) })
	if id, held, err := host.Held(w.Dirs, first.Root, first.Session); id != second.Host || !held || err != nil {
		t.Errorf("held by %q: %v, %v", id, held, err)
	}
}

func TestRebind(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	root := filepath.Join(w.State, "root")
	a, b := w.shell(answering), w.shell(answering)
	a.Root, a.Session, b.Root, b.Session = root, "session-a", root, "session-b"
	w.start(a)
	w.start(b)
	v := w.attach(a.Host)
	holder := func(session string) string {
		id, _, err := host.Held(w.Dirs, root, session)
		if err != nil {
			t.Fatal(err)
		}
		return id
	}
	if err := host.Rebind(t.Context(), w.Dirs, a.Host, "session-c"); err != nil {
		t.Fatal(err)
	}
	if holder("session-a") != "" || holder("session-c") != a.Host {
		t.Errorf("a is held by %q, c by %q", holder("session-a"), holder("session-c"))
	}
	w.until("the viewer hears of it", func() bool { return v.Info().Session == "session-c" })
	err := host.Rebind(t.Context(), w.Dirs, a.Host, "session-b")
	var live *host.LiveError
	if !errors.As(err, &live) || live.Host != b.Host {
		t.Errorf("rebind to a session of another: %v", err)
	}
	if h := w.state(a.Host); h.Session != "session-b" || h.Contested != b.Host {
		t.Errorf("listed as %+v", h)
	}
	if holder("session-b") != b.Host || holder("session-c") != "" {
		t.Errorf("b is held by %q, c by %q", holder("session-b"), holder("session-c"))
	}
	for _, wrong := range []string{"../x", "", "a\nb"} {
		if err := host.Rebind(t.Context(), w.Dirs, a.Host, wrong); err == nil {
			t.Errorf("%q was taken", wrong)
		}
	}
	if err := host.Rebind(t.Context(), w.Dirs, a.Host, "session-a"); err != nil {
		t.Error(err)
	}
	if h := w.state(a.Host); h.Contested != "" || holder("session-a") != a.Host {
		t.Errorf("listed as %+v", h)
	}
}

// C13: the agent's own file tells which session it has open; others, newer ones,
// and those of an earlier process with its id do not.
func TestRegistry(t *testing.T) {
	t.Parallel()
	for name, there := range map[string]bool{"first run": false, "later": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			spec := w.shell(answering)
			spec.Root, spec.Session = filepath.Join(w.State, "root"), "session-a"
			sessions := filepath.Join(spec.Root, "sessions")
			if there {
				if err := os.MkdirAll(sessions, 0o700); err != nil {
					t.Fatal(err)
				}
			}
			info := w.start(spec)
			v := w.attach(spec.Host)
			w.see(v, "ready")
			if err := os.MkdirAll(sessions, 0o700); err != nil {
				t.Fatal(err)
			}
			write := func(pid int, text string) {
				if err := os.WriteFile(filepath.Join(sessions, fmt.Sprint(pid, ".json")), []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			is := func(session string) {
				t.Helper()
				w.until("it is "+session, func() bool { return v.Info().Session == session })
			}
			start := started(t, info.PID)
			entry := func(session, start string) string {
				return fmt.Sprintf(`{"pid":1,"sessionId":%q,"procStart":%q,"status":"idle"}`, session, start)
			}
			write(info.PID, entry("session-b", start))
			is("session-b")
			write(info.PID+1, entry("session-of-another", start))
			write(info.PID, entry("session-of-a-dead-one", "1"))
			write(info.PID, `{"sessionId":"ses`)
			write(info.PID, `{"sessionId":"../../x"}`)
			write(info.PID, `[]`)
			write(info.PID, entry("session-c", start))
			is("session-c")
			if h, held, err := host.Held(w.Dirs, spec.Root, "session-c"); h != spec.Host || !held || err != nil {
				t.Errorf("held by %q: %v, %v", h, held, err)
			}
			temporary := filepath.Join(sessions, "x.tmp")
			if err := os.WriteFile(temporary, []byte(entry("session-d", start)), 0o600); err != nil {
				t.Fatal(err)
			}
			if err := os.Rename(temporary, filepath.Join(sessions, fmt.Sprint(info.PID, ".json"))); err != nil {
				t.Fatal(err)
			}
			is("session-d")
			w.until("the record has it", func() bool {
				data, err := os.ReadFile(filepath.Join(w.State, "hosts", spec.Host+".json"))
				return err == nil && strings.Contains(string(data), `"session":"session-d"`)
			})
		})
	}
}

// A wrapper that stays is followed: the agent below it registers. One that the agent
// started in turn is not meant.
func TestWrapper(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	spec := w.shell(`sh -c 'sh -c "echo nested \$\$; read x" & echo agent $$; wait; read x'; echo over`)
	spec.Root, spec.Session = filepath.Join(w.State, "root"), "session-a"
	info := w.start(spec)
	v := w.attach(spec.Host)
	w.see(v, "agent ")
	w.see(v, "nested ")
	pid := func(name string) (n int) {
		for line := range strings.Lines(screen(v.Terminal())) {
			_, _ = fmt.Sscanf(strings.TrimSpace(line), name+" %d", &n)
		}
		return n
	}
	agent, nested := pid("agent"), pid("nested")
	if agent == 0 || nested == 0 || agent == info.PID {
		t.Fatalf("agent %d, nested %d, wrapper %d", agent, nested, info.PID)
	}
	sessions := filepath.Join(spec.Root, "sessions")
	if err := os.MkdirAll(sessions, 0o700); err != nil {
		t.Fatal(err)
	}
	register := func(pid int, session string) {
		text := fmt.Sprintf(`{"pid":%d,"sessionId":%q,"procStart":%q,"status":"idle"}`, pid, session, started(t, pid))
		if err := os.WriteFile(filepath.Join(sessions, fmt.Sprint(pid, ".json")), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	register(os.Getpid(), "session-of-another")
	register(agent, "session-b")
	w.until("it is session-b", func() bool { return v.Info().Session == "session-b" })
	register(nested, "session-nested")
	register(agent, "session-c")
	w.until("it is session-c", func() bool { return v.Info().Session == "session-c" })
}

// started returns when a process started, as the client writes it.
func started(t *testing.T, pid int) string {
	t.Helper()
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		t.Skip("no /proc")
	}
	_, rest, _ := strings.Cut(string(data), ") ")
	return strings.Fields(rest)[19]
}

package host_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"coppice/session/host"
	"coppice/session/observe"
)

// does waits until an agent is said to do something.
func (w *world) does(id string, state observe.State, source observe.Source) observe.Status {
	w.t.Helper()
	var s observe.Status
	w.until(fmt.Sprintf("the agent is %s, as %s says", state, source), func() bool {
		s = w.state(id).Status
		return s.State == state && s.Source == source
	})
	return s
}

// An agent that says nothing of itself: its screen tells what can be told.
func TestStatusByScreen(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	spec := w.shell(`read line; for n in 1 2 3 4 5 6 7 8 9; do echo $n; sleep 0.5; done; printf '\a'; read line; exit 3`)
	info := w.start(spec)
	if s := w.state(spec.Host).Status; s.State != observe.Starting || s.Source != observe.Host || !s.Since.Equal(info.Started) {
		t.Errorf("at first: %+v", s)
	}
	v := w.attach(spec.Host)
	v.Send([]byte("go\r"))
	w.does(spec.Host, observe.Working, observe.Screen)
	w.does(spec.Host, observe.Waiting, observe.Screen)
	w.until("the viewer hears of it", func() bool { return v.Info().Status.State == observe.Waiting })
	v.Send([]byte("and\r"))
	if err := w.ended(v); err == nil {
		t.Error("it ended well")
	}
	if s := v.Info().Status; s.State != observe.Ended || s.Code != 3 || s.Source != observe.Host || s.Since.IsZero() {
		t.Errorf("ended: %+v", s)
	}
}

// An event is told to the host's socket; it and what the agent registers decide by
// their age.
func TestStatusByEvent(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	spec := w.shell(answering)
	spec.Root, spec.Session = filepath.Join(w.State, "root"), "session-a"
	info := w.start(spec)
	socket := filepath.Join(w.Runtime, spec.Host+".sock")
	tell := func(e observe.Event) {
		t.Helper()
		if err := host.Tell(t.Context(), socket, e); err != nil {
			t.Fatal(err)
		}
	}
	tell(observe.Event{Name: observe.SessionStart, Session: "session-b"})
	w.does(spec.Host, observe.Idle, observe.Hook)
	w.until("the session is the one of the event", func() bool { return w.state(spec.Host).Session == "session-b" })
	tell(observe.Event{Name: observe.PermissionRequest, Session: "session-b", Tool: "Bash\x1b[31m", Subject: strings.Repeat("x", 10_000)})
	s := w.does(spec.Host, observe.Waiting, observe.Hook)
	if s.Need != observe.Permission || !strings.HasPrefix(s.Reason, "Bash [31m: xxx") || len(s.Reason) > 500 {
		t.Errorf("waits: %+v", s)
	}
	tell(observe.Event{Name: "Stop"})
	tell(observe.Event{Name: observe.SessionStart, Session: "../../x"})
	w.does(spec.Host, observe.Idle, observe.Hook)

	start := started(t, info.PID)
	write := func(status string) {
		t.Helper()
		text := fmt.Sprintf(`{"sessionId":"session-c","procStart":%q,"statusUpdatedAt":%d,%s}`, start, time.Now().UnixMilli(), status)
		path := filepath.Join(spec.Root, "sessions", fmt.Sprint(info.PID, ".json"))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(`"status":"busy"`)
	w.does(spec.Host, observe.Working, observe.Registry)
	tell(observe.Event{Name: observe.PermissionRequest, Tool: "Bash", Subject: "ls"})
	w.does(spec.Host, observe.Waiting, observe.Hook)
	write(`"status":"waiting","waitingFor":"permission prompt"`)
	if s := w.does(spec.Host, observe.Waiting, observe.Registry); s.Reason != "Bash: ls" {
		t.Errorf("waits: %+v", s)
	}
	write(`"status":"busy"`)
	w.does(spec.Host, observe.Working, observe.Registry)
	tell(observe.Event{Name: observe.PermissionRequest, Tool: "Bash"})
	w.does(spec.Host, observe.Waiting, observe.Hook)
	w.does(spec.Host, observe.Working, observe.Registry) // as nothing confirms it
	if got := w.state(spec.Host).Session; got != "session-c" {
		t.Errorf("the session is %s", got)
	}
}

// The end of the transcript tells what an agent without a register does, and what
// lay there before it began does not.
func TestStatusByTranscript(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	spec := w.shell(answering)
	spec.Root, spec.Session = filepath.Join(w.State, "root"), "session-a"
	path := filepath.Join(spec.Root, "projects", "-x", "session-a.jsonl")
	row := func(at time.Time, rest string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = f.Close() }()
		if _, err := fmt.Fprintf(f, `{"timestamp":%q,%s}`+"\n", at.UTC().Format("2006-01-02T15:04:05.000Z"), rest); err != nil {
			t.Fatal(err)
		}
	}
	const prompt, answer = `"type":"user","message":{"content":"x"}`, `"type":"assistant","message":{"content":[{"type":"text","text":"x"}]}`
	row(time.Now().Add(-time.Hour), prompt)
	w.start(spec)
	w.does(spec.Host, observe.Idle, observe.Screen)
	row(time.Now(), prompt)
	w.does(spec.Host, observe.Working, observe.Transcript)
	row(time.Now(), answer)
	w.does(spec.Host, observe.Idle, observe.Transcript)
}

// The agent gets a hook beside the settings that it has, and those of a file go by a
// file that nobody else can read and that goes with the agent.
func TestObserverInArguments(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	spec := w.shell(`for a in "$@"; do echo "<$a>"; done; read line`)
	if err := os.MkdirAll(w.State, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(w.State, "mine.json"), []byte(`{"env":{"TOKEN":"secret"}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	spec.Args = append(spec.Args, "sh", "--settings", "mine.json")
	spec.Observer, spec.ObserverAt = []string{"/it's here/program", "observe"}, 4
	w.start(spec)
	v := w.attach(spec.Host)
	settings := filepath.Join(w.Runtime, spec.Host+".settings.json")
	w.see(v, "<"+settings[:40])
	info, err := os.Stat(settings)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Fatalf("the settings are %v, %v", info, err)
	}
	data, err := os.ReadFile(settings)
	socket := filepath.Join(w.Runtime, spec.Host+".sock")
	if err != nil || !strings.Contains(string(data), `"TOKEN":"secret"`) || !strings.Contains(string(data), `'/it'\\''s here/program' 'observe' '`+socket+`'`) {
		t.Errorf("settings (%v): %s", err, data)
	}
	if args := v.Info().Args; args[len(args)-1] != "mine.json" {
		t.Errorf("the record says %q", args)
	}
	v.Send([]byte("\r"))
	_ = w.ended(v)
	w.until("the settings are gone", func() bool {
		_, err := os.Stat(settings)
		return os.IsNotExist(err)
	})
}

package observe_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"coppice/session/observe"
)

func TestReadEvent(t *testing.T) {
	t.Parallel()
	const head = `{"session_id":"s1","transcript_path":"/x","cwd":"/y","hook_event_name":`
	tests := []struct {
		name, in string
		want     observe.Event
		bad      bool
	}{
		{name: "start", in: head + `"SessionStart","source":"clear","model":"m"}`, want: observe.Event{Name: observe.SessionStart, Session: "s1", Detail: "clear"}},
		{name: "end", in: head + `"SessionEnd","reason":"other"}`, want: observe.Event{Name: observe.SessionEnd, Session: "s1", Detail: "other"}},
		{
			name: "permission", in: head + `"PermissionRequest","tool_name":"Bash","tool_input":{"command":"ls\n-l"}}`,
			want: observe.Event{Name: observe.PermissionRequest, Session: "s1", Tool: "Bash", Subject: "ls -l"},
		},
		{
			name: "an input larger than what is read", in: head + `"PermissionRequest","tool_name":"Write","tool_input":{"file_path":"/a","content":"` + strings.Repeat("x", 1<<20) + `"}}`,
			want: observe.Event{Name: observe.PermissionRequest, Session: "s1", Tool: "Write", Subject: "/a"},
		},
		{
			name: "hostile", in: head + `"PermissionRequest","tool_name":"B\u001b[31m\u202e` + strings.Repeat("é", 500) + `"}`,
			want: observe.Event{Name: observe.PermissionRequest, Session: "s1", Tool: "B [31m " + strings.Repeat("é", 192) + "…"},
		},
		{name: "wrong types", in: `{"session_id":7,"hook_event_name":"SessionStart","source":[]}`, want: observe.Event{Name: observe.SessionStart}},
		{name: "an event that is not ours", in: head + `"Stop"}`, bad: true},
		{name: "nothing", in: "", bad: true},
		{name: "garbage", in: "\x00\xff[[[[", bad: true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, err := observe.ReadEvent(strings.NewReader(tt.in))
			if (err != nil) != tt.bad {
				t.Fatalf("error: %v", err)
			}
			if diff := cmp.Diff(tt.want, got); !tt.bad && diff != "" {
				t.Errorf("ReadEvent (-want +got):\n%s", diff)
			}
		})
	}
}

func TestEventStatus(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)
	tests := []struct {
		event observe.Event
		want  observe.Status
	}{
		{observe.Event{Name: observe.SessionStart}, observe.Status{State: observe.Idle}},
		{observe.Event{Name: observe.SessionEnd}, observe.Status{}},
		{observe.Event{}, observe.Status{}},
		{
			observe.Event{Name: observe.PermissionRequest, Tool: "Bash", Subject: "ls"},
			observe.Status{State: observe.Waiting, Need: observe.Permission, Reason: "Bash: ls"},
		},
		{observe.Event{Name: observe.PermissionRequest, Tool: "Bash"}, observe.Status{State: observe.Waiting, Need: observe.Permission, Reason: "Bash"}},
		{
			observe.Event{Name: observe.PermissionRequest, Tool: "AskUserQuestion", Subject: "which?"},
			observe.Status{State: observe.Waiting, Need: observe.Question, Reason: "which?"},
		},
	}
	for _, tt := range tests {
		if tt.want.State != "" {
			tt.want.Source, tt.want.Since = observe.Hook, at
		}
		if diff := cmp.Diff(tt.want, tt.event.Status(at)); diff != "" {
			t.Errorf("%v (-want +got):\n%s", tt.event, diff)
		}
	}
}

// A shell runs what was meant, whatever a path holds, and is silent and well
// whatever comes of it.
func TestCommand(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), `it's "a" $dir; \ `+"`x`")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(dir, "program")
	const script = "#!/bin/sh\nprintf '%s|' \"$@\" >\"$0.out\"\necho out\necho err >&2\nexit 3\n"
	if err := os.WriteFile(program, []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	args := []string{"", "a b", "it's", "$HOME", "-n", "x\ny", "*"}
	run := func(program string) {
		out, err := exec.Command("sh", "-c", observe.Command(append([]string{program}, args...)...)).CombinedOutput()
		if err != nil || len(out) > 0 {
			t.Errorf("%s: %v, says %q", program, err, out)
		}
	}
	run(program)
	run(program + " that is gone")
	got, err := os.ReadFile(program + ".out")
	if want := strings.Join(args, "|") + "|"; err != nil || string(got) != want {
		t.Errorf("the program got %q (%v), want %q", got, err, want)
	}
}

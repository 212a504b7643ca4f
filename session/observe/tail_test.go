package observe_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"coppice/session/observe"
)

func TestTail(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)
	row := func(rest string) string { return `{"timestamp":"2026-03-04T05:06:07.000Z",` + rest + "}\n" }
	says := func(blocks string) string { return row(`"type":"assistant","message":{"content":[` + blocks + `]}`) }
	const word = `{"type":"text","text":"x"}`
	call := func(tool string) string { return `{"type":"tool_use","id":"t","name":"` + tool + `"}` }
	prompt := func(content string) string {
		return row(`"type":"user","message":{"role":"user","content":` + content + `}`)
	}
	result := prompt(`[{"type":"tool_result","tool_use_id":"t","content":"ok"}]`)
	meta := `{"type":"last-prompt","leafUuid":"x"}` + "\n"
	tests := []struct {
		name, file string
		want       observe.State
		need       observe.Need
		reason     string
		calls      bool
	}{
		{name: "a prompt", file: says(word) + prompt(`"do it"`) + meta, want: observe.Working},
		{name: "an answer", file: prompt(`"do it"`) + says(word) + meta + meta, want: observe.Idle},
		{name: "the end of a turn", file: prompt(`"do it"`) + row(`"type":"system","subtype":"turn_duration"`), want: observe.Idle},
		{name: "another system row", file: prompt(`"do it"`) + row(`"type":"system","subtype":"x"`), want: observe.Working},
		{name: "a call", file: says(word+`,`+call("Bash")) + meta, want: observe.Working, reason: "Bash", calls: true},
		{name: "a call to come", file: row(`"type":"assistant","message":{"stop_reason":"tool_use","content":[` + word + `]}`), want: observe.Working},
		{name: "a question", file: says(call("AskUserQuestion")), want: observe.Waiting, need: observe.Question, reason: "AskUserQuestion", calls: true},
		{name: "an answered call", file: says(call("Bash")) + result, want: observe.Working},
		{name: "broken off", file: says(call("Bash")) + prompt(`[{"type":"text","text":"[Request interrupted by user]"}]`), want: observe.Idle},
		{name: "a command of the agent's own", file: says(word) + prompt(`"<command-name>/clear</command-name>"`) + prompt(`"<local-command-stdout>x</local-command-stdout>"`), want: observe.Idle},
		{name: "a row that no person typed", file: says(word) + row(`"type":"user","isMeta":true,"message":{"content":"x"}`), want: observe.Idle},
		{name: "a subagent", file: says(word) + row(`"type":"user","isSidechain":true,"message":{"content":"x"}`), want: observe.Idle},
		{name: "a hostile tool", file: says(call(`\u001b[31mX`)), want: observe.Working, reason: "[31mX", calls: true},
		{name: "a torn line", file: says(word) + `{"timestamp":"2026-03-04T05:06:07Z","type":"user","mess`, want: observe.Idle},
		{name: "damage", file: says(word) + "\x00\x00\n[]\nnull\n42\n\n{}\r\n", want: observe.Idle},
		{name: "without times", file: `{"type":"user","message":{"content":"x"}}` + "\n"},
		{name: "nothing", file: ""},
		{name: "the end of a large file", file: prompt(`"`+strings.Repeat("x", 1<<20)+`"`) + says(word), want: observe.Idle},
		{name: "a last record larger than what is read", file: says(word) + prompt(`"`+strings.Repeat("x", 1<<20)+`"`)},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "x.jsonl")
			if err := os.WriteFile(path, []byte(tt.file), 0o600); err != nil {
				t.Fatal(err)
			}
			want := observe.Status{}
			if tt.want != "" {
				want = observe.Status{State: tt.want, Need: tt.need, Reason: tt.reason, Since: at, Source: observe.Transcript}
			}
			got, calls := observe.Tail(path)
			if diff := cmp.Diff(want, got); diff != "" || calls != tt.calls {
				t.Errorf("Tail, calls %v (-want +got):\n%s", calls, diff)
			}
		})
	}
	if got, _ := observe.Tail(filepath.Join(t.TempDir(), "none")); got != (observe.Status{}) {
		t.Errorf("no file says %v", got)
	}
}

func TestTranscriptOf(t *testing.T) {
	t.Parallel()
	root := filepath.Join(t.TempDir(), "ro[o]t*")
	write := func(project, name string, age time.Duration) string {
		path := filepath.Join(root, "projects", project, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		at := time.Now().Add(-age)
		if err := os.Chtimes(path, at, at); err != nil {
			t.Fatal(err)
		}
		return path
	}
	write("-a", "s1.jsonl", time.Hour)
	newest := write("-b", "s1.jsonl", time.Minute)
	write("-b", "s2.jsonl", 0)
	for session, want := range map[string]string{"s1": newest, "s3": "", "": "", "*": "", "../-b/s2": "", "s[1]": ""} {
		if got := observe.TranscriptOf(root, session); got != want {
			t.Errorf("TranscriptOf(%q) is %q, want %q", session, got, want)
		}
	}
}

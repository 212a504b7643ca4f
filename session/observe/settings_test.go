package observe_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"coppice/session/observe"
)

// ours is what the hooks of one event are, of a person's, and of ours.
const (
	ours  = `{"hooks":[{"type":"command","command":"HOOK"}]}`
	alone = `{"hooks":{"PermissionRequest":[` + ours + `],"SessionEnd":[` + ours + `],"SessionStart":[` + ours + `]}}`
)

func TestHooked(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	const theirs = `{"matcher":"startup","hooks":[{"type":"command","command":"echo <&>"}]}`
	const person = `{"model":"m","big":12345678901234567890,"hooks":{"Stop":[1],"SessionStart":[` + theirs + `]},"disableAllHooks":true}`
	const both = `{"big":12345678901234567890,"disableAllHooks":true,"hooks":{"PermissionRequest":[` + ours + `],"SessionEnd":[` + ours + `],` +
		`"SessionStart":[` + theirs + `,` + ours + `],"Stop":[1]},"model":"m"}`
	file := write("settings.json", " "+person+"\n")
	write("list.json", "[]")
	write("null.json", "null")
	write("empty.json", "")
	large := write("large.json", `{"x":"`+strings.Repeat("x", 5<<20)+`"}`)
	tests := []struct {
		name  string
		args  string // separated by blanks; P stands for the person's settings
		want  string // B stands for both, A for ours alone, "" for no change
		saved bool
	}{
		{"no settings", "claude --resume id", "claude --settings A --resume id", false},
		{"inline", "claude --settings P --resume id", "claude --settings B --resume id", false},
		{"inline, one argument", "claude --settings=P --resume id", "claude --settings=B --resume id", false},
		{"the last one counts", "claude --settings {} --settings=P", "claude --settings {} --settings=B", false},
		{"a file", "claude --settings " + file, "claude --settings SAVED", true},
		{"a file, one argument", "claude --settings=" + file, "claude --settings=SAVED", true},
		{"a file, relative", "claude --settings settings.json -c", "claude --settings SAVED -c", true},
		{"an empty object", "claude --settings {}", "claude --settings A", false},
		{"in the prompt", "claude --resume id -- --settings P", "claude --settings A --resume id -- --settings P", false},
		{"without a value", "claude --resume id --settings", "claude --settings A --resume id --settings", false},
		{"no such file", "claude --settings /nowhere/x.json", "", false},
		{"a directory", "claude --settings .", "", false},
		{"a device", "claude --settings /dev/zero", "", false},
		{"too large", "claude --settings " + large, "", false},
		{"no object", "claude --settings list.json", "", false},
		{"null", "claude --settings null.json", "", false},
		{"broken", `claude --settings {"hooks":`, "", false},
		{"hooks that are none", `claude --settings {"hooks":[]}`, "", false},
		{"hooks of an event that are none", `claude --settings {"hooks":{"SessionEnd":{}}}`, "", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			fill := strings.NewReplacer("=P", "="+person, "=B", "="+both)
			list := func(s string) []string {
				fields := strings.Fields(s)
				for i, f := range fields {
					switch f {
					case "P":
						fields[i] = person
					case "B":
						fields[i] = both
					case "A":
						fields[i] = alone
					default:
						fields[i] = fill.Replace(f)
					}
				}
				return fields
			}
			var saved []byte
			args := list(tt.args)
			got, err := observe.Hooked(args, 1, dir, "HOOK", func(settings []byte) (string, error) {
				saved = settings
				return "SAVED", nil
			})
			want := list(tt.want)
			if tt.want == "" {
				want = args
			}
			if (err != nil) != (tt.want == "") {
				t.Errorf("error: %v", err)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("Hooked (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(list(tt.args), args); diff != "" {
				t.Errorf("the arguments that were given changed:\n%s", diff)
			}
			if tt.saved && string(saved) != both || !tt.saved && saved != nil {
				t.Errorf("saved %q", saved)
			}
			if tt.saved && !json.Valid(saved) {
				t.Error("what was saved is no JSON")
			}
		})
	}
}

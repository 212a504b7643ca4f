package runtime_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"coppice/session/runtime"
	"coppice/transcript"
	"coppice/transcript/transcripttest"
)

// whole writes a transcript that has everything once, and old values of it.
func whole(w world) *transcripttest.Builder {
	b := w.builder()
	b.Head().Title("old name").Tag("old").Color("red").AgentSetting("helper")
	b.Cost(0.25).Replacement("toolu_big", "short")
	b.User("start").Goal("all tests pass", false)
	b.Assistant(transcripttest.ToolUse("toolu_read", "Read", `{"file_path":"`+w.dir+`/a.txt"}`))
	b.Report("toolu_read", "1 a", `{"type":"text","file":{"filePath":"`+w.dir+`/a.txt","content":"a"}}`, "brave-green-fox")
	b.Next().Assistant(transcripttest.Text("read"))
	b.Title("parser work").AITitle("Generated").Tag("urgent").Color("blue").Cost(1.5).PR(7, "https://host.invalid/o/r/pull/7", "o/r")
	b.Worktree(w.base, w.dir, "w", "worktree-w").Modes("normal", "plan").Replacement("toolu_big", "another")
	b.Line(`{"type":"attribution-snapshot","x":1}`).Line(`{"type":"marble-origami-commit","y":2}`)
	return b.LastPrompt("start")
}

func TestLoadFromTheStore(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	write(t, filepath.Join(w.dir, "a.txt"), "a")
	write(t, filepath.Join(w.dir, ".claude", "agents", "any-file.md"), "---\nname: helper\ntools: Read, Bash(git log:*, git diff:*)\nmodel: sonnet\n---\n\nBe brief.\n")
	write(t, filepath.Join(w.root, "plans", "brave-green-fox.md"), "# plan")
	write(t, filepath.Join(w.root, "tasks", id, "1.json"), "{}")
	r := w.load(t, whole(w), runtime.FromStore, w.env())
	if want := filepath.Join(w.folder, id+".jsonl"); r.Path != want || r.ID != id || r.Dir != w.dir || r.Source != runtime.FromStore {
		t.Errorf("identity: %q %q %q %q", r.Source, r.ID, r.Path, r.Dir)
	}
	checks := map[string][2]any{
		"model":      {r.Model, runtime.Fact{Value: "claude-opus-5-5"}},
		"permission": {r.Permission, runtime.Fact{Value: "plan"}},
		"mode":       {r.Mode, "normal"},
		"goal":       {r.Goal, &runtime.Goal{Text: "all tests pass"}},
		"name":       {r.Name, "parser work"},
		"tag":        {r.Tag, "urgent"},
		"color":      {r.Color, "blue"},
		"pr":         {r.PR, &transcript.PR{Number: 7, URL: "https://host.invalid/o/r/pull/7", Repository: "o/r"}},
		"slug":       {r.Slug, "brave-green-fox"},
		"plan":       {r.Plan, filepath.Join(w.root, "plans", "brave-green-fox.md")},
		"tasks":      {r.Tasks, filepath.Join(w.root, "tasks", id)},
		"replaced":   {r.Replacements, []runtime.Replacement{{CallID: "toolu_big", Text: "short"}}},
		"agent": {r.Agent, runtime.Agent{
			Name: "helper", Path: filepath.Join(w.dir, ".claude", "agents", "any-file.md"),
			Prompt: "Be brief.", Tools: []string{"Read", "Bash(git log:*, git diff:*)"}, Model: "sonnet",
		}},
	}
	for name, c := range checks {
		if diff := cmp.Diff(c[1], c[0]); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	if c := r.Cost; c.USD != 1.5 || c.APIDuration != 1500*time.Millisecond || c.ToolDuration != 41*time.Millisecond || c.LinesAdded != 12 || c.LinesRemoved != 3 ||
		!strings.HasPrefix(string(c.Models), `{"claude-opus-5-5":`) {
		t.Errorf("cost %+v, models %s", c, c.Models)
	}
	if r.Worktree == nil || r.Worktree.Path != w.dir {
		t.Errorf("worktree %v", r.Worktree)
	}
	if len(r.Kept) != 2 || r.Kept[0].Type != "attribution-snapshot" || r.Kept[1].Type != "marble-origami-commit" {
		t.Errorf("kept %v", r.Kept)
	}
	if len(r.Read) != 1 || r.Read[0].Path != filepath.Join(w.dir, "a.txt") || !r.Read[0].Changed {
		t.Errorf("read %v", r.Read)
	}
	if len(r.Findings) > 0 {
		t.Errorf("findings %v", r.Findings)
	}
}

// A fork takes no grants, no binding and no write target, a bare file nothing
// that lies beside a session of the store; each loss is named.
func TestLoadLess(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	write(t, filepath.Join(w.root, "plans", "brave-green-fox.md"), "# plan")
	b := whole(w)
	b.Snapshots(b.Last(), `{"a.txt":`+b.Backup("00112233@v1", 1, w.dir)+`}`, false)
	fork := w.env()
	fork.Fork = true
	tests := []struct {
		name    string
		source  runtime.Source
		env     runtime.Environment
		history bool
		cost    float64
		lost    []string
	}{
		{"fork", runtime.FromStore, fork, true, 0, []string{"binding", "allowed for the running session", "plan file", "options"}},
		{"file", runtime.FromFile, w.env(), false, 1.5, []string{"binding", "file history", "plan file", "place to go on", "options"}},
	}
	for _, tt := range tests {
		r := w.load(t, b, tt.source, tt.env)
		if r.Path != "" || r.Worktree != nil || r.Plan != "" || r.Tasks != "" || r.Schedule != nil || r.Cost.USD != tt.cost || len(r.History) > 0 != tt.history {
			t.Errorf("%s: path %q, worktree %v, plan %q, tasks %q, cost %v, history %v", tt.name, r.Path, r.Worktree, r.Plan, r.Tasks, r.Cost, r.History)
		}
		if r.Name != "parser work" || r.Goal == nil || len(r.Replacements) != 1 || r.Model.Value == "" {
			t.Errorf("%s: name %q, goal %v, replacements %v, model %v", tt.name, r.Name, r.Goal, r.Replacements, r.Model)
		}
		for _, word := range tt.lost {
			if !lost(r, word) {
				t.Errorf("%s: %q is not named as lost: %q", tt.name, word, r.Lost)
			}
		}
	}
}

func TestLoadErrors(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	empty := w.builder().Title("only metadata")
	if _, err := runtime.Load(t.Context(), w.path(t, empty), id, runtime.FromStore, w.env()); !errors.Is(err, runtime.ErrEmpty) {
		t.Errorf("only metadata: %v", err)
	}
	if _, err := runtime.Load(t.Context(), filepath.Join(w.folder, "none.jsonl"), id, runtime.FromStore, w.env()); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
	if _, err := runtime.Load(t.Context(), w.folder, id, runtime.FromStore, w.env()); !errors.Is(err, transcript.ErrNotRegular) {
		t.Errorf("a folder: %v", err)
	}
	fifo := filepath.Join(w.base, "fifo.jsonl")
	if err := syscall.Mkfifo(fifo, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := runtime.Load(t.Context(), fifo, id, runtime.FromFile, w.env()); !errors.Is(err, transcript.ErrNotRegular) {
		t.Errorf("a FIFO: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := runtime.Load(ctx, w.path(t, whole(w)), id, runtime.FromStore, w.env()); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// The zero Environment restores what the transcript alone tells.
func TestLoadWithoutSurroundings(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	r := w.load(t, whole(w), runtime.FromStore, runtime.Environment{})
	if r.Dir != w.dir || r.Model.Value != "claude-opus-5-5" || r.Agent.Stored != "helper" || r.Agent.Reason == "" || !r.Read[0].Changed {
		t.Errorf("dir %q, model %v, agent %+v, read %v", r.Dir, r.Model, r.Agent, r.Read)
	}
	if r.Permission.Value != "plan" {
		t.Errorf("permission %v", r.Permission)
	}
}

func TestModel(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	retired := func(model string) (bool, string) { return model != "old", "it was retired" }
	tests := []struct {
		name   string
		stored string
		change func(*runtime.Environment)
		want   runtime.Fact
	}{
		{"stored", "claude-opus-5-5", nil, runtime.Fact{Value: "claude-opus-5-5"}},
		{"flag", "m", func(e *runtime.Environment) { e.Model = "f" }, runtime.Fact{Value: "f", Stored: "m", Reason: "asked for"}},
		{"environment", "m", func(e *runtime.Environment) { e.Getenv = func(string) string { return "v" } }, runtime.Fact{Value: "v", Stored: "m", Reason: "set by ANTHROPIC_MODEL"}},
		{"empty environment", "m", func(e *runtime.Environment) { e.Getenv = func(string) string { return "" } }, runtime.Fact{Value: "m"}},
		{"retired", "old", func(e *runtime.Environment) { e.KnownModel = retired }, runtime.Fact{Stored: "old", Reason: "it was retired"}},
		{"arn", "arn:aws:bedrock:us-east-1:1:inference-profile/x", nil, runtime.Fact{Stored: "arn:aws:bedrock:us-east-1:1:inference-profile/x", Reason: "the recorded one is an id of another provider"}},
		{"profile", "us.anthropic.claude-x-v1:0", nil, runtime.Fact{Stored: "us.anthropic.claude-x-v1:0", Reason: "the recorded one is an id of another provider"}},
		{"version", "claude-x@20260101", nil, runtime.Fact{Stored: "claude-x@20260101", Reason: "the recorded one is an id of another provider"}},
		{"none", "<synthetic>", nil, runtime.Fact{Reason: "none is recorded"}},
	}
	for _, tt := range tests {
		b := w.builder().User("hello")
		b.Model = tt.stored
		b.Assistant(transcripttest.Text("hi"))
		b.Model = "<synthetic>"
		b.Next().Assistant(transcripttest.Text("stopped"))
		env := w.env()
		if tt.change != nil {
			tt.change(&env)
		}
		if got := w.load(t, b, runtime.FromStore, env).Model; got != tt.want {
			t.Errorf("%s: %+v", tt.name, got)
		}
	}
}

// DESIGN "Permission mode at resume".
func TestPermission(t *testing.T) {
	t.Parallel()
	tests := []struct{ stored, fresh, asked, want string }{
		{"plan", "default", "", "plan"},
		{"plan", "default", "manual", "default"},
		{"default", "acceptEdits", "", "default"},
		{"acceptEdits", "default", "", "default"},
		{"acceptEdits", "acceptEdits", "", "acceptEdits"},
		{"dontAsk", "acceptEdits", "", "dontAsk"},
		{"auto", "auto", "", "auto"},
		{"auto", "default", "", "default"},
		{"auto", "bypassPermissions", "", "default"},
		{"bypassPermissions", "default", "", "default"},
		{"bypassPermissions", "default", "bypassPermissions", "bypassPermissions"},
		{"of a newer client", "plan", "", "plan"},
		{"", "acceptEdits", "", "acceptEdits"},
		{"acceptEdits", "", "", "default"}, // not known: the strict one
		{"plan", "default", "nonsense", "plan"},
	}
	w := newWorld(t)
	for _, tt := range tests {
		for _, fork := range []bool{false, true} {
			b := w.builder()
			b.Mode = tt.stored
			b.User("hello").Assistant(transcripttest.Text("hi")).Record("permission-mode", `"permissionMode":`+transcripttest.Quote(tt.stored))
			env := w.env()
			env.DefaultMode, env.Mode, env.Fork = tt.fresh, tt.asked, fork
			got := w.load(t, b, runtime.FromStore, env).Permission
			if got.Value != tt.want || got.Value != tt.stored && (got.Reason == "" || got.Stored != tt.stored) {
				t.Errorf("%q, new sessions in %q, asked for %q: %+v", tt.stored, tt.fresh, tt.asked, got)
			}
		}
	}
}

// A loaded session is what it was, whatever is appended while it is used.
func TestLoadKeepsWhatItRead(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	r := w.load(t, whole(w), runtime.FromStore, w.env())
	f, err := os.OpenFile(r.Path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Write(w.builder().Title("later").Bytes()); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	row := r.Ledger.Rows[0]
	if data, err := r.Ledger.Bytes(row.Offset, row.Size); err != nil || !strings.Contains(string(data), "start") {
		t.Errorf("the first row is %q, %v", data, err)
	}
	if slices.Contains(r.Lost, "") {
		t.Error("something without a name is lost")
	}
}

package runtime_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"coppice/session/runtime"
	"coppice/transcript/transcripttest"
)

// stored writes a session with one answer whose text lies in a file of its own.
func stored(w world, path string) *transcripttest.Builder {
	b := w.builder().User("hello")
	ask(b, "t1", "Bash", `{"command":"x"}`, `{"stdout":"","persistedOutputPath":`+transcripttest.Quote(path)+`,"persistedOutputSize":9}`)
	return b
}

func TestChecks(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	side := filepath.Join(w.folder, id, "tool-results", "r.txt")
	write(t, side, "x")
	write(t, filepath.Join(w.base, "r2.txt"), "x")
	plain := func() *transcripttest.Builder { return w.builder().User("hello").Assistant(transcripttest.Text("hi")) }
	other := transcripttest.New("ffffffff-0000-4000-8000-000000000002")
	tests := []struct {
		name   string
		b      *transcripttest.Builder
		change func(*runtime.Environment)
		want   []runtime.Check
	}{
		{"nothing", plain(), nil, nil},
		{"another id", other.User("hello").Assistant(transcripttest.Text("hi")), nil, []runtime.Check{runtime.CheckID}},
		{"the same id in capitals", func() *transcripttest.Builder {
			b := transcripttest.New(strings.ToUpper(id))
			return b.User("hello").Assistant(transcripttest.Text("hi"))
		}(), nil, nil},
		{"worktree there", plain().Worktree(w.base, w.dir, "w", "b"), nil, nil},
		{"worktree gone", plain().Worktree(w.base, w.dir+"/none", "w", "b"), nil, []runtime.Check{runtime.CheckWorktree}},
		{"worktree gone, fork", plain().Worktree(w.base, w.dir+"/none", "w", "b"), func(e *runtime.Environment) { e.Fork = true }, nil},
		{"binding let go", plain().Worktree(w.base, w.dir+"/none", "w", "b").NoWorktree(), nil, nil},
		{"binding of another", plain().Record("worktree-state", `"worktreeSession":{"worktreePath":`+transcripttest.Quote(w.dir)+`,"sessionId":"other"}`), nil, []runtime.Check{runtime.CheckBinding}},
		{"branch", plain(), func(e *runtime.Environment) { e.Branch = "topic" }, []runtime.Check{runtime.CheckBranch}},
		{"was detached", func() *transcripttest.Builder {
			b := w.builder()
			b.Branch = "HEAD"
			return b.User("hello").Assistant(transcripttest.Text("hi"))
		}(), func(e *runtime.Environment) { e.Branch = "main" }, nil},
		{"the same branch", plain(), func(e *runtime.Environment) { e.Branch = "main" }, nil},
		{"side file", stored(w, side), nil, nil},
		{"side file moved", stored(w, "/old/"+id+"/tool-results/r.txt"), nil, []runtime.Check{runtime.CheckSidePath}},
		{"side file gone", stored(w, side+".none"), nil, []runtime.Check{runtime.CheckSideFile}},
		{"side file outside", stored(w, filepath.Join(w.base, "r2.txt")), nil, []runtime.Check{runtime.CheckSideFile}},
		{"side file by dots", stored(w, side+"/../../../../../../r2.txt"), nil, []runtime.Check{runtime.CheckSideFile}},
		{"near the end", plain(), func(e *runtime.Environment) { e.Now = now.AddDate(0, 0, 28) }, []runtime.Check{runtime.CheckRetention}},
		{"not near the end", plain(), func(e *runtime.Environment) { e.Now = now.AddDate(0, 0, 25) }, nil},
		{"replacement of another kind", plain().Line(`{"type":"content-replacement","replacements":[{"kind":"image","x":1},{"kind":"tool-result","toolUseId":"t","replacement":5}]}`), nil, []runtime.Check{runtime.CheckReplacement}},
	}
	for _, tt := range tests {
		env := w.env()
		if tt.change != nil {
			tt.change(&env)
		}
		r := w.load(t, tt.b, runtime.FromStore, env)
		if got := found(r); !slices.Equal(got, tt.want) {
			t.Errorf("%s: %v", tt.name, r.Findings)
		}
	}
}

// Titles as in J: row, sidecar, generated; an empty row clears the sidecar too.
func TestName(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	said := func() *transcripttest.Builder { return w.builder().User("hello").Assistant(transcripttest.Text("hi")) }
	name := func(b *transcripttest.Builder) string { return w.load(t, b, runtime.FromStore, w.env()).Name }
	if got := name(said()); got != "" {
		t.Errorf("without one: %q", got)
	}
	write(t, filepath.Join(w.folder, id, "custom-title.json"), `{"customTitle":"beside","by":"user"}`)
	for _, tt := range []struct {
		b    *transcripttest.Builder
		want string
	}{
		{said(), "beside"},
		{said().AITitle("made"), "beside"},
		{said().Title("row").AITitle("made"), "row"},
		{said().Title("row").Title("").AITitle("made"), "made"}, // report B4
	} {
		if got := name(tt.b); got != tt.want {
			t.Errorf("name %q, want %q", got, tt.want)
		}
	}
}

func TestPlanStaysInside(t *testing.T) {
	t.Parallel()
	slug := func(w world, s string) *transcripttest.Builder {
		b := w.builder().User("hello")
		b.Assistant(transcripttest.ToolUse("t", "Read", `{"file_path":"a"}`))
		return b.Report("t", "x", `{}`, s)
	}
	w := newWorld(t)
	write(t, filepath.Join(w.base, "x.md"), "secret")
	write(t, filepath.Join(w.root, "plans", "good.md"), "plan")
	write(t, filepath.Join(w.root, "plans", "sub", "x.md"), "plan")
	if err := os.Symlink(filepath.Join(w.base, "x.md"), filepath.Join(w.root, "plans", "link.md")); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(filepath.Join(w.root, "plans", "fifo.md"), 0o600); err != nil {
		t.Fatal(err)
	}
	for s, want := range map[string]string{
		"good": "good.md", "none": "", "../../x": "", "sub/x": "", "link": "", "fifo": "", "..": "", "a\x00": "", "é": "", strings.Repeat("a", 5000): "",
	} {
		if want != "" {
			want = filepath.Join(w.root, "plans", want)
		}
		if got := w.load(t, slug(w, s), runtime.FromStore, w.env()).Plan; got != want {
			t.Errorf("slug %q: %q", s, got)
		}
	}
	write(t, filepath.Join(w.dir, "my", "plans", "good.md"), "plan")
	for setting, want := range map[string]string{
		"my/plans": filepath.Join(w.dir, "my", "plans", "good.md"), "./my/../my/plans/": filepath.Join(w.dir, "my", "plans", "good.md"),
		filepath.Join(w.dir, "my", "plans"): filepath.Join(w.dir, "my", "plans", "good.md"), "elsewhere": "", "..": "!", "/": "!", w.base: "!",
	} {
		write(t, filepath.Join(w.dir, ".claude", "settings.json"), `{"plansDirectory":`+transcripttest.Quote(setting)+`}`)
		r := w.load(t, slug(w, "good"), runtime.FromStore, w.env())
		if escapes := slices.Contains(found(r), runtime.CheckPlans); escapes != (want == "!") || !escapes && r.Plan != want || escapes && r.Plan != "" {
			t.Errorf("plansDirectory %q: %q, %v", setting, r.Plan, r.Findings)
		}
	}
}

func TestSettings(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	b := w.builder().User("hello").Assistant(transcripttest.Text("hi"))
	write(t, filepath.Join(w.root, "settings.json"), `{"cleanupPeriodDays":5}`)
	env := w.env()
	env.Now = now.Add(50 * time.Hour)
	if r := w.load(t, b, runtime.FromStore, env); !slices.Equal(found(r), []runtime.Check{runtime.CheckRetention}) || !strings.Contains(r.Findings[0].Detail, "5 days") {
		t.Errorf("five days: %v", r.Findings)
	}
	write(t, filepath.Join(w.dir, ".claude", "settings.local.json"), `{"cleanupPeriodDays":"soon"`)
	write(t, filepath.Join(w.dir, ".claude", "settings.json"), `{"cleanupPeriodDays":90,"plansDirectory":7}`)
	if r := w.load(t, b, runtime.FromStore, env); !slices.Equal(found(r), []runtime.Check{runtime.CheckSettings}) {
		t.Errorf("a broken file: %v", r.Findings)
	}
}

// Each setting is of the first file that has one of use; what cannot be read does
// not count.
func TestReadSettings(t *testing.T) {
	t.Parallel()
	root, dir := t.TempDir(), t.TempDir()
	personal, shared, local := filepath.Join(root, "settings.json"), filepath.Join(dir, ".claude", "settings.json"), filepath.Join(dir, ".claude", "settings.local.json")
	steps := []struct {
		path, text string
		mode       string
		days       int
		unread     []string
	}{
		{"", "", "", 0, nil},
		{personal, `{"cleanupPeriodDays":"soon","permissions":{"allow":[],"defaultMode":"acceptEdits"}}`, "acceptEdits", 0, nil},
		{shared, `{"cleanupPeriodDays":0,"permissions":{"defaultMode":"plan"}}`, "plan", 0, nil},
		{local, `{"cleanupPeriodDays":1e300,"permissions":{"defaultMode":"nonsense"}}`, "plan", 36500, nil},
		{local, `{"cleanupPeriodDays":7,"permissions":{"defaultMode":"default"}}`, "default", 7, nil},
		{local, `{"permissions":{"defaultMode":7}}`, "plan", 0, nil},
		{local, `{`, "plan", 0, []string{local}},
		{personal, `[` + strings.Repeat(" ", 1<<20) + `]`, "plan", 0, []string{local, personal}},
	}
	for _, step := range steps {
		if step.path != "" {
			write(t, step.path, step.text)
		}
		s := runtime.ReadSettings(root, dir)
		if s.DefaultMode != step.mode || s.CleanupDays != step.days || !slices.Equal(s.Unread, step.unread) {
			t.Errorf("with %.40s: %+v", step.text, s)
		}
	}
	if s := runtime.ReadSettings("", ""); s.DefaultMode != "" || s.Unread != nil {
		t.Errorf("of no directory: %+v", s)
	}
	if got := (runtime.Settings{}).Retention(); got != 30*24*time.Hour {
		t.Errorf("where nothing is set, transcripts are kept for %v", got)
	}
}

// People keep their settings elsewhere and link to them.
func TestLinkedSettings(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	elsewhere := filepath.Join(t.TempDir(), "mine.json")
	write(t, elsewhere, `{"cleanupPeriodDays":5}`)
	if err := os.Symlink(elsewhere, filepath.Join(w.root, "settings.json")); err != nil {
		t.Fatal(err)
	}
	env := w.env()
	env.Now = now.Add(50 * time.Hour)
	b := w.builder().User("hello").Assistant(transcripttest.Text("hi"))
	if r := w.load(t, b, runtime.FromStore, env); !slices.Equal(found(r), []runtime.Check{runtime.CheckRetention}) {
		t.Errorf("found %v", r.Findings)
	}
}

func TestTasks(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	b := w.builder().User("hello").Assistant(transcripttest.Text("hi"))
	tasks := func() string { return w.load(t, b, runtime.FromStore, w.env()).Tasks }
	write(t, filepath.Join(w.root, "todos", "other.json"), "[]")
	if got := tasks(); got != "" {
		t.Errorf("none: %q", got)
	}
	legacy := filepath.Join(w.root, "todos", id+"-agent-"+id+".json")
	write(t, legacy, "[]")
	if got := tasks(); got != legacy {
		t.Errorf("legacy: %q", got)
	}
	if err := os.MkdirAll(filepath.Join(w.root, "tasks", id), 0o755); err != nil {
		t.Fatal(err)
	}
	if got := tasks(); got != legacy {
		t.Errorf("an empty folder: %q", got)
	}
	write(t, filepath.Join(w.root, "tasks", id, "1.json"), "{}")
	if got := tasks(); got != filepath.Join(w.root, "tasks", id) {
		t.Errorf("a folder: %q", got)
	}
}

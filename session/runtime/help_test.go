package runtime_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"coppice/session/runtime"
	"coppice/transcript/transcripttest"
)

const id = "0a1b2c3d-0000-4000-8000-000000000001"

// now is when the tests load: a day after the fixtures were written.
var now = time.Date(2026, 3, 5, 9, 30, 0, 0, time.UTC)

// world is a config root with one project, and the directory of that.
type world struct{ base, root, dir, folder string }

func newWorld(t *testing.T) world {
	t.Helper()
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	w := world{base: base, root: filepath.Join(base, "config"), dir: filepath.Join(base, "app")}
	w.folder = filepath.Join(w.root, "projects", "-app")
	for _, dir := range []string{w.folder, w.dir} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return w
}

// builder begins a transcript of a session that ran in the world's directory.
func (w world) builder() *transcripttest.Builder {
	b := transcripttest.New(id)
	b.Dir = w.dir
	return b
}

func (w world) env() runtime.Environment {
	return runtime.Environment{Root: w.root, Dir: w.dir, DefaultMode: "default", Now: now}
}

// path writes a transcript and returns where.
func (w world) path(t *testing.T, b *transcripttest.Builder) string {
	t.Helper()
	path := filepath.Join(w.folder, id+".jsonl")
	write(t, path, string(b.Bytes()))
	at := now.Add(-time.Hour)
	if err := os.Chtimes(path, at, at); err != nil {
		t.Fatal(err)
	}
	return path
}

// load loads what a builder wrote.
func (w world) load(t *testing.T, b *transcripttest.Builder, source runtime.Source, env runtime.Environment) *runtime.Runtime {
	t.Helper()
	r, err := runtime.Load(t.Context(), w.path(t, b), id, source, env)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	})
	return r
}

func write(t *testing.T, path, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}

// found returns the names of the checks that failed.
func found(r *runtime.Runtime) []runtime.Check {
	var checks []runtime.Check
	for _, f := range r.Findings {
		checks = append(checks, f.Check)
	}
	return checks
}

// lost says whether something with that word is named as lost.
func lost(r *runtime.Runtime, word string) bool {
	return slices.ContainsFunc(r.Lost, func(s string) bool { return strings.Contains(s, word) })
}

package launch_test

import (
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"coppice/session/launch"
)

func TestMemory(t *testing.T) {
	t.Parallel()
	m := launch.Memory{File: filepath.Join(t.TempDir(), "state", "arguments.json"), Now: time.Now}
	for _, step := range []struct{ args, own, near []string }{
		{nil, nil, nil},
		{[]string{"--model", "opus"}, []string{"--model", "opus"}, []string{"--model", "opus"}},
		{[]string{"--verbose", "--dangerously-skip-permissions"}, []string{"--verbose"}, []string{"--verbose"}},
		{[]string{"--permission-mode", "bypassPermissions", "-v"}, []string{"-v"}, []string{"-v"}},
		{[]string{"--permission-mode=bypassPermissions", "-v", "--", "a prompt"}, []string{"-v"}, []string{"-v"}},
		{[]string{"a prompt", "--x"}, nil, []string{"-v"}},
		{[]string{"-p", "--resume", "x", "--fork-session", "--add-dir", "/x"}, []string{"--add-dir", "/x"}, []string{"--add-dir", "/x"}},
		{[]string{}, nil, []string{"--add-dir", "/x"}},
	} {
		if err := m.Keep("id", "/dir", step.args); err != nil {
			t.Fatal(err)
		}
		if own, near := m.Args("id", "/dir"); !slices.Equal(own, step.own) || !slices.Equal(near, step.near) {
			t.Errorf("%q: kept %q and %q", step.args, own, near)
		}
	}
	if own, near := m.Args("another", "/elsewhere"); own != nil || near != nil {
		t.Errorf("of another: %q, %q", own, near)
	}
}

// Two windows note at once, and nothing of either is lost.
func TestMemoryOfTwo(t *testing.T) {
	t.Parallel()
	m := launch.Memory{File: filepath.Join(t.TempDir(), "arguments.json"), Now: time.Now}
	var keeping sync.WaitGroup
	for _, id := range []string{"a", "b", "c", "d", "e", "f"} {
		keeping.Go(func() {
			if err := m.Keep(id, "/dir/"+id, []string{"--" + id}); err != nil {
				t.Error(err)
			}
		})
	}
	keeping.Wait()
	for _, id := range []string{"a", "b", "c", "d", "e", "f"} {
		if own, near := m.Args(id, "/dir/"+id); !slices.Equal(own, []string{"--" + id}) || !slices.Equal(near, own) {
			t.Errorf("%s: %q, %q", id, own, near)
		}
	}
}

func TestMemoryDamaged(t *testing.T) {
	t.Parallel()
	for text, kept := range map[string]bool{"": true, "{": true, "[]": true, `{"version":99,"sessions":{"id":{"args":["--new"]}}}`: false} {
		m := launch.Memory{File: filepath.Join(t.TempDir(), "arguments.json"), Now: time.Now}
		if err := os.WriteFile(m.File, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if own, near := m.Args("id", "/dir"); own != nil || near != nil {
			t.Errorf("%q holds %q, %q", text, own, near)
		}
		err := m.Keep("id", "/dir", []string{"--x"})
		if own, _ := m.Args("id", "/dir"); (err == nil) != kept || kept != slices.Equal(own, []string{"--x"}) {
			t.Errorf("%q: kept %q, %v", text, own, err)
		}
	}
}

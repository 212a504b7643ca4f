package proc_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"golang.org/x/sys/unix"

	"coppice/session/proc"
)

// A name may hold anything, brackets and line feeds too.
func TestOf(t *testing.T) {
	t.Parallel()
	const rest = " 7 8 9 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 4711 1 2\n"
	for name, tt := range map[string]struct {
		stat string
		want proc.Process
		ok   bool
	}{
		"plain":         {"5 (agent) S" + rest, proc.Process{Parent: 7, Session: 9, Start: "4711"}, true},
		"an odd name":   {"5 (a) Z 1 (\n) R" + rest, proc.Process{Parent: 7, Session: 9, Start: "4711"}, true},
		"to be buried":  {"5 (agent) Z" + rest, proc.Process{}, false},
		"cut":           {"5 (agent) S 7 8 9", proc.Process{}, false},
		"nothing in it": {"", proc.Process{}, false},
	} {
		dir := t.TempDir()
		if err := os.MkdirAll(filepath.Join(dir, "5"), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "5", "stat"), []byte(tt.stat), 0o600); err != nil {
			t.Fatal(err)
		}
		if got, ok := proc.Of(dir, 5); got != tt.want || ok != tt.ok {
			t.Errorf("%s: %+v, %v", name, got, ok)
		}
		if _, ok := proc.Of(dir, 6); ok {
			t.Error("one that is not there is found")
		}
	}
}

func TestThisProcess(t *testing.T) {
	t.Parallel()
	const files = "/proc"
	me := os.Getpid()
	if _, err := os.Stat(files + "/self"); err != nil {
		t.Skip("no /proc")
	}
	p, ok := proc.Of(files, me)
	session, err := unix.Getsid(0)
	if !ok || err != nil || p.Parent != os.Getppid() || p.Session != session || p.Start == "" {
		t.Errorf("this process is %+v, %v; its session %d", p, ok, session)
	}
	if !slices.Contains(proc.IDs(files), me) {
		t.Error("it is not among all")
	}
	if _, ok := proc.Of("", me); ok || proc.IDs("") != nil {
		t.Error("found without /proc")
	}
}

package writer_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	tt "coppice/transcript/transcripttest"
	"coppice/transcript/writer"
)

// F4 on a full file system of its own: what was acknowledged stays, and the next
// turn after room was made holds it all.
func TestFullFileSystem(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := unix.Mount("tmpfs", dir, "tmpfs", 0, "size=64k"); err != nil {
		t.Skipf("a small file system cannot be mounted here: %v", err)
	}
	t.Cleanup(func() { _ = unix.Unmount(dir, unix.MNT_DETACH) })
	path := filepath.Join(dir, "p", sid+".jsonl")
	w := steady(writer.Create(path, stamp), 1)
	talk := []writer.Message{prompt(1), answer(2)}
	turn(t, w, nil, talk)
	ballast := filepath.Join(dir, "ballast")
	if err := os.WriteFile(ballast, make([]byte, 24<<10), 0o600); err != nil {
		t.Fatal(err)
	}
	var err error
	n := 3
	for ; err == nil && n < 100; n++ {
		m := prompt(n)
		m.Content = []byte(tt.Quote(mark(n, 0) + strings.Repeat("x", 3000)))
		talk = append(talk, m)
		err = w.Turn(t.Context(), talk, nil)
	}
	if !errors.Is(err, syscall.ENOSPC) || !strings.Contains(err.Error(), path) {
		t.Fatalf("error %v", err)
	}
	var want []string
	for i := 1; i < n-1; i++ {
		want = append(want, fmt.Sprintf("%d.0", i))
	}
	holdsAll(t, path, want)
	if err := os.Remove(ballast); err != nil {
		t.Fatal(err)
	}
	turn(t, w, nil, talk)
	holdsAll(t, path, append(want, fmt.Sprintf("%d.0", n-1)))
	if w.Others() != 0 {
		t.Errorf("a failed write of its own counts as %d bytes of others", w.Others())
	}
}

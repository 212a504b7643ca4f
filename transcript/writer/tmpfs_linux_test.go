package writer_test

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"coppice/transcript/faulttest"
	tt "coppice/transcript/transcripttest"
	"coppice/transcript/writer"
)

// F4 on a full file system of its own: what was acknowledged stays, and the next
// turn after room was made holds it all.
func TestFullFileSystem(t *testing.T) {
	t.Parallel()
	disk := faulttest.NewDisk(t, 64<<10)
	path := filepath.Join(disk.Dir, "p", sid+".jsonl")
	w := steady(writer.Create(path, stamp), 1)
	talk := []writer.Message{prompt(1), answer(2)}
	turn(t, w, nil, talk)
	disk.Leave(t, 36<<10)
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
	disk.Free(t)
	turn(t, w, nil, talk)
	holdsAll(t, path, append(want, fmt.Sprintf("%d.0", n-1)))
	if w.Others() != 0 {
		t.Errorf("a failed write of its own counts as %d bytes of others", w.Others())
	}
}

package trash_test

import (
	"errors"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"coppice/session/move/carry/carrytest"
	"coppice/transcript/faulttest"
)

// F4: on a full disk a session stays where it is, in its place or in the trash,
// and the error says so.
func TestTrashOnAFullDisk(t *testing.T) {
	t.Parallel()
	for _, full := range []string{"trash", "projects"} {
		t.Run(full, func(t *testing.T) {
			t.Parallel()
			disk := faulttest.NewDisk(t, 1<<20)
			dir, trash := t.TempDir(), filepath.Join(disk.Dir, "trash")
			if full == "projects" {
				dir, trash = disk.Dir, filepath.Join(dir, "trash")
			}
			w := newWorld(t, dir)
			w.trash.Dir = trash
			whole := carrytest.Tree(t, w.root)
			work := func() error { _, err := w.trash.Take(t.Context(), w.root, w.path, id, "willow"); return err }
			if full == "projects" {
				w.take(t)
				work = func() error { _, err := w.trash.Restore(t.Context(), id); return err }
			}
			before, kept := carrytest.Tree(t, w.root), held(t, w)
			for _, left := range []int{0, 4 << 10, 8 << 10, 40 << 10} {
				disk.Leave(t, left)
				err := work()
				disk.Free(t)
				if !errors.Is(err, syscall.ENOSPC) || !strings.Contains(err.Error(), "session "+id) {
					t.Errorf("%d bytes left: the error is %v", left, err)
				}
				if diff := cmp.Diff(before, carrytest.Tree(t, w.root)) + cmp.Diff(kept, held(t, w)); diff != "" {
					t.Errorf("%d bytes left: %s", left, diff)
				}
			}
			if err := work(); err != nil {
				t.Fatal(err)
			}
			if full == "trash" {
				if _, err := w.trash.Restore(t.Context(), ""); err != nil {
					t.Fatal(err)
				}
			}
			if diff := cmp.Diff(whole, carrytest.Tree(t, w.root)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

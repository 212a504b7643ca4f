package move_test

import (
	"errors"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"coppice/session/move"
	"coppice/transcript/faulttest"
)

// F4: on a full disk everything stays where it is, whatever had room, and the error
// says so. The transcript is copied, side files get another name only where that is
// possible: here they lie on another file system.
func TestMoveOnAFullDisk(t *testing.T) {
	t.Parallel()
	disk := faulttest.NewDisk(t, 1<<20)
	w := newWorld(t, t.TempDir())
	w.b = filepath.Join(disk.Dir, "-w-b")
	for _, left := range []int{0, 4 << 10, 8 << 10, 32 << 10} {
		unmoved(t, w, func() {
			disk.Leave(t, left)
			_, err := move.Move(t.Context(), w.request())
			disk.Free(t)
			if !errors.Is(err, syscall.ENOSPC) || !strings.Contains(err.Error(), "move session "+id) {
				t.Errorf("%d bytes left: the error is %v", left, err)
			}
		})
	}
	if _, err := move.Move(t.Context(), w.request()); err != nil {
		t.Error(err)
	}
}

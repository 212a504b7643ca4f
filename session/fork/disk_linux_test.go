package fork_test

import (
	"errors"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"coppice/session/fork"
	"coppice/session/move/carry/carrytest"
	"coppice/transcript/faulttest"
)

// F4: on a full disk a fork is not there, whatever of it had room, and the error
// says so. With room it is made.
func TestForkOnAFullDisk(t *testing.T) {
	t.Parallel()
	disk := faulttest.NewDisk(t, 1<<20)
	w := furnished(t, disk.Dir)
	before := carrytest.Tree(t, disk.Dir)
	for _, left := range []int{0, 4 << 10, 32 << 10, 100 << 10, 160 << 10} {
		disk.Leave(t, left)
		_, err := fork.Fork(t.Context(), w.req)
		disk.Free(t)
		if !errors.Is(err, syscall.ENOSPC) || !strings.Contains(err.Error(), source) {
			t.Errorf("%d bytes left: the error is %v", left, err)
		}
		after := carrytest.Tree(t, disk.Dir)
		if diff := cmp.Diff(before, after); diff != "" {
			t.Errorf("%d bytes left: %s", left, diff)
		}
	}
	if _, messages := w.fork(t); len(messages) < 80 {
		t.Errorf("the fork has %d records", len(messages))
	}
}

package faulttest

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// Disk is a small file system of its own, in memory.
type Disk struct {
	Dir  string
	size int
}

// page is what a file system in memory gives out at a time.
const page = 4 << 10

// inside says in the environment that a test runs in namespaces of its own.
const inside = "COPPICE_FAULTTEST_INSIDE"

// NewDisk mounts a file system of so many bytes for the time of a test. Who is not
// root may do so in namespaces of their own: there the whole test is run once more,
// by its name, and skipped out here when it passed. It is also skipped where the
// system has no such namespaces.
func NewDisk(t *testing.T, size int) Disk {
	t.Helper()
	dir := t.TempDir()
	err := unix.Mount("tmpfs", dir, "tmpfs", 0, fmt.Sprintf("size=%d", size))
	if errors.Is(err, unix.EPERM) && os.Getenv(inside) == "" {
		again(t)
	}
	if err != nil {
		t.Skipf("a small file system cannot be mounted here: %v", err)
	}
	t.Cleanup(func() { _ = unix.Unmount(dir, unix.MNT_DETACH) })
	return Disk{Dir: dir, size: size}
}

// again runs a test in namespaces of its own and ends it here.
func again(t *testing.T) {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$", "-test.count=1")
	cmd.Env = append(os.Environ(), inside+"=1")
	one := func(id int) []syscall.SysProcIDMap { return []syscall.SysProcIDMap{{HostID: id, Size: 1}} }
	cmd.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags:  syscall.CLONE_NEWUSER | syscall.CLONE_NEWNS,
		UidMappings: one(os.Getuid()), GidMappings: one(os.Getgid()),
	}
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit):
		t.Fatalf("in namespaces of its own: %v\n%s", err, out)
	case err != nil:
		t.Skipf("there are no namespaces for this user: %v", err)
	}
	t.Skip("it passed in namespaces of its own")
}

// Leave fills the disk but for so many bytes, rounded up to pages.
func (d Disk) Leave(t *testing.T, left int) {
	t.Helper()
	f, err := os.Create(filepath.Join(d.Dir, ballast))
	if err != nil {
		t.Fatal(err)
	}
	size, full := int64(0), false
	for part := make([]byte, page); !full; {
		n, err := f.WriteAt(part, size)
		size += int64(n)
		if full = errors.Is(err, unix.ENOSPC); err != nil && !full {
			t.Fatal(err)
		}
	}
	keep := size - int64((left+page-1)/page*page)
	if err := errors.Join(f.Truncate(max(keep, 0)), f.Close()); err != nil || keep < 0 {
		t.Fatalf("%d bytes cannot be left of %d: %v", left, d.size, err)
	}
}

// ballast is the name of the file that fills a disk.
const ballast = "ballast"

// Free makes room again.
func (d Disk) Free(t *testing.T) {
	t.Helper()
	if err := os.Remove(filepath.Join(d.Dir, ballast)); err != nil {
		t.Fatal(err)
	}
}

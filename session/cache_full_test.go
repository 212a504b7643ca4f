package session

import (
	"errors"
	"os"
	"os/exec"
	"os/signal"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// limitFileSize writes a large cache at path in a process of its own that may
// write no file of more than 4 KB, and returns how that went.
func limitFileSize(t *testing.T, path string) error {
	t.Helper()
	cmd := exec.Command("/proc/self/exe", "-test.run=^TestHelperFullDisk$")
	cmd.Env = append(os.Environ(), "COPPICE_TEST_CACHE="+path)
	text, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Skipf("no process of its own: %v", err)
	}
	if exit != nil && exit.ExitCode() != 77 {
		t.Fatalf("helper: %v\n%s", err, text)
	}
	return err
}

// TestHelperFullDisk is no test but the other process of limitFileSize.
func TestHelperFullDisk(t *testing.T) {
	path := os.Getenv("COPPICE_TEST_CACHE")
	if path == "" {
		t.Skip("only as a process of its own")
	}
	signal.Ignore(syscall.SIGXFSZ)
	if err := unix.Setrlimit(unix.RLIMIT_FSIZE, &unix.Rlimit{Cur: 4096, Max: 4096}); err != nil {
		t.Fatal(err)
	}
	if err := writeCache(path, make([]byte, 1<<20)); err != nil {
		os.Exit(77)
	}
}

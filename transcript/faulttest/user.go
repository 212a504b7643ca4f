package faulttest

import (
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
)

// nobody is the other user, who owns nothing.
const nobody = 65534

// OpenDir returns a temporary directory that another user may enter: those of the
// testing package are closed. mode is that of the directory.
func OpenDir(t testing.TB, mode os.FileMode) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "open")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	if err := os.Chmod(dir, mode); err != nil {
		t.Fatal(err)
	}
	return dir
}

// WriteProgram writes a program that is going to be run. No process is started
// meanwhile: it would hold the file open for writing, and "text file busy" be the
// answer to whoever runs it.
func WriteProgram(path string, data []byte) error {
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	return os.WriteFile(path, data, 0o755)
}

// AsNobody makes a command run as another user in dir, an OpenDir. It skips the
// test where that cannot be done. Its program is copied to dir, since that of a
// test lies where only its owner can reach it.
func AsNobody(t testing.TB, cmd *exec.Cmd, dir string) {
	t.Helper()
	if os.Getuid() != 0 {
		t.Skip("only root can run a process as another user")
	}
	program := filepath.Join(dir, "program.test")
	data, err := os.ReadFile(cmd.Path)
	if err == nil {
		err = WriteProgram(program, data)
	}
	if err != nil {
		t.Fatal(err)
	}
	cmd.Path, cmd.Args[0], cmd.Dir = program, program, dir
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
}

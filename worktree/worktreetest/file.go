package worktreetest

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// MkdirAll makes a directory and its parents.
func MkdirAll(t testing.TB, dir string) {
	t.Helper()
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
}

// WriteFile writes a file and makes its directory.
func WriteFile(t testing.TB, file, content string) {
	t.Helper()
	MkdirAll(t, filepath.Dir(file))
	if err := os.WriteFile(file, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}

// AppendFile appends to a file.
func AppendFile(t testing.TB, file, content string) {
	t.Helper()
	f, err := os.OpenFile(file, os.O_APPEND|os.O_WRONLY|os.O_CREATE, 0o644)
	if err != nil {
		t.Fatal(err)
	}
	_, err = f.WriteString(content)
	if errClose := f.Close(); err == nil {
		err = errClose
	}
	if err != nil {
		t.Fatal(err)
	}
}

// WriteScript writes an executable shell script. No process is started
// meanwhile: one that still had the file open for writing would keep it from
// being run.
func WriteScript(t testing.TB, file, text string) {
	t.Helper()
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	WriteFile(t, file, "#!/bin/sh\n"+text)
	if err := os.Chmod(file, 0o755); err != nil {
		t.Fatal(err)
	}
}

// Rename moves a file or directory.
func Rename(t testing.TB, from, to string) {
	t.Helper()
	if err := os.Rename(from, to); err != nil {
		t.Fatal(err)
	}
}

// RemoveAll removes a file or directory.
func RemoveAll(t testing.TB, path string) {
	t.Helper()
	if err := os.RemoveAll(path); err != nil {
		t.Fatal(err)
	}
}

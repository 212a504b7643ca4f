package carrytest

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// Write makes a file and the directories above it.
func Write(t testing.TB, path, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}

// Tree returns what lies below dir: relative names and, of files, contents; of
// links, "-> target". Names of directories end in a slash.
func Tree(t testing.TB, dir string) map[string]string {
	t.Helper()
	tree := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || path == dir {
			return err
		}
		name := strings.TrimPrefix(path, dir+"/")
		switch {
		case d.IsDir():
			tree[name+"/"] = ""
		case d.Type()&fs.ModeSymlink != 0:
			target, err := os.Readlink(path)
			tree[name] = "-> " + target
			return err
		case d.Type().IsRegular():
			data, err := os.ReadFile(path)
			tree[name] = string(data)
			return err
		default:
			tree[name] = d.Type().String()
		}
		return nil
	})
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	return tree
}

// OtherDevice returns a directory on another file system than that of temporary
// directories. It skips the test where there is none that it knows.
func OtherDevice(t testing.TB) string {
	t.Helper()
	dir, err := os.MkdirTemp("/dev/shm", "carry")
	if err != nil {
		t.Skip("there is no second file system: ", err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	device := func(path string) any {
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		return info.Sys().(*syscall.Stat_t).Dev
	}
	if device(dir) == device(t.TempDir()) {
		t.Skip("there is no second file system")
	}
	return dir
}

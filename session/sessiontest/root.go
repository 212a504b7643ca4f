package sessiontest

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"coppice/session"
)

// Root is the path of a config root.
type Root string

// New makes an empty one, which lives as long as the test.
func New(t testing.TB) Root {
	t.Helper()
	root := Root(filepath.Join(t.TempDir(), "config"))
	if err := os.MkdirAll(root.Projects(), 0o755); err != nil {
		t.Fatal(err)
	}
	return root
}

// ID returns the n-th session id.
func ID(n int) string { return fmt.Sprintf("%08x-1111-4222-8333-%012x", n, n) }

// Projects is the directory that holds the project folders.
func (r Root) Projects() string { return filepath.Join(string(r), "projects") }

// Folder is the project folder of dir.
func (r Root) Folder(dir string) string { return filepath.Join(r.Projects(), session.Encode(dir)) }

// Path is where the transcript of a session of dir lies.
func (r Root) Path(dir, id string) string { return filepath.Join(r.Folder(dir), id+".jsonl") }

// Write writes a transcript into the folder of dir and returns its path.
func (r Root) Write(t testing.TB, dir, id string, rows ...string) string {
	t.Helper()
	text := ""
	if len(rows) > 0 {
		text = strings.Join(rows, "\n") + "\n"
	}
	return r.WriteFile(t, filepath.Join("projects", session.Encode(dir), id+".jsonl"), text)
}

// WriteFile writes any file below the root and returns its path.
func (r Root) WriteFile(t testing.TB, name, text string) string {
	t.Helper()
	path := filepath.Join(string(r), name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// Append adds rows to the end of a file.
func Append(t testing.TB, path string, rows ...string) {
	t.Helper()
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		t.Fatal(err)
	}
	_, err = f.WriteString(strings.Join(rows, "\n") + "\n")
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	if err != nil {
		t.Fatal(err)
	}
}

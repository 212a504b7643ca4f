package session_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"coppice/session"
	"coppice/session/move/carry/carrytest"
)

func TestMain(m *testing.M) {
	carrytest.Main(m, map[string]func(string) error{"name": nameAgainAndAgain})
}

// renamed returns the session of a test that renames it.
func renamed(root string) (session.Renamer, session.Session) {
	path := filepath.Join(root, "projects", "p", idA+".jsonl")
	return session.Renamer{Root: root, Now: time.Now}, session.Session{ID: idA, Path: path}
}

// nameAgainAndAgain gives a session names, and writes down each that was given,
// until it is killed.
func nameAgainAndAgain(root string) error {
	r, s := renamed(root)
	given, err := os.OpenFile(filepath.Join(root, "given"), os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	for n := 0; ; n++ {
		name := fmt.Sprintf("name %d of process %d", n, os.Getpid())
		if _, err := r.Rename(context.Background(), s, name); err != nil {
			return err
		}
		if _, err := given.WriteString(name + "\n"); err != nil {
			return err
		}
	}
}

// readAny returns what a file holds, or none where there is no such file.
func readAny(t *testing.T, name, none string) string {
	t.Helper()
	if _, err := os.Lstat(name); errors.Is(err, fs.ErrNotExist) {
		return none
	}
	return read(t, name)
}

// A Rename that is killed at any point loses no name that was given and leaves no
// half record and no half copy of the name.
func TestKilledRename(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	r, s := renamed(root)
	writeFile(t, s.Path, firstRow) // without a line feed
	done := 0
	carrytest.Kill(t, "name", root, 30*time.Millisecond, func(round int) {
		text := read(t, s.Path)
		if text != firstRow && (!strings.HasPrefix(text, firstRow+"\n{") || !strings.HasSuffix(text, "}\n")) {
			t.Fatalf("round %d: the transcript is %.200q", round, text)
		}
		var names []string
		for line := range strings.Lines(strings.TrimPrefix(text, firstRow)) {
			if line == "\n" {
				continue
			}
			var record struct{ Type, CustomTitle string }
			if err := json.Unmarshal([]byte(line), &record); err != nil {
				t.Fatalf("round %d: %q: %v", round, line, err)
			}
			if record.Type == "custom-title" {
				names = append(names, record.CustomTitle)
			}
		}
		left := names
		for name := range strings.Lines(readAny(t, filepath.Join(root, "given"), "")) {
			for len(left) > 0 && left[0]+"\n" != name {
				left = left[1:] // given, but not told
			}
			if len(left) == 0 {
				t.Fatalf("round %d: the name %q is lost", round, name)
			}
			done++
		}
		side := readAny(t, filepath.Join(strings.TrimSuffix(s.Path, ".jsonl"), "custom-title.json"), "{}")
		known := append([]string{""}, names...) // none before the first
		var beside struct{ CustomTitle string }
		if err := json.Unmarshal([]byte(side), &beside); err != nil || !slices.Contains(known[max(0, len(known)-2):], beside.CustomTitle) {
			t.Errorf("round %d: beside lies %q, %v; the last names are %q", round, side, err, known)
		}
		if _, err := r.Rename(t.Context(), s, "mended"); err != nil {
			t.Fatalf("round %d: %v", round, err)
		}
		for _, name := range []string{filepath.Join(root, "given"), strings.TrimSuffix(s.Path, ".jsonl")} {
			if err := os.RemoveAll(name); err != nil {
				t.Fatal(err)
			}
		}
		writeFile(t, s.Path, firstRow)
	})
	if done == 0 {
		t.Error("no name was ever given: the children were killed too early")
	}
}

package session_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf8"

	"coppice/session"
)

// newRenamer writes a transcript under a new root and returns it with a Renamer
// whose clock stands still.
func newRenamer(t *testing.T, text string) (session.Renamer, session.Session) {
	t.Helper()
	root := t.TempDir()
	path := filepath.Join(root, "projects", "p", idA+".jsonl")
	writeFile(t, path, text)
	now := time.Date(2026, 5, 6, 7, 8, 9, 10_000_000, time.UTC)
	old := time.Now().Add(-48 * time.Hour).Truncate(time.Second)
	if err := os.Chtimes(path, old, old); err != nil {
		t.Fatal(err)
	}
	r := session.Renamer{Root: root, Now: func() time.Time { return now }}
	return r, session.Session{ID: idA, Path: path, ModTime: old, Title: "old", TitleSource: session.TitleFirst}
}

func read(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

const firstRow = `{"type":"user","uuid":"u","message":{"role":"user","content":"hello"}}`

// J: the records, their order, the sidecar and its modes are those of /rename.
func TestRename(t *testing.T) {
	t.Parallel()
	for name, before := range map[string]string{"whole": firstRow + "\n", "A15 no line feed at the end": firstRow} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r, s := newRenamer(t, before)
			got, err := r.Rename(t.Context(), s, "  a <b> & \"c\"\u202e\x1b[31m d\n")
			if err != nil {
				t.Fatal(err)
			}
			const title = `a <b> & "c"  [31m d`
			if got.Title != title || got.TitleSource != session.TitleCustom || got.Summary.CustomTitle != title || got.Summary.AgentName != title {
				t.Errorf("the row is %+v", got)
			}
			want := firstRow + "\n" +
				`{"type":"custom-title","customTitle":"a <b> & \"c\"  [31m d","sessionId":"` + idA + `"}` + "\n" +
				`{"type":"agent-name","agentName":"a <b> & \"c\"  [31m d","sessionId":"` + idA + `"}` + "\n"
			if text := read(t, s.Path); text != want {
				t.Errorf("transcript\n%swant\n%s", text, want)
			}
			side := strings.TrimSuffix(s.Path, ".jsonl") + "/custom-title.json"
			if text, want := read(t, side), `{"customTitle":"a <b> & \"c\"  [31m d","by":"user","at":"2026-05-06T07:08:09.010Z"}`; text != want {
				t.Errorf("sidecar %s, want %s", text, want)
			}
			for name, mode := range map[string]os.FileMode{side: 0o600, filepath.Dir(side): 0o700 | os.ModeDir} {
				if info, err := os.Stat(name); err != nil || info.Mode() != mode {
					t.Errorf("%s has mode %v (%v), want %v", name, info.Mode(), err, mode)
				}
			}
		})
	}
}

// DESIGN "On disk": a rename is no activity, but must not leave the file to
// retention (report F5).
func TestRenameTime(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, settings string
		days           int
		kept           bool
	}{
		{"young", "", 2, true},
		{"near the default end", "", 28, false},
		{"a longer retention", `{"cleanupPeriodDays":365}`, 28, true},
		{"a shorter one", `{"cleanupPeriodDays":4}`, 2, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			r, s := newRenamer(t, firstRow+"\n")
			if tt.settings != "" {
				writeFile(t, filepath.Join(r.Root, "settings.json"), tt.settings)
			}
			s.ModTime = time.Now().Add(-time.Duration(tt.days) * 24 * time.Hour).Truncate(time.Second)
			if err := os.Chtimes(s.Path, s.ModTime, s.ModTime); err != nil {
				t.Fatal(err)
			}
			if _, err := r.Rename(t.Context(), s, "new"); err != nil {
				t.Fatal(err)
			}
			info, err := os.Stat(s.Path)
			if err != nil {
				t.Fatal(err)
			}
			if kept := info.ModTime().Equal(s.ModTime); kept != tt.kept {
				t.Errorf("mtime kept: %v", kept)
			}
		})
	}
}

// A live session may be writing: the records begin with a line feed, and the
// mtime is left to the writer.
func TestRenameLive(t *testing.T) {
	t.Parallel()
	r, s := newRenamer(t, firstRow+"\n")
	r.Live = func(id string) bool { return id == idA }
	if _, err := r.Rename(t.Context(), s, "new"); err != nil {
		t.Fatal(err)
	}
	if text := read(t, s.Path); !strings.HasPrefix(text, firstRow+"\n\n{") {
		t.Errorf("transcript %q", text)
	}
	if info, err := os.Stat(s.Path); err != nil || info.ModTime().Equal(s.ModTime) {
		t.Errorf("the mtime of a live session was put back (%v)", err)
	}
}

// However many rename a session at once, the copy of the name beside it is the
// name that stands last in the transcript.
func TestRenamesAtOnce(t *testing.T) {
	t.Parallel()
	r, s := newRenamer(t, firstRow+"\n")
	clock := r.Now
	r.Now = func() time.Time { // is asked between the two
		<-time.After(rand.N(15 * time.Millisecond))
		return clock()
	}
	for round := range 8 {
		var names []string
		var renaming sync.WaitGroup
		for i := range 6 {
			name := fmt.Sprintf("name %d of round %d", i, round)
			names = append(names, name)
			renaming.Go(func() {
				if _, err := r.Rename(context.Background(), s, name); err != nil {
					t.Error(err)
				}
			})
		}
		renaming.Wait()
		text := read(t, s.Path)
		for _, name := range names {
			if !strings.Contains(text, `"customTitle":"`+name+`"`) {
				t.Errorf("no record of %q", name)
			}
		}
		_, last, _ := strings.Cut(text[strings.LastIndex(text, `"customTitle":`):], `:"`)
		last, _, _ = strings.Cut(last, `"`)
		if side := read(t, strings.TrimSuffix(s.Path, ".jsonl")+"/custom-title.json"); !strings.Contains(side, `"`+last+`"`) {
			t.Fatalf("round %d: the transcript says %q, the sidecar %s", round, last, side)
		}
	}
}

func TestRenameRefuses(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]error{
		"": session.ErrNameEmpty, " \n\x00\u200b ": session.ErrNameEmpty,
		idB: session.ErrNameIsID, strings.ToUpper(" " + idA): session.ErrNameIsID,
	} {
		r, s := newRenamer(t, firstRow+"\n")
		got, err := r.Rename(t.Context(), s, name)
		if !errors.Is(err, want) || got.Title != "old" || read(t, s.Path) != firstRow+"\n" {
			t.Errorf("Rename(%q) = %v, title %q", name, err, got.Title)
		}
	}
	r, s := newRenamer(t, "")
	if err := os.Remove(s.Path); err != nil {
		t.Fatal(err)
	}
	if got, err := r.Rename(t.Context(), s, "new"); !errors.Is(err, os.ErrNotExist) || got.Title != "old" {
		t.Errorf("without a transcript: %v, title %q", err, got.Title)
	}
	if _, err := os.Stat(strings.TrimSuffix(s.Path, ".jsonl")); err == nil {
		t.Error("a side directory was made for nothing")
	}
}

// The side directory is never followed out of the project.
func TestRenameSideDirectory(t *testing.T) {
	t.Parallel()
	outside := t.TempDir()
	r, s := newRenamer(t, firstRow+"\n")
	if err := os.Symlink(outside, strings.TrimSuffix(s.Path, ".jsonl")); err != nil {
		t.Fatal(err)
	}
	got, err := r.Rename(t.Context(), s, "new")
	if err == nil || got.Title != "new" {
		t.Errorf("Rename = %v, title %q: the records stand, the sidecar does not", err, got.Title)
	}
	if entries, err := os.ReadDir(outside); err != nil || len(entries) != 0 {
		t.Errorf("written outside: %v, %v", entries, err)
	}
}

func TestCleanNameLength(t *testing.T) {
	t.Parallel()
	got, err := session.CleanName(strings.Repeat("ä", 199) + " bcd")
	if err != nil || utf8.RuneCountInString(got) != 199 {
		t.Errorf("CleanName = %d characters, %v", utf8.RuneCountInString(got), err)
	}
}

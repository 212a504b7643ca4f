package session_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"coppice/session"
)

const (
	idA = "aaaaaaaa-1111-4000-8000-000000000001"
	idB = "aaaaaaaa-1111-4000-8000-000000000002"
	idC = "bbbbbbbb-1111-4000-8000-000000000003"
	idD = "CCCCCCCC-1111-4000-8000-00000000000D"
)

func namedSessions() []session.Session {
	row := func(id, title string, source session.TitleSource) session.Session {
		path := "/root/projects/p/" + id + ".jsonl"
		return session.Session{ID: id, Path: path, Title: title, TitleSource: source, Copies: []session.Copy{{Path: path}}}
	}
	rows := []session.Session{
		row(idA, "Parser work", session.TitleCustom),
		row(idB, "parser WORK", session.TitleAI),
		row(idC, "Caf\u00e9", session.TitleSidecar),
		row(idD, "said first", session.TitleFirst),
		row("dddddddd-1111-4000-8000-000000000004", idA, session.TitleCustom), // unreachable by it
		row("eeeeeeee-1111-4000-8000-000000000005", "bbbbbbbb", session.TitleCustom),
		row("eeeeeeee-1111-4000-8000-000000000006", "notes.jsonl", session.TitleCustom),
	}
	rows[0].Copies = append(rows[0].Copies, session.Copy{Path: "/root/projects/q/" + idA + ".jsonl"})
	return rows
}

func TestResolve(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, value string
		want        []string // one: found, several: ambiguous, none: not found
	}{
		{"id", idA, []string{idA}},
		{"id in upper case", strings.ToUpper(idA), []string{idA}},
		{"id of a file in upper case", strings.ToLower(idD), []string{idD}},
		{"id with blanks", "  " + idC + "\n", []string{idC}},
		{"an id is never a title", "dddddddd-1111-4000-8000-000000000009", nil},
		{"prefix", "bbbbbbbb-11", []string{idC}},
		{"prefix in another case", "cccccccC", []string{idD}},
		{"ambiguous prefix", "aaaaaaaa", []string{idA, idB}},
		{"a prefix of 35 characters", idA[:35], []string{idA, idB}},
		{"prefix too short", "bbbbbbb", nil},
		{"a prefix that is also a name", "bbbbbbbb", []string{idC, "eeeeeeee-1111-4000-8000-000000000005"}},
		{"title in another case is ambiguous", "PARSER work", []string{idA, idB}},
		{"title in another Unicode form", "cafe\u0301", []string{idC}},
		{"title by part", "parser", nil},
		{"a first prompt is no name", "said first", nil},
		{"path", "/root/projects/p/" + idB + ".jsonl", []string{idB}},
		{"path, not clean", "/root/x/../projects/p/" + idB + ".jsonl", []string{idB}},
		{"path of a copy not in use", "/root/projects/q/" + idA + ".jsonl", nil},
		{"path of nothing", "/root/projects/p/x.jsonl", nil},
		{"a title that looks like a file", "notes.jsonl", []string{"eeeeeeee-1111-4000-8000-000000000006"}},
		{"empty", " ", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, err := session.Resolve(namedSessions(), tt.value)
			var ambiguous *session.AmbiguousError
			var ids []string
			switch {
			case err == nil:
				ids = []string{got.ID}
			case errors.As(err, &ambiguous):
				for _, s := range ambiguous.Candidates {
					ids = append(ids, s.ID)
				}
			case !errors.Is(err, session.ErrNotFound):
				t.Fatalf("Resolve = %v", err)
			}
			if strings.Join(ids, " ") != strings.Join(tt.want, " ") {
				t.Errorf("Resolve(%q) = %q (%v), want %q", tt.value, ids, err, tt.want)
			}
		})
	}
}

func TestResolvePathThroughSymlink(t *testing.T) {
	t.Parallel()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "real", idA+".jsonl")
	writeFile(t, path, "{}\n")
	if err := os.Symlink("real", filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	linked := filepath.Join(dir, "link", idA+".jsonl")
	for name, known := range map[string]string{path: linked, linked: path} { // either may be how the root is written
		got, err := session.Resolve([]session.Session{{ID: idA, Path: known}}, name)
		if err != nil || got.ID != idA {
			t.Errorf("Resolve(%q) among %q = %v, %v", name, known, got.ID, err)
		}
	}
}

// C3: a name given by us is never one that is taken.
func TestUniqueName(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("é", 200)
	var rows []session.Session
	for _, title := range []string{"one", "ONE (2)", "two", long} {
		rows = append(rows, session.Session{ID: title, Title: title, TitleSource: session.TitleCustom})
	}
	rows = append(rows, session.Session{ID: "p", Title: "three", TitleSource: session.TitleLast})
	for name, want := range map[string]string{
		"one": "one (3)", "Two": "Two (2)", "three": "three", "four": "four", long + "x": strings.Repeat("é", 196) + " (2)",
	} {
		got := session.UniqueName(rows, name)
		if got != want || utf8.RuneCountInString(got) > 200 {
			t.Errorf("UniqueName(%.10q) = %.10q (%d characters), want %.10q", name, got, utf8.RuneCountInString(got), want)
		}
	}
	if got := session.SameName(rows, "one", "one"); len(got) != 0 {
		t.Errorf("a session has the same name as itself: %v", got)
	}
}

package rules_test

import (
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// pkg is what `go list` tells of one package.
type pkg struct {
	ImportPath string
	Imports    []string
}

// arrows lists, for each top-level folder, the folders of ours that it and what
// lies below it may import (DESIGN, "Packages and arrows").
var arrows = map[string][]string{
	"transcript": {},
	"worktree":   {},
	"config":     {},
	"session":    {"transcript", "worktree", "config"},
	"ui":         {"session", "transcript", "worktree", "config"},
	"cmd":        {"ui", "session", "transcript", "worktree", "config"},
}

// screen holds the modules that only ui, and cmd through it, may import.
var screen = []string{"github.com/rivo/tview", "github.com/gdamore/tcell"}

func TestArrows(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, p := range packages(t) {
		top := topFolder(p.ImportPath)
		allowed, known := arrows[top]
		if !known {
			t.Errorf("%s lies in a folder that the design does not have", p.ImportPath)
			continue
		}
		seen[top] = true
		for _, imported := range p.Imports {
			if to := topFolder(imported); to != "" && to != top && !slices.Contains(allowed, to) {
				t.Errorf("%s imports %s: %s may import only %v", p.ImportPath, imported, top, allowed)
			}
			if drawsItself(imported) && top != "ui" && top != "cmd" {
				t.Errorf("%s imports %s: only ui draws", p.ImportPath, imported)
			}
		}
	}
	for top := range arrows {
		if !seen[top] {
			t.Errorf("no package in %s: the table of arrows is out of date", top)
		}
	}
}

// drawsItself reports whether the import is a screen library.
func drawsItself(path string) bool {
	return slices.ContainsFunc(screen, func(lib string) bool { return strings.HasPrefix(path, lib) })
}

// topFolder returns the top-level folder of a package of ours, "" for others.
func topFolder(path string) string {
	rest, ours := strings.CutPrefix(path, "coppice/")
	if !ours {
		return ""
	}
	top, _, _ := strings.Cut(rest, "/")
	return top
}

func packages(t *testing.T) []pkg {
	t.Helper()
	out, err := exec.Command("go", "list", "-json=ImportPath,Imports", "coppice/...").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	var all []pkg
	for dec := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p pkg
		err := dec.Decode(&p)
		if errors.Is(err, io.EOF) {
			return all
		}
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, p)
	}
}

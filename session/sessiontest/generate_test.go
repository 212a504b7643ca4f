package sessiontest_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"coppice/session"
	"coppice/session/sessiontest"
	"coppice/worktree"
)

// A generated store has what was asked for, and reads as what it is.
func TestGenerate(t *testing.T) {
	t.Parallel()
	spec := sessiontest.Spec{Sessions: 210, Bytes: 20e6, Repositories: 2, Branches: 30, Worktrees: 2, Seed: 7}
	out, err := sessiontest.Generate(t.Context(), t.TempDir(), spec)
	if err != nil {
		t.Fatal(err)
	}
	if float64(out.Bytes) < 0.7*20e6 || float64(out.Bytes) > 1.5*20e6 {
		t.Errorf("%d bytes", out.Bytes)
	}
	git := worktree.Git{Program: "git", Env: append(worktree.CleanEnv(os.Environ()), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1")}
	rows, repos, err := session.NewStore(session.Options{Root: out.Root, Git: git}).Load(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var copies, forks, damaged, hidden, named int
	for _, r := range rows {
		copies += len(r.Copies) - 1
		if r.Parent != "" {
			forks++
		}
		if r.Summary.DamageCount > 0 {
			damaged++
		}
		if r.Hidden != "" {
			hidden++
		}
		if r.TitleSource == session.TitleCustom {
			named++
		}
		if r.Place.CommonDir == "" && r.Hidden == "" {
			t.Errorf("%s: %+v", r.ID, r.Place)
		}
	}
	if len(rows) != 210 || copies != out.Transcripts-210 || copies == 0 || forks == 0 || damaged == 0 || hidden == 0 || named == 0 {
		t.Errorf("%d rows, %d copies, %d forks, %d damaged, %d hidden, %d named", len(rows), copies, forks, damaged, hidden, named)
	}
	if len(repos) != 2 {
		t.Fatalf("%d repositories", len(repos))
	}
	for _, main := range out.Main {
		r, err := git.Open(t.Context(), main)
		if err != nil {
			t.Fatal(err)
		}
		if len(r.Branches) != 1+30+2 || len(r.Worktrees) != 3 || r.Problem != "" {
			t.Errorf("%d branches, %d worktrees, %q", len(r.Branches), len(r.Worktrees), r.Problem)
		}
	}
}

// Every line is JSON but for the damage, and the same seed makes the same bytes.
func TestGenerateIsSound(t *testing.T) {
	t.Parallel()
	spec := sessiontest.Spec{Sessions: 30, Bytes: 9e6, Seed: 3}
	var all [2]map[string][]byte
	for i := range all {
		out, err := sessiontest.Generate(t.Context(), t.TempDir(), spec)
		if err != nil {
			t.Fatal(err)
		}
		all[i] = map[string][]byte{}
		paths, err := filepath.Glob(filepath.Join(out.Root, "projects", "*", "*.jsonl"))
		if err != nil || len(paths) != 30 {
			t.Fatalf("%d files, %v", len(paths), err)
		}
		for _, path := range paths {
			if all[i][filepath.Base(path)], err = os.ReadFile(path); err != nil {
				t.Fatal(err)
			}
		}
	}
	for name, text := range all[0] {
		if !bytes.Equal(text, all[1][name]) {
			t.Errorf("%s differs", name)
		}
		for line := range bytes.Lines(text) {
			if !json.Valid(line) {
				t.Errorf("%s: not JSON: %.100s", name, line)
			}
		}
	}
}

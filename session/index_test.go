package session

import (
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"testing"
	"time"

	"coppice/worktree"
)

const (
	idA = "0000000a-1111-4222-8333-000000000001"
	idB = "0000000b-1111-4222-8333-000000000002"
)

func TestTranscriptID(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		ok   bool
	}{
		{idA + ".jsonl", true},
		{"ABCDEF0A-1111-4222-8333-00000000000F.jsonl", true},
		{"00000000-0000-0000-0000-000000000000.jsonl", true},
		{"agent-ad6cc651.jsonl", false},
		{"history.jsonl", false},
		{"sessions-index.json", false},
		{idA, false},
		{idA + ".json", false},
		{idA + ".JSONL", false},
		{idA + ".jsonl.orphaned-1", false},
		{idA + " (conflicted copy).jsonl", false},
		{idA + ".sync-conflict-20260301-090000-ABCDEFG.jsonl", false},
		{"{" + idA + "}.jsonl", false},
		{"0000000a111142228333000000000001.jsonl", false},
		{"0000000g-1111-4222-8333-000000000001.jsonl", false},
		{".jsonl", false},
	}
	for _, tt := range tests {
		if _, ok := transcriptID(tt.name); ok != tt.ok {
			t.Errorf("%s: %t, want %t", tt.name, ok, tt.ok)
		}
	}
}

// What has a transcript's name but is none must neither hang nor be listed, and
// a folder with two names counts once.
func TestListAll(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	projects := filepath.Join(root, "projects")
	folder := filepath.Join(projects, "-w-app")
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	write := func(path string) {
		t.Helper()
		must(os.MkdirAll(filepath.Dir(path), 0o755))
		must(os.WriteFile(path, []byte("{}\n"), 0o600))
	}
	write(filepath.Join(folder, idA+".jsonl"))
	write(filepath.Join(folder, idA, "subagents", "agent-1.jsonl"))
	write(filepath.Join(folder, idA, "subagents", idB+".jsonl"))
	write(filepath.Join(folder, "agent-1.jsonl"))
	write(filepath.Join(folder, "sessions-index.json"))
	must(os.Mkdir(filepath.Join(folder, idB), 0o755)) // F5 a ghost: side directory only
	must(os.Mkdir(filepath.Join(folder, "0000000c-1111-4222-8333-000000000003.jsonl"), 0o755))
	must(syscall.Mkfifo(filepath.Join(folder, "0000000d-1111-4222-8333-000000000004.jsonl"), 0o600))
	must(os.Symlink("nowhere", filepath.Join(folder, "0000000e-1111-4222-8333-000000000005.jsonl")))
	must(os.Symlink("/dev/zero", filepath.Join(folder, "0000000f-1111-4222-8333-000000000006.jsonl")))
	elsewhere := filepath.Join(root, "elsewhere", "t")
	write(elsewhere)
	must(os.Symlink(elsewhere, filepath.Join(folder, "00000010-1111-4222-8333-000000000007.jsonl")))
	must(os.Symlink(folder, filepath.Join(projects, "-a-link"))) // sorts before the real name
	must(os.Symlink(folder, filepath.Join(projects, "-z-link")))
	must(os.Symlink(filepath.Join(root, "far"), filepath.Join(projects, "-w-far")))
	write(filepath.Join(root, "far", idB+".jsonl"))
	write(filepath.Join(projects, idB+".jsonl"))

	var before, got []string
	l := listAll(projects, func(dir string) { before = append(before, filepath.Base(dir)) })
	for _, f := range l.files {
		rel, _ := filepath.Rel(projects, f.path)
		got = append(got, rel)
		if f.side != (filepath.Base(f.path) == idA+".jsonl") {
			t.Errorf("%s: side %t", rel, f.side)
		}
	}
	slices.Sort(got)
	want := []string{
		"-w-app/" + idA + ".jsonl",
		"-w-app/00000010-1111-4222-8333-000000000007.jsonl",
		"-w-far/" + idB + ".jsonl",
	}
	slices.Sort(want)
	if !slices.Equal(got, want) || len(l.problems) != 0 || l.err != nil {
		t.Errorf("files %q, problems %v, %v\nwant %q", got, l.problems, l.err, want)
	}
	if want := []string{"-w-app", "-w-far"}; !slices.Equal(before, want) {
		t.Errorf("folders %q, want %q", before, want)
	}
	if l := listAll(filepath.Join(root, "none"), func(string) {}); len(l.files) != 0 || l.err != nil {
		t.Errorf("missing root: %+v", l)
	}
	if l := listAll(elsewhere, func(string) {}); l.err == nil {
		t.Error("a file in place of projects/ is no error")
	}
}

func TestInUse(t *testing.T) {
	t.Parallel()
	at := func(h int) time.Time { return time.Date(2026, 3, 1, h, 0, 0, 0, time.UTC) }
	copies := []Copy{
		{Path: "/c/projects/-w-other/x.jsonl", Dir: "/w/other", Updated: at(5)},
		{Path: "/c/projects/-w-app--claude-worktrees-a/x.jsonl", Dir: "/w/app/.claude/worktrees/a", Updated: at(2)},
		{Path: "/c/projects/-w-app/x.jsonl", Dir: "/w/app", Updated: at(1)},
		{Path: "/c/projects/-gone/x.jsonl", Dir: "/gone", Updated: at(4)},
	}
	commons := []string{"/w/other/.git", "/w/app/.git", "/w/app/.git", "/w/app/.git"}
	app := worktree.Place{Dir: "/w/app", Resolved: "/w/app", CommonDir: "/w/app/.git"}
	tests := []struct {
		name  string
		start worktree.Place
		trees []string
		want  int
	}{
		{"nowhere: the newest", worktree.Place{}, nil, 0},
		{"another project: the newest", worktree.Place{Dir: "/x", Resolved: "/x"}, nil, 0},
		{"the folder of the current directory", app, nil, 2},
		{"B19 records lie in the repository", worktree.Place{Dir: "/w/app/b", Resolved: "/w/app/b", CommonDir: "/w/app/.git"}, nil, 3},
		{"folder named after a worktree", worktree.Place{Dir: "/w/y", Resolved: "/w/y", CommonDir: "/w/y/.git"}, []string{"/w/app"}, 2},
	}
	for _, tt := range tests {
		x := index{start: tt.start}
		if got := inUse(copies, x.home(), tt.start, tt.trees, func(i int) string { return commons[i] }); got != tt.want {
			t.Errorf("%s: %d, want %d", tt.name, got, tt.want)
		}
	}
	x := index{start: app, folder: "-gone"}
	if got := inUse(copies, x.home(), app, nil, func(i int) string { return commons[i] }); got != 3 {
		t.Errorf("one folder for all: %d", got)
	}
}

// Of equal copies the one whose folder is named after its directory is used,
// whatever comes first.
func TestInUseEqual(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)
	named := Copy{Path: "/c/projects/-w-app/x.jsonl", Dir: "/w/app", Updated: at}
	for _, stray := range []string{"-a-backup", "-z-backup"} {
		other := Copy{Path: "/c/projects/" + stray + "/x.jsonl", Dir: "/w/app", Updated: at}
		for i, copies := range [][]Copy{{named, other}, {other, named}} {
			if got := inUse(copies, "", worktree.Place{}, nil, func(int) string { return "" }); got != i {
				t.Errorf("%s: copy %d of %+v", stray, got, copies)
			}
		}
	}
}

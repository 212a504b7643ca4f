package session_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"coppice/session"
	"coppice/session/sessiontest"
	"coppice/worktree"
)

// write puts a short session of dir into the folder named after dir.
func write(t *testing.T, root sessiontest.Root, n int, dir string, more ...func(*sessiontest.Talk) string) string {
	t.Helper()
	k := talk(n, dir)
	rows := short(k, "p")
	for _, row := range more {
		rows = append(rows, row(k))
	}
	return root.Write(t, dir, k.ID, rows...)
}

// bound is the record of a worktree that a session is bound to.
func bound(path, from string) func(*sessiontest.Talk) string {
	return func(k *sessiontest.Talk) string { return k.Bound(path, filepath.Base(path), from) }
}

// B9 two repositories share a folder; each file belongs to the one it names.
func TestPlaceCollidingFolders(t *testing.T) {
	t.Parallel()
	root, src := sessiontest.New(t), t.TempDir()
	a := repository(t, filepath.Join(src, "data-api-proxy"))
	b := repository(t, filepath.Join(src, "data", "api-proxy"))
	if session.Encode(a) != session.Encode(b) {
		t.Fatal("no collision")
	}
	write(t, root, 1, a)
	write(t, root, 2, b)
	rows := load(t, options(root))
	for n, dir := range map[int]string{1: a, 2: b} {
		row := rows[sessiontest.ID(n)]
		if row.Dir != dir || row.Project != dir || row.Place.State != worktree.Present {
			t.Errorf("session %d: dir %q project %q %+v, want %q", n, row.Dir, row.Project, row.Place, dir)
		}
	}
}

// B10 a path of more than 200 characters.
func TestPlaceLongPath(t *testing.T) {
	t.Parallel()
	root := sessiontest.New(t)
	dir := repository(t, filepath.Join(t.TempDir(), strings.Repeat("long/", 50), "app"))
	path := write(t, root, 1, dir)
	other := filepath.Join(root.Projects(), session.Encode(dir)[:201]+"0ldhash", sessiontest.ID(2)+".jsonl")
	k := talk(2, "/somewhere")
	rows := append([]string{k.Mode(), k.User("from elsewhere")}, short(talk(2, dir), "p")...)
	root.WriteFile(t, strings.TrimPrefix(other, string(root)), strings.Join(rows, "\n")+"\n")
	got := load(t, options(root))
	if len(filepath.Base(filepath.Dir(path))) < 202 {
		t.Fatal("not long enough")
	}
	for n := 1; n <= 2; n++ {
		if row := got[sessiontest.ID(n)]; row.Dir != dir {
			t.Errorf("session %d: dir %q", n, row.Dir)
		}
	}
}

// B18 every way for a worktree to be gone; its sessions stay with the repository.
func TestPlaceVanishedWorktrees(t *testing.T) {
	t.Parallel()
	root, src := sessiontest.New(t), t.TempDir()
	app := repository(t, filepath.Join(src, "app"))
	src = filepath.Dir(app)
	inside := filepath.Join(app, ".claude", "worktrees", "inside")
	outside, registered := filepath.Join(src, "trees", "outside"), filepath.Join(src, "trees", "registered")
	for _, dir := range []string{inside, outside, registered} {
		git(t, app, "worktree", "add", "-q", dir)
	}
	ghost := filepath.Join(app, ".claude", "worktrees", "ghost")
	git(t, app, "worktree", "add", "-q", ghost)
	sub := filepath.Join(app, "sub", "gone")
	write(t, root, 1, inside)
	write(t, root, 2, outside, bound(outside, app))
	write(t, root, 3, filepath.Join(outside, "sub")) // known only from session 2
	write(t, root, 4, registered)
	write(t, root, 5, ghost)
	write(t, root, 6, sub)
	write(t, root, 7, filepath.Join(src, "nobody", "knows"))
	write(t, root, 8, app)
	for _, dir := range []string{inside, outside, ghost} {
		git(t, app, "worktree", "remove", dir)
	}
	remove(t, registered)
	plain := filepath.Join(src, "trees", "plain")
	write(t, root, 9, plain, bound(plain, app))
	for _, dir := range []string{ghost, plain} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	rows := load(t, options(root))
	tests := []struct {
		n       int
		project string
		state   worktree.State
		exists  bool
	}{
		{1, app, worktree.Gone, false},
		{2, app, worktree.Gone, false},
		{3, app, worktree.Gone, false},
		{4, app, worktree.Missing, false},
		{5, app, worktree.Ghost, true},
		{6, app, worktree.Present, false},
		{7, filepath.Join(src, "nobody", "knows"), worktree.Gone, false},
		{8, app, worktree.Present, true},
		{9, app, worktree.Ghost, true},
	}
	for _, tt := range tests {
		row := rows[sessiontest.ID(tt.n)]
		if row.Project != tt.project || row.Place.State != tt.state || row.Place.Exists != tt.exists {
			t.Errorf("session %d: project %q, %+v, want %q %s %t", tt.n, row.Project, row.Place, tt.project, tt.state, tt.exists)
		}
	}
}

// B19, B27: a file counts where its records say, whatever folder it was put in:
// one that went into a worktree and came back, one that ran in another project's
// worktree.
func TestPlaceForeignFolder(t *testing.T) {
	t.Parallel()
	root := sessiontest.New(t)
	app := repository(t, filepath.Join(t.TempDir(), "app"))
	other := repository(t, filepath.Join(t.TempDir(), "other"))
	tree := filepath.Join(app, ".claude", "worktrees", "x")
	git(t, app, "worktree", "add", "-q", tree)
	back, astray := talk(1, tree), talk(2, tree)
	root.Write(t, tree, back.ID, append(short(back, "p"), back.Relocated(app))...)
	root.Write(t, other, astray.ID, short(astray, "p")...)
	rows := load(t, options(root))
	for id, dir := range map[string]string{back.ID: app, astray.ID: tree} {
		if row := rows[id]; row.Dir != dir || row.Project != app || row.Place.Root != dir {
			t.Errorf("%s: dir %q, project %q, root %q, want %q in %q", id, row.Dir, row.Project, row.Place.Root, dir, app)
		}
	}
}

// B19, C14: one session in two folders: one row, and the copy that a person who
// stands here would get.
func TestPlaceCopies(t *testing.T) {
	t.Parallel()
	root := sessiontest.New(t)
	app := repository(t, filepath.Join(t.TempDir(), "app"))
	other := repository(t, filepath.Join(t.TempDir(), "other"))
	tree := filepath.Join(app, ".claude", "worktrees", "x")
	git(t, app, "worktree", "add", "-q", tree)
	k := talk(1, tree)
	inTree := root.Write(t, tree, k.ID, short(k, "in the tree")...)
	k = talk(1, app)
	inMain := root.Write(t, app, k.ID, short(k, "in main")...)
	k = talk(1, other)
	k.At = sessiontest.Base().Add(1)
	inOther := root.Write(t, other, k.ID, append(short(k, "elsewhere"), k.User("newest"))...)
	sub := filepath.Join(app, "sub")
	if err := os.MkdirAll(sub, 0o755); err != nil {
		t.Fatal(err)
	}
	for start, want := range map[string]string{"": inOther, tree: inTree, app: inMain, other: inOther, t.TempDir(): inOther} {
		opt := options(root)
		opt.Start = start
		rows := load(t, opt)
		row := rows[sessiontest.ID(1)]
		if len(rows) != 1 || row.Path != want || len(row.Copies) != 3 || row.Copies[0].Path != want {
			t.Errorf("from %q: %d rows, %q with %+v, want %q", start, len(rows), row.Path, row.Copies, want)
		}
	}
	opt := options(root)
	opt.Start = sub
	if row := load(t, opt)[sessiontest.ID(1)]; row.Path == inOther {
		t.Errorf("from a subdirectory: %q", row.Path)
	}
}

// B21 sessions of sibling worktrees are of one project and apart by root.
func TestPlaceSiblings(t *testing.T) {
	t.Parallel()
	root := sessiontest.New(t)
	app := repository(t, filepath.Join(t.TempDir(), "app"))
	tree := filepath.Join(filepath.Dir(app), "app-feature")
	git(t, app, "worktree", "add", "-q", tree)
	write(t, root, 1, app)
	write(t, root, 2, tree)
	rows := load(t, options(root))
	a, b := rows[sessiontest.ID(1)], rows[sessiontest.ID(2)]
	if a.Project != app || b.Project != app || a.Place.Root != app || b.Place.Root != tree {
		t.Errorf("projects %q %q, roots %q %q", a.Project, b.Project, a.Place.Root, b.Place.Root)
	}
}

// B14, B22: a directory that is gone, or no repository any more, keeps its rows.
func TestPlaceNoRepository(t *testing.T) {
	t.Parallel()
	root := sessiontest.New(t)
	app := repository(t, filepath.Join(t.TempDir(), "app"))
	write(t, root, 1, app)
	moved := filepath.Join(filepath.Dir(app), "old-name")
	write(t, root, 2, moved)
	remove(t, filepath.Join(app, ".git"))
	rows := load(t, options(root))
	if row := rows[sessiontest.ID(1)]; row.Project != app || row.Place.State != worktree.Plain {
		t.Errorf("%q %+v", row.Project, row.Place)
	}
	if row := rows[sessiontest.ID(2)]; row.Project != moved || row.Place.State != worktree.Gone || row.Dir != moved {
		t.Errorf("%q %+v", row.Project, row.Place)
	}
}

// B16 the directory is that of the folder; first and newest are both kept.
func TestPlaceFirstAndLast(t *testing.T) {
	t.Parallel()
	root := sessiontest.New(t)
	first, named, last := talk(1, "/w/first"), talk(1, "/w/named"), talk(1, "/w/named/sub")
	root.Write(t, "/w/named", first.ID, first.User("a"), named.User("b"), last.User("c"), last.Assistant("d"))
	row := load(t, options(root))[first.ID]
	if row.Dir != "/w/named" || row.Summary.Dir != "/w/named/sub" || row.Summary.Dirs[0] != "/w/first" {
		t.Errorf("dir %q, newest %q, all %q", row.Dir, row.Summary.Dir, row.Summary.Dirs)
	}
}

// Repositories come from sessions, the start directory and the roots.
func TestRepositoriesFound(t *testing.T) {
	t.Parallel()
	root, src := sessiontest.New(t), t.TempDir()
	session1 := repository(t, filepath.Join(src, "a", "of-session"))
	start := repository(t, filepath.Join(src, "b", "start"))
	rooted := repository(t, filepath.Join(src, "c", "deep", "rooted"))
	repository(t, filepath.Join(src, "c", "not-this"))
	write(t, root, 1, filepath.Join(session1, "gone"))
	opt := options(root)
	opt.Start = start
	opt.Roots = []string{filepath.Dir(filepath.Dir(rooted))}
	opt.Exclude = []string{filepath.Join(filepath.Dir(filepath.Dir(rooted)), "not-this")}
	_, repos, err := session.NewStore(opt).Load(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]bool{}
	for _, r := range repos {
		got[r.Main] = true
	}
	if len(repos) != 3 || !got[session1] || !got[start] || !got[rooted] {
		t.Errorf("repositories %v", got)
	}
}

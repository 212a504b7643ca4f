package worktree_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"coppice/worktree"
	"coppice/worktree/worktreetest"
)

// place is what a case expects of Locate, paths relative to the test's
// directory; "" stays "".
type place struct {
	dir    string
	common string
	root   string
	state  worktree.State
	gone   bool // the directory does not exist
}

func checkPlaces(t *testing.T, top string, cases map[string]place) {
	t.Helper()
	abs := func(path string) string {
		if path == "" {
			return ""
		}
		return filepath.Join(top, path)
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			got := worktree.Locate(abs(c.dir))
			want := worktree.Place{
				Dir: abs(c.dir), Resolved: abs(c.dir), Exists: !c.gone,
				CommonDir: abs(c.common), Root: abs(c.root), State: c.state,
			}
			if got != want {
				t.Errorf("got  %+v\nwant %+v", got, want)
			}
		})
	}
}

func TestLocate(t *testing.T) {
	t.Parallel()
	top := worktreetest.Dir(t)
	app := worktreetest.New(t, sub(top, "app"))
	app.Write("src/deep/a.txt", "a")
	app.Worktree("../feat", "feat")
	app.Worktree(".claude/worktrees/here", "here")
	app.Worktree(".claude/worktrees/lost", "lost")
	app.Worktree("../away", "away")
	app.Worktree("../again", "again")
	worktreetest.RemoveAll(t, app.Path(".claude/worktrees/lost"))
	worktreetest.RemoveAll(t, sub(top, "away"))
	worktreetest.RemoveAll(t, sub(top, "again"))
	worktreetest.MkdirAll(t, sub(top, "again"))
	worktreetest.MkdirAll(t, app.Path(".claude/worktrees/ghost/src"))
	worktreetest.MkdirAll(t, app.Path("odd/.git"))
	worktreetest.MkdirAll(t, sub(top, "plain/x"))
	app.Git("init", "-q", "--bare", sub(top, "store/lib.git"))
	proj := worktreetest.BareLayout(t, sub(top, "proj"))
	proj.Worktree("feat", "feat")
	proj.Worktree("lost", "lost")
	proj.Worktree("plain", "plain")
	worktreetest.RemoveAll(t, proj.Path("lost"))
	worktreetest.RemoveAll(t, proj.Path("plain"))
	worktreetest.MkdirAll(t, proj.Path("plain/src"))
	worktreetest.MkdirAll(t, proj.Path("notes"))

	const g = "app/.git"
	checkPlaces(t, top, map[string]place{
		"main checkout":                          {dir: "app", common: g, root: "app", state: worktree.Present},
		"below the main checkout":                {dir: "app/src/deep", common: g, root: "app", state: worktree.Present},
		"B16 deleted subdirectory":               {dir: "app/src/none/x", common: g, root: "app", state: worktree.Present, gone: true},
		"a .git that is no repository":           {dir: "app/odd", common: g, root: "app", state: worktree.Present},
		"linked worktree":                        {dir: "feat", common: g, root: "feat", state: worktree.Present},
		"worktree in the main checkout":          {dir: "app/.claude/worktrees/here", common: g, root: "app/.claude/worktrees/here", state: worktree.Present},
		"E15 ghost":                              {dir: "app/.claude/worktrees/ghost", common: g, root: "app/.claude/worktrees/ghost", state: worktree.Ghost},
		"E15 below a ghost":                      {dir: "app/.claude/worktrees/ghost/src", common: g, root: "app/.claude/worktrees/ghost", state: worktree.Ghost},
		"the holder itself":                      {dir: "app/.claude/worktrees", common: g, root: "app", state: worktree.Present},
		"B18 registered and missing":             {dir: "app/.claude/worktrees/lost/src", common: g, root: "app/.claude/worktrees/lost", state: worktree.Missing, gone: true},
		"B18 neither registered nor there":       {dir: "app/.claude/worktrees/none", common: g, root: "app/.claude/worktrees/none", state: worktree.Gone, gone: true},
		"missing beside the repository":          {dir: "away", state: worktree.Gone, gone: true},
		"B18 plain again, beside the repository": {dir: "again", state: worktree.Plain},
		"B22 outside any repository":             {dir: "plain/x", state: worktree.Plain},
		"missing outside any repository":         {dir: "plain/none", state: worktree.Gone, gone: true},
		"bare repository":                        {dir: "store/lib.git", common: "store/lib.git", state: worktree.Bare},
		"inside a bare repository":               {dir: "store/lib.git/refs", common: "store/lib.git", state: worktree.Bare},
		"inside .git":                            {dir: "app/.git/objects", common: g, state: worktree.Bare},
		"inside an entry of the register":        {dir: "app/.git/worktrees/feat", common: g, state: worktree.Bare},
		"E11 root of a .bare layout":             {dir: "proj", common: "proj/.bare", state: worktree.Bare},
		"E11 .bare itself":                       {dir: "proj/.bare", common: "proj/.bare", state: worktree.Bare},
		"E11 plain directory in the root":        {dir: "proj/notes", common: "proj/.bare", state: worktree.Bare},
		"E11 worktree":                           {dir: "proj/feat", common: "proj/.bare", root: "proj/feat", state: worktree.Present},
		"E11 missing worktree":                   {dir: "proj/lost/src", common: "proj/.bare", root: "proj/lost", state: worktree.Missing, gone: true},
		"E11 plain again":                        {dir: "proj/plain/src", common: "proj/.bare", root: "proj/plain", state: worktree.Prunable},
		"E11 removed worktree":                   {dir: "proj/old", common: "proj/.bare", state: worktree.Gone, gone: true},
	})
}

// TestLocateAgreesWithGit asks git the same question for every directory in
// which it gives an answer.
func TestLocateAgreesWithGit(t *testing.T) {
	t.Parallel()
	top := worktreetest.Dir(t)
	app := worktreetest.New(t, sub(top, "app"))
	app.Worktree("../feat", "feat").Write("x/y/z", "")
	app.Worktree("in/side", "inside")
	lib := worktreetest.New(t, sub(top, "lib"))
	app.Git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", lib.Dir, "deps/lib")
	app.Git("init", "-q", "--separate-git-dir", sub(top, "kept"), sub(top, "apart"))
	for _, dir := range []string{"app", "app/deps", "app/deps/lib", "app/in", "app/in/side", "feat", "feat/x/y", "apart"} {
		t.Run(dir, func(t *testing.T) {
			at := worktreetest.At(t, sub(top, dir))
			root := at.Git("rev-parse", "--show-toplevel")
			common := at.Git("rev-parse", "--path-format=absolute", "--git-common-dir")
			got := worktree.Locate(at.Dir)
			if got.Root != root || got.CommonDir != common || got.State != worktree.Present {
				t.Errorf("got %+v, git says root %s, common %s", got, root, common)
			}
		})
	}
}

func TestLocateMoved(t *testing.T) {
	t.Parallel()
	top := worktreetest.Dir(t)
	old := worktreetest.New(t, sub(top, "old"))
	old.Worktree("../beside", "beside")
	old.Worktree(".claude/worktrees/inside", "inside")
	other := worktreetest.New(t, sub(top, "other"))
	other.Worktree("../before", "renamed")
	other.Worktree("../kept", "kept")
	other.Worktree("../pruned", "pruned")
	worktreetest.Rename(t, sub(top, "old"), sub(top, "new"))
	worktreetest.Rename(t, sub(top, "before"), sub(top, "after"))
	worktreetest.RemoveAll(t, other.Path(".git/worktrees/pruned"))
	if err := os.CopyFS(sub(top, "copy"), os.DirFS(sub(top, "kept"))); err != nil {
		t.Fatal(err)
	}
	checkPlaces(t, top, map[string]place{
		"E17 repository moved, worktree beside": {dir: "beside", root: "beside", state: worktree.Moved},
		"E17 moved together":                    {dir: "new/.claude/worktrees/inside", common: "new/.git", root: "new/.claude/worktrees/inside", state: worktree.Moved},
		"E24 worktree renamed":                  {dir: "after", common: "other/.git", root: "after", state: worktree.Moved},
		"copy of a worktree":                    {dir: "copy", common: "other/.git", root: "copy", state: worktree.Moved},
		"the copied one":                        {dir: "kept", common: "other/.git", root: "kept", state: worktree.Present},
		"entry gone":                            {dir: "pruned", common: "other/.git", root: "pruned", state: worktree.Moved},
	})
}

func TestLocateHostile(t *testing.T) {
	t.Parallel()
	top := worktreetest.Dir(t)
	link := func(target, path string) {
		worktreetest.MkdirAll(t, filepath.Dir(path))
		if err := os.Symlink(target, path); err != nil {
			t.Fatal(err)
		}
	}
	write := func(path, text string) { worktreetest.WriteFile(t, sub(top, path), text) }

	fifo(t, sub(top, "fifo/.git"))
	write("huge/.git", "")
	if err := os.Truncate(sub(top, "huge/.git"), 1<<30); err != nil {
		t.Fatal(err)
	}
	write("empty/.git", "")
	write("noise/.git", "gitdir: \x00\x1b[31m\n")
	write("self/.git", "gitdir: .git\n")
	write("cycle-a/.git", "gitdir: ../cycle-b/.git\n")
	write("cycle-b/.git", "gitdir: ../cycle-a/.git\n")
	link(".git", sub(top, "looped/.git"))
	link("../ring-b", sub(top, "ring-a"))
	write("fifos/.git/HEAD", "ref: refs/heads/main\n")
	fifo(t, sub(top, "fifos/.git/commondir"))
	fifo(t, sub(top, "fifos/.git/config"))
	worktreetest.MkdirAll(t, sub(top, "fifos/.git/objects"))
	worktreetest.MkdirAll(t, sub(top, "fifos/.git/refs"))
	write("a-file", "")
	long := strings.Repeat("n", 300)

	checkPlaces(t, top, map[string]place{
		"FIFO for .git":           {dir: "fifo", state: worktree.Plain},
		"1 GB .git file":          {dir: "huge", root: "huge", state: worktree.Unknown},
		"empty .git file":         {dir: "empty", root: "empty", state: worktree.Unknown},
		".git file with NUL":      {dir: "noise", root: "noise", state: worktree.Moved},
		".git file to itself":     {dir: "self", root: "self", state: worktree.Moved},
		".git files in a circle":  {dir: "cycle-a", root: "cycle-a", state: worktree.Moved},
		".git symlink to itself":  {dir: "looped", state: worktree.Plain},
		"FIFOs in .git":           {dir: "fifos", common: "fifos/.git", root: "fifos", state: worktree.Present},
		"a file on the way":       {dir: "a-file/x", state: worktree.Gone, gone: true},
		"a file":                  {dir: "a-file", state: worktree.Gone, gone: true},
		"name too long":           {dir: long, state: worktree.Gone, gone: true},
		"path with line feed":     {dir: "no\nsuch\x1b[2J", state: worktree.Gone, gone: true},
		"symlink that dangles":    {dir: "ring-a", state: worktree.Gone, gone: true},
		"10,000 directories deep": {dir: strings.TrimSuffix(strings.Repeat("d/", 10_000), "/"), state: worktree.Gone, gone: true},
	})
	t.Run("B24 path of another system", func(t *testing.T) {
		for _, dir := range []string{`C:\Users\x`, "", "relative/x", `\\wsl.localhost\d`} {
			if got := worktree.Locate(dir); got.State != worktree.Unknown || got.Exists || got.CommonDir != "" {
				t.Errorf("%q: %+v", dir, got)
			}
		}
	})
}

func TestLocateSymlinks(t *testing.T) {
	t.Parallel()
	top := worktreetest.Dir(t)
	app := worktreetest.New(t, sub(top, "app"))
	app.Write("src/a", "")
	if err := os.Symlink("app", sub(top, "short")); err != nil {
		t.Fatal(err)
	}
	for dir, resolved := range map[string]string{
		"short/src":                       "app/src",
		"short/none":                      "app/none",
		"short/.claude/worktrees/removed": "app/.claude/worktrees/removed",
	} {
		got := worktree.Locate(sub(top, dir))
		if got.Resolved != sub(top, resolved) || got.CommonDir != app.Path(".git") {
			t.Errorf("%s: %+v", dir, got)
		}
	}
}

func TestLocateNoPermission(t *testing.T) {
	t.Parallel()
	if os.Geteuid() == 0 {
		t.Skip("root may look everywhere")
	}
	top := worktreetest.Dir(t)
	worktreetest.New(t, sub(top, "shut/app"))
	if err := os.Chmod(sub(top, "shut"), 0); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.Chmod(sub(top, "shut"), 0o755) })
	if got := worktree.Locate(sub(top, "shut/app")); got.State != worktree.Unknown || got.Exists {
		t.Errorf("%+v", got)
	}
	closed := worktreetest.New(t, sub(top, "closed"))
	if err := os.Chmod(closed.Path(".git"), 0); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.Chmod(closed.Path(".git"), 0o755) })
	if got := worktree.Locate(closed.Dir); got.State != worktree.Unknown || !got.Exists {
		t.Errorf("%+v", got)
	}
}

// TestSamePath: report B11, a composed and a decomposed name are one directory
// when the file system or the spelling says so.
func TestSamePath(t *testing.T) {
	t.Parallel()
	top := worktreetest.Dir(t)
	worktreetest.MkdirAll(t, sub(top, "a"))
	worktreetest.MkdirAll(t, sub(top, "b"))
	if err := os.Symlink("a", sub(top, "to-a")); err != nil {
		t.Fatal(err)
	}
	const nfc, nfd = "caf\u00e9", "cafe\u0301"
	cases := []struct {
		a, b string
		want bool
	}{
		{"a", "a/", true},
		{"a", "to-a", true},
		{"a", "b", false},
		{nfc, nfd, true},
		{nfc + "/x", nfd + "/y", false},
		{"a", "none", false},
	}
	for _, c := range cases {
		if got := worktree.SamePath(top+"/"+c.a, top+"/"+c.b); got != c.want {
			t.Errorf("SamePath(%q, %q) = %v", c.a, c.b, got)
		}
	}
	worktreetest.MkdirAll(t, sub(top, nfc))
	worktreetest.MkdirAll(t, sub(top, nfd))
	a, _ := os.Stat(sub(top, nfc))
	b, _ := os.Stat(sub(top, nfd))
	if got, want := worktree.SamePath(sub(top, nfc), sub(top, nfd)), os.SameFile(a, b); got != want {
		t.Errorf("both spellings exist: SamePath = %v, want %v", got, want)
	}
}

package main

import (
	"bytes"
	"encoding/xml"
	"errors"
	"flag"
	"fmt"
	"image/color"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"coppice/transcript/transcripttest"
	"coppice/ui/screentest"
	"coppice/worktree/worktreetest"
)

var update = flag.Bool("update", false, "draw the pictures of the documentation anew")

// pictureHome is the home directory that the pictures show.
const pictureHome = "/home/sam"

// picture is the real screen of the program over the store of pictureWorld.
type picture struct {
	name          string
	width, height int
	light         bool
	pose          func(*screentest.Process)
}

func pictures() []picture {
	few := func(p *screentest.Process) {
		p.WaitText("1 needs you")
		p.WaitText("6 worktrees")
		p.Press("A", "Home")
		p.WaitText("Plan the team retreat")
		chosen(p, "Keep map tiles")
	}
	all := func(p *screentest.Process) {
		few(p)
		for _, late := range []string{"go test ./tiles", "±3 !", "✓ ●", "↑1 ✓", "missing"} {
			p.WaitText(late)
		}
	}
	return []picture{
		{"dashboard", 120, 32, false, all},
		{"narrow", 60, 20, false, few},
		{"light", 120, 32, true, all},
		{"search", 120, 32, false, func(p *screentest.Process) {
			all(p)
			p.Press("/")
			p.Type("rout")
			p.WaitText("4 of 8")
			p.WaitText("eight landmarks")
		}},
		{"plan", 120, 32, false, func(p *screentest.Process) {
			all(p)
			for range 5 {
				p.Press("Down")
			}
			chosen(p, "Replace the old router")
			p.Press("Enter")
			p.WaitText("Before it starts")
			p.WaitGone("looking at")
		}},
	}
}

// TestPictures checks that the pictures are there and shown by the documentation.
// With -update it draws them.
func TestPictures(t *testing.T) {
	t.Parallel()
	const dir = "../../docs/pictures"
	if *update {
		drawPictures(t, dir)
	}
	var documents []byte
	for _, pattern := range []string{"../../*.md", "../../docs/*.md"} {
		names, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			documents = append(documents, text...)
		}
	}
	known := map[string]bool{}
	for _, p := range pictures() {
		known[p.name+".svg"] = true
		text, err := os.ReadFile(filepath.Join(dir, p.name+".svg"))
		if err != nil {
			t.Error(err)
			continue
		}
		if words := wordsOf(t, text); !strings.Contains(words, "coppice") || strings.Contains(words, os.TempDir()) {
			t.Errorf("%s.svg shows something else, or a path of the machine that drew it: %s", p.name, words)
		}
		if !bytes.Contains(documents, []byte("pictures/"+p.name+".svg")) {
			t.Errorf("no document shows pictures/%s.svg", p.name)
		}
	}
	files, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if !known[f.Name()] {
			t.Errorf("nobody draws %s", f.Name())
		}
	}
}

// wordsOf returns the text in a picture.
func wordsOf(t *testing.T, svg []byte) string {
	t.Helper()
	var words strings.Builder
	for dec := xml.NewDecoder(bytes.NewReader(svg)); ; {
		token, err := dec.Token()
		if errors.Is(err, io.EOF) {
			return words.String()
		}
		if err != nil {
			t.Fatal(err)
		}
		if data, ok := token.(xml.CharData); ok {
			words.Write(data)
		}
	}
}

// drawPictures draws all pictures into a directory.
func drawPictures(t *testing.T, dir string) {
	t.Helper()
	worktreetest.MkdirAll(t, dir)
	w := pictureWorld(t)
	for _, pic := range pictures() {
		theme, fg, bg := "dark", color.RGBA{0xda, 0xda, 0xda, 0xff}, color.RGBA{0x12, 0x12, 0x12, 0xff}
		if pic.light {
			theme, fg, bg = "light", color.RGBA{0x1c, 0x1c, 0x1c, 0xff}, color.RGBA{0xff, 0xff, 0xff, 0xff}
		}
		w.configure("[ui]\ntheme = \"" + theme + "\"\n")
		p := w.open(pic.width, pic.height, w.src("atlas"))
		pic.pose(p)
		snap := p.Snapshot()
		rename(snap, w.home, pictureHome)
		var out bytes.Buffer
		if err := snap.SVG(&out, fg, bg); err != nil {
			t.Fatal(err)
		}
		worktreetest.WriteFile(t, filepath.Join(dir, pic.name+".svg"), out.String())
		leaves(t, p, "Ctrl-C", "Ctrl-C")
	}
}

// rename replaces a text by one of the same length wherever a row shows it.
func rename(s *screentest.Snapshot, from, to string) {
	for y, row := range s.Cells {
		for x := range row {
			if x+len(from) <= len(row) && textOf(row[x:x+len(from)]) == from {
				for i, r := range to {
					s.Cells[y][x+i].Text = string(r)
				}
			}
		}
	}
}

func textOf(cells []screentest.Cell) string {
	var out strings.Builder
	for _, c := range cells {
		out.WriteString(c.Text)
	}
	return out.String()
}

// pictureWorld is a small store as a person may have it. Its home has a name as
// long as pictureHome, which stands for it in the pictures.
func pictureWorld(t *testing.T) *world {
	t.Helper()
	base := os.TempDir()
	room := len(pictureHome) - len(base) - 1
	if room < 2 {
		t.Fatalf("set TMPDIR to a path as short as /tmp to draw the pictures")
	}
	home := ""
	for i := 0; home == ""; i++ {
		name := filepath.Join(base, fmt.Sprintf("%0*d", room, i))
		if err := os.Mkdir(name, 0o700); err == nil {
			home = name
		} else if !errors.Is(err, os.ErrExist) {
			t.Fatal(err)
		}
	}
	t.Cleanup(func() {
		if err := os.RemoveAll(home); err != nil {
			t.Error(err)
		}
	})
	w := worldAt(t, buildPrograms(t, t.TempDir()), home)
	for _, name := range []string{"CLAUDECODE", "CLAUDE_CODE_SESSION_ID", "GIT_DIR"} {
		delete(w.env, name)
	}
	if err := os.Rename(filepath.Join(w.bin, "fakeagent"), filepath.Join(w.bin, "claude")); err != nil {
		t.Fatal(err)
	}
	w.env["PATH"] = w.bin + string(filepath.ListSeparator) + w.env["PATH"]
	atlas := w.pictureRepos()
	w.pictureAtlas(atlas)
	w.pictureRest()
	return w
}

// pictureRepos makes three repositories, one with worktrees in several states.
func (w *world) pictureRepos() worktreetest.Repo {
	atlas := w.repo("atlas")
	origin := w.path("origin", "atlas.git")
	worktreetest.Init(w.t, origin, "--bare")
	atlas.Git("remote", "add", "origin", origin)
	atlas.Git("push", "-q", "-u", "origin", "main")
	atlas.Commit("ROADMAP", "routes first\n")
	tiles := atlas.Worktree(w.path("trees", "tiles"), "tiles")
	for _, name := range []string{"cache.go", "cache_test.go", "evict.go"} {
		tiles.Write(name, "package tiles\n")
	}
	atlas.Worktree(w.path("trees", "offline"), "offline-mode")
	old := atlas.Worktree(w.path("trees", "router"), "old-router")
	worktreetest.RemoveAll(w.t, old.Dir)
	atlas.Git("branch", "release-2")
	w.repo("ledger")
	w.repo("infra")
	worktreetest.MkdirAll(w.t, w.path("notes"))
	return atlas
}

// pictureAtlas writes the sessions of the first repository.
func (w *world) pictureAtlas(atlas worktreetest.Repo) {
	text, bash := transcripttest.Text, transcripttest.Bash
	b := w.pictured("3f2a1c58-7d0e-4b6a-9c41-5e8f20d7a913", w.path("trees", "tiles"), "tiles", 26*time.Minute)
	b.User("Map tiles are fetched again on every start. Keep them on disk, newest 500 MB.").
		Assistant(text("I will add a cache beside the fetcher and bound it by size.")).
		Assistant(bash("t1", "grep -rn fetchTile ./tiles")).Result("t1", "tiles/fetch.go:41: func fetchTile(…)\ntiles/fetch.go:88: …").
		Assistant(text("`fetchTile` is the one place to change. The cache is written; now the tests:")).
		Title("Keep map tiles on disk").PR(212, "https://git.example/sam/atlas/pull/212", "sam/atlas")
	b.Time = time.Now().Add(-2 * time.Minute)
	w.save(b.Assistant(bash("t2", "go test ./tiles/...")))
	w.alive(b.SessionID, "waiting", "permission", 2*time.Minute)

	main := w.pictured("81b07e2d-50c3-4f19-8a77-0b6d94e1c352", atlas.Dir, "main", 41*time.Minute)
	for i := range 14 {
		main.User(fmt.Sprintf("Profile %d of the route planner.", i+1)).Assistant(text("Measured."))
	}
	w.save(main.User("Which part of the route planner is slow?").
		Assistant(text("The roundabout lookup: 61 % of the time. It walks every edge.")).Title("Speed up the route planner"))

	fork := w.pictured("c04d5569-1e8b-4a02-b5d4-7793fae2108c", atlas.Dir, "main", 55*time.Minute)
	fork.ForkedFrom = main.SessionID
	w.save(fork.User("Try landmarks instead.").Assistant(text("A* with eight landmarks is 4 × faster.")).Title("Routes with landmarks"))

	off := w.pictured("5d90aa71-c6f2-4d38-9e05-a1b47c83d6f0", w.path("trees", "offline"), "offline-mode", 3*time.Hour+time.Minute)
	w.save(off.User("Let the field app work without a network.").Assistant(text("The queue is in place.")).
		AITitle("Offline mode for the field app").PR(187, "https://git.example/sam/atlas/pull/187", "sam/atlas"))
	w.alive(off.SessionID, "busy", "", 40*time.Second)

	old := w.pictured("19e6f3b4-8a25-47ce-a3f9-62d0581e9b7c", w.path("trees", "router"), "old-router", 50*time.Hour)
	w.save(old.User("Replace the old router by the new one.").
		Worktree(atlas.Dir, w.path("trees", "router"), "router", "old-router").
		Assistant(text("The old router is gone; two call sites are left.")).Title("Replace the old router"))
	hidden := w.pictured("77aa01c9-2b4e-4c80-bd16-f3e59a7d2840", atlas.Dir, "main", 70*time.Hour)
	hidden.Entrypoint = "sdk-cli"
	w.save(hidden.User("List the licences.").Assistant(text("MIT.")))
}

// pictured is talk with an id as the client makes them.
func (w *world) pictured(id, dir, branch string, age time.Duration) *transcripttest.Builder {
	b := w.talk(0, dir, branch, age)
	b.SessionID = id
	return b
}

// pictureRest writes the other sessions.
func (w *world) pictureRest() {
	text := transcripttest.Text
	b := w.pictured("a61d20f7-93b8-4e5c-8f02-4dc71b06e9a5", w.src("ledger"), "main", 26*time.Hour)
	w.save(b.User("Round amounts to the cent, everywhere.").Assistant(text("Four places did not.")).
		Title("Round amounts to the cent").Line(`{"type":"user","message":{"role":"us`))
	w.save(w.pictured("e83f0716-4ad9-4b27-9c6e-d85012fb7a43", w.src("infra"), "main", 98*time.Hour).User("Move the nightly backup to the new bucket.").
		Assistant(text("Moved; the old one is read-only now.")).Title("Move the nightly backup"))
	w.save(w.pictured("2b7c948e-f10a-4963-b7d5-3e92c60f81da", w.path("notes"), "", 147*time.Hour).User("Plan the team retreat in May.").
		Assistant(text("Three places fit the budget.")).Title("Plan the team retreat"))
}

// alive makes a session live: a process that lasts as long as the test stands for
// its agent.
func (w *world) alive(id, status, waitingFor string, since time.Duration) {
	w.t.Helper()
	cmd := exec.Command("sleep", "600")
	if err := cmd.Start(); err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	w.register(cmd.Process.Pid, id, status, waitingFor, since)
}

package move_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"coppice/session/move"
	"coppice/session/move/carry"
	"coppice/session/move/carry/carrytest"
	"coppice/transcript/transcripttest"
)

const id = "5e551055-0000-4000-8000-000000000001"

func TestMain(m *testing.M) {
	carrytest.Main(m, map[string]func(string) error{"shuttle": shuttle, "once": once})
}

// world is a config root with one session in the folder of the directory /w/a.
type world struct {
	root, a, b string // the root and the two project folders
	text       string // the transcript
}

func newWorld(t testing.TB, root string) world {
	t.Helper()
	w := world{root: root, a: filepath.Join(root, "projects", "-w-a"), b: filepath.Join(root, "projects", "-w-b")}
	b := transcripttest.New(id)
	b.Dir = "/w/a"
	b.Head().User("a word: hazel").Assistant(transcripttest.Bash("toolu_1", "seq 1 100000"))
	b.Result("toolu_1", "<persisted-output> "+filepath.Join(w.a, id, "tool-results", "r1.txt")+" </persisted-output>")
	b.Assistant(transcripttest.Text("done")).LastPrompt("a word: hazel").Title("hazel")
	w.text = string(b.Bytes())
	carrytest.Write(t, filepath.Join(w.a, id+".jsonl"), w.text)
	carrytest.Write(t, filepath.Join(w.a, id, "tool-results", "r1.txt"), transcripttest.Filler(40_000))
	carrytest.Write(t, filepath.Join(w.a, id, "subagents", "agent-1.jsonl"), "{}\n")
	carrytest.Write(t, filepath.Join(w.a, id, "custom-title.json"), `{"customTitle":"hazel"}`)
	return w
}

func (w world) request() move.Request {
	return move.Request{
		ID: id, Source: filepath.Join(w.a, id+".jsonl"), Folder: w.b, Dir: "/w/b",
		Now: time.Date(2026, 3, 4, 10, 0, 0, 0, time.UTC),
	}
}

const (
	relocated = `{"type":"relocated","relocatedCwd":"/w/b","sessionId":"` + id + `"}` + "\n"
	unbound   = `{"type":"worktree-state","worktreeSession":null,"sessionId":"` + id + `"}` + "\n"
)

func TestMove(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name   string
		unbind bool
		cut    int // bytes that the source lacks at its end
		added  string
	}{
		{"whole", false, 0, relocated},
		{"bound to a worktree", true, 0, relocated + unbound + unbound},
		{"without the last line feed", false, 1, "\n" + relocated},
		{"with a torn line", false, 9, "\n" + relocated},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, t.TempDir())
			text := w.text[:len(w.text)-tt.cut]
			carrytest.Write(t, filepath.Join(w.a, id+".jsonl"), text)
			written := time.Now().Add(-50 * time.Hour).Truncate(time.Second)
			if err := os.Chtimes(filepath.Join(w.a, id+".jsonl"), written, written); err != nil {
				t.Fatal(err)
			}
			side := carrytest.Tree(t, filepath.Join(w.a, id))
			req := w.request()
			req.Unbind = tt.unbind
			got, err := move.Move(t.Context(), req)
			if err != nil {
				t.Fatal(err)
			}
			if got.Path != filepath.Join(w.b, id+".jsonl") || got.Files != 3 {
				t.Errorf("%+v", got)
			}
			want := map[string]string{id + ".jsonl": text + tt.added, id + "/": ""}
			for name, content := range side {
				want[id+"/"+name] = content
			}
			if diff := cmp.Diff(want, carrytest.Tree(t, w.b)); diff != "" {
				t.Error(diff)
			}
			if diff := cmp.Diff(map[string]string{}, carrytest.Tree(t, w.a)); diff != "" {
				t.Error(diff)
			}
			info, err := os.Stat(got.Path)
			if err != nil || !info.ModTime().Equal(written) {
				t.Errorf("the mtime is %v, was %v: %v", info.ModTime(), written, err)
			}
			if len(got.Notes) != 1 || !strings.Contains(got.Notes[0], filepath.Join(w.b, id, "tool-results")) {
				t.Errorf("the notes are %q", got.Notes)
			}
		})
	}
}

// F5: retention counts from the mtime, and a moved transcript must not be the next
// that it takes.
func TestMoveOfOldTranscript(t *testing.T) {
	t.Parallel()
	w := newWorld(t, t.TempDir())
	old := time.Now().Add(-29 * 24 * time.Hour)
	if err := os.Chtimes(filepath.Join(w.a, id+".jsonl"), old, old); err != nil {
		t.Fatal(err)
	}
	got, err := move.Move(t.Context(), w.request())
	if err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(got.Path); err != nil || time.Since(info.ModTime()) > time.Hour {
		t.Errorf("%v, %v", info, err)
	}
}

func TestMoveRefuses(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name    string
		prepare func(t *testing.T, w world, req *move.Request)
		want    error
	}{
		{"another transcript there", func(t *testing.T, w world, _ *move.Request) {
			carrytest.Write(t, filepath.Join(w.b, id+".jsonl"), "{}\n")
		}, move.ErrExists},
		{"the session there, gone on", func(t *testing.T, w world, _ *move.Request) {
			carrytest.Write(t, filepath.Join(w.b, id+".jsonl"), w.text+relocated+"{}\n")
		}, move.ErrExists},
		{"a directory there", func(t *testing.T, w world, _ *move.Request) {
			carrytest.Write(t, filepath.Join(w.b, id+".jsonl", "x"), "")
		}, move.ErrExists},
		{"a link there", func(t *testing.T, w world, req *move.Request) {
			carrytest.Write(t, filepath.Join(w.b, "x"), "")
			if err := os.Symlink(req.Source, filepath.Join(w.b, id+".jsonl")); err != nil {
				t.Fatal(err)
			}
		}, move.ErrExists},
		{"another side file there", func(t *testing.T, w world, _ *move.Request) {
			carrytest.Write(t, filepath.Join(w.b, id, "tool-results", "r1.txt"), "other")
		}, carry.ErrConflict},
		{"live", func(_ *testing.T, _ world, req *move.Request) { req.Live = func() bool { return true } }, move.ErrLive},
		{"live in the last moment", func(_ *testing.T, _ world, req *move.Request) {
			asked := 0
			req.Live = func() bool { asked++; return asked > 1 }
		}, move.ErrLive},
		{"written to in the last moment", func(t *testing.T, _ world, req *move.Request) {
			asked := 0
			req.Live = func() bool {
				if asked++; asked > 1 {
					appendTo(t, req.Source, "{\"type\":\"late\"}\n")
				}
				return false
			}
		}, carry.ErrChanged},
		{"a source that is a link", func(t *testing.T, w world, req *move.Request) {
			link := filepath.Join(w.root, id+".jsonl")
			if err := os.Symlink(req.Source, link); err != nil {
				t.Fatal(err)
			}
			req.Source = link
		}, carry.ErrNotRegular},
		{"no source", func(_ *testing.T, w world, req *move.Request) { req.Source = filepath.Join(w.root, "none.jsonl") }, fs.ErrNotExist},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, t.TempDir())
			req := w.request()
			tt.prepare(t, w, &req)
			before, there := carrytest.Tree(t, w.a), carrytest.Tree(t, w.b)
			got, err := move.Move(t.Context(), req)
			if !errors.Is(err, tt.want) {
				t.Errorf("the error is %v", err)
			}
			if errors.Is(tt.want, carry.ErrChanged) {
				before[id+".jsonl"] += "{\"type\":\"late\"}\n"
			}
			if diff := cmp.Diff(before, carrytest.Tree(t, w.a)); diff != "" {
				t.Error(diff)
			}
			if diff := cmp.Diff(there, carrytest.Tree(t, w.b)); diff != "" {
				t.Error(diff)
			}
			if got.Path != "" {
				t.Errorf("%+v", got)
			}
		})
	}
}

func appendTo(t testing.TB, path, text string) {
	t.Helper()
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteString(text); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
}

// What a killed Move left is finished by the next, and what it made from less
// than the source holds by now is made anew.
func TestMoveGoesOn(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name  string
		leave func(t *testing.T, w world)
	}{
		{"killed before the removal", func(t *testing.T, w world) {
			carrytest.Write(t, filepath.Join(w.b, id+".jsonl"), w.text+relocated)
		}},
		{"with side files", func(t *testing.T, w world) {
			carrytest.Write(t, filepath.Join(w.b, id+".jsonl"), w.text+relocated)
			carrytest.Write(t, filepath.Join(w.b, id, "subagents", "agent-1.jsonl"), "{}\n")
		}},
		{"and the session went on", func(t *testing.T, w world) {
			at := strings.LastIndex(strings.TrimSpace(w.text), "\n") + 1
			carrytest.Write(t, filepath.Join(w.b, id+".jsonl"), w.text[:at]+relocated)
		}},
		{"killed behind the removal", func(t *testing.T, w world) {
			carrytest.Write(t, filepath.Join(w.b, id+".jsonl"), w.text+relocated)
			if err := os.Remove(filepath.Join(w.a, id+".jsonl")); err != nil {
				t.Fatal(err)
			}
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, t.TempDir())
			want := map[string]string{id + ".jsonl": w.text + relocated, id + "/": ""}
			for name, content := range carrytest.Tree(t, filepath.Join(w.a, id)) {
				want[id+"/"+name] = content
			}
			tt.leave(t, w)
			if _, err := move.Move(t.Context(), w.request()); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, carrytest.Tree(t, w.b)); diff != "" {
				t.Error(diff)
			}
			if diff := cmp.Diff(map[string]string{}, carrytest.Tree(t, w.a)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// Observed H: many directories share one folder. There is nothing to move then,
// and asked twice it is said once.
func TestMoveWithinTheFolder(t *testing.T) {
	t.Parallel()
	w := newWorld(t, t.TempDir())
	req := w.request()
	req.Folder = w.a
	for range 2 {
		got, err := move.Move(t.Context(), req)
		if err != nil || got.Path != req.Source {
			t.Errorf("%+v, %v", got, err)
		}
	}
	if diff := cmp.Diff(w.text+relocated, carrytest.Tree(t, w.a)[id+".jsonl"]); diff != "" {
		t.Error(diff)
	}
}

// A link or a pipe among the side files is not followed: the link moves as it is,
// the pipe stays and is named.
func TestMoveOfHostileSideFiles(t *testing.T) {
	t.Parallel()
	w := newWorld(t, t.TempDir())
	dir := filepath.Join(w.a, id, "tool-results")
	carrytest.Write(t, filepath.Join(w.root, "secret"), "not yours")
	carrytest.Write(t, filepath.Join(dir, "two\nlines"), "N")
	err := errors.Join(os.Symlink(filepath.Join(w.root, "secret"), filepath.Join(dir, "link")), syscall.Mkfifo(filepath.Join(dir, "pipe"), 0o600))
	if err != nil {
		t.Fatal(err)
	}
	got, err := move.Move(t.Context(), w.request())
	if err != nil {
		t.Fatal(err)
	}
	there := carrytest.Tree(t, filepath.Join(w.b, id, "tool-results"))
	if there["link"] != "-> "+filepath.Join(w.root, "secret") || there["two\nlines"] != "N" || there["pipe"] != "" {
		t.Errorf("%v", there)
	}
	if diff := cmp.Diff(map[string]string{id + "/": "", id + "/tool-results/": "", id + "/tool-results/pipe": "p---------"}, carrytest.Tree(t, w.a)); diff != "" {
		t.Error(diff)
	}
	if !strings.Contains(fmt.Sprint(got.Notes), `"tool-results/pipe" is no file`) {
		t.Errorf("the notes are %q", got.Notes)
	}
	if data, err := os.ReadFile(filepath.Join(w.root, "secret")); string(data) != "not yours" {
		t.Errorf("%q, %v", data, err)
	}
}

func TestStalePaths(t *testing.T) {
	t.Parallel()
	filler := strings.Repeat("x", 1<<20-200)
	for _, tt := range []struct {
		text string
		want int
	}{
		{"nothing", 0},
		{"/w/projects/-w-a/" + id + "/tool-results/x", 1},
		{"/w/projects/-w-a/" + id + ".jsonl", 1},
		{"/w/projects/-w-a/" + id + ".jsonl /p/" + id + "/tool-results/x", 2},
		{"TARGET/" + id + "/tool-results/x", 0},
		{filler + "/w/projects/-w-a/" + id + "/tool-results/x", 1},
		{filler + "TARGET/" + id + "/tool-results/x", 0},
	} {
		w := newWorld(t, t.TempDir())
		b := transcripttest.New(id).User("see " + strings.ReplaceAll(tt.text, "TARGET", w.b))
		carrytest.Write(t, filepath.Join(w.a, id+".jsonl"), string(b.Bytes()))
		got, err := move.Move(t.Context(), w.request())
		if err != nil || len(got.Notes) != tt.want {
			t.Errorf("%.80s: %q, %v", tt.text, got.Notes, err)
		}
	}
}

// Across file systems everything is copied.
func TestMoveToAnotherDevice(t *testing.T) {
	t.Parallel()
	w := newWorld(t, t.TempDir())
	want := map[string]string{id + ".jsonl": w.text + relocated, id + "/": ""}
	for name, content := range carrytest.Tree(t, filepath.Join(w.a, id)) {
		want[id+"/"+name] = content
	}
	req := w.request()
	req.Folder = filepath.Join(carrytest.OtherDevice(t), "projects", "-w-b")
	if _, err := move.Move(t.Context(), req); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, carrytest.Tree(t, req.Folder)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(map[string]string{}, carrytest.Tree(t, w.a)); diff != "" {
		t.Error(diff)
	}
}

// An original that another program takes in the last moment leaves the copy, which
// may be the only one.
func TestMoveWhileTheOriginalGoes(t *testing.T) {
	t.Parallel()
	w := newWorld(t, t.TempDir())
	req, asked := w.request(), 0
	req.Live = func() bool {
		if asked++; asked == 2 {
			if err := os.Remove(req.Source); err != nil {
				t.Error(err)
			}
		}
		return false
	}
	if _, err := move.Move(t.Context(), req); err == nil || !strings.Contains(err.Error(), w.b) {
		t.Errorf("the error is %v", err)
	}
	data, err := os.ReadFile(filepath.Join(w.b, id+".jsonl"))
	if err != nil || string(data) != w.text+relocated {
		t.Errorf("the copy is %q, %v", data, err)
	}
}

package fork_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"coppice/session/fork"
	"coppice/session/move/carry"
	"coppice/session/move/carry/carrytest"
	"coppice/transcript/transcripttest"
)

// C7: side files are copied, and the paths to them in the rows are the fork's.
func TestSideFiles(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	w := at(filepath.Join(root, `päth "of" 😀`))
	result := filepath.Join(w.side, "tool-results", "r1.txt")
	b := transcripttest.New(source).User("see " + result).Assistant(transcripttest.Thinking("in " + result))
	b.Assistant(transcripttest.Bash("toolu_1", "cat "+result)).Result("toolu_1", "<persisted-output> saved to: "+result+"\npreview")
	spelled := strings.NewReplacer("/", `\/`, "ä", `\u00e4`, "😀", `\ud83D\uDE00`).Replace(strings.Trim(transcripttest.Quote(result), `"`))
	b.UserContent(`"`+spelled+`"`, `,"toolUseResult":{"persistedOutputPath":`+transcripttest.Quote(result)+`,"persistedOutputSize":9}`)
	b.Record("content-replacement", `"replacements":[{"replacement":`+transcripttest.Quote(result)+`}]`)
	b.User("keep " + w.side + "/other/x and " + w.path + " and /elsewhere/" + source + "/tool-results/x")
	carrytest.Write(t, w.path, text(b))
	carrytest.Write(t, result, "whole output")
	carrytest.Write(t, filepath.Join(w.side, "subagents", "workflows", "1", "agent-7.jsonl"), "{}\n")
	carrytest.Write(t, filepath.Join(w.side, "custom-title.json"), `{"customTitle":"another's"}`)
	carrytest.Write(t, filepath.Join(w.side, "archived.json"), `{}`)
	carrytest.Write(t, filepath.Join(w.root, "file-history", source, "0123456789abcdef@v1"), "old text")
	res, got := w.fork(t)

	side := filepath.Join(w.req.Folder, forked)
	want := map[string]string{
		"tool-results/": "", "tool-results/r1.txt": "whole output",
		"subagents/": "", "subagents/workflows/": "", "subagents/workflows/1/": "", "subagents/workflows/1/agent-7.jsonl": "{}\n",
	}
	if diff := cmp.Diff(want, carrytest.Tree(t, side)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(map[string]string{"0123456789abcdef@v1": "old text"}, carrytest.Tree(t, filepath.Join(w.root, "file-history", forked))); diff != "" {
		t.Error(diff)
	}
	ours := filepath.Join(side, "tool-results", "r1.txt")
	for i, want := range []string{ours, result, result, ours, ours, ours, ""} {
		line := fmt.Sprint(got[i])
		if want != "" && (!strings.Contains(line, want) || want == ours && strings.Contains(line, result)) {
			t.Errorf("line %d: %s", i, line)
		}
	}
	if got := got[4]["toolUseResult"].(map[string]any)["persistedOutputPath"]; got != ours {
		t.Errorf("the path is %v", got)
	}
	if got := fmt.Sprint(got[6]); !strings.Contains(got, w.side+"/other/x and "+w.path+" and /elsewhere/"+source+"/tool-results/x") {
		t.Errorf("another path was changed: %s", got)
	}
	if !strings.Contains(fmt.Sprint(res.Notes), "2 stored results") {
		t.Errorf("%q", res.Notes)
	}
}

// A.5: the summary of a compaction names the transcript, which is the fork's.
func TestSummaryNamesTheFork(t *testing.T) {
	t.Parallel()
	w := at(t.TempDir())
	b := transcripttest.New(source).User("x").Assistant(transcripttest.Text("y")).Compact("what was before is in " + w.path)
	carrytest.Write(t, w.path, text(b.Assistant(transcripttest.Text("z"))))
	res, got := w.fork(t)
	for _, m := range got {
		if m["isCompactSummary"] == true {
			if s := fmt.Sprint(m["message"]); !strings.Contains(s, res.Path) || strings.Contains(s, w.path) {
				t.Error(s)
			}
			return
		}
	}
	t.Error("no summary")
}

// A.6, D: a moved session names its results by the old place. Where the file is
// there, its fork names it by the new one; where it is not, nothing is made up.
func TestStalePathsOfAMovedSource(t *testing.T) {
	t.Parallel()
	const old = "/gone/projects/-old/" + source + "/tool-results/"
	w := at(t.TempDir())
	b := transcripttest.New(source).User("x").Assistant(transcripttest.Bash("toolu_1", "ls"))
	for _, name := range []string{"there.txt", "lost.txt"} {
		b.UserContent(`[{"type":"tool_result","tool_use_id":"toolu_1","content":"`+old+name+`"}]`, `,"toolUseResult":{"persistedOutputPath":"`+old+name+`"}`)
	}
	carrytest.Write(t, w.path, text(b))
	carrytest.Write(t, filepath.Join(w.side, "tool-results", "there.txt"), "x")
	res, got := w.fork(t)
	ours := filepath.Join(w.req.Folder, forked, "tool-results", "there.txt")
	if !strings.Contains(fmt.Sprint(res.Notes), "1 large results are not kept") {
		t.Errorf("the notes are %q", res.Notes)
	}
	if s := fmt.Sprint(got[2]); strings.Contains(s, old) || strings.Count(s, ours) != 2 {
		t.Error(s)
	}
	if s := fmt.Sprint(got[3]); strings.Count(s, old+"lost.txt") != 2 {
		t.Error(s)
	}
}

// A path through a symbolic link to the config root is the same file.
func TestPathsThroughALink(t *testing.T) {
	t.Parallel()
	base := t.TempDir()
	if err := os.Symlink("real", filepath.Join(base, "link")); err != nil {
		t.Fatal(err)
	}
	for _, names := range [][2]string{{"link", "real"}, {"real", "link"}} {
		written, used := at(filepath.Join(base, names[0])), at(filepath.Join(base, names[1]))
		used.req.ID = uuid.NewString()
		result := filepath.Join(written.side, "tool-results", "x")
		carrytest.Write(t, filepath.Join(base, "real", "projects", "-home-sam-app", source+".jsonl"),
			text(transcripttest.New(source).UserContent(`"a"`, `,"toolUseResult":{"persistedOutputPath":"`+result+`"}`)))
		carrytest.Write(t, filepath.Join(base, "real", "projects", "-home-sam-app", source, "tool-results", "x"), "x")
		_, got := used.fork(t)
		if s := fmt.Sprint(got[0]["toolUseResult"]); !strings.Contains(s, filepath.Join(used.req.Folder, used.req.ID)) {
			t.Errorf("%s: %s", names, s)
		}
	}
}

// Nothing in a side directory leads out of it.
func TestHostileSideFiles(t *testing.T) {
	t.Parallel()
	w := newWorld(t, t.TempDir(), text(transcripttest.New(source).User("x").Assistant(transcripttest.Text("y"))))
	results := filepath.Join(w.side, "tool-results")
	carrytest.Write(t, filepath.Join(results, "two\nlines.txt"), "N")
	carrytest.Write(t, filepath.Join(w.root, "secret", "key"), "not yours")
	err := errors.Join(
		os.Symlink(filepath.Join(w.root, "secret"), filepath.Join(w.side, "subagents")),
		os.Symlink("../../../../secret/key", filepath.Join(results, "link")),
		syscall.Mkfifo(filepath.Join(results, "pipe"), 0o600),
		os.MkdirAll(filepath.Join(w.root, "file-history"), 0o700),
		os.Symlink(filepath.Join(w.root, "secret"), filepath.Join(w.root, "file-history", source)),
	)
	if err != nil {
		t.Fatal(err)
	}
	res, _ := w.fork(t)
	if diff := cmp.Diff(map[string]string{"tool-results/": "", "tool-results/two\nlines.txt": "N"}, carrytest.Tree(t, filepath.Join(w.req.Folder, forked))); diff != "" {
		t.Error(diff)
	}
	notes := fmt.Sprint(res.Notes)
	for _, name := range []string{`"subagents"`, `"tool-results/link"`, `"tool-results/pipe"`} {
		if !strings.Contains(notes, name+" in ") {
			t.Errorf("no note about %s: %s", name, notes)
		}
	}
	if _, err := os.Lstat(filepath.Join(w.root, "file-history", forked)); err == nil {
		t.Error("a link to a file history was followed")
	}
	w = at(t.TempDir())
	carrytest.Write(t, filepath.Join(w.root, "real"), text(transcripttest.New(source).User("x")))
	carrytest.Write(t, filepath.Join(filepath.Dir(w.path), "x"), "")
	if err := os.Symlink(filepath.Join(w.root, "real"), w.path); err != nil {
		t.Fatal(err)
	}
	if _, err := fork.Fork(t.Context(), w.req); err == nil {
		t.Error("a link in the place of the transcript was followed")
	}
}

// meddler is a context that does something once, as soon as it is time for it.
type meddler struct {
	context.Context
	due  func() bool
	once *sync.Once
	do   func()
}

func (m meddler) Err() error {
	if m.due() {
		m.once.Do(m.do)
	}
	return m.Context.Err()
}

// F9: a source that goes away while its side files are copied has no fork with
// a part of them.
func TestSideFilesVanish(t *testing.T) {
	t.Parallel()
	for name, vanish := range map[string]func(w world) error{
		"the session":     func(w world) error { return errors.Join(os.Remove(w.path), os.RemoveAll(w.side)) },
		"the transcript":  func(w world) error { return os.Remove(w.path) },
		"the side files":  func(w world) error { return os.RemoveAll(w.side) },
		"one of them":     func(w world) error { return os.Remove(filepath.Join(w.side, "tool-results", "r2.txt")) },
		"nothing of note": func(w world) error { return os.Remove(filepath.Join(w.side, "archived.json")) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, t.TempDir(), text(transcripttest.New(source).User("x").Assistant(transcripttest.Text("y"))))
			for _, file := range []string{"archived.json", "tool-results/r1.txt", "tool-results/r2.txt", "tool-results/r3.txt"} {
				carrytest.Write(t, filepath.Join(w.side, file), "x")
			}
			var failed error
			ctx := meddler{Context: t.Context(), once: &sync.Once{}, due: func() bool {
				copied, _ := filepath.Glob(filepath.Join(w.req.Folder, ".coppice-stage-*", "side", "tool-results"))
				return len(copied) > 0
			}, do: func() { failed = vanish(w) }}
			_, err := fork.Fork(ctx, w.req)
			if failed != nil {
				t.Fatal(failed)
			}
			if name == "nothing of note" {
				if err != nil {
					t.Error(err)
				}
				return
			}
			if !errors.Is(err, carry.ErrChanged) {
				t.Errorf("the error is %v", err)
			}
			if rest := carrytest.Tree(t, w.req.Folder); len(rest) > 0 {
				t.Errorf("left behind: %v", rest)
			}
		})
	}
}

// A message that has the id of another one is not in a fork, which says so; one
// that was written twice is.
func TestNoteOfReplacedMessages(t *testing.T) {
	t.Parallel()
	b := transcripttest.New(source).User("one").Assistant(transcripttest.Text("two")).User("three").Assistant(transcripttest.Text("four"))
	lines := strings.SplitAfter(text(b), "\n")
	for want, source := range map[string]string{
		"": text(b) + lines[3],
		"[messages of the source that have the id of another one and were not copied: 1]": strings.Replace(text(b), `"uuid":"`+b.UUID(2), `"uuid":"`+b.UUID(4), 1),
	} {
		res, _ := newWorld(t, t.TempDir(), source).fork(t)
		if got := fmt.Sprint(res.Notes); got != want && (want != "" || len(res.Notes) > 0) {
			t.Errorf("%s, not %s", got, want)
		}
	}
}

package fork_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"coppice/session/fork"
	"coppice/session/move/carry/carrytest"
	"coppice/transcript/ledger"
	"coppice/transcript/transcripttest"
)

const (
	source = "50ce0000-0000-4000-8000-000000000001"
	forked = "f04ced00-0000-4000-8000-000000000002"
)

// world is a config root with one session, to be forked.
type world struct {
	root, path, side string
	req              fork.Request
}

func newWorld(t testing.TB, root, text string) world {
	t.Helper()
	w := at(root)
	carrytest.Write(t, w.path, text)
	return w
}

func at(root string) world {
	folder := filepath.Join(root, "projects", "-home-sam-app")
	w := world{root: root, path: filepath.Join(folder, source+".jsonl"), side: filepath.Join(folder, source)}
	w.req = fork.Request{
		Source: w.path, SourceID: source, ID: forked, Folder: filepath.Join(root, "projects", "-home-sam-tree"),
		Dir: "/home/sam/tree", Branch: "feat", Now: time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC),
	}
	return w
}

func (w world) fork(t testing.TB) (fork.Result, []map[string]any) {
	t.Helper()
	before := carrytest.Tree(t, filepath.Dir(w.path))
	res, err := fork.Fork(t.Context(), w.req)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(before, carrytest.Tree(t, filepath.Dir(w.path))); diff != "" {
		t.Errorf("the source changed: %s", diff)
	}
	return res, lines(t, res.Path)
}

// lines decodes a transcript that has to be without damage.
func lines(t testing.TB, path string) []map[string]any {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var all []map[string]any
	for line := range strings.Lines(string(data)) {
		var m map[string]any
		if err := json.Unmarshal([]byte(line), &m); err != nil || !strings.HasSuffix(line, "}\n") {
			t.Fatalf("line %d %.200q: %v", len(all)+1, line, err)
		}
		all = append(all, m)
	}
	return all
}

// tester is what rapid's T and testing's have in common.
type tester interface {
	Helper()
	Fatal(...any)
}

func read(t tester, path string) *ledger.Ledger {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	l, err := ledger.Read(context.Background(), bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// uuids returns the uuids of a policy's conversation.
func uuids(t testing.TB, path string, p ledger.Policy) []string {
	t.Helper()
	l := read(t, path)
	c, err := l.Chain(p)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, i := range c.Rows {
		all = append(all, l.Text(l.Rows[i].UUID))
	}
	return all
}

func text(b *transcripttest.Builder) string { return string(b.Bytes()) }

func TestForkOfAWholeSession(t *testing.T) {
	t.Parallel()
	b := transcripttest.New(source)
	b.Head().User("a word: alder").Attachment("environment", `"x":"\ud83d \u0041 <&>"`).Request(3000)
	b.Assistant(transcripttest.Thinking("hm")).Assistant(transcripttest.Text("yes"))
	b.Record("queue-operation", `"operation":"enqueue"`).Record("content-replacement", `"replacements":[{"kind":"tool-result"}]`)
	b.Record("tools-used", `"tools":["Bash"]`).Record("cost-state", `"totalCostUSD":1`).Record("some-new-type", `"x":1`)
	b.Title("old name").AgentName("old name").AITitle("first").AITitle("generated").Tag("t").PR(7, "https://example.com/pr/7", "o/r")
	b.Worktree("/home/sam/app", "/home/sam/app/wt", "wt", "worktree-wt").Relocated("/home/sam/other")
	b.Record("agent-color", `"agentColor":"red"`).Record("agent-setting", `"agentSetting":"reviewer"`)
	b.User("the second <&> prompt").Assistant(transcripttest.Text("again")).LastPrompt("a word: alder").Modes("normal", "acceptEdits")
	w := newWorld(t, t.TempDir(), text(b))
	w.req.Name = "alder (2)"
	res, got := w.fork(t)

	var kinds []string
	for _, m := range got {
		kinds = append(kinds, m["type"].(string))
		if id, ok := m["sessionId"]; ok && id != forked {
			t.Errorf("%v has the id %v", m["type"], id)
		}
	}
	want := strings.Fields("file-history-snapshot user attachment assistant assistant content-replacement tools-used ai-title tag pr-link " +
		"agent-color agent-setting user assistant mode permission-mode custom-title agent-name last-prompt")
	if diff := cmp.Diff(want, kinds); diff != "" {
		t.Error(diff)
	}
	last := got[len(got)-1]
	if last["lastPrompt"] != "the second <&> prompt" || last["leafUuid"] != b.Last() {
		t.Errorf("the newest prompt is %v", last)
	}
	if res.ID != forked || res.Messages != 4 || len(res.Findings) != 0 {
		t.Errorf("%+v", res)
	}
	if got := got[len(got)-3]["customTitle"]; got != "alder (2)" {
		t.Errorf("the title is %v", got)
	}
	side, err := os.ReadFile(filepath.Join(w.req.Folder, forked, "custom-title.json"))
	if string(side) != `{"customTitle":"alder (2)","by":"user","at":"2026-03-04T12:00:00.000Z"}` {
		t.Errorf("the sidecar is %s, %v", side, err)
	}
	if info, err := os.Stat(res.Path); err != nil || info.Mode().Perm() != 0o600 || time.Since(info.ModTime()) > time.Minute {
		t.Errorf("%v, %v", info, err)
	}
	if !cmp.Equal(uuids(t, w.path, ledger.Keep), uuids(t, res.Path, ledger.Keep)) {
		t.Error("another conversation")
	}
}

// A16: what is not the fork's to change keeps its bytes.
func TestForkedRowKeepsItsBytes(t *testing.T) {
	t.Parallel()
	const (
		uuid = "aaaaaaaa-0000-4000-8000-000000000001"
		tail = `"forkedFrom":{"sessionId":"` + source + `","messageUuid":"` + uuid + `"}`
	)
	for _, tt := range []struct{ name, row, want string }{
		{
			"as the client writes it",
			`{"parentUuid":null,"type":"user","message":{"role":"user","content":"x"},"uuid":"` + uuid + `","cwd":"/home/sam/app","sessionId":"` + source + `","version":"9","gitBranch":"main","slug":"s"}`,
			`{"parentUuid":null,"type":"user","message":{"role":"user","content":"x"},"uuid":"` + uuid + `","cwd":"/home/sam/tree","sessionId":"` + forked + `","version":"9","gitBranch":"feat",` + tail + `}`,
		},
		{
			"blanks, escapes, broken characters, unknown members",
			`{ "new" : [1, {"sessionId":"` + source + `"}] , "type":"user","message":{"content":"\ud83d\u00e9` + "\xff\xfe" + `\/ \" \\"},"uuid" : "` + uuid + `" , "sessionId" : "` + source + `" }`,
			`{ "new" : [1, {"sessionId":"` + source + `"}] , "type":"user","message":{"content":"\ud83d\u00e9` + "\xff\xfe" + `\/ \" \\"},"uuid" : "` + uuid + `" , "sessionId" : "` + forked + `",` + tail + ` }`,
		},
		{
			"a fork already",
			`{"slug":"s","forkedFrom":{"sessionId":"old","messageUuid":"m"},"type":"user","message":{"content":"x"},"uuid":"` + uuid + `","teamName":null,"isSidechain":false,"timestamp":"2026-03-04T12:00:00.000Z"}`,
			`{"type":"user","message":{"content":"x"},"uuid":"` + uuid + `","teamName":null,"isSidechain":false,"timestamp":"2026-03-04T12:00:00.000Z","sessionId":"` + forked + `",` + tail + `}`,
		},
		{
			"of print mode",
			`{"type":"user","message":{"content":"x"},"uuid":"` + uuid + `","entrypoint":"sdk-cli","sessionId":"` + source + `"}`,
			`{"type":"user","message":{"content":"x"},"uuid":"` + uuid + `","entrypoint":"cli","sessionId":"` + forked + `",` + tail + `}`,
		},
		{
			"of an editor",
			`{"type":"user","message":{"content":"x"},"uuid":"` + uuid + `","entrypoint":"claude-vscode","sessionId":"` + source + `"}`,
			`{"type":"user","message":{"content":"x"},"uuid":"` + uuid + `","entrypoint":"claude-vscode","sessionId":"` + forked + `",` + tail + `}`,
		},
		{
			"a member twice, one with an escape in its name",
			`{"type":"user","message":{"content":"x"},"uuid":"` + uuid + `","sessionId":"a","session\u0049d":"b"}`,
			`{"type":"user","message":{"content":"x"},"uuid":"` + uuid + `","sessionId":"` + forked + `","session\u0049d":"` + forked + `",` + tail + `}`,
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, t.TempDir(), tt.row+"\r\n")
			res, err := fork.Fork(t.Context(), w.req)
			if err != nil {
				t.Fatal(err)
			}
			data, err := os.ReadFile(res.Path)
			if err != nil {
				t.Fatal(err)
			}
			line, _, _ := strings.Cut(string(data), "\n")
			if diff := cmp.Diff(tt.want, line); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// Without a branch the rows name none; without any cwd a record says where the
// fork belongs.
func TestForkSaysWhereItRuns(t *testing.T) {
	t.Parallel()
	w := newWorld(t, t.TempDir(), text(transcripttest.New(source).User("x").Assistant(transcripttest.Text("y"))))
	w.req.Branch = ""
	_, got := w.fork(t)
	for _, m := range got[:2] {
		if _, ok := m["gitBranch"]; ok || m["cwd"] != "/home/sam/tree" {
			t.Errorf("%v", m)
		}
	}
	w = newWorld(t, t.TempDir(), `{"type":"user","uuid":"aaaaaaaa-0000-4000-8000-000000000001","message":{"content":"x"}}`+"\n")
	_, got = w.fork(t)
	if len(got) != 3 || got[1]["type"] != "relocated" || got[1]["relocatedCwd"] != "/home/sam/tree" {
		t.Errorf("%v", got)
	}
}

func TestForkAt(t *testing.T) {
	t.Parallel()
	b := transcripttest.New(source).User("first")
	first := b.Last()
	b.Assistant(transcripttest.Bash("toolu_1", "ls"), transcripttest.Bash("toolu_2", "ls"))
	calls := b.Last()
	b.Result("toolu_1", "a")
	result := b.Last()
	b.Parent(calls).Result("toolu_2", "b").Next().Assistant(transcripttest.Text("both"))
	answer := b.Last()
	b.UserContent(`[{"type":"text","text":"second"},{"type":"image","source":{}}]`, "")
	second := b.Last()
	b.Assistant(transcripttest.Text("yes"))
	b.Command("/review", "it", "printed")
	output := b.Last()
	b.Meta("meta")
	meta := b.Last()
	b.User("[Request interrupted by user]")
	marker := b.Last()
	b.AssistantID("msg_split", transcripttest.Text("one")).User("queued")
	queued := b.Last()
	b.AssistantID("msg_split", transcripttest.Text("two")).Modes("normal", "plan")
	b.Parent(answer).User("a dead branch")
	dead := b.Last()
	b.Assistant(transcripttest.Text("dead"))
	for _, tt := range []struct {
		at, prompt string
		messages   int
		err        error
	}{
		{second, "second", 3, nil},
		{dead, "a dead branch", 3, nil},
		{first, "", 0, fork.ErrFirstPrompt},
		{calls, "", 0, fork.ErrNotAPrompt},
		{result, "", 0, fork.ErrNotAPrompt},
		{answer, "", 0, fork.ErrNotAPrompt},
		{output, "", 0, fork.ErrNotAPrompt},
		{meta, "", 0, fork.ErrNotAPrompt},
		{marker, "", 0, fork.ErrNotAPrompt},
		{queued, "", 0, fork.ErrNotAPrompt},
		{"aaaaaaaa-0000-4000-8000-000000000001", "", 0, fork.ErrNotAPrompt},
	} {
		w := newWorld(t, t.TempDir(), text(b))
		w.req.At = tt.at
		res, err := fork.Fork(t.Context(), w.req)
		if !errors.Is(err, tt.err) || res.Prompt != tt.prompt || res.Messages != tt.messages {
			t.Errorf("at %s: %+v, %v", tt.at, res, err)
		}
		if err != nil {
			if rest := carrytest.Tree(t, w.req.Folder); len(rest) > 0 {
				t.Errorf("left behind: %v", rest)
			}
			continue
		}
		for _, p := range []ledger.Policy{ledger.Keep, ledger.Client} {
			if got := uuids(t, res.Path, p); got[len(got)-1] != answer || got[0] != first || len(got) != 5 {
				t.Errorf("%v finds %v", p, got)
			}
		}
	}
}

func TestForkRefuses(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name    string
		prepare func(t *testing.T, w *world)
		want    error
	}{
		{"its own id", func(_ *testing.T, w *world) { w.req.ID = strings.ToUpper(source) }, fork.ErrExists},
		{"a transcript there", func(t *testing.T, w *world) {
			carrytest.Write(t, filepath.Join(w.req.Folder, forked+".jsonl"), "{}\n")
		}, fork.ErrExists},
		{"a transcript elsewhere", func(t *testing.T, w *world) {
			carrytest.Write(t, filepath.Join(w.root, "projects", "-x", forked+".jsonl"), "")
		}, fork.ErrExists},
		{"a side directory there", func(t *testing.T, w *world) {
			carrytest.Write(t, filepath.Join(w.req.Folder, forked, "x"), "")
		}, fork.ErrExists},
		{"a file history there", func(t *testing.T, w *world) {
			carrytest.Write(t, filepath.Join(w.root, "file-history", source, "x@v1"), "")
			carrytest.Write(t, filepath.Join(w.root, "file-history", forked, "x@v1"), "")
		}, fork.ErrExists},
		{"no conversation", func(t *testing.T, w *world) { carrytest.Write(t, w.path, "{}\nnothing\n") }, ledger.ErrNoConversation},
		{"empty", func(t *testing.T, w *world) { carrytest.Write(t, w.path, "") }, ledger.ErrNoConversation},
		{"no source", func(_ *testing.T, w *world) { w.req.Source += "x" }, fs.ErrNotExist},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, t.TempDir(), text(transcripttest.New(source).User("x").Assistant(transcripttest.Text("y"))))
			tt.prepare(t, &w)
			before := carrytest.Tree(t, w.root)
			res, err := fork.Fork(t.Context(), w.req)
			if !errors.Is(err, tt.want) || res.Path != "" {
				t.Errorf("%+v, %v", res, err)
			}
			after := carrytest.Tree(t, w.root)
			if diff := cmp.Diff(before, after); diff != "" {
				t.Error(diff)
			}
		})
	}
	for _, req := range []fork.Request{
		{},
		{Source: "/x", SourceID: source, ID: "../../x", Folder: "/x", Dir: "/x"},
		{Source: "x", SourceID: source, ID: forked, Folder: "/x", Dir: "/x"},
		{Source: "/x", SourceID: source, ID: forked, Folder: "x", Dir: "/x"},
		{Source: "/x", SourceID: source, ID: forked, Folder: "/x", Dir: ""},
	} {
		if _, err := fork.Fork(t.Context(), req); err == nil {
			t.Errorf("%+v is no request", req)
		}
	}
}

// DESIGN "Permission mode at resume": what lets the agent act unasked is not
// inherited.
func TestForkedMode(t *testing.T) {
	t.Parallel()
	for mode, inherited := range map[string]bool{
		"default": true, "plan": true, "acceptEdits": true, "dontAsk": true, "manual": true,
		"auto": false, "bypassPermissions": false, "": false, "some-new-mode": false,
	} {
		b := transcripttest.New(source).Modes("normal", "plan").User("x").Assistant(transcripttest.Text("y")).Modes("vim", mode)
		_, got := newWorld(t, t.TempDir(), text(b)).fork(t)
		var modes []any
		for _, m := range got {
			if m["type"] == "permission-mode" {
				modes = append(modes, m["permissionMode"])
			}
		}
		if (len(modes) == 1 && modes[0] == mode) != inherited || len(modes) > 1 {
			t.Errorf("%q: %v", mode, modes)
		}
	}
}

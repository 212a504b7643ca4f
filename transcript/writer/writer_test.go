package writer_test

import (
	"encoding/json"
	"errors"
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"coppice/transcript"
	"coppice/transcript/ledger"
	tt "coppice/transcript/transcripttest"
	"coppice/transcript/writer"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// play writes a session with everything that a Writer can write.
func play(t *testing.T, path string) []writer.Message {
	at := time.Date(2026, 3, 4, 9, 30, 0, 0, time.UTC)
	w := steady(writer.Create(path, stamp), 1)
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(w.Side(writer.Mode(sid, "normal"), writer.PermissionMode(sid, "default")))
	talk := []writer.Message{prompt(1), calling(2, 2)}
	talk[1].Content = blocks(tt.Thinking("which files"), tt.Text("Looking <here> "+mark(2, 0)), tt.Bash(callID(2, 0), "echo "+mark(2, 1)), tt.Bash(callID(2, 1), "echo "+mark(2, 2)))
	talk[1].Usage = json.RawMessage(`{"input_tokens":120,"output_tokens":37}`)
	turn(t, w, nil, talk)
	must(w.Side(writer.FileDelta(talk[1].Rows[2], talk[0].Rows[0], "n.txt", writer.Backup{Version: 1, Time: at, Dir: "/home/sam/app"}, at)))
	talk = append(talk, answering(3, 2, 1)) // the second call is answered first
	turn(t, w, nil, talk)
	talk[2] = grow(talk[2], answering(3, 2, 1, 0))
	talk = append(talk, answer(4))
	turn(t, w, nil, talk)
	must(w.Side(transcript.TitleRecords(sid, "alder wood")...))
	talk = append(talk, prompt(5), answer(6))
	talk[4].Content = blocks(tt.Image(16), tt.Text("what is this "+mark(5, 0)))
	turn(t, w, nil, talk)
	talk = append([]writer.Message{summary(7)}, talk[4], talk[5], prompt(8), answer(9))
	turn(t, w, &writer.Compaction{Trigger: "auto", PreTokens: 14000, PostTokens: 900}, talk)
	must(w.Leave(writer.Mode(sid, "normal"), writer.PermissionMode(sid, "plan")))
	return talk
}

// grow gives a message that is on disk more content.
func grow(m, with writer.Message) writer.Message {
	with.Rows = m.Rows
	return with
}

// The bytes of a session are the client's own: members, order and spelling.
func TestGolden(t *testing.T) {
	t.Parallel()
	path := newPath(t)
	play(t, path)
	got, golden := readFile(t, path), filepath.Join("testdata", "session.jsonl")
	if *update {
		if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff(strings.Split(readFile(t, golden), "\n"), strings.Split(got, "\n")); diff != "" {
		t.Error(diff)
	}
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the file is %v, %v", info.Mode(), err)
	}
	if info, err = os.Stat(filepath.Dir(path)); err != nil || info.Mode().Perm() != 0o755 {
		t.Errorf("the folder is %v, %v", info.Mode(), err)
	}
	left, err := os.ReadDir(filepath.Dir(path))
	if err != nil || len(left) != 1 {
		t.Errorf("in the folder are %v, %v", left, err)
	}
}

func TestConversation(t *testing.T) {
	t.Parallel()
	path := newPath(t)
	talk := play(t, path)
	want := []string{"7.0", "5.0", "6.0", "8.0", "9.0"}
	for _, p := range []ledger.Policy{ledger.Keep, ledger.Client} {
		l, c := load(t, path, p)
		if diff := cmp.Diff(want, said(t, l, c)); diff != "" {
			t.Errorf("%v: %s", p, diff)
		}
		if len(c.Findings) > 0 || len(l.Damage) > 0 {
			t.Errorf("%v: findings %v, damage %v", p, c.Findings, l.Damage)
		}
	}
	// Another life of it goes on where it ended.
	w := adopt(t, path, 2)
	talk = append(talk, prompt(10), answer(11))
	turn(t, w, nil, talk)
	l, c := load(t, path, ledger.Keep)
	if diff := cmp.Diff(append(want, "10.0", "11.0"), said(t, l, c)); diff != "" {
		t.Error(diff)
	}
}

// links are the uuids of other rows that a row names.
type links struct{ Parent, SourceID string }

// rows returns the links of the rows of a file by their uuids.
func rows(t *testing.T, path string) map[string]links {
	t.Helper()
	l, _ := load(t, path, ledger.Keep)
	all := map[string]links{}
	for _, r := range l.Rows {
		uuid := l.Text(r.UUID)
		if _, again := all[uuid]; again {
			t.Errorf("row %s is there twice", uuid)
		}
		all[uuid] = links{l.Text(r.Parent), l.Text(r.SourceID)}
	}
	return all
}

// A4 parallel calls: each answer hangs below its own call and names it, and what
// follows hangs below the last answer.
func TestParallelCalls(t *testing.T) {
	t.Parallel()
	path := newPath(t)
	w := steady(writer.Create(path, stamp), 1)
	talk := []writer.Message{prompt(1), calling(2, 3), answering(3, 2, 2, 0), answering(4, 2, 1), answer(5)}
	turn(t, w, nil, talk)
	all := rows(t, path)
	calls, results := talk[1].Rows, append(talk[2].Rows, talk[3].Rows...)
	if len(calls) != 4 || len(results) != 3 {
		t.Fatalf("rows %v and %v", calls, results)
	}
	for i, want := range []string{talk[0].Rows[0], calls[0], calls[1], calls[2]} {
		if got := all[calls[i]].Parent; got != want {
			t.Errorf("assistant row %d hangs below %s, want %s", i, got, want)
		}
	}
	for i, want := range []string{calls[3], calls[1], calls[2]} {
		if got := all[results[i]]; got.Parent != want || got.SourceID != want {
			t.Errorf("answer %d hangs below %s and names %s, want %s", i, got.Parent, got.SourceID, want)
		}
	}
	if got := all[talk[4].Rows[0]].Parent; got != results[2] {
		t.Errorf("the next row hangs below %s, want %s", got, results[2])
	}
	l, c := load(t, path, ledger.Client)
	if got := said(t, l, c); len(got) != 9 {
		t.Errorf("the client is sent %v", got)
	}
}

// Answers that come after an adoption find the rows of their calls.
func TestAnswersAfterAdoption(t *testing.T) {
	t.Parallel()
	path := newPath(t)
	talk := []writer.Message{prompt(1), calling(2, 2)}
	turn(t, steady(writer.Create(path, stamp), 1), nil, talk)
	talk = append(talk, answering(3, 2, 1, 0), answer(4))
	turn(t, adopt(t, path, 2), nil, talk)
	all := rows(t, path)
	if got := all[talk[2].Rows[0]]; got.SourceID != talk[1].Rows[2] || got.Parent != talk[1].Rows[2] {
		t.Errorf("the answer names %s below %s", got.SourceID, got.Parent)
	}
	for _, p := range []ledger.Policy{ledger.Keep, ledger.Client} {
		l, c := load(t, path, p)
		if diff := cmp.Diff([]string{"1.0", "2.0", "2.1", "2.2", "3.0", "3.1", "4.0"}, ordered(said(t, l, c))); diff != "" {
			t.Errorf("%v: %s", p, diff)
		}
	}
}

// An assistant message without rows is recognised by its id, and what follows
// hangs below it.
func TestKnownID(t *testing.T) {
	t.Parallel()
	path := newPath(t)
	talk := []writer.Message{prompt(1), calling(2, 1), answering(3, 2, 0), answer(4)}
	turn(t, steady(writer.Create(path, stamp), 1), nil, talk)
	for _, w := range []*writer.Writer{adopt(t, path, 2), adopt(t, path, 3)} {
		again := []writer.Message{talk[0], answer(4), prompt(9)}
		before := readFile(t, path)
		turn(t, w, nil, again)
		if got := rows(t, path)[again[2].Rows[0]].Parent; got != talk[3].Rows[0] {
			t.Errorf("the new row hangs below %s, want %s", got, talk[3].Rows[0])
		}
		if err := os.WriteFile(path, []byte(before), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// Nothing is written for what is on disk, what was made up, and what stands
// before the last known message.
func TestNothingNew(t *testing.T) {
	t.Parallel()
	path := newPath(t)
	w := steady(writer.Create(path, stamp), 1)
	talk := []writer.Message{prompt(1), answer(2)}
	turn(t, w, nil, talk)
	before := readFile(t, path)
	made := answer(3)
	made.Made = true
	list := []writer.Message{talk[0], prompt(4), talk[1], made}
	turn(t, w, nil, list)
	turn(t, adopt(t, path, 2), nil, list)
	turn(t, w, nil, nil)
	if got := readFile(t, path); got != before {
		t.Errorf("written: %s", strings.TrimPrefix(got, before))
	}
	if len(list[1].Rows)+len(list[3].Rows) > 0 {
		t.Error("messages that are not written have rows")
	}
}

func TestNewBeginnings(t *testing.T) {
	t.Parallel()
	talk := func() []writer.Message { return []writer.Message{prompt(1), answer(2), prompt(3), answer(4)} }
	compaction := &writer.Compaction{Trigger: "manual"}
	tests := []struct {
		name  string
		turns func(w func() *writer.Writer, old []writer.Message)
		want  []string
	}{
		{"clear", func(w func() *writer.Writer, _ []writer.Message) {
			turn(t, w(), nil, []writer.Message{prompt(5), answer(6)})
		}, []string{"5.0", "6.0"}},
		{"another first message, some kept", func(w func() *writer.Writer, old []writer.Message) {
			turn(t, w(), nil, []writer.Message{prompt(5), old[2], old[3], prompt(6)})
		}, []string{"5.0", "3.0", "4.0", "6.0"}},
		{"compaction, nothing kept", func(w func() *writer.Writer, _ []writer.Message) {
			turn(t, w(), compaction, []writer.Message{summary(5), prompt(6)})
		}, []string{"5.0", "6.0"}},
		{"compaction, then turns", func(w func() *writer.Writer, old []writer.Message) {
			list := []writer.Message{summary(5), old[3]}
			turn(t, w(), compaction, list)
			list = append(list, prompt(6))
			turn(t, w(), nil, list)
			turn(t, w(), nil, append(list, answer(7)))
		}, []string{"5.0", "4.0", "6.0", "7.0"}},
		{"compaction of a compaction", func(w func() *writer.Writer, old []writer.Message) {
			list := []writer.Message{summary(5), old[3], prompt(6), answer(7)}
			turn(t, w(), compaction, list)
			turn(t, w(), compaction, []writer.Message{summary(8), list[1], list[3], prompt(9)})
		}, []string{"8.0", "4.0", "7.0", "9.0"}},
		{"window without a summary", func(w func() *writer.Writer, old []writer.Message) {
			turn(t, w(), compaction, []writer.Message{old[2], old[3], prompt(5)})
		}, []string{"3.0", "4.0", "5.0"}},
		{"named rows only", func(w func() *writer.Writer, old []writer.Message) {
			c := &writer.Compaction{Trigger: "auto", Preserved: []string{"no-such-row", old[3].Rows[0]}}
			turn(t, w(), c, []writer.Message{summary(5), old[2], old[3], prompt(6)})
		}, []string{"5.0", "4.0", "6.0"}},
		{"back", func(w func() *writer.Writer, old []writer.Message) {
			turn(t, w(), nil, []writer.Message{old[0], old[1], prompt(5)})
		}, []string{"1.0", "2.0", "5.0"}},
		{"back into what a compaction kept", func(w func() *writer.Writer, old []writer.Message) {
			list := []writer.Message{summary(5), old[2], old[3], prompt(6)}
			turn(t, w(), compaction, list)
			turn(t, w(), nil, []writer.Message{list[0], list[1], prompt(7)})
		}, []string{"5.0", "3.0", "7.0"}},
		{"back and forth", func(w func() *writer.Writer, old []writer.Message) {
			turn(t, w(), nil, []writer.Message{old[0], old[1], prompt(5), answer(6)})
			turn(t, w(), nil, append(old, prompt(7), answer(8)))
		}, []string{"1.0", "2.0", "3.0", "4.0", "7.0", "8.0"}},
	}
	for _, tc := range tests {
		for _, adopted := range []bool{false, true} {
			path := newPath(t)
			first, life := steady(writer.Create(path, stamp), 1), 1
			old := talk()
			turn(t, first, nil, old)
			tc.turns(func() *writer.Writer {
				if life++; adopted {
					return adopt(t, path, life)
				}
				return first
			}, old)
			for _, p := range []ledger.Policy{ledger.Keep, ledger.Client} {
				l, c := load(t, path, p)
				if diff := cmp.Diff(tc.want, said(t, l, c)); diff != "" {
					t.Errorf("%s, adopted %v, %v: %s", tc.name, adopted, p, diff)
				}
				for _, r := range l.Rows {
					if r.Compaction && r.Parent != 0 {
						t.Errorf("%s: a boundary hangs below %s", tc.name, l.Text(r.Parent))
					}
				}
			}
		}
	}
}

// A message that grew is whole in the conversation that a compaction begins.
func TestGrownWhenCompacted(t *testing.T) {
	t.Parallel()
	path := newPath(t)
	w := steady(writer.Create(path, stamp), 1)
	talk := []writer.Message{prompt(1), calling(2, 2), answering(3, 2, 1)}
	turn(t, w, nil, talk)
	talk = []writer.Message{summary(4), talk[1], grow(talk[2], answering(3, 2, 1, 0)), answer(5)}
	turn(t, w, &writer.Compaction{Trigger: "auto"}, talk)
	for _, p := range []ledger.Policy{ledger.Keep, ledger.Client} {
		l, c := load(t, path, p)
		if diff := cmp.Diff(ordered(expect(talk)), ordered(said(t, l, c))); diff != "" {
			t.Errorf("%v: %s", p, diff)
		}
	}
}

// Calls that a compaction keeps are answered behind it.
func TestAnswersAfterCompaction(t *testing.T) {
	t.Parallel()
	path := newPath(t)
	w := steady(writer.Create(path, stamp), 1)
	talk := []writer.Message{prompt(1), calling(2, 2)}
	turn(t, w, nil, talk)
	talk = []writer.Message{summary(3), talk[1]}
	turn(t, w, &writer.Compaction{Trigger: "auto"}, talk)
	for _, w := range []*writer.Writer{adopt(t, path, 2), w} {
		list := append(slices.Clone(talk), answering(4, 2, 1, 0), answer(5))
		before := readFile(t, path)
		turn(t, w, nil, list)
		for _, p := range []ledger.Policy{ledger.Keep, ledger.Client} {
			l, c := load(t, path, p)
			if diff := cmp.Diff(ordered(expect(list)), ordered(said(t, l, c))); diff != "" {
				t.Errorf("%v: %s", p, diff)
			}
		}
		if err := os.WriteFile(path, []byte(before), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// A list that grows by one block at a time is written block by block.
func TestGrowing(t *testing.T) {
	t.Parallel()
	path := newPath(t)
	w := steady(writer.Create(path, stamp), 1)
	talk := []writer.Message{prompt(1), calling(2, 0)}
	turn(t, w, nil, talk)
	for n := 1; n <= 3; n++ {
		talk[1] = grow(talk[1], calling(2, n))
		turn(t, w, nil, talk)
	}
	talk = append(talk, answering(3, 2, 2))
	turn(t, w, nil, talk)
	talk[2] = grow(talk[2], answering(3, 2, 2, 0, 1))
	talk = append(talk, answer(4))
	turn(t, w, nil, talk)
	all := rows(t, path)
	if len(all) != 9 || all[talk[2].Rows[1]].SourceID != talk[1].Rows[1] || all[talk[3].Rows[0]].Parent != talk[2].Rows[2] {
		t.Errorf("%d rows: %v", len(all), all)
	}
	l, c := load(t, path, ledger.Client)
	if diff := cmp.Diff(ordered(expect(talk)), ordered(said(t, l, c))); diff != "" {
		t.Error(diff)
	}
}

func TestRefused(t *testing.T) {
	t.Parallel()
	for name, m := range map[string]writer.Message{
		"no role":       {Content: json.RawMessage(`"x"`)},
		"system":        {Role: "system", Content: json.RawMessage(`"x"`)},
		"no content":    {Role: "user"},
		"null":          {Role: "user", Content: json.RawMessage("null")},
		"empty":         {Role: "assistant", Content: json.RawMessage("[]")},
		"not JSON":      {Role: "user", Content: json.RawMessage(`"x`)},
		"a line feed":   {Role: "user", Content: json.RawMessage("\"x\ny\"")},
		"two values":    {Role: "user", Content: json.RawMessage(`"x" "y"`)},
		"bad usage":     {Role: "assistant", Content: json.RawMessage(`"x"`), Usage: json.RawMessage("{")},
		"bad result":    {Role: "user", Content: blocks(tt.ToolResult("t", "x")), Results: map[string]json.RawMessage{"t": json.RawMessage("{")}},
		"nothing in it": {Role: "user", Content: json.RawMessage("  ")},
	} {
		path := newPath(t)
		w := writer.Create(path, stamp)
		if err := w.Turn(t.Context(), []writer.Message{prompt(1), m}, nil); !errors.Is(err, writer.ErrMessage) {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: the file is there: %v", name, err)
		}
	}
}

// Hostile text stays in its record, byte for byte but for invalid UTF-8.
func TestHostileContent(t *testing.T) {
	t.Parallel()
	path := newPath(t)
	text := `"A16 \ud83d, A17 \u0000 \u001b[31m, \u2028 </script> & ` + "\u2028\x7f \xff" + `"`
	turn(t, steady(writer.Create(path, stamp), 1), nil, []writer.Message{
		{Role: "user", Content: json.RawMessage(" [ {\"type\" : \"text\",\n \"text\":" + text + "} ]\n")},
	})
	want := `"content":[{"type":"text","text":` + strings.ReplaceAll(text, "\xff", "\uFFFD") + `}]`
	if got := readFile(t, path); !strings.Contains(got, want) || strings.Count(got, "\n") != 1 {
		t.Errorf("the file is %q", got)
	}
}

func TestCreateKeepsWhatIsThere(t *testing.T) {
	t.Parallel()
	path := newPath(t)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	w := writer.Create(path, stamp)
	if err := os.WriteFile(path, []byte("theirs"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := w.Turn(t.Context(), []writer.Message{prompt(1)}, nil); !errors.Is(err, fs.ErrExist) {
		t.Errorf("error %v", err)
	}
	if got := readFile(t, path); got != "theirs" {
		t.Errorf("the file is %q", got)
	}
	if left, _ := os.ReadDir(filepath.Dir(path)); len(left) != 1 {
		t.Errorf("left behind: %v", left)
	}
}

func TestSidechain(t *testing.T) {
	t.Parallel()
	main := newPath(t)
	path, err := writer.SidechainPath(main, "a7638c39c0709a77c")
	if err != nil {
		t.Fatal(err)
	}
	if want := filepath.Join(filepath.Dir(main), sid, "subagents", "agent-a7638c39c0709a77c.jsonl"); path != want {
		t.Errorf("the path is %s, want %s", path, want)
	}
	sub := stamp
	sub.AgentID = "a7638c39c0709a77c"
	w := steady(writer.Create(path, sub), 1)
	talk := []writer.Message{prompt(1), answer(2)}
	turn(t, w, nil, talk)
	turn(t, w, nil, append(talk[:1:1], answer(3)))
	got := readFile(t, path)
	if n := strings.Count(got, `"isSidechain":true,`); n != 3 || strings.Contains(got, "last-prompt") {
		t.Errorf("the sidechain is %s", got)
	}
	if !strings.Contains(got, `"agentId":"a7638c39c0709a77c","type":"user"`) || !strings.Contains(got, `"agentId":"a7638c39c0709a77c","message":{`) {
		t.Errorf("the rows do not name the subagent: %s", got)
	}
	for _, id := range []string{"", "..", "a/b", "../x", "a.b", strings.Repeat("a", 65), "a\x00"} {
		if got, err := writer.SidechainPath(main, id); !errors.Is(err, writer.ErrMessage) {
			t.Errorf("%q: %s, %v", id, got, err)
		}
	}
}

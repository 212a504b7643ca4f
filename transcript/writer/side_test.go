package writer_test

import (
	"encoding/json"
	"errors"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"coppice/transcript"
	"coppice/transcript/ledger"
	tt "coppice/transcript/transcripttest"
	"coppice/transcript/writer"
)

var noon = time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)

func TestRecords(t *testing.T) {
	t.Parallel()
	const s = `"sessionId":"` + sid + `"`
	must := func(record []byte, err error) []byte {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return record
	}
	backups := map[string]writer.Backup{
		"b.go": {Version: 1, Time: noon},
		"a.go": {Name: "823a4681cd7913aa@v2", Version: 2, Time: noon, Dir: "/home/sam/app"},
	}
	cost := writer.Cost{
		USD: 0.25, API: 211 * time.Millisecond, APIOnce: 115 * time.Millisecond, Tools: time.Second,
		Added: 2, Total: time.Minute, Start: noon, Models: json.RawMessage(`{ "m": {"inputTokens": 1} }`),
	}
	wt := transcript.Worktree{Path: "/r/w", Name: "w", Branch: "worktree-w", OriginalDir: "/r", OriginalBranch: "main", OriginalCommit: "4b82"}
	for _, tc := range []struct {
		got  []byte
		want string
	}{
		{writer.Tag(sid, `a "b" <c>`), `{"type":"tag","tag":"a \"b\" <c>",` + s + `}`},
		{writer.Color(sid, "red"), `{"type":"agent-color","agentColor":"red",` + s + `}`},
		{writer.AgentSetting(sid, "reviewer"), `{"type":"agent-setting","agentSetting":"reviewer",` + s + `}`},
		{writer.Mode(sid, "normal"), `{"type":"mode","mode":"normal",` + s + `}`},
		{writer.PermissionMode(sid, "plan"), `{"type":"permission-mode","permissionMode":"plan",` + s + `}`},
		{writer.Relocated(sid, "/r"), `{"type":"relocated","relocatedCwd":"/r",` + s + `}`},
		{writer.LastPrompt(sid, "go on", "u1"), `{"type":"last-prompt","lastPrompt":"go on","leafUuid":"u1",` + s + `}`},
		{writer.LastPrompt(sid, "", "u1"), `{"type":"last-prompt","leafUuid":"u1",` + s + `}`},
		{writer.QueueOperation(sid, "enqueue", "x", noon), `{"type":"queue-operation","operation":"enqueue","timestamp":"2026-03-04T12:00:00.000Z",` + s + `,"content":"x"}`},
		{writer.QueueOperation(sid, "dequeue", "", noon), `{"type":"queue-operation","operation":"dequeue","timestamp":"2026-03-04T12:00:00.000Z",` + s + `}`},
		{writer.PR(sid, transcript.PR{Number: 7, URL: "https://example.com/7", Repository: "a/b"}, noon), `{"type":"pr-link",` + s + `,"prNumber":7,"prUrl":"https://example.com/7","prRepository":"a/b","timestamp":"2026-03-04T12:00:00.000Z"}`},
		{writer.WorktreeState(sid, nil), `{"type":"worktree-state","worktreeSession":null,` + s + `}`},
		{writer.WorktreeState(sid, &wt), `{"type":"worktree-state","worktreeSession":{"originalCwd":"/r","preEnterOriginalCwd":"/r","worktreePath":"/r/w","worktreeName":"w","worktreeBranch":"worktree-w","originalBranch":"main","originalHeadCommit":"4b82",` + s + `},` + s + `}`},
		{must(writer.CostState(sid, cost)), `{"type":"cost-state",` + s + `,"totalCostUSD":0.25,"totalAPIDuration":211,"totalAPIDurationWithoutRetries":115,"totalToolDuration":1000,"totalLinesAdded":2,"totalLinesRemoved":0,"totalDuration":60000,"startTime":1772625600000,"modelUsage":{"m":{"inputTokens":1}},"hasUnknownModelCost":false}`},
		{writer.Replacements(sid, []writer.Replacement{{CallID: "t1", Text: "cut"}}), `{"type":"content-replacement",` + s + `,"replacements":[{"kind":"tool-result","toolUseId":"t1","replacement":"cut"}]}`},
		{writer.FileSnapshot("m1", nil, noon, false), `{"type":"file-history-snapshot","messageId":"m1","snapshot":{"messageId":"m1","trackedFileBackups":{},"timestamp":"2026-03-04T12:00:00.000Z"},"isSnapshotUpdate":false}`},
		{writer.FileSnapshot("m1", backups, noon, true), `{"type":"file-history-snapshot","messageId":"m1","snapshot":{"messageId":"m1","trackedFileBackups":{"a.go":{"backupFileName":"823a4681cd7913aa@v2","version":2,"backupTime":"2026-03-04T12:00:00.000Z","realParentDir":"/home/sam/app"},"b.go":{"backupFileName":null,"version":1,"backupTime":"2026-03-04T12:00:00.000Z"}},"timestamp":"2026-03-04T12:00:00.000Z"},"isSnapshotUpdate":true}`},
		{writer.FileDelta("m2", "m1", "n.txt", backups["b.go"], noon), `{"type":"file-history-delta","messageId":"m2","snapshotMessageId":"m1","trackingPath":"n.txt","backup":{"backupFileName":null,"version":1,"backupTime":"2026-03-04T12:00:00.000Z"},"timestamp":"2026-03-04T12:00:00.000Z"}`},
		{must(writer.Raw(json.RawMessage("{\"type\": \"attribution-snapshot\",\n \"x\":\"\xff\"}"))), `{"type":"attribution-snapshot","x":"` + "\uFFFD" + `"}`},
	} {
		if string(tc.got) != tc.want {
			t.Errorf("got  %s\nwant %s", tc.got, tc.want)
		}
	}
	for _, raw := range []string{"", "[]", "{", "{} {}", "null", `"x"`} {
		if got, err := writer.Raw(json.RawMessage(raw)); !errors.Is(err, writer.ErrNotARecord) {
			t.Errorf("%q: %s, %v", raw, got, err)
		}
	}
	if _, err := writer.CostState(sid, writer.Cost{Models: json.RawMessage("[]")}); !errors.Is(err, writer.ErrNotARecord) {
		t.Errorf("models that are no object: %v", err)
	}
}

// What is said before the first turn waits for it; a session without a turn
// leaves no file.
func TestSideWaits(t *testing.T) {
	t.Parallel()
	path := newPath(t)
	w := steady(writer.Create(path, stamp), 1)
	for _, err := range []error{w.Side(writer.Tag(sid, "a")), w.Leave(writer.Tag(sid, "b"))} {
		if err != nil {
			t.Fatal(err)
		}
	}
	if _, err := os.Stat(path); !os.IsNotExist(err) {
		t.Fatalf("there is a file: %v", err)
	}
	turn(t, w, nil, []writer.Message{prompt(1)})
	if got := readFile(t, path); !strings.HasPrefix(got, string(writer.Tag(sid, "a"))+"\n") || strings.Contains(got, `"tag":"b"`) {
		t.Errorf("the file is %s", got)
	}
	if err := w.Side([]byte("no record")); !errors.Is(err, transcript.ErrBadRecord) {
		t.Errorf("error %v", err)
	}
}

func TestLeave(t *testing.T) {
	t.Parallel()
	head := func() *tt.Builder { return tt.New(sid).Head().User("one").Assistant(tt.Text("two")) }
	meta := func(b *tt.Builder) *tt.Builder { return b.Title("alder").Tag("x").Tag("y").LastPrompt("one") }
	record := [][]byte{transcript.TitleRecords(sid, "alder")[0], writer.Tag(sid, "y"), writer.Mode(sid, "normal")}
	for _, tc := range []struct {
		name    string
		file    *tt.Builder
		records [][]byte
		want    [][]byte
	}{
		{"B5 nothing changed", meta(head()), record, nil},
		{"one changed", meta(head()), [][]byte{record[0], writer.Tag(sid, "z")}, [][]byte{writer.Tag(sid, "z")}},
		{"changed back", meta(head()), [][]byte{writer.Tag(sid, "x")}, [][]byte{writer.Tag(sid, "x")}},
		{"not there yet", head(), record, record[:2]},
		{"given twice", head(), [][]byte{record[1], record[1]}, record[1:2]},
		{"B4 beyond the last 64 KiB", meta(head()).User(tt.Filler(70_000)), record, record},
		{"within the last 64 KiB", meta(head()).User(tt.Filler(50_000)).Parent(""), record, nil},
		{"a row that quotes one", head().User(string(record[1])), record[1:2], record[1:2]},
		{"behind a torn line", meta(head()).Raw(`{"type":"tag","tag`), record, nil},
	} {
		path := newPath(t)
		data := tc.file.Bytes()
		if err := os.MkdirAll(strings.TrimSuffix(path, "/"+sid+".jsonl"), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		old := time.Now().Add(-10 * 24 * time.Hour)
		if err := os.Chtimes(path, old, old); err != nil {
			t.Fatal(err)
		}
		w := adopt(t, path, 2)
		for range 2 { // the second time there is nothing to write in any case
			if err := w.Leave(tc.records...); err != nil {
				t.Fatal(err)
			}
		}
		var want string
		for _, r := range tc.want {
			want += string(r) + "\n"
		}
		if want != "" && !strings.HasSuffix(string(data), "\n") {
			want = "\n" + want
		}
		if got := strings.TrimPrefix(readFile(t, path), string(data)); got != want {
			t.Errorf("%s: written %q, want %q", tc.name, got, want)
		}
		info, err := os.Stat(path)
		if err != nil || !info.ModTime().Equal(old) {
			t.Errorf("%s: the mtime is %v, was %v", tc.name, info.ModTime(), old)
		}
	}
}

// After turns, Leave says which prompt was the newest and where it ends.
func TestLeaveNamesTheEnd(t *testing.T) {
	t.Parallel()
	path := newPath(t)
	w := steady(writer.Create(path, stamp), 1)
	long := prompt(3)
	long.Content = json.RawMessage(tt.Quote("  many\nwords " + strings.Repeat("é", 300)))
	talk := []writer.Message{prompt(1), answer(2), long, answer(4)}
	turn(t, w, nil, talk)
	for range 2 {
		if err := w.Leave(); err != nil {
			t.Fatal(err)
		}
	}
	want := string(writer.LastPrompt(sid, "many words "+strings.Repeat("é", 189)+"…", w.Leaf())) + "\n"
	if got := readFile(t, path); !strings.HasSuffix(got, want) || strings.Count(got, "last-prompt") != 1 {
		t.Errorf("the file ends with %s", got[strings.LastIndex(got[:len(got)-1], "\n")+1:])
	}
	// It holds for what follows, and for answers that hang below another row.
	talk = append(talk, prompt(5), calling(6, 2))
	turn(t, w, nil, talk)
	if err := w.Leave(); err != nil {
		t.Fatal(err)
	}
	talk = append(talk, answering(7, 6, 1, 0), answer(8))
	turn(t, w, nil, talk)
	for _, p := range []ledger.Policy{ledger.Keep, ledger.Client} {
		l, c := load(t, path, p)
		if got := said(t, l, c); !slices.Equal(ordered(got), ordered(expect(talk))) {
			t.Errorf("%v: %v", p, got)
		}
	}
}

func TestRestamp(t *testing.T) {
	t.Parallel()
	path := newPath(t)
	w := steady(writer.Create(path, stamp), 1)
	talk := []writer.Message{prompt(1)}
	turn(t, w, nil, talk)
	w.Restamp(writer.Stamp{SessionID: "another", AgentID: "another", Dir: "/home/sam/other", Branch: "feat", Version: "3", Entrypoint: "cli"})
	turn(t, w, nil, append(talk, answer(2)))
	lines := strings.Split(strings.TrimSpace(readFile(t, path)), "\n")
	if want := `"cwd":"/home/sam/other","sessionId":"` + sid + `","version":"3","gitBranch":"feat"}`; len(lines) != 2 || !strings.HasSuffix(lines[1], want) {
		t.Errorf("the rows are %q", lines)
	}
}

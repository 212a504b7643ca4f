package runtime_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"coppice/session/runtime"
	"coppice/transcript/transcripttest"
)

// FuzzSideRecords puts a line behind a conversation. Whatever it is, the session
// loads or has no conversation, and nothing outside the root and the directory
// is named as found.
func FuzzSideRecords(f *testing.F) {
	for _, seed := range []string{
		`{"type":"cost-state","totalCostUSD":-1e999,"totalAPIDuration":1e300,"modelUsage":{}}`,
		`{"type":"content-replacement","replacements":[{"kind":"tool-result","toolUseId":"t","replacement":"r"}]}`,
		`{"type":"content-replacement","uuid":"u","parentUuid":null,"replacements":{"a":{"kind":1}}}`,
		`{"type":"file-history-snapshot","messageId":"m","snapshot":{"trackedFileBackups":{"../x":{"backupFileName":"../../y","version":1,"realParentDir":"/"}}}}`,
		`{"type":"file-history-delta","snapshotMessageId":"m","trackingPath":"/","backup":{"backupFileName":"..","version":9e99}}`,
		`{"type":"worktree-state","worktreeSession":{"worktreePath":"\u0000","sessionId":[]}}`,
		`{"type":"agent-setting","agentSetting":"../../outside"}`,
		`{"type":"user","uuid":"u","slug":"../../x","message":{"content":[{"type":"tool_result","tool_use_id":"t"}]},"toolUseResult":{"persistedOutputPath":"/../x","backgroundTaskId":"b","file":{"filePath":"//"}}}`,
		`{"type":"attachment","uuid":"u","attachment":{"type":"session_cron_carry","tasks":[{"id":"i","cron":"*","createdAt":-1,"maxAgeMs":1e308}],"ended":[{}]}}`,
		`{"type":"attachment","uuid":"u","attachment":{"type":"invoked_skills","skills":[{"name":"n","content":"c"}]},"rendered":[{"content":"\ud800"}]}`,
		`{"type":"attachment","uuid":"u","attachment":{"type":"goal_status","met":false,"condition":"g"}}`,
		`{"type":"api-request-shape","shape":{"system":[{}],"tools":{"a":{}}}}`,
		`{"type":"marble-origami-commit"}`, `[]`, "\x00", `{"type":`,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, line string) {
		w := newWorld(t)
		write(t, filepath.Join(w.base, "x.md"), "---\nname: x\n---\n")
		b := w.builder().User("hello").Assistant(transcripttest.ToolUse("t", "CronCreate", `{"cron":"* * * * *","prompt":"p"}`))
		b.Line(line).Parent("u").User("more")
		path := w.path(t, b)
		r, err := runtime.Load(t.Context(), path, id, runtime.FromStore, w.env())
		if err != nil {
			if errors.Is(err, runtime.ErrEmpty) {
				return
			}
			t.Fatal(err)
		}
		defer func() { _ = r.Close() }()
		for _, found := range []string{r.Plan, r.Tasks, r.Agent.Path} {
			if found == "" {
				continue
			}
			if real, err := filepath.EvalSymlinks(found); err != nil || !strings.HasPrefix(real, w.root+"/") && !strings.HasPrefix(real, w.dir+"/") {
				t.Errorf("%q was found at %q, %v", found, real, err)
			}
		}
		if _, _, err := runtime.Shape(r.Ledger); err != nil {
			t.Error(err)
		}
		if _, err := os.Stat(path + ".new"); !errors.Is(err, fs.ErrNotExist) {
			t.Error("something was written")
		}
		for _, s := range append(r.Lost, r.Agent.Reason) {
			if strings.ContainsFunc(s, func(c rune) bool { return c < ' ' }) {
				t.Errorf("control characters in %q", s)
			}
		}
	})
}

package doctor_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"coppice/session/doctor"
	"coppice/session/sessiontest"
	"coppice/transcript/transcripttest"
)

// talk is a builder whose turns are a minute apart, as a person's are.
func talk(n int) *transcripttest.Builder {
	b := transcripttest.New(sessiontest.ID(n))
	b.Dir = "/src/app"
	return b
}

// turn adds a prompt and an answer.
func turn(b *transcripttest.Builder, what string) *transcripttest.Builder {
	b.Time = b.Time.Add(time.Minute)
	b.User("please " + what)
	b.Time = b.Time.Add(10 * time.Second)
	return b.Assistant(transcripttest.Text("I did " + what + "."))
}

// lose adds what write adds to another builder's eyes only: its rows are lost.
func lose(b *transcripttest.Builder, write func(*transcripttest.Builder)) *transcripttest.Builder {
	kept := string(b.Bytes())
	write(b)
	b.Reset()
	return b.Raw(kept)
}

// save writes the transcript where its directory says.
func save(t *testing.T, root sessiontest.Root, b *transcripttest.Builder) string {
	t.Helper()
	return root.WriteFile(t, filepath.Join("projects", "-src-app", b.SessionID+".jsonl"), string(b.Bytes()))
}

func examine(t *testing.T, path, id string) doctor.Report {
	t.Helper()
	r, err := doctor.Examine(t.Context(), path, id)
	if err != nil {
		t.Fatal(err)
	}
	if r.Findings == nil || r.Path != path || r.ID != id {
		t.Errorf("report %+v", r)
	}
	for _, f := range r.Findings {
		if f.Kind == "" || f.Severity == "" || f.Detail == "" || strings.ContainsAny(f.Detail+f.Repair, "\n\x1b") {
			t.Errorf("finding %+v", f)
		}
	}
	return r
}

// has returns the finding of a kind, and fails when there is none.
func has(t *testing.T, r doctor.Report, kind string) doctor.Finding {
	t.Helper()
	for _, f := range r.Findings {
		if f.Kind == kind {
			return f
		}
	}
	t.Errorf("no finding %q among %+v", kind, r.Findings)
	return doctor.Finding{}
}

func TestHealthy(t *testing.T) {
	t.Parallel()
	root := sessiontest.New(t)
	b := talk(1).Head()
	for range 3 {
		turn(b, "tidy")
	}
	b.User("now run it").AssistantID("m1", transcripttest.Text("I run it."), transcripttest.Bash("c1", "make")).Result("c1", "ok").
		Assistant(transcripttest.Text("It works.")).Title("oak")
	path := save(t, root, b)
	r := examine(t, path, b.SessionID)
	if r.Damaged() || r.Lost != 0 || len(r.Findings) > 0 {
		t.Errorf("report %+v", r)
	}
	lost, why, err := doctor.ClientLoss(t.Context(), path)
	if lost != 0 || why != "" || err != nil {
		t.Errorf("%d, %q, %v", lost, why, err)
	}
}

// Observed A.2: behind a lost row the client forgets all that came before, when
// the turns are more than five seconds apart.
func TestLostRow(t *testing.T) {
	t.Parallel()
	root := sessiontest.New(t)
	b := turn(turn(talk(1), "plant"), "water")
	b.Time = b.Time.Add(time.Minute)
	lose(b, func(b *transcripttest.Builder) { b.User("lost words") })
	b.Time = b.Time.Add(time.Minute)
	b.Assistant(transcripttest.Text("Yes."))
	turn(b, "prune")
	path := save(t, root, b)
	r := examine(t, path, b.SessionID)
	f := has(t, r, "dropped")
	if f.Line != 5 || f.Severity != doctor.Harm || !strings.Contains(f.Repair, "linked") {
		t.Errorf("finding %+v", f)
	}
	if c := has(t, r, "client-drops"); !r.Damaged() || r.Lost != 4 || !strings.Contains(c.Detail, "4 messages") {
		t.Errorf("lost %d, finding %+v", r.Lost, c)
	}
	lost, why, err := doctor.ClientLoss(t.Context(), path)
	if lost != 4 || !strings.Contains(why, "line 5") || err != nil {
		t.Errorf("%d, %q, %v", lost, why, err)
	}
}

// Report B7 and observed A.3: what a crash leaves behind.
func TestDamagedBytes(t *testing.T) {
	t.Parallel()
	root := sessiontest.New(t)
	b := turn(talk(1), "plant")
	b.Line("no record \x1b[31m").Line("\x00\x00\x00{}").Raw(`{"type":"user","mess`)
	r := examine(t, save(t, root, b), b.SessionID)
	for kind, line := range map[string]int{"garbage": 3, "nul": 4, "torn": 5} {
		if f := has(t, r, kind); f.Line != line || f.Severity != doctor.Harm {
			t.Errorf("%s: %+v", kind, f)
		}
	}
	if !r.Damaged() || r.Lost != 0 {
		t.Errorf("report %+v", r)
	}
}

// Of rows glued on one line the client takes the first at most; a fork has all of
// them.
func TestGlued(t *testing.T) {
	t.Parallel()
	root := sessiontest.New(t)
	b := turn(talk(1), "plant")
	before := b.Len()
	turn(b, "water")
	text := string(b.Bytes())
	glued := text[:before] + strings.Replace(text[before:], "\n", "", 1)
	b.Reset()
	r := examine(t, save(t, root, b.Raw(glued)), b.SessionID)
	if f := has(t, r, "glued"); f.Line != 3 || !strings.Contains(f.Repair, "2 messages") {
		t.Errorf("finding %+v", f)
	}
	if r.Lost != 1 {
		t.Errorf("lost %d", r.Lost)
	}
}

// A turn that was interrupted is no damage, and Look says how.
func TestTurn(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		end  func(*transcripttest.Builder)
		want string
	}{
		{"answered", func(*transcripttest.Builder) {}, "done"},
		{"prompt", func(b *transcripttest.Builder) { b.User("and now?") }, "prompt"},
		{"call", func(b *transcripttest.Builder) { b.User("and now?").Assistant(transcripttest.Bash("c1", "make")) }, "calls"},
		{"result", func(b *transcripttest.Builder) {
			b.User("and now?").Assistant(transcripttest.Bash("c1", "make")).Result("c1", "ok")
		}, "results"},
	}
	for n, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			b := turn(turn(talk(n+1), "plant"), "water")
			b.Time = b.Time.Add(time.Minute)
			tt.end(b)
			path := save(t, sessiontest.New(t), b)
			o, err := doctor.Look(t.Context(), path)
			if err != nil || string(o.Turn) != tt.want || o.Lost != 0 {
				t.Errorf("%+v, %v", o, err)
			}
			if r := examine(t, path, b.SessionID); r.Damaged() {
				t.Errorf("report %+v", r)
			}
		})
	}
}

// Observed A.4: the client drops a message whose call, in the middle, nothing
// answers.
func TestUnansweredCall(t *testing.T) {
	t.Parallel()
	b := turn(talk(1), "plant")
	b.User("run it").Assistant(transcripttest.Text("I run it."), transcripttest.Bash("c1", "make"))
	turn(turn(b, "water"), "prune")
	path := save(t, sessiontest.New(t), b)
	lost, why, err := doctor.ClientLoss(t.Context(), path)
	if lost == 0 || !strings.Contains(why, "never answered") || err != nil {
		t.Errorf("%d, %q, %v", lost, why, err)
	}
	r := examine(t, path, b.SessionID)
	if f := has(t, r, "unanswered-call"); f.Repair != "" || !r.Damaged() || r.Mendable() || r.Lost != lost {
		t.Errorf("report %+v", r)
	}
}

// Files without a conversation, and files that cannot be read, are findings.
func TestNoConversation(t *testing.T) {
	t.Parallel()
	root := sessiontest.New(t)
	id := sessiontest.ID(1)
	tests := []struct{ name, text, kind string }{
		{"empty", "", "empty"},
		{"garbage", "x\ny\n", "no-conversation"},
		{"only metadata", `{"type":"custom-title","customTitle":"x","sessionId":"` + id + `"}` + "\n", "no-conversation"},
	}
	for _, tt := range tests {
		path := root.WriteFile(t, "projects/-a/"+id+".jsonl", tt.text)
		if f := has(t, examine(t, path, id), tt.kind); f.Severity != doctor.Harm {
			t.Errorf("%s: %+v", tt.name, f)
		}
		if lost, _, err := doctor.ClientLoss(t.Context(), path); lost != 0 || err != nil {
			t.Errorf("%s: %d, %v", tt.name, lost, err)
		}
	}
	if f := has(t, examine(t, filepath.Join(t.TempDir(), "none.jsonl"), id), "unreadable"); !strings.Contains(f.Detail, "it is gone") {
		t.Errorf("finding %+v", f)
	}
	if f := has(t, examine(t, t.TempDir(), id), "unreadable"); f.Severity != doctor.Harm {
		t.Errorf("finding %+v", f)
	}
	if _, _, err := doctor.ClientLoss(t.Context(), filepath.Join(t.TempDir(), "none.jsonl")); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
}

// Reports B19, B25: what lies beside it under the same id.
func TestOtherFiles(t *testing.T) {
	t.Parallel()
	root := sessiontest.New(t)
	b := turn(talk(1), "plant")
	path := save(t, root, b)
	root.WriteFile(t, "projects/-src-app/"+b.SessionID+".sync-conflict-1.jsonl", "x")
	root.WriteFile(t, "projects/-src-app/"+b.SessionID+"/tool-results/a.txt", "x")
	twin := root.WriteFile(t, "projects/-src-lib/"+b.SessionID+".jsonl", string(b.Bytes()))
	if err := os.Symlink(filepath.Dir(path), filepath.Join(root.Projects(), "link")); err != nil {
		t.Fatal(err)
	}
	r := examine(t, path, b.SessionID)
	if f := has(t, r, "conflict-copy"); !strings.Contains(f.Detail, "sync-conflict") {
		t.Errorf("finding %+v", f)
	}
	if f := has(t, r, "same-id"); !strings.Contains(f.Detail, twin) {
		t.Errorf("finding %+v", f)
	}
	if len(r.Findings) != 2 || r.Damaged() {
		t.Errorf("findings %+v", r.Findings)
	}
}

// Observed A.5, D: a worktree that is gone, a transcript that a summary names.
func TestStale(t *testing.T) {
	t.Parallel()
	root := sessiontest.New(t)
	gone := filepath.Join(t.TempDir(), "wood")
	b := turn(talk(1), "plant")
	b.Compact("What was said is in " + gone + "/old.jsonl in full.")
	turn(b, "water").Worktree("/src/app", gone, "wood", "worktree-wood")
	r := examine(t, save(t, root, b), b.SessionID)
	if f := has(t, r, "worktree-gone"); !strings.Contains(f.Detail, gone) || !strings.Contains(f.Repair, "no worktree") {
		t.Errorf("finding %+v", f)
	}
	if f := has(t, r, "stale-path"); !strings.Contains(f.Detail, gone+"/old.jsonl") {
		t.Errorf("finding %+v", f)
	}
	if r.Damaged() {
		t.Errorf("findings %+v", r.Findings)
	}
}

// Many findings of a kind are counted.
func TestManyFindings(t *testing.T) {
	t.Parallel()
	b := turn(talk(1), "plant")
	b.Raw(strings.Repeat("x\n", 500))
	turn(b, "water")
	r := examine(t, save(t, sessiontest.New(t), b), b.SessionID)
	more := false
	for _, f := range r.Findings {
		more = more || f.Kind == "garbage" && f.Line == 0 && strings.Contains(f.Detail, "480 more")
	}
	if n := len(r.Findings); !more || n > 25 {
		t.Errorf("%d findings, the last %+v", n, r.Findings[n-1])
	}
}

func TestExamineEnds(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	b := turn(talk(1), "plant")
	if _, err := doctor.Examine(ctx, save(t, sessiontest.New(t), b), b.SessionID); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

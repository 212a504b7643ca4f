package runtime_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tidwall/gjson"

	"coppice/session/runtime"
	"coppice/transcript/transcripttest"
)

// ask writes a call and its answer with what the tool reports.
func ask(b *transcripttest.Builder, call, tool, input, report string) {
	b.Next().Assistant(transcripttest.ToolUse(call, tool, input))
	b.Report(call, "done", report, "")
}

func TestReadFiles(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	file := func(name string) string { return filepath.Join(w.dir, name) }
	b := w.builder().User("hello")
	ask(b, "t0", "Read", `{"file_path":"`+file("before")+`"}`, `{"type":"text","file":{"filePath":"`+file("before")+`"}}`)
	b.Compact("what was said before")
	b.User("go on").File(file("same"), "x")
	ask(b, "t1", "Read", `{"file_path":"changed"}`, `{"type":"text","file":{"filePath":"`+file("changed")+`","content":"c"}}`)
	ask(b, "t2", "Edit", `{"file_path":"gone"}`, `{"filePath":"`+file("gone")+`","structuredPatch":[]}`)
	ask(b, "t3", "Write", `{"file_path":"/etc/hostname"}`, `{"type":"create","filePath":"/etc/hostname"}`)
	ask(b, "t4", "Read", `{"file_path":"`+file("failed")+`"}`, `"Error: no such file"`)
	ask(b, "t5", "Bash", `{"command":"x"}`, `{"filePath":"`+file("not-a-read")+`"}`)
	ask(b, "t6", "NotebookEdit", `{"notebook_path":"`+file("nb.ipynb")+`"}`, `{"new_source":"x"}`)
	ask(b, "t7", "Read", `{"file_path":"x"}`, `{"file":{"filePath":"`+w.dir+`/../app/../secret"}}`)
	ask(b, "t8", "Read", `{"file_path":"x"}`, `{"file":{"filePath":"`+file("link")+`"}}`)
	ask(b, "t9", "Read", `{"file_path":"x"}`, `{"file":{"filePath":"`+file("changed")+`"}}`)
	old := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	write(t, filepath.Join(w.base, "secret"), "x")
	for _, name := range []string{"same", "changed", "nb.ipynb", "../secret"} {
		write(t, file(name), "x")
		at := old
		if name == "changed" {
			at = now
		}
		if err := os.Chtimes(file(name), at, at); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("../secret", file("link")); err != nil {
		t.Fatal(err)
	}
	r := w.load(t, b, runtime.FromStore, w.env())
	var got []string
	for i, f := range r.Read {
		got = append(got, fmt.Sprint(strings.TrimPrefix(f.Path, w.dir+"/"), " ", f.Changed))
		if f.Time.IsZero() || i > 0 && f.Time.Before(r.Read[i-1].Time) {
			t.Errorf("%s was read at %v", f.Path, f.Time)
		}
	}
	want := []string{"same false", "gone true", "/etc/hostname true", "nb.ipynb false", "../app/../secret true", "link true", "changed true"}
	if !slices.Equal(got, want) {
		t.Errorf("read %q, want %q", got, want)
	}
}

func TestGoal(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	tests := []struct {
		name  string
		write func(b *transcripttest.Builder)
		want  string
	}{
		{"set", func(b *transcripttest.Builder) { b.Goal("one", false) }, "one"},
		{"set again", func(b *transcripttest.Builder) { b.Goal("one", false).Goal("two", false) }, "two"},
		{"met or cleared", func(b *transcripttest.Builder) { b.Goal("one", false).Goal("one", true) }, ""},
		{"before a compaction", func(b *transcripttest.Builder) { b.Goal("one", false).Compact("s").User("go on") }, "one"},
		{"met before a compaction", func(b *transcripttest.Builder) { b.Goal("one", true).Compact("s").User("go on") }, ""},
		{"of no text", func(b *transcripttest.Builder) { b.Goal("one", false).Goal("", false) }, ""},
		{"odd", func(b *transcripttest.Builder) { b.Attachment("goal_status", `"met":"no","condition":7`) }, ""},
		{"none", func(*transcripttest.Builder) {}, ""},
	}
	for _, tt := range tests {
		b := w.builder().User("hello")
		tt.write(b)
		b.Next().Assistant(transcripttest.Text("hi"))
		got := ""
		if goal := w.load(t, b, runtime.FromStore, w.env()).Goal; goal != nil {
			got = goal.Text
		}
		if got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

func TestSchedule(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	b := w.builder().User("hello")
	create := func(call, id, prompt string, recurring bool, rest string) {
		ask(b, call, "CronCreate", `{"cron":"*/5 * * * *","prompt":"`+prompt+`","recurring":`+fmt.Sprint(recurring)+`}`,
			`{"id":"`+id+`","recurring":`+fmt.Sprint(recurring)+`,`+rest+`}`)
	}
	create("c1", "keep", "every day", true, `"durable":false,"maxAgeMs":2592000000`)
	create("c2", "old", "over", true, `"durable":false,"maxAgeMs":1000`)
	create("c3", "gone", "deleted", true, `"durable":false,"maxAgeMs":2592000000`)
	create("c4", "ended", "stopped", true, `"durable":false`)
	create("c5", "due", "once, in time", false, fmt.Sprintf(`"nextFireAt":%d`, now.Add(time.Hour).UnixMilli()))
	create("c6", "missed", "once, too late", false, fmt.Sprintf(`"nextFireAt":%d`, now.Add(-time.Hour).UnixMilli()))
	create("c7", "file", "in the file", true, `"durable":true`)
	create("c8", "removed", "no longer in the file", true, `"durable":true`)
	create("c9", "huge", "for ever", true, `"maxAgeMs":1e300`)
	ask(b, "d1", "CronDelete", `{"id":"gone"}`, `{"id":"gone"}`)
	b.Next().Assistant(transcripttest.ToolUse("d2", "CronDelete", `{"id":"keep"}`)).ResultRow("d2", "no", true)
	b.Attachment("session_cron_carry", `"tasks":[{"id":"carried","cron":"1 2 3 4 5","prompt":"p","createdAt":1772616600000,"recurring":true}],"ended":["ended"],"otherArmed":[{"id":"other","cron":"* * * * *","prompt":"x"}]`)
	write(t, filepath.Join(w.dir, ".claude", "scheduled_tasks.json"), `{"tasks":[
		{"id":"file","cron":"*/5 * * * *","prompt":"in the file","createdAt":1772616600000,"recurring":true,"maxAgeMs":2592000000,"createdBySessionId":"`+id+`"},
		{"id":"theirs","cron":"*/5 * * * *","prompt":"x","createdAt":1772616600000,"createdBySessionId":"another"},
		{"cron":"*/5 * * * *","createdBySessionId":"`+id+`"},5,null]}`)
	r := w.load(t, b, runtime.FromStore, w.env())
	var got []string
	for _, task := range r.Schedule {
		got = append(got, fmt.Sprint(task.ID, " ", task.Prompt, " ", task.Once, " ", task.Durable, " ", !task.Expires.IsZero()))
	}
	want := []string{
		"carried p false false false", "file in the file false true true", "keep every day false false true",
		"due once, in time true false true", "huge for ever false false false",
	}
	if !slices.Equal(got, want) {
		t.Errorf("scheduled %q, want %q", got, want)
	}
	if !lost(r, "2 scheduled prompts whose time is over") {
		t.Errorf("lost %q", r.Lost)
	}
	fork := w.env()
	fork.Fork = true
	if r := w.load(t, b, runtime.FromStore, fork); r.Schedule != nil || !lost(r, "scheduled prompts, which stay") {
		t.Errorf("a fork: %v, lost %q", r.Schedule, r.Lost)
	}
}

func TestWhatRanBeside(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	b := w.builder().User("hello")
	ask(b, "b1", "Bash", `{"run_in_background":true}`, `{"stdout":"","backgroundTaskId":"ended1"}`)
	ask(b, "b2", "Bash", `{"run_in_background":true}`, `{"stdout":"","backgroundTaskId":"runs\u001b[2J"}`)
	ask(b, "b3", "Monitor", `{"command":"x"}`, `{}`)
	b.User("<task-notification>\n<task-id>ended1</task-id>\n</task-notification>")
	b.Record("queue-operation", `"operation":"enqueue","content":"one"`).Record("queue-operation", `"operation":"enqueue","content":"two"`).Record("queue-operation", `"operation":"enqueue","content":"<task-notification>\nx"`).Record("queue-operation", `"operation":"dequeue"`)
	b.Record("bridge-session", `"bridgeSessionId":"x","lastSequenceNum":3`)
	b.Environment("/added")
	r := w.load(t, b, runtime.FromStore, w.env())
	for _, word := range []string{"background task runs", "a monitor", "a prompt that waited", "remote", "/added"} {
		if !lost(r, word) {
			t.Errorf("%q is not named as lost: %q", word, r.Lost)
		}
	}
	if lost(r, "ended1") || strings.ContainsRune(strings.Join(r.Lost, ""), 0x1b) {
		t.Errorf("lost %q", r.Lost)
	}
}

// A skill that was invoked before a compaction is told again unless the client's
// attachment does; what is invoked later changes nothing of it.
func TestSkills(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	invoke := func(b *transcripttest.Builder, call, name, text string) {
		ask(b, call, "Skill", `{"skill":"`+name+`","args":"x"}`, `{"success":true,"commandName":"`+name+`"}`)
		b.SkillBody(call, text)
	}
	b := w.builder().User("hello").Skill("listed", "of an earlier compaction")
	invoke(b, "s1", "one", "old text of one")
	invoke(b, "s2", "two", "text of two")
	invoke(b, "s3", "one", "text of \"one\"")
	invoke(b, "s4", "again", "text of again")
	b.Compact("s").Skill("two", "as the client repeats it").User("go on")
	invoke(b, "s5", "again", "text of again")
	invoke(b, "s6", "new", "text of new")
	b.Attachment("invoked_skills", `"skills":{"a":1}`).Attachment("invoked_skills", "")
	b.Next().Assistant(transcripttest.Text("hi"))
	r := w.load(t, b, runtime.FromStore, w.env())
	if len(r.Skills) != 1 {
		t.Fatalf("skills %s", r.Skills)
	}
	var texts []string
	for _, text := range gjson.GetBytes(r.Skills[0], "content.#.text").Array()[1:] {
		texts = append(texts, text.Str)
	}
	if want := []string{"listed:\nof an earlier compaction", "one:\ntext of \"one\"", "again:\ntext of again"}; !slices.Equal(texts, want) {
		t.Errorf("skills %q, want %q", texts, want)
	}
	none := w.builder().User("hello")
	invoke(none, "s1", "one", "text")
	if r := w.load(t, none, runtime.FromStore, w.env()); r.Skills != nil {
		t.Errorf("without a compaction: %s", r.Skills)
	}
}

func TestShape(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	b := w.builder().Shape(`[{"type":"text","text":"old"}]`, `[]`).User("hello").Assistant(transcripttest.Text("hi"))
	b.Shape(`[{"type":"text", "text":"é <b>"},7]`, `[{"name":"Bash"},null,{"name":"Read"}]`).Line(`{"type":"api-request-shape","shape":"cut"}`)
	system, tools, err := runtime.Shape(w.load(t, b, runtime.FromStore, w.env()).Ledger)
	if err != nil || len(system) != 1 || string(system[0]) != `{"type":"text", "text":"é <b>"}` || len(tools) != 2 || string(tools[1]) != `{"name":"Read"}` {
		t.Errorf("system %s, tools %s, %v", system, tools, err)
	}
	none := w.builder().User("hello").Assistant(transcripttest.Text("hi"))
	if system, tools, err := runtime.Shape(w.load(t, none, runtime.FromStore, w.env()).Ledger); system != nil || tools != nil || err != nil {
		t.Errorf("without one: %s, %s, %v", system, tools, err)
	}
}

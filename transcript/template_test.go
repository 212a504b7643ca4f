package transcript_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	tt "coppice/transcript/transcripttest"
)

// Rows that look like earlier ones of their file are read by comparing bytes;
// what differs must be seen all the same.
func TestRowsThatLookAlike(t *testing.T) {
	t.Parallel()
	n := 0
	row := func(typ, message, rest string) string {
		n++
		return fmt.Sprintf(`{"parentUuid":"00000000-0000-4000-8000-%012d","isSidechain":false,"type":%q,"message":{%s}%s,"uuid":"00000000-0000-4000-8000-%012d","timestamp":"2026-03-01T09:%02d:%02d.000Z","cwd":"/w/app","sessionId":"s","version":"2.1.0","gitBranch":"main"}`,
			n, typ, message, rest, n+1, n/60%60, n%60)
	}
	turn := func(i int) string {
		return fmt.Sprintf(`,"origin":{"kind":"human"},"turn":{"index":%d,"of":[%d,1.5e3]}`, i, i)
	}
	user := func(text, rest string) string { return row("user", `"role":"user","content":`+tt.Quote(text), rest) }
	assistant := func(id, model, text, rest string) string {
		return row("assistant", fmt.Sprintf(`"id":%q,"role":"assistant","model":%q,"content":[{"type":"text","text":%s}],"usage":{"input_tokens":%d}`, id, model, tt.Quote(text+tt.Filler(200)), n), rest)
	}
	long := strings.Repeat("a long word ", 600)
	mode := func(mode string) string { return fmt.Sprintf(`,"permissionMode":%q`, mode) }
	side := func(row string) string { return strings.Replace(row, `"isSidechain":false`, `"isSidechain":true`, 1) }
	blob := func(text string) string { return `{"type":"blob","data":` + tt.Quote(text) + `,"sessionId":"s"}` }
	fork := func(id string, n int) string {
		return fmt.Sprintf(`,"forkedFrom":{"sessionId":"00000000-0000-4000-8000-00000000000%s","messageUuid":"00000000-0000-4000-8000-%012d"}`, id, n)
	}
	attachment := func(typ, dir string) string {
		return row("attachment", `"n":1`, fmt.Sprintf(`,"attachment":{"type":%q,"snapshot":{"additionalWorkingDirectories":[%q]}}`, typ, "/a/directory/of/its/own/"+dir))
	}
	groups := map[string][]string{
		"prompts": {
			user("first", turn(1)), user("second", turn(2)), user("third", turn(30)), user("fourth", turn(400)),
			user(`a "quoted" one with \ and "}`, turn(5)), user(long+`"},"isMeta":true`, turn(6)), user("x", turn(7)),
			user("", turn(8)), user("<local-command-stdout>no words</local-command-stdout>", turn(9)),
			user("<command-name>/clear</command-name>", turn(10)), user("[Request interrupted by user]", turn(11)),
		},
		"a prompt that is none": {
			user("first", turn(1)), user("second", turn(2)), user("third", turn(3)),
			user("not this", `,"isMeta":true`+turn(4)), user("not this", turn(5)+`,"isMeta":true`),
			user("nor this", `,"isCompactSummary":true`+turn(6)), user("nor this", turn(7)+`,"isCompactSummary":true`),
			user("not this", `,"isMeta":true`+turn(40)), user("not this", `,"isMeta":true`+turn(41)), user("not this", `,"isMeta":true`+turn(42)),
			user("fourth", turn(8)), user("moved", turn(9)+`,"permissionMode":"plan"`), user("fifth", turn(10)+`,"permissionMode":"auto"`),
		},
		"a prompt with more in its message": {
			user("first", turn(1)), user("second", turn(2)),
			row("user", `"role":"user","content":"third","id":"m1"`, turn(3)), row("user", `"role":"user","content":"fourth","id":"m2"`, turn(4)),
			row("user", `"id":"m3","role":"user","content":"fifth"`, turn(5)), row("user", `"id":"m4","role":"user","content":"sixth"`, turn(6)),
			row("user", `"role":"user","content":[{"type":"text","text":"seventh"}]`, turn(7)),
		},
		"models take turns": {
			user("first", ""), assistant("m1", "a", "one", ""), assistant("m1", "b", "two", ""), assistant("m2", "a", "three", ""),
			assistant("m3", "b", "four", ""), assistant("m4", "a", long, ""), assistant("m4", "<synthetic>", "five", ""),
			assistant("m5", "b", "six", ""), assistant("m5", "<synthetic>", "seven", ""),
		},
		"a directory between": {
			user("first", ""), assistant("m1", "a", "one", ""), assistant("m2", "a", "two", ""), assistant("m3", "a", "three", ""),
			strings.Replace(assistant("m4", "a", "four", ""), "/w/app", "/w/lib", 1), assistant("m5", "a", "five", ""),
			strings.Replace(assistant("m6", "a", "six", ""), `"main"`, `"topic"`, 1), user("second", ""),
		},
		"permission modes between": {
			user("first", mode("auto")), user("second", mode("auto")), user("third", mode("auto")), user("fourth", mode("plan")), user("again", mode("auto")), user("again", mode("plan")),
			`{"type":"permission-mode","permissionMode":"ask","sessionId":"s"}`, user("fifth", mode("plan")), user("sixth", mode("auto")),
			`{"type":"permission-mode","permissionMode":"ask","sessionId":"s"}`, user("seventh", mode("auto")),
			`{"type":"permission-mode","permissionMode":"auto","sessionId":"s"}`, user("eighth", mode("auto")),
		},
		"prompts of a sidechain": {
			user("first", ""), user("second", ""), side(user("third", "")), side(user("fourth", "")), user("fifth", ""),
			side(user("sixth", mode("auto"))), side(user("seventh", mode("plan"))), user("eighth", ""),
		},
		"large strings of no interest": {
			user("first", ""), blob(long), blob(long + long), blob("short"), blob(`\"` + long + `\"`), blob(long + `","sessionId":"s`), blob(""),
			`{"type":"blob","data":` + tt.Quote(long) + `,"n":1,"sessionId":"s"}`, blob(long + `\`), assistant("m1", "a", "one", ""), blob(long),
		},
		"a fork": {
			user("first", ""), user("second", fork("a", 1)), user("third", fork("a", 2)), assistant("m1", "a", "one", fork("a", 3)),
			assistant("m2", "a", "two", fork("a", 4)), user("fourth", fork("b", 5)), assistant("m3", "a", "three", `,"isMeta":true`+fork("a", 6)),
			user("fifth", fork("a", 7)+`,"isMeta":true`), user("sixth", fork("a", 8)), user("seventh", ""),
		},
		"attachments with small contents": {
			user("first", ""), attachment("something_long_enough", "one"), attachment("something_long_enough", "two"),
			attachment("something_else_as_long", "three"), attachment("environment", "four"), attachment("something_long_enough", "five"),
		},
	}
	for name, rows := range groups {
		for end := 1; end <= len(rows); end++ {
			data := []byte(strings.Join(rows[:end], "\n") + "\n")
			if diff := cmp.Diff(refer(data), scan(t, data).Summary); diff != "" {
				t.Fatalf("%s, %d rows: reference → scan:\n%s", name, end, diff)
			}
		}
	}
}

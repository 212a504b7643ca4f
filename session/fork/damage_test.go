package fork_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
	"pgregory.net/rapid"

	"coppice/session/fork"
	"coppice/session/move/carry/carrytest"
	"coppice/transcript/ledger"
	"coppice/transcript/transcripttest"
)

// A1, A3, A4, A15, C12: the fork of a damaged session is a repaired one, which
// the client resumes with the whole history.
func TestForkRepairs(t *testing.T) {
	t.Parallel()
	user := func(b *transcripttest.Builder, s string) *transcripttest.Builder { return b.User(s) }
	say := func(b *transcripttest.Builder, s string) *transcripttest.Builder {
		return b.Assistant(transcripttest.Text(s))
	}
	for _, tt := range []struct {
		name  string
		write func(b *transcripttest.Builder)
		want  int // rows
	}{
		{"a missing parent", func(b *transcripttest.Builder) {
			say(user(b, "1"), "2").Parent("dead")
			b.Time = b.Time.Add(time.Hour)
			say(user(b, "3"), "4")
		}, 4},
		{"a second beginning", func(b *transcripttest.Builder) {
			say(user(b, "1"), "2").Parent("")
			say(user(b, "3"), "4")
		}, 4},
		{"a progress row in the chain", func(b *transcripttest.Builder) {
			user(b, "1").Progress()
			b.Time = b.Time.Add(time.Hour)
			say(b, "2")
		}, 2},
		{"a row of an unknown type in the chain", func(b *transcripttest.Builder) {
			user(b, "1").Line(`{"type":"new","uuid":"eeeeeeee-0000-4000-8000-000000000001","parentUuid":"` + b.Last() + `","sessionId":"` + source + `"}`)
			b.Parent("eeeeeeee-0000-4000-8000-000000000001")
			b.Time = b.Time.Add(time.Hour)
			say(b, "2")
		}, 2},
		{"two rows on one line", func(b *transcripttest.Builder) {
			say(user(b, "1"), "2")
			glued := transcripttest.New(source)
			glued.Parent(b.Last())
			*glued = *transcripttest.New("60000000" + source[8:])
			say(user(glued.Parent(b.Last()), "3"), "4")
			b.Line(strings.ReplaceAll(text(glued), "}\n{", "}{")[:glued.Len()-2])
			b.Parent(glued.Last())
			b.Time = b.Time.Add(time.Hour)
			user(b, "5")
		}, 5},
		{"a torn row in front of one", func(b *transcripttest.Builder) {
			say(user(b, "1"), "2").Raw(`{"type":"pr-link","sessionId":"x","prNu`)
			b.Time = b.Time.Add(time.Hour)
			say(user(b, "3"), "4")
		}, 4},
		{"bytes that are zero", func(b *transcripttest.Builder) {
			say(user(b, "1"), "2").Raw(strings.Repeat("\x00", 300))
			b.Time = b.Time.Add(time.Hour)
			say(user(b, "3"), "4").Raw("\x00\x00")
		}, 4},
		{"a torn end", func(b *transcripttest.Builder) { say(user(b, "1"), "2").Raw(`{"type":"us`) }, 2},
		{"all results of a parallel turn", func(b *transcripttest.Builder) {
			user(b, "1").Assistant(transcripttest.Bash("a", "x"))
			one := b.Last()
			b.Assistant(transcripttest.Bash("b", "x"))
			two := b.Last()
			b.Assistant(transcripttest.Bash("c", "x")).Result("c", "3").Parent(two).Result("b", "2").Parent(one).Result("a", "1").Next()
			say(b, "all")
		}, 8},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			b := transcripttest.New(source)
			tt.write(b)
			w := newWorld(t, t.TempDir(), text(b))
			res, _ := w.fork(t)
			if got := messages(t, res.Path, ledger.Client); len(got) != tt.want {
				t.Errorf("the client finds %d rows: %v", len(got), got)
			}
			same(t, w.path, res.Path)
		})
	}
}

// same checks that a fork holds what Keep finds in its source, and that the
// client finds it too.
func same(t testing.TB, from, to string) {
	t.Helper()
	want := messages(t, from, ledger.Keep)
	if diff := cmp.Diff(want, messages(t, to, ledger.Keep)); diff != "" {
		t.Errorf("Keep: %s", diff)
	}
	if diff := cmp.Diff(want, messages(t, to, ledger.Client)); diff != "" {
		t.Errorf("Client: %s", diff)
	}
	if l := read(t, to); len(l.Damage) > 0 {
		t.Errorf("the fork is damaged: %+v", l.Damage)
	}
}

// messages returns the uuids of the rows that are more than looked through.
func messages(t tester, path string, p ledger.Policy) []string {
	t.Helper()
	l := read(t, path)
	c, err := l.Chain(p)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, i := range c.Rows {
		if row := &l.Rows[i]; row.Kind != ledger.Other && row.Kind != ledger.Progress && !row.Void {
			all = append(all, l.Text(row.UUID))
		}
	}
	return all
}

// Any transcript, however damaged, forked: the same conversation, for both
// policies.
func TestForkOfAnything(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	rapid.Check(t, func(rt *rapid.T) {
		w := at(filepath.Join(root, uuid.NewString()))
		data := anything(rt)
		carrytest.Write(t, w.path, data)
		defer func() { _ = os.RemoveAll(w.root) }()
		l := read(rt, w.path)
		c, err := l.Chain(ledger.Keep)
		if err != nil {
			return
		}
		if !slices.ContainsFunc(c.Rows, func(i int) bool { return l.Rows[i].Kind == ledger.User || l.Rows[i].Kind == ledger.Assistant }) {
			return // see TestForkOfHalfACompaction
		}
		if rapid.Bool().Draw(rt, "cut") {
			w.req.At = l.Text(l.Rows[c.Rows[rapid.IntRange(0, len(c.Rows)-1).Draw(rt, "at")]].UUID)
		}
		res, err := fork.Fork(t.Context(), w.req)
		if err != nil && w.req.At != "" {
			return // no prompt
		}
		if err != nil {
			rt.Fatalf("%v\n%s", err, data)
		}
		if w.req.At != "" {
			if c, err = l.ChainAt(ledger.Keep, l.ID(w.req.At)); err != nil {
				rt.Fatal(err)
			}
			index, _ := slices.BinarySearchFunc(l.Rows, l.Rows[c.Leaf].Offset, func(r ledger.Row, at int64) int { return int(r.Offset - at) })
			c.Rows = c.Rows[:slices.Index(c.Rows, index)]
		}
		var want []string
		for _, i := range c.Rows {
			if row := &l.Rows[i]; row.Kind != ledger.Other && row.Kind != ledger.Progress && !row.Void {
				want = append(want, l.Text(row.UUID))
			}
		}
		for _, p := range []ledger.Policy{ledger.Keep, ledger.Client} {
			if diff := cmp.Diff(want, messages(rt, res.Path, p)); diff != "" {
				made, _ := os.ReadFile(res.Path)
				rt.Fatalf("%v finds another conversation: %s\n%s\n%s", p, diff, data, made)
			}
		}
		if l := read(rt, res.Path); len(l.Damage) > 0 {
			rt.Fatalf("the fork is damaged: %+v", l.Damage)
		}
	})
}

// anything draws a transcript: a tree of rows with every kind of damage.
func anything(rt *rapid.T) string {
	var out strings.Builder
	var ids []string
	at := time.Date(2026, 3, 4, 9, 0, 0, 0, time.UTC)
	id := func(n int) string { return fmt.Sprintf("dddddddd-0000-4000-8000-%012d", n) }
	parent := func(n int) string {
		switch choice := rapid.IntRange(0, 19).Draw(rt, "parent"); {
		case choice == 0:
			return "null"
		case choice == 1:
			return `"dddddddd-0000-4000-8000-ffffffffffff"`
		case choice == 2 && len(ids) > 0:
			return `"` + rapid.SampledFrom(ids).Draw(rt, "any") + `"`
		case choice == 3:
			return `"` + id(n+rapid.IntRange(0, 2).Draw(rt, "later")) + `"`
		case len(ids) == 0:
			return "null"
		}
		return `"` + ids[len(ids)-1] + `"`
	}
	for n := range rapid.IntRange(1, 14).Draw(rt, "rows") {
		at = at.Add(rapid.SampledFrom([]time.Duration{0, time.Second, time.Minute, -time.Minute}).Draw(rt, "step"))
		row := id(n)
		if len(ids) > 0 && rapid.IntRange(0, 15).Draw(rt, "again") == 0 {
			row = rapid.SampledFrom(ids).Draw(rt, "id")
		}
		head := `{"parentUuid":` + parent(n) + `,"isSidechain":` + fmt.Sprint(rapid.IntRange(0, 12).Draw(rt, "side") == 0) + `,"uuid":"` + row + `","timestamp":"` +
			at.Format("2006-01-02T15:04:05.000Z") + `","sessionId":"` + source + `",`
		switch rapid.IntRange(0, 12).Draw(rt, "kind") {
		case 0, 1, 2, 3:
			out.WriteString(head + `"type":"user","message":{"role":"user","content":"text"}}`)
		case 4, 5, 6:
			out.WriteString(head + `"type":"assistant","message":{"id":"msg_` + fmt.Sprint(n/2) + `","role":"assistant","content":[{"type":"tool_use","id":"toolu_` + fmt.Sprint(n) + `","name":"Bash","input":{}}]}}`)
		case 7, 8:
			out.WriteString(head + `"type":"user","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_` + fmt.Sprint(n-1) + `","content":"x"}]}}`)
		case 9:
			out.WriteString(head + `"type":"progress"}`)
		case 10:
			out.WriteString(head + `"type":"unknown"}`)
		case 11:
			out.WriteString(head + `"type":"attachment","attachment":{"type":"date"}}`)
		case 12:
			kept := `"preservedMessages":{"anchorUuid":"` + id(n+1) + `","uuids":["` + id(max(0, n-2)) + `","` + id(max(0, n-1)) + `"]}`
			out.WriteString(head + `"type":"system","subtype":"compact_boundary","compactMetadata":{` + rapid.SampledFrom([]string{"", kept}).Draw(rt, "kept") + `}}`)
		}
		ids = append(ids, row)
		out.WriteString(rapid.SampledFrom([]string{"\n", "\n", "\n", "\n", "\n", "\r\n", "", "\n\x00\x00", "\n{\"type\":\"us", "\n\n[]\n"}).Draw(rt, "end"))
		if rapid.IntRange(0, 9).Draw(rt, "pointer") == 0 {
			out.WriteString(`{"type":"last-prompt","leafUuid":"` + rapid.SampledFrom(ids).Draw(rt, "leaf") + `"}` + "\n")
		}
	}
	return out.String()
}

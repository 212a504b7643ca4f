package fork_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"coppice/session/fork"
	"coppice/session/move/carry/carrytest"
	"coppice/transcript/ledger"
	"coppice/transcript/transcripttest"
)

// compacted writes two compactions; the second preserves two rows.
func compacted(preserve bool) (b *transcripttest.Builder, rows map[string]string) {
	b, rows = transcripttest.New(source), map[string]string{}
	mark := func(name string) { rows[name] = b.Last() }
	b.User("one").Assistant(transcripttest.Text("1"))
	mark("1")
	b.Compact("summary of one").User("two")
	mark("two")
	b.Assistant(transcripttest.Text("2")).User("three")
	mark("three")
	b.Assistant(transcripttest.Text("3"))
	mark("3")
	old := b.Last()
	summary := b.UUID(strings.Count(text(b), "\n") + 2)
	kept := ""
	if preserve {
		kept = `,"preservedMessages":{"anchorUuid":"` + summary + `","uuids":["` + rows["three"] + `","` + rows["3"] + `"],"allUuids":["` + rows["three"] + `","` + rows["3"] + `"]}`
	}
	b.Parent("").System("compact_boundary", `"logicalParentUuid":"`+old+`","compactMetadata":{"trigger":"auto","preTokens":9`+kept+`}`)
	b.UserContent(`"summary of two"`, `,"isVisibleInTranscriptOnly":true,"isCompactSummary":true`)
	mark("summary")
	b.User("four")
	mark("four")
	b.Assistant(transcripttest.Text("4"))
	return b, rows
}

// A5, A10, A14: what a compaction put out of the conversation is copied and stays
// out of it; what it preserves stays in, in its place.
func TestForkOfACompactedSession(t *testing.T) {
	t.Parallel()
	for _, preserve := range []bool{false, true} {
		b, rows := compacted(preserve)
		w := newWorld(t, t.TempDir(), text(b))
		res, got := w.fork(t)
		same(t, w.path, res.Path)
		n := 4
		if preserve {
			n = 6
		}
		if got := messages(t, res.Path, ledger.Client); len(got) != n || got[1] != rows["summary"] || preserve && (got[2] != rows["three"] || got[3] != rows["3"]) {
			t.Errorf("preserve %v: %v", preserve, got)
		}
		if len(got) != strings.Count(text(b), "\n")+1 || res.Messages != 8 {
			t.Errorf("preserve %v: %d lines, %d messages", preserve, len(got), res.Messages)
		}
		source := strings.Split(text(b), "\n")
		for i, line := range strings.Split(carrytest.Tree(t, w.req.Folder)[forked+".jsonl"], "\n")[:len(source)-1] {
			if parent, _, _ := strings.Cut(source[i], ","); !strings.HasPrefix(line, parent+",") {
				t.Errorf("preserve %v: line %d has another parent: %.80s", preserve, i+1, line)
			}
		}
	}
}

// A fork before a compaction is not compacted; one at a row that a compaction
// preserves keeps what is in front of it.
func TestForkAtAroundACompaction(t *testing.T) {
	t.Parallel()
	b, rows := compacted(true)
	for at, n := range map[string]int{"two": 2, "four": 4} {
		w := newWorld(t, t.TempDir(), text(b))
		w.req.At = rows[at]
		res, _ := w.fork(t)
		keep, client := messages(t, res.Path, ledger.Keep), messages(t, res.Path, ledger.Client)
		if len(keep) != n || !cmp.Equal(keep, client) {
			t.Errorf("at %s: keep %v, client %v", at, keep, client)
		}
	}
	w := newWorld(t, t.TempDir(), text(b))
	w.req.At = rows["three"]
	res, _ := w.fork(t)
	keep, client := messages(t, res.Path, ledger.Keep), messages(t, res.Path, ledger.Client)
	if len(keep) == 0 || !cmp.Equal(keep, client) {
		t.Errorf("at a preserved row: keep %v, client %v", keep, client)
	}
	w.req.At = rows["summary"]
	if _, err := fork.Fork(t.Context(), w.req); err == nil {
		t.Error("a summary is no prompt")
	}
}

// A compaction whose summary was never written leaves the client nothing, and
// the fork everything.
func TestForkOfHalfACompaction(t *testing.T) {
	t.Parallel()
	b := transcripttest.New(source).User("one").Assistant(transcripttest.Text("1"))
	leaf := b.Last()
	b.Parent("").System("compact_boundary", `"logicalParentUuid":"`+leaf+`","compactMetadata":{"trigger":"manual"}`)
	w := newWorld(t, t.TempDir(), text(b))
	res, _ := w.fork(t)
	for _, p := range []ledger.Policy{ledger.Keep, ledger.Client} {
		if got := messages(t, res.Path, p); len(got) != 2 || got[1] != leaf {
			t.Errorf("%v finds %v", p, got)
		}
	}
}

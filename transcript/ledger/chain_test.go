package ledger_test

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"coppice/transcript/ledger"
	tt "coppice/transcript/transcripttest"
)

const sid = "1a2b3c4d-0000-4000-8000-000000000000"

// open reads a transcript that is in memory.
func open(tb testing.TB, data []byte) *ledger.Ledger {
	tb.Helper()
	l, err := ledger.Read(tb.Context(), bytes.NewReader(data), int64(len(data)))
	if err != nil {
		tb.Fatalf("read: %v", err)
	}
	return l
}

// names writes rows as the names that a Tree gave them.
func names(l *ledger.Ledger, rows []int) string {
	var out []string
	for _, i := range rows {
		var name string
		uuid := l.Text(l.Rows[i].UUID)
		if uuid == "" {
			out = append(out, "-")
			continue
		}
		if _, err := fmt.Sscanf(uuid[len("1a2b3c4d-4e61-4d65-8000-"):], "%x", &name); err != nil {
			name = uuid
		}
		out = append(out, strings.Trim(name, "\x00"))
	}
	return strings.Join(out, " ")
}

func said(l *ledger.Ledger, p ledger.Policy) string {
	c, err := l.Chain(p)
	if errors.Is(err, ledger.ErrNoConversation) {
		return "none"
	}
	return names(l, c.Rows)
}

// TestNoUUID has rows without uuid: the last of them is part of the conversation,
// but what hung below it is bridged (observed A.2).
func TestNoUUID(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ what, tree, client, keep string }{
		{"near", "u1@1 a1<u1@1000 n<a1@2000 a2<gone@3000", "u1 a1 - a2", ""},
		{"far", "u1@1 a1<u1@1000 n<a1@2000 a2<gone@30000", "a2", "u1 a1 - a2"},
		{"last", "u1@1 a1<u1@1000 n<a1@20000", "u1 a1 -", ""},
		{"two", "u1@1 a1<u1@1000 n<a1@2000 n<gone@3000 u3<gone@4000", "u1 a1 - u3", "u1 a1 - - u3"},
	} {
		b := tt.New(sid)
		for _, word := range strings.Fields(test.tree) {
			line := b.TreeRow(strings.Replace(word, "n", "u9", 1))
			if word[0] == 'n' {
				line = strings.Replace(line, `"uuid":`, `"lost":`, 1)
			} else {
				line = b.TreeRow(word)
			}
			b.Line(line)
		}
		l := open(t, b.Bytes())
		want := map[ledger.Policy]string{ledger.Client: test.client, ledger.Keep: test.client}
		if test.keep != "" {
			want[ledger.Keep] = test.keep
		}
		for p, want := range want {
			if got := said(l, p); got != want {
				t.Errorf("%s: %v: %s, want %s", test.what, p, got, want)
			}
		}
	}
}

// cases are conversations by the notation of transcripttest's Tree. What client
// says was seen in the real client's request for a transcript of this form, rows
// that are never sent left out there; where keep is empty it says the same.
var cases = []struct{ what, tree, client, keep string }{
	// observed A.1
	{"plain", "u1 a1<u1 u2<a1 a2<u2", "u1 a1 u2 a2", ""},
	{"two branches: the last in the file", "u1 a1<u1 u2<a1@9000 a2<u2@9500 u3<a1@3000 a3<u3@3500", "u1 a1 u3 a3", ""},
	{"two branches, no times", "u1@- a1<u1@- u2<a1@- a2<u2@- u3<a1@- a3<u3@-", "u1 a1 u3 a3", ""},
	{"pointer to the other branch", "u1 a1<u1 u2<a1 a2<u2 u3<a1 a3<u3 ->a2", "u1 a1 u2 a2", ""},
	{"pointer to the other branch, newer rows", "u1 a1<u1 u2<a1 a2<u2 ->a2 u3<a1 a3<u3", "u1 a1 u2 a2", ""},
	{"pointer to a prompt that has an answer", "u1 a1<u1 u2<a1 a2<u2 u3<a1 a3<u3 ->u2", "u1 a1 u2", "u1 a1 u2 a2"},
	{"pointer above the last row", "u1 a1<u1 u2<a1 a2<u2 ->a1", "u1 a1 u2 a2", ""},
	{"pointer to a fork's common row", "u1 a1<u1 u2<a1 a2<u2 u3<a1 a3<u3 ->a1", "u1 a1 u3 a3", ""},
	{"went back, nothing since", "u1 a1<u1 u2<a1 a2<u2 =>a1", "u1 a1", ""},
	{"went back, then on with the long way", "u1 a1<u1 u2<a1 a2<u2 =>a1 u3<a2 a3<u3", "u1 a1 u2 a2 u3 a3", ""},
	{"went back, then another way", "u1 a1<u1 u2<a1 a2<u2 =>a1 u3<a1", "u1 a1 u3", ""},
	{"went back, then a sidechain", "u1 a1<u1 u2<a1 a2<u2 =>a1 u9!side", "u1 a1", ""},
	{"went back, said again without the mark", "u1 a1<u1 u2<a1 a2<u2 =>a1 ->a1", "u1 a1", ""},
	{"went back, said again after a row", "u1 a1<u1 u2<a1 a2<u2 =>a1 u3<a2 ->a1", "u1 a1 u2 a2 u3", ""},
	{"went back again after a row", "u1 a1<u1 u2<a1 a2<u2 =>a1 u3<a2 =>a1", "u1 a1", ""},
	{"went back, another pointer between", "u1 a1<u1 u2<a1 a2<u2 =>a1 ->a2 ->a1", "u1 a1 u2 a2", ""},
	{"unknown leaf", "u1 a1<u1 u2<a1 a2<u2 ->gone", "u1 a1 u2 a2", ""},
	{"pointer without a leaf keeps the one before", "u1 a1<u1 u2<a1 a2<u2 u3<a1 ->a2 ->", "u1 a1 u2 a2", ""},
	{"pointer to nobody cancels", "u1 a1<u1 u2<a1 a2<u2 u3<a1 ->a2 ->0", "u1 a1 u3", ""},
	{"two pointers: the last", "u1 a1<u1 u2<a1 a2<u2 u3<a1 a3<u3 ->a3 ->a2", "u1 a1 u2 a2", ""},
	{"pointer to a sidechain", "u1 a1<u1 u8!side a8<u8!side ->a8", "none", "u1 a1"},
	{"pointer to a system row with no message above", "u1 a1<u1 y1 ->y1", "u1 a1", ""},
	{"pointer to progress", "u1 a1<u1 u2<a1 p1<a1 ->p1", "u1 a1 u2", ""},
	{"tip is a system row", "u1 a1<u1 u2<a1 a2<u2 y1<a1", "u1 a1 y1", "u1 a1 y1 u2 a2"},
	{"tip is an attachment", "u1 a1<u1 t1<a1", "u1 a1 t1", ""},
	{"tip is meta", "u1 a1<u1 u2<a1 u3<a1!meta", "u1 a1 u3", ""},
	{"tip is of a team", "u1 a1<u1 u2<a1 u3<a1!team", "u1 a1 u3", ""},
	{"progress or unknown rows are no tip", "u1 a1<u1 u2<a1 p1<a1 m1<a1 v1<a1", "u1 a1 u2", ""},
	{"a system row without message above is no tip", "u1 a1<u1 y1 t1<gone", "u1 a1", ""},
	{"only a system row", "y1", "y1", ""},
	{"only an attachment", "t1", "t1", ""},
	{"only progress", "p1 m1", "none", ""},
	{"only a sidechain", "u1!side a1<u1!side", "none", ""},
	{"sidechain first", "u8!side a8<u8!side u1 a1<u1", "u1 a1", ""},
	{"sidechain last", "u1 a1<u1 u8!side a8<u8!side", "u1 a1", ""},
	{"below a sidechain", "u8!side a8<u8!side u1<a8 a1<u1", "u8 a8 u1 a1", ""},
	{"nothing", "", "none", ""},

	// observed A.2: gaps
	{"gap of 5000 ms", "u1@0 a1<u1@1000 u2<gone@6000 a2<u2@7000", "u1 a1 u2 a2", ""},
	{"gap of 5001 ms", "u1@0 a1<u1@1000 u2<gone@6001 a2<u2@7000", "u2 a2", "u1 a1 u2 a2"},
	{"gap: the newest that is older", "u1@1 a1<u1@1000 u2<a1@4000 a2<u2@2000 u3<gone@5000", "u1 a1 u2 u3", "u1 a1 u2 a2 u3"},
	{"gap: one that stands later in the file", "u1@1 a1<u1@1000 u3<gone@5000 a3<u3@5500 u4<a1@4000 a4<u4@4500 ->a3", "u1 a1 u4 a4 u3 a3", "u1 a1 u3 a3"},
	{"gap: the first of equals", "u1@1 a1<u1@1000 u2<a1@2000 u3<a1@2000 u4<gone@3000", "u1 a1 u2 u4", "u1 a1 u3 u4"},
	{"gap: the orphan has no time", "u1@1 a1<u1@1000 u2<gone@-", "u2", "u1 a1 u2"},
	{"gap: one before has no time", "u1@1 a1<u1@- u2<gone@2000", "u1 u2", "u1 a1 u2"},
	{"gap: sidechains are not taken", "u1@1 a1<u1@1000 u8@5500!side u2<gone@6001", "u2", "u1 a1 u2"},
	{"gap: progress and unknown rows are not taken", "u1@1 a1<u1@1000 p1<a1@5000 m1<a1@5000 v1<a1@5000 u2<gone@6001", "u2", "u1 a1 u2"},
	{"gap: system rows are", "u1@1 a1<u1@1000 y1<a1@1500 u2<gone@6001", "u1 a1 y1 u2", ""},
	{"gap above an attachment", "u1@1 a1<u1@1000 t1<gone@1500 u2<t1@9000", "u1 a1 t1 u2", ""},
	{"gap above progress goes by the row below", "u1@1 a1<u1@10000 p1<gone@2 u2<p1@11000", "u1 a1 p1 u2", ""},
	{"gaps, one after the other", "u1@1 a1<g1@1000 u2<g2@1500 a2<g3@1600 u3<g4@5000", "u1 a1 u2 a2 u3", ""},
	{"gap: rows of the way are not taken again", "u1@1 a1<u1@1000 u2<gone@5000 a2<u2@4900", "u1 a1 u2 a2", ""},
	{"the first parent is missing", "u1<gone a1<u1", "u1 a1", ""},

	// observed A.2: other shapes
	{"root in the middle", "u1 a1<u1 u2 a2<u2", "u2 a2", "u1 a1 u2 a2"},
	{"cycle of four", "u1<a2@1000 a1<u1@2000 u2<a1@3000 a2<u2@4000", "u1 a1 u2 a2", ""},
	{"cycle of two, near", "u1@1 a1<u1@900 u2<a2@2000 a2<u2@2100", "u1 a1 u2 a2", ""},
	{"cycle of two, far", "u1@1 a1<u1@900 u2<a2@20000 a2<u2@21000", "u2 a2", "u1 a1 u2 a2"},
	{"own parent, near", "u1@1 a1<u1@900 u2<u2@2000 a2<u2@2100", "u1 a1 u2 a2", ""},
	{"own parent, far", "u1@1 a1<u1@900 u2<u2@20000 a2<u2@21000", "u2 a2", "u1 a1 u2 a2"},
	{"back to the start", "u1 a1<u1 u2 =>0 a2<u2", "u2 a2", ""},
	{"back to the start, and on", "u1 a1<u1 u2 =>0 a2<u2 u3<a2 ->u3", "u2 a2 u3", ""},
	{"out of order", "a2<u2@4000 a1<u1@2000 u1@1000 u2<a1@3000", "u1 a1 u2 a2", ""},
	{"out of order, times too", "a2<u2@2500 a1<u1@2000 u1@1000 u2<a1@3000", "u1 a1 u2", "u1 a1 u2 a2"},
	{"out of order, no times", "u1@- a1<u1@- a2<u2@- u2<a1@-", "u1 a1 u2", "u1 a1 u2 a2"},
	{"parent last, the newest of its branches", "u1@1000 u2<a1@3000 a2<u2@9000 u3<a1@5000 a3<u3@6000 a1<u1@2000", "u1 a1 u2 a2", "u1 a1 u3 a3"},
	{"no row names a parent", "u1!free a1!free u2!free a2!free", "a2", "u1 a1 u2 a2"},
	{"one row names none", "u1 a1<u1 u2!free a2<u2", "u2 a2", "u1 a1 u2 a2"},
	{"through progress, far", "u1@1 a1<u1@900 p1<a1@1000 p2<p1@1000 u2<p2@20000", "u1 a1 p1 p2 u2", ""},
	{"progress behind its child, far", "u1@1 a1<u1@900 u2<p1@20000 p1<a1@950", "u2", "u1 a1 p1 u2"},
	{"through an unknown type, near", "u1@1 a1<u1@900 m1<a1@1000 u2<m1@2000", "u1 a1 u2", "u1 a1 m1 u2"},
	{"through an unknown type, far", "u1@1 a1<u1@900 m1<a1@1000 u2<m1@20000", "u2", "u1 a1 m1 u2"},
	{"through a row that holds nothing, far", "u1@1 a1<u1@900 v1<a1@1000 u2<v1@20000", "u1 a1 v1 u2", ""},
	{"a row that holds nothing behind its child", "u1@1 a1<u1@900 u2<v1@20000 v1<a1@1000", "u1 a1 v1 u2", ""},
	{"uuid of progress used again (A8)", "u1@1 p1<u1@2 u2<p1@20000 p1<u2@3 u3<p1@40000 p1<u3@4", "u1 p1 u2 p1 u3", ""},
	{"uuid used again, same row", "u1 a1<u1 u2<a1@3000 a2<u2@4000 u2<a1@3000", "u1 a1 u2 a2", ""},
	{"uuid used again, another parent", "u1 a1<u1 u2<a1@3000 a2<u2@4000 u2<u1@3000", "u1 u2 a2", ""},
	{"uuid used again, newer", "u1 a1<u1 u2<a1@3000 a2<u2@4000 u2<a1@5000", "u1 a1 u2", "u1 a1 u2 a2"},
	{"uuid of a tip used again by a sidechain", "u1 a1<u1 u2<a1 a2<u2 a2<u2!side", "none", "u1 a1 u2"},
	{"JSON that is no record", `u1 [] 42 "s" {} a1<u1`, "u1 a1", ""},

	// observed 0 and client-behaviour 3.3: parallel turns
	{"parallel, chained", "u1 c1<u1#m c2<c1#m c3<c2#m r1<c1 r2<c2 r3<c3 a2<r3", "u1 c1 c2 c3 r1 r2 r3 a2", ""},
	{"parallel, answers out of order", "u1 c1<u1#m c2<c1#m c3<c2#m r3<c3 r1<c1 r2<c2 a2<r2", "u1 c1 c2 c3 r3 r1 r2 a2", ""},
	{"parallel, one parent", "u1 c1<u1#m c2<u1#m c3<u1#m r1<c1 r2<c2 r3<c3 a2<r3", "u1 c3 c1 c2 r1 r2 r3 a2", ""},
	{"parallel, one parent, on from the first", "u1 c1<u1#m c2<u1#m r1<c1 r2<c2 a2<r1", "u1 c1 c2 r1 r2 a2", ""},
	{"parallel, one parent, no ids", "u1 c1<u1#- c2<u1#- r1<c1 r2<c2 a2<r2", "u1 c2 r2 a2", ""},
	{"two calls in a row with ids of their own", "u1 c1<u1 c2<c1 r1<c1 r2<c2 a2<r2", "u1 c1 r1 c2 r2 a2", ""},
	{"one call after the other", "u1 c1<u1#m r1<c1 c2<r1#m r2<c2 a2<r2", "u1 c1 r1 c2 r2 a2", ""},
	{"parallel, what hangs on an answer", "u1 c1<u1#m c2<c1#m r1<c1 t1<r1 y1<t1 r2<c2 a2<r2", "u1 c1 c2 r1 t1 y1 r2 a2", ""},
	{"parallel, talk below an answer", "u1 c1<u1#m c2<c1#m r1<c1 y1<r1 u9<y1 r2<c2 a2<r2", "u1 c1 c2 r1 r2 a2", "u1 c1 c2 r1 y1 r2 u9"},
	{"parallel, prompt below a call", "u1 c1<u1#m c2<c1#m u9<c1 r1<c1 r2<c2 a2<r2", "u1 c1 c2 r1 r2 a2", "u1 c1 c2 r1 r2 u9"},
	{"parallel, sidechain rows", "u1 c1<u1#m c2<u1#m!side r1<c1 r2<c2!side a2<r1", "u1 c1 c2 r1 r2 a2", ""},
	{"answer without parent, by the row that it names", "u1 c1<u1#m c2<c1#m r2<c2 a2<r2 r1~c1 ->a2", "u1 c1 c2 r2 r1 a2", ""},
	{"answer without parent, by the call's id", "u1 c1<u1#m c2<c1#m r2<c2 a2<r2 r1~gone ->a2", "u1 c1 c2 r2 r1 a2", ""},
	{"parallel, some of them on the way", "u1 c1<u1#m c2<u1#m c3<u1#m c4<c2#m c5<u1#m r1<c1 r2<c2 r3<c3 r4<c4 r5<c5 a2<r4", "u1 c2 c1 c3 c4 c5 r1 r2 r3 r4 r5 a2", ""},
	{"one id on two branches", "u1 c1<u1#m r1<c1 u2 c2<u2#m r2<c2 a2<r2", "u2 c2 c1 r1 r2 a2", "u1 c1 r1 u2 c2 r2 a2"},
	{"pointer to an answer beside the way", "u1 c1<u1#m c2<c1#m r1<c1 r2<c2 a2<r2 ->r1", "u1 c1 c2 r1 r2 a2", ""},
	{"pointer to what hangs on it", "u1 c1<u1#m c2<c1#m r1<c1 t1<r1 r2<c2 a2<r2 ->t1", "u1 c1 c2 r1 t1 r2 a2", ""},
	{"pointer to an answer of another message", "u1 c1<u1 c2<c1 r1<c1 r2<c2 a2<r2 ->r1", "u1 c1 r1", ""},
	{"answer that comes late", "u1 c1<u1#m c2<c1#m r2<c2 a2<r2 r1<c1", "u1 c1 c2 r2 r1", "u1 c1 c2 r2 r1 a2"},
	{"late answer grafts a branch (A6)", "u1 c1<u1 u2<c1 a2<u2 u3<a2 a3<u3 r1<c1 a4<r1", "u1 c1 r1 a4", "u1 c1 r1 u2 a2 u3 a3"},

	// observed A.5: compaction
	{"compaction", "u1 a1<u1 b1>a1 s1<b1 u2<s1 a2<u2", "b1 s1 u2 a2", ""},
	{"compaction, nothing since", "u1 a1<u1 b1>a1 s1<b1", "b1 s1", ""},
	{"compaction with a parent", "u1 a1<u1 b1<a1 s1<b1 u2<s1", "b1 s1 u2", ""},
	{"two compactions", "u1 a1<u1 b1>a1 s1<b1 u2<s1 b2>u2 s2<b2 u3<s2", "b2 s2 u3", ""},
	{"summary without compaction", "u1 a1<u1 s1<a1 u2<s1", "u1 a1 s1 u2", ""},
	{"compaction without summary", "u1 a1<u1 b1>a1 u2<b1 a2<u2", "b1 u2 a2", ""},
	{"boundary alone at the end", "u1 a1<u1 b1>a1", "u1 a1", ""},
	{"boundary with a parent alone at the end", "u1 a1<u1 b1<a1", "b1", ""},
	{"pointer before a compaction that broke off", "u1 a1<u1 u2<a1 a2<u2 u3<a1 a3<u3 ->a2 b1>a2", "u1 a1 u3 a3", "u1 a1 u2 a2"},
	{"a compaction that broke off behind a whole one", "u1 a1<u1 b1>a1 s1<b1 b2>s1=b2:u1,a1", "b2 u1 a1", ""},
	{"pointer before the compaction", "u1 a1<u1 b1>a1 s1<b1 u2<s1 ->a1", "u1 a1", ""},
	{"branch from before the compaction", "u1 a1<u1 u2<a1 b1>u2 s1<b1 u3<a1", "u1 a1 u3", ""},
	{"preserved messages below the summary", "u1 a1<u1 u2<a1 a2<u2 b1>a2=s1:u2,a2 s1<b1 u3<s1", "b1 s1 u2 a2 u3", ""},
	{"preserved messages below the boundary", "u1 a1<u1 u2<a1 a2<u2 b1>a2=b1:u2,a2 s1<b1 u3<s1", "b1 u2 a2 s1 u3", ""},
	{"preserved segment below the summary", "u1 a1<u1 u2<a1 t2<u2 a2<t2 b1>a2=s1:u2..a2 s1<b1 u3<s1", "b1 s1 u2 t2 a2 u3", ""},
	{"preserved segment that is none", "u1 a1<u1 u2<a1 a2<u2 b1>a2=s1:a2..u1 s1<b1 u3<s1", "b1 s1 u3", ""},
	{"preserved in another order", "u1 a1<u1 u2<a1 a2<u2 b1>a2=s1:a2,u2 s1<b1 u3<s1", "b1 s1 a2 u2 u3", ""},
	{"preserved, one is not there", "u1 a1<u1 u2<a1 a2<u2 b1>a2=s1:u2,gone s1<b1 u3<s1", "b1 s1 u3", "b1 s1 u2 u3"},
	{"preserved, the anchor is not there", "u1 a1<u1 b1>a1=gone:a1 s1<b1 u3<s1", "b1 s1 u3", ""},
	{"preserved, none", "u1 a1<u1 b1>a1=s1: s1<b1 u3<s1", "b1 s1 u3", ""},
	{"pointer to a preserved row", "u1 a1<u1 b1>a1=s1:a1 s1<b1 u3<s1 ->a1", "b1 s1 a1 u3", ""},
	{"pointer to a row that preserving forgets", "u1 a1<u1 b1>a1=s1:a1 s1<b1 u3<s1 ->u1", "b1 s1 a1 u3", "u1"},
	{"branch from a row that preserving forgets", "u1 a1<u1 u2<a1 a2<u2 b1>a2=s1:u2,a2 s1<b1 u3<s1 u4<a1@90000", "b1 s1 u2 a2 u4", "u1 a1 u4"},
	{"stale preserving forgets all the same", "u1 a1<u1 b1>a1=s1:a1 s1<b1 u3<s1 b2>u3 s2<b2 u4<u3@90000", "u4", "b1 s1 a1 u3 u4"},
	{"parallel turn that is preserved in part", "u1 c1<u1#m c2<c1#m r1<c1 r2<c2 a2<r2 b1>a2=s1:c2,r2,a2 s1<b1 u3<s1", "b1 s1 c2 r2 a2 u3", ""},
	{"gap behind a compaction", "u1@1 a1<u1@1000 b1>a1@1500 s1<b1@1600 a2<gone@20000", "a2", "b1 s1 a2"},
}

func TestChain(t *testing.T) {
	t.Parallel()
	for _, test := range cases {
		l := open(t, tt.New(sid).Tree(test.tree).Bytes())
		if got := said(l, ledger.Client); got != test.client {
			t.Errorf("%s: %s\n client: %s\n   want: %s", test.what, test.tree, got, test.client)
		}
		want := test.keep
		if want == "" {
			want = test.client
		}
		if got := said(l, ledger.Keep); got != want {
			t.Errorf("%s: %s\n   keep: %s\n   want: %s", test.what, test.tree, got, want)
		}
	}
}

package ledger_test

import (
	"fmt"
	"strings"
	"testing"

	"coppice/transcript/ledger"
	tt "coppice/transcript/transcripttest"
)

// told writes findings as "kind line rows", rows left out when none are lost.
func told(findings []ledger.Finding) string {
	var out []string
	for _, f := range findings {
		s := fmt.Sprint(f.Kind, " ", f.Line)
		if f.Rows > 0 {
			s += fmt.Sprint(" ", f.Rows)
		}
		out = append(out, s)
	}
	return strings.Join(out, "; ")
}

func TestFindings(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ what, tree, client, keep string }{
		{"nothing odd", "u1 a1<u1 u2<a1 a2<u2", "", ""},
		{"compaction", "u1 a1<u1 b1>a1 s1<b1 u2<s1", "", ""},
		{"gap bridged", "u1@1 a1<u1@1000 u2<gone@2000", "gap 3", "gap 3"},
		{"gap that the client does not bridge", "u1@1 a1<u1@1000 u2<gone@20000 a2<u2@21000", "dropped 3 2", "gap 3"},
		{"two gaps, the older one is not bridged", "u1@1 a1<u1@1000 u2<gone@20000 a2<gone@21000", "dropped 3 2; gap 4", "gap 3; gap 4"},
		{"gap at the first row", "u1<gone a1<u1", "", ""},
		{"root", "u1 a1<u1 u2 a2<u2", "root 3 2", "root 3"},
		{"cycle", "u1@1 a1<u1@900 u2<u2@20000", "cycle 3 2", "cycle 3"},
		{"unlinked", "u1!free a1!free u2!free", "unlinked 3 2", "unlinked 3"},
		{"misplaced", "a1<u1@2000 u1@1000", "misplaced 1", "misplaced 1"},
		{"duplicate", "u1@1 a1<u1@2 u1@1", "duplicate 3; misplaced 2", "duplicate 3; misplaced 2"},
		{"segment", "u1 a1<u1 b1>a1=s1:gone..a1 s1<b1", "segment 3", "segment 3"},
		{"no summary", "u1 a1<u1 b1>a1 u2<b1", "no-summary 3", "no-summary 3"},
		{"pointer", "u1 a1<u1 ->gone", "pointer 3", "pointer 3"},
		{"pointer to nobody", "u1 a1<u1 ->0", "", ""},
		{"no uuid", `u1 {"type":"user","parentUuid":null}`, "no-uuid 2", "no-uuid 2"},
	} {
		l := open(t, tt.New(sid).Tree(test.tree).Bytes())
		for p, want := range map[ledger.Policy]string{ledger.Client: test.client, ledger.Keep: test.keep} {
			c, err := l.Chain(p)
			if err != nil {
				t.Errorf("%s: %v", test.what, err)
			}
			got := told(c.Findings)
			if sorted(got) != sorted(want) {
				t.Errorf("%s: %v: %q, want %q", test.what, p, got, want)
			}
		}
	}
}

// sorted puts findings of one text in the order of their names.
func sorted(s string) string {
	parts := strings.Split(s, "; ")
	for i := range parts {
		for j := range i {
			if parts[i] < parts[j] {
				parts[i], parts[j] = parts[j], parts[i]
			}
		}
	}
	return strings.Join(parts, "; ")
}

func TestBefore(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ what, tree, rows, before string }{
		{"no compaction", "u1 a1<u1", "u1 a1", ""},
		{"one", "u1 a1<u1 b1>a1 s1<b1 u2<s1", "b1 s1 u2", "u1 a1"},
		{"two", "u1 a1<u1 b1>a1 s1<b1 u2<s1 b2>u2 s2<b2 u3<s2", "b2 s2 u3", "u1 a1 b1 s1 u2"},
		{"with a parent", "u1 a1<u1 b1<a1 s1<b1 u2<s1", "b1 s1 u2", "u1 a1"},
		{"preserved rows are not before", "u1 a1<u1 u2<a1 a2<u2 b1>a2=s1:u2,a2 s1<b1 u3<s1", "b1 s1 u2 a2 u3", "u1 a1"},
		{"what it came after is gone (A10, A13)", "u1 a1<u1 b1>gone s1<b1 u2<s1", "b1 s1 u2", "u1 a1"},
		{"nothing is left of it (A13)", "b1>gone s1<b1 u2<s1", "b1 s1 u2", ""},
		{"a parallel turn", "u1 c1<u1#m c2<c1#m r1<c1 r2<c2 a1<r2 b1>a1 s1<b1", "b1 s1", "u1 c1 c2 r1 r2 a1"},
		{"left branches are not", "u1 a1<u1 u2<a1 u3<a1 b1>u3 s1<b1", "b1 s1", "u1 a1 u3"},
	} {
		l := open(t, tt.New(sid).Tree(test.tree).Bytes())
		for _, p := range []ledger.Policy{ledger.Client, ledger.Keep} {
			c, err := l.Chain(p)
			if err != nil {
				t.Errorf("%s: %v", test.what, err)
			}
			if rows, before := names(l, c.Rows), names(l, c.Before); rows != test.rows || before != test.before {
				t.Errorf("%s: %v: %q after %q, want %q after %q", test.what, p, rows, before, test.rows, test.before)
			}
		}
	}
}

func TestBranches(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ what, tree, branches string }{
		{"none", "u1 a1<u1", ""},
		{"one", "u1 a1<u1 u2<a1 a2<u2 u3<a1", "a2 from a1: 2"},
		{"newer", "u1 a1<u1 u2<a1 ->u2 u3<a1 a3<u3", "a3 from a1: 2, newer"},
		{"from one another", "u1 a1<u1 u2<a1 a2<u2 u3<a2 u4<a2 u5<a1", "u3 from a1: 3; u4 from a1: 3"},
		{"another root is before, not beside", "u1 a1<u1 u2 a2<u2", ""},
		{"went back to the start", "u1 a1<u1 u2 =>0 a2<u2", "a1: 2"},
		{"from before a compaction", "u1 a1<u1 u2<a1 u3<a1 b1>u3 s1<b1", "u2 from a1: 1"},
		{"sidechains are none", "u1 u8<u1!side a1<u1", ""},
		{"a turn's answers are none", "u1 c1<u1#m c2<c1#m r1<c1 r2<c2 a2<r2 u3<u1", "a2 from u1: 4"},
		{"system rows alone are none", "u1 a1<u1 u2<a1 y1<a1 a2<u2", ""},
	} {
		l := open(t, tt.New(sid).Tree(test.tree).Bytes())
		c, err := l.Chain(ledger.Keep)
		if err != nil {
			t.Errorf("%s: %v", test.what, err)
		}
		var got []string
		for _, b := range c.Branches {
			s := names(l, []int{b.Leaf})
			if b.Fork >= 0 {
				s += " from " + names(l, []int{b.Fork})
			}
			s += fmt.Sprint(": ", b.Rows)
			if b.Newer {
				s += ", newer"
			}
			got = append(got, s)
		}
		if s := strings.Join(got, "; "); s != test.branches {
			t.Errorf("%s: %q, want %q", test.what, s, test.branches)
		}
	}
}

func TestChainAt(t *testing.T) {
	t.Parallel()
	b := tt.New(sid)
	l := open(t, b.Tree("u1 a1<u1 u2<a1 a2<u2 u3<a1 a3<u3 ->a3").Bytes())
	for name, want := range map[string]string{"a2": "u1 a1 u2 a2", "a1": "u1 a1", "u1": "u1", "gone": ""} {
		for _, p := range []ledger.Policy{ledger.Client, ledger.Keep} {
			c, err := l.ChainAt(p, l.ID(b.Name(name)))
			if got := names(l, c.Rows); got != want || (err != nil) != (want == "") {
				t.Errorf("%s: %v: %q, %v", name, p, got, err)
			}
		}
	}
}

// TestHostile has trees of the kinds that take squared time when walks begin
// anew at each row. It fails by the test's time limit.
func TestHostile(t *testing.T) {
	t.Parallel()
	const n = 6000
	for what, row := range map[string]func(i int) string{
		"all orphans at one time": func(i int) string { return fmt.Sprintf("u%d<gone@1000", i) },
		"all their own parents":   func(i int) string { return fmt.Sprintf("u%d<u%[1]d@1000", i) },
		"all below the next":      func(i int) string { return fmt.Sprintf("u%d<u%d", i, i+1) },
		"no parents":              func(i int) string { return fmt.Sprintf("u%d!free", i) },
		"roots":                   func(i int) string { return fmt.Sprintf("u%d", i) },
		"answers below answers":   func(i int) string { return fmt.Sprintf("r%d<r%d~gone", i, i-1) },
		"attachments, one chain":  func(i int) string { return fmt.Sprintf("t%d<t%d", i, i-1) },
		"compactions":             func(i int) string { return fmt.Sprintf("b%d>b%d", i, i-1) },
		"one uuid":                func(i int) string { return fmt.Sprintf("u1<u%d@%d", i%2, i) },
		"one message":             func(i int) string { return fmt.Sprintf("c%d<u1#m", i) },
		"a comb": func(i int) string {
			if i < n/2 {
				return fmt.Sprintf("a%d<a%d", i, i-1)
			}
			return fmt.Sprintf("u%d<a%d", i, n/2-1-i%10)
		},
		"sidechains between": func(i int) string {
			if i%4 == 0 {
				return fmt.Sprintf("u%d<gone@1", i)
			}
			return fmt.Sprintf("u%d!side", i)
		},
	} {
		b := tt.New(sid)
		for i := 1; i <= n; i++ {
			b.Line(b.TreeRow(row(i)))
		}
		l := open(t, b.Bytes())
		for _, p := range []ledger.Policy{ledger.Client, ledger.Keep} {
			if c, err := l.Chain(p); err != nil || len(c.Rows) == 0 {
				t.Errorf("%s: %v: %d rows, %v", what, p, len(c.Rows), err)
			}
		}
	}
}

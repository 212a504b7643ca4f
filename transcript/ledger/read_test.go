package ledger_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"coppice/transcript/ledger"
	tt "coppice/transcript/transcripttest"
)

// lines returns the lines of a Tree, without line feeds.
func lines(notation string) []string {
	return strings.Split(strings.TrimSuffix(string(tt.New(sid).Tree(notation).Bytes()), "\n"), "\n")
}

// TestBytes has what bytes do to a conversation (observed A.3, report A15). The
// rows are far apart in time, so that the client bridges nothing unless told.
func TestBytes(t *testing.T) {
	t.Parallel()
	l := lines("u1@0 a1<u1@10000 u2<a1@20000 a2<u2@30000 u3<a2@40000")
	join := func(edit func(l []string) []string) string { return strings.Join(edit(slices.Clone(l)), "\n") + "\n" }
	each := func(f func(s string) string) string {
		return join(func(l []string) []string {
			for i := range l {
				l[i] = f(l[i])
			}
			return l
		})
	}
	third := func(s string) string { return join(func(l []string) []string { l[2] = s; return l }) }
	all := "u1 a1 u2 a2 u3"
	for _, test := range []struct{ what, data, client, keep, damage string }{
		{"plain", each(func(s string) string { return s }), all, all, ""},
		{"CRLF", each(func(s string) string { return s + "\r" }), all, all, ""},
		{"blank lines", each(func(s string) string { return s + "\n\n  " }), all, all, ""},
		{"blanks around", each(func(s string) string { return " \t" + s + " " }), all, all, ""},
		{"byte order mark", "\xEF\xBB\xBF" + join(func(l []string) []string { return l }), all, all, ""},
		{"no final line feed", strings.TrimSuffix(each(func(s string) string { return s }), "\n"), all, all, ""},
		{"a line of NULs", third(l[2] + "\n" + strings.Repeat("\x00", 4096)), all, all, "4 nul 0"},
		{"NULs at the end", join(func(l []string) []string { return l }) + strings.Repeat("\x00", 3000), all, all, "6 nul 0"},
		{"NULs before a row", third("\x00\x00\x00" + l[2]), "a2 u3", all, "3 nul 1"},
		{"NULs behind a row", third(l[2] + "\x00\x00"), all, all, "3 nul 1"},
		{"a row that became NULs", third(strings.Repeat("\x00", len(l[2]))), "a2 u3", "u1 a1 a2 u3", "3 nul 0"},
		{"NULs inside a row", third(l[2][:100] + strings.Repeat("\x00", 40) + l[2][140:]), "a2 u3", "u1 a1 a2 u3", "3 nul 0"},
		{"cut off last line", strings.Join(l, "\n")[:len(strings.Join(l, "\n"))-40], "u1 a1 u2 a2", "u1 a1 u2 a2", "5 torn 0"},
		{"half a line in the middle", third(l[2][:len(l[2])/2]), "a2 u3", "u1 a1 a2 u3", "3 garbage 0"},
		{"two rows on one line", join(func(l []string) []string { return []string{l[0], l[1], l[2] + l[3], l[4]} }), "u3", all, "3 glued 2"},
		{"half a row and the next", join(func(l []string) []string { return []string{l[0], l[1], l[2][:150] + l[3], l[4]} }), "u3", "u1 a1 a2 u3", "3 glued 1"},
		{"half a record and a row (A15 iv)", join(func(l []string) []string {
			return []string{l[0], l[1], `{"type":"pr-link","sessionId":"x","prNu` + l[2], l[3], l[4]}
		}), "a2 u3", all, "3 glued 1"},
		{"a row and the start of the next", third(l[2] + l[3][:60]), all, all, "3 glued 1"},
		{"row cut at a nested value", third(l[2][:strings.Index(l[2], `{"role"`)] + `{"role":"user","content":[{"type":"text","text":"x"}`), "a2 u3", "u1 a1 a2 u3", "3 garbage 0"},
		{"invalid UTF-8", strings.ReplaceAll(each(func(s string) string { return s }), `"main"`, "\"ma\xff\xfein\""), all, all, ""},
		{"lone surrogate (A16)", strings.ReplaceAll(each(func(s string) string { return s }), `"main"`, `"\ud83d \udc00"`), all, all, ""},
		{"control character in a string", third(strings.Replace(l[2], `"main"`, "\"ma\x01in\"", 1)), "a2 u3", "u1 a1 a2 u3", "3 garbage 0"},
		{"escaped keys and values", strings.NewReplacer(`"uuid"`, `"\u0075uid"`, `"type":"user"`, `"ty\u0070e":"us\u0065r"`, `-4e61-`, `\u002d4e61-`).Replace(join(func(l []string) []string { return l })), all, all, ""},
		{"a member twice: the last", third(strings.Replace(l[2], `{`, `{"uuid":"x","parentUuid":null,"type":"mode","timestamp":5,`, 1)), all, all, ""},
		{"nested members do not count", third(strings.Replace(l[2], `{`, `{"x":{"uuid":"x","parentUuid":null,"type":"mode"},"y":[{"uuid":"z"}],`, 1)), all, all, ""},
		{"other order", third(strings.Replace(strings.Replace(l[2], `"type":"user",`, "", 1), `}`+"\x00", "", 1)[:len(l[2])-len(`"type":"user",`)-1] + `,"type":"user"}`), all, all, ""},
		{"empty", "", "none", "none", ""},
		{"garbage", "not json at all\n{{{{\n", "none", "none", "1 garbage 0; 2 garbage 0"},
		{"only records", `{"type":"mode"}` + "\n" + `{"type":"summary","summary":"x"}` + "\n", "none", "none", ""},
	} {
		led := open(t, []byte(test.data))
		if got := said(led, ledger.Client); got != test.client {
			t.Errorf("%s: client: %s, want %s", test.what, got, test.client)
		}
		if got := said(led, ledger.Keep); got != test.keep {
			t.Errorf("%s: keep: %s, want %s", test.what, got, test.keep)
		}
		var damage []string
		for _, d := range led.Damage {
			damage = append(damage, fmt.Sprint(d.Line, " ", d.Kind, " ", d.Salvaged))
		}
		if got := strings.Join(damage, "; "); got != test.damage {
			t.Errorf("%s: damage %q, want %q", test.what, got, test.damage)
		}
	}
}

// TestTornParent: the damaged line of a lost row still names its parent, so what
// follows it is not hung on the branch that stands before it in the file.
func TestTornParent(t *testing.T) {
	t.Parallel()
	l := lines("u1@0 a1<u1@10000 u2<a1@20000 a2<u2@30000 u3<a1@40000 a3<u3@50000")
	l[4] = l[4][:len(l[4])/2]
	led := open(t, []byte(strings.Join(l, "\n")+"\n"))
	if got := said(led, ledger.Keep); got != "u1 a1 a3" {
		t.Errorf("keep: %s", got)
	}
}

func TestRow(t *testing.T) {
	t.Parallel()
	b := tt.New(sid)
	b.Tree("u1@1500 c1<u1#m r1<c1~c9 b1>r1 s1<b1!meta!team t1<s1!side v1<t1 m1 p1!free")
	b.Title("x")
	led := open(t, b.Bytes())
	type short struct {
		kind                                             ledger.Kind
		sub, parent, id, source                          string
		side, meta, summary, team, results, calls, empty bool
		rooted                                           bool
	}
	n := b.Name
	want := []short{
		{kind: ledger.User, rooted: true},
		{kind: ledger.Assistant, parent: n("u1"), id: "m", calls: true},
		{kind: ledger.User, parent: n("c1"), source: n("c9"), results: true},
		{kind: ledger.System, sub: "compact_boundary", rooted: true},
		{kind: ledger.User, parent: n("b1"), meta: true, summary: true, team: true},
		{kind: ledger.Attachment, sub: "queued_command", parent: n("s1"), side: true},
		{kind: ledger.User, parent: n("t1"), empty: true},
		{kind: ledger.Other, rooted: true},
		{kind: ledger.Progress},
	}
	var got []short
	for _, r := range led.Rows {
		got = append(got, short{r.Kind, led.Text(r.Subtype), led.Text(r.Parent), led.Text(r.MessageID), led.Text(r.SourceID), r.Sidechain, r.Meta, r.Summary, r.Team, r.Results, r.Calls, r.Void, r.Rooted})
	}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(short{})); diff != "" {
		t.Error(diff)
	}
	if at := led.Rows[0].Time; at != b.Time.Truncate(3600e9).UnixMilli()+1500 {
		t.Errorf("time %d", at)
	}
	if len(led.Records) != 1 || led.Records[0].Type != "custom-title" || led.Records[0].Line != 10 {
		t.Errorf("records %+v", led.Records)
	}
	if i, ok := led.Row(led.ID(n("r1"))); !ok || i != 2 {
		t.Errorf("row %d, %t", i, ok)
	}
}

// TestTimes has the forms that the client's own clock reading takes for a time.
func TestTimes(t *testing.T) {
	t.Parallel()
	for value, want := range map[string]int64{
		`"2026-11-01T10:00:01.250Z"`: 1793527201250, `"2026-11-01T10:00:01Z"`: 1793527201000, `"2026-11-01T11:00:01+01:00"`: 1793527201000,
		`"2026-11-01T10:00:01.999999Z"`: 1793527201999, `1793527201000`: 1793527201000, `"2024-02-29T00:00:00.000Z"`: 1709164800000,
		`"yesterday"`: 0, `null`: 0, `{}`: 0, `"2026-13-01T10:00:01.250Z"`: 0, `"2026-02-30T10:00:01.250Z"`: 0,
	} {
		led := open(t, []byte(`{"type":"user","uuid":"a","timestamp":`+value+`}`))
		if got := led.Rows[0].Time; got != want {
			t.Errorf("%s: %d, want %d", value, got, want)
		}
	}
}

// TestLongLines: A26, lines that no buffer holds are indexed like others.
func TestLongLines(t *testing.T) {
	t.Parallel()
	l := lines("u1@0 c1<u1@10000 r1<c1@20000 a2<r1@30000 b1@40000=s1:r1,a2 s1<b1@41000 u3<s1@42000")
	short := open(t, []byte(strings.Join(l, "\n")+"\n"))
	big := strings.Repeat("line of output \\\\ \\\"quoted\\\" \\ud83d\\n", 1<<20/32)
	for i := range l {
		long := slices.Clone(l)
		for _, at := range []string{`"gitBranch":"main"`, `"isSidechain"`} {
			long[i] = strings.Replace(l[i], at, `"filler":"`+big+`",`+at, 1)
			led := open(t, []byte(strings.Join(long, "\n")+"\n"))
			for _, p := range []ledger.Policy{ledger.Client, ledger.Keep} {
				if got, want := said(led, p), said(short, p); got != want {
					t.Errorf("line %d: %v: %s, want %s", i+1, p, got, want)
				}
			}
			row := led.Rows[i]
			if b, err := led.Bytes(row.Offset, row.Size); err != nil || string(b) != long[i] {
				t.Errorf("line %d: %d bytes, %v", i+1, len(b), err)
			}
			long[i] = long[i][:len(long[i])-9]
			led = open(t, []byte(strings.Join(long, "\n")+"\n"))
			if len(led.Damage) != 1 || len(led.Rows) != len(l)-1 {
				t.Errorf("line %d cut: %d rows, damage %v", i+1, len(led.Rows), led.Damage)
			}
		}
	}
}

// TestBufferBorders has lines around the size of the buffer, which are read in
// one way below and in another above.
func TestBufferBorders(t *testing.T) {
	t.Parallel()
	l := lines("u1@0 a1<u1@10000 u2<a1@20000")
	for _, size := range []int{256 << 10, 512 << 10, 1 << 20} {
		for extra := -3; extra <= 3; extra++ {
			long := slices.Clone(l)
			long[1] = strings.Replace(l[1], `"main"`, `"`+strings.Repeat("x", size-len(l[1])+extra)+`"`, 1)
			if got := said(open(t, []byte(strings.Join(long, "\n"))), ledger.Client); got != "u1 a1 u2" {
				t.Errorf("%d%+d: %s", size, extra, got)
			}
		}
	}
}

func TestBytesOfChangedFile(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "x.jsonl")
	data := tt.New(sid).Tree("u1 a1<u1").Title("x").Bytes()
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	led, err := ledger.Read(t.Context(), f, int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	check := func(what string, changed bool) {
		t.Helper()
		for _, s := range []struct {
			off  int64
			size int
		}{{led.Rows[1].Offset, led.Rows[1].Size}, {led.Records[0].Offset, led.Records[0].Size}} {
			b, err := led.Bytes(s.off, s.size)
			if errors.Is(err, ledger.ErrChanged) != changed || err == nil && !bytes.Equal(b, data[s.off:s.off+int64(s.size)]) {
				t.Errorf("%s: %q, %v", what, b, err)
			}
		}
	}
	check("untouched", false)
	if _, err := led.Bytes(int64(len(data))-1, 100); err == nil {
		t.Error("bytes beyond the end")
	}
	if _, err := f.WriteAt(bytes.ReplaceAll(data, []byte("x"), []byte("y")), 0); err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteAt(bytes.ReplaceAll(data, []byte("a1"), []byte("a2")), 0); err != nil {
		t.Fatal(err)
	}
	if _, err := led.Bytes(led.Rows[1].Offset, led.Rows[1].Size); !errors.Is(err, ledger.ErrChanged) {
		t.Errorf("rewritten: %v", err)
	}
	if err := f.Truncate(50); err != nil {
		t.Fatal(err)
	}
	check("cut off", true)
}

// changing is a file that becomes another one after some reads.
type changing struct {
	data, then []byte
	after      int
}

func (c *changing) ReadAt(b []byte, off int64) (int, error) {
	if c.after--; c.after < 0 {
		c.data = c.then
	}
	return bytes.NewReader(c.data).ReadAt(b, off)
}

// TestChangesWhileRead: F9, the file is cut off, replaced or zeroed meanwhile.
func TestChangesWhileRead(t *testing.T) {
	t.Parallel()
	var buf bytes.Buffer
	if err := longTalk(&buf, 1<<20); err != nil {
		t.Fatal(err)
	}
	data := buf.Bytes()
	for after := range 8 {
		for _, then := range [][]byte{nil, data[:100], data[:len(data)/2], bytes.Repeat([]byte("x\n"), len(data)/2), make([]byte, len(data)), bytes.Repeat([]byte{'{'}, len(data))} {
			led, err := ledger.Read(t.Context(), &changing{data: data, then: then, after: after}, int64(len(data)))
			if err != nil {
				t.Fatal(err)
			}
			for _, p := range []ledger.Policy{ledger.Client, ledger.Keep} {
				if _, err := led.Chain(p); err != nil && !errors.Is(err, ledger.ErrNoConversation) {
					t.Error(err)
				}
			}
		}
	}
}

var errDisk = errors.New("disk")

type failing struct{ io.ReaderAt }

func (f failing) ReadAt(b []byte, off int64) (int, error) {
	if off > 200<<10 {
		return 0, errDisk
	}
	return f.ReaderAt.ReadAt(b, off)
}

func TestReadErrors(t *testing.T) {
	t.Parallel()
	long := []byte(`{"type":"user","uuid":"` + strings.Repeat("x", 3<<20) + `"}`)
	var talk bytes.Buffer
	if err := longTalk(&talk, 2<<20); err != nil {
		t.Fatal(err)
	}
	for _, data := range [][]byte{long, talk.Bytes()} {
		if _, err := ledger.Read(t.Context(), failing{bytes.NewReader(data)}, int64(len(data))); !errors.Is(err, errDisk) {
			t.Errorf("failing: %v", err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := ledger.Read(ctx, bytes.NewReader(data), int64(len(data))); !errors.Is(err, context.Canceled) {
			t.Errorf("cancelled: %v", err)
		}
	}
}

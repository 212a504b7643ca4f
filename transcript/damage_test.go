package transcript_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"coppice/transcript"
	tt "coppice/transcript/transcripttest"
)

// twelve writes six turns with something between the third and the fourth.
func twelve(between string) []byte {
	b := tt.New(sid)
	turn := func(n int) {
		b.User(fmt.Sprintf("prompt %d", n)).Assistant(tt.Text("answer")).Next()
	}
	for n := range 3 {
		turn(n)
	}
	b.Raw(between)
	for n := range 3 {
		turn(n + 3)
	}
	return b.Bytes()
}

func TestDamage(t *testing.T) {
	t.Parallel()
	row := strings.TrimSpace(string(tt.New(sid).User("the glued prompt").Bytes()))
	title := `{"type":"custom-title","customTitle":"glued","sessionId":"` + sid + `"}`
	for _, tc := range []struct {
		name    string
		between string
		kind    transcript.DamageKind
		records int
	}{
		{"A15 i truncated record", row[:len(row)/2] + "\n", transcript.DamageGarbage, 12},
		{"A15 ii line of NULs", strings.Repeat("\x00", 500) + "\n", transcript.DamageNUL, 12},
		{"NULs before a record", strings.Repeat("\x00", 300) + row + "\n", transcript.DamageNUL, 13},
		{"NULs behind a record", row + strings.Repeat("\x00", 300) + "\n", transcript.DamageNUL, 13},
		{"A15 iv cut record before another", `{"type":"pr-link","sessionId":"x","prNu` + row + "\n", transcript.DamageGlued, 13},
		{"cut inside a string value", `{"type":"tag","tag":"wi` + row + "\n", transcript.DamageGlued, 13},
		{"cut inside a message", row[:140] + row + "\n", transcript.DamageGlued, 13},
		{"cut behind a colon", `{"type":"tag","tag":` + row + "\n", transcript.DamageGlued, 13},
		{"A.3 two records", row + row + "\n", transcript.DamageGlued, 14},
		{"A.3 two small records", title + title + "\n", transcript.DamageGlued, 14},
		{"three records with blanks", row + " " + title + "\t" + row + "\n", transcript.DamageGlued, 15},
		{"a string that nothing opens", `{"type":"blob",data","sessionId":"x"}` + "\n", transcript.DamageGarbage, 12},
		{"cut inside a large string of no interest", `{"type":"blob","data":` + strings.TrimSuffix(tt.Quote(tt.Filler(9000)), `"`) + title + "\n", transcript.DamageGlued, 13},
		{"text", "not a record\n", transcript.DamageGarbage, 12},
		{"rest of a record", row[10:] + "\n", transcript.DamageGarbage, 12},
		{"A15 empty line", "\n", "", 12},
		{"blank line", " \t \n", "", 12},
		{"A15 null", "null\n", "", 12},
		{"A15 empty list", "[]\n", "", 12},
		{"A15 number", "42\n", "", 12},
		{"A15 string", "\"s\"\n", "", 12},
		{"empty object", "{}\n", "", 12},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			data := twelve(tc.between)
			got := scan(t, data).Summary
			var want []transcript.Damage
			if tc.kind != "" {
				want = []transcript.Damage{{Line: 7, Offset: int64(bytes.Index(data, []byte(tc.between))), Kind: tc.kind}}
			}
			if diff := cmp.Diff(want, got.Damage); diff != "" {
				t.Errorf("damage, want → got:\n%s", diff)
			}
			if got.Records != tc.records || got.DamageCount != len(want) || got.FirstPrompt != "prompt 0" {
				t.Errorf("%d records, want %d; first prompt %q", got.Records, tc.records, got.FirstPrompt)
			}
			tail, err := transcript.ReadTail(t.Context(), bytes.NewReader(data), int64(len(data)), 100)
			if err != nil || tail.Damage != len(want) || len(tail.Messages) < 12 {
				t.Errorf("tail: %d messages, damage %d, %v", len(tail.Messages), tail.Damage, err)
			}
		})
	}
}

func TestLineEnds(t *testing.T) {
	t.Parallel()
	plain := twelve("")
	want := scan(t, plain).Summary
	for name, data := range map[string][]byte{
		"A15 CRLF":                bytes.ReplaceAll(plain, []byte("\n"), []byte("\r\n")),
		"A15 byte order mark":     append([]byte("\xEF\xBB\xBF"), plain...),
		"no final line feed":      bytes.TrimSuffix(plain, []byte("\n")),
		"blank lines in between":  bytes.ReplaceAll(plain, []byte("\n"), []byte("\n\n")),
		"blanks around the lines": bytes.ReplaceAll(plain, []byte("\n"), []byte(" \n\t")),
	} {
		got := scan(t, data).Summary
		got.Size = want.Size
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s:\n%s", name, diff)
		}
	}
}

// TestTornEnd: A15 iii, the last line is cut anywhere.
func TestTornEnd(t *testing.T) {
	t.Parallel()
	whole := twelve("")
	start := bytes.LastIndexByte(whole[:len(whole)-1], '\n') + 1
	for cut := start; cut < len(whole); cut += 7 {
		got := scan(t, whole[:cut])
		switch sum := got.Summary; {
		case cut == start || cut == len(whole)-1:
			if sum.DamageCount != 0 {
				t.Errorf("cut at %d: damage %v", cut, sum.Damage)
			}
		case sum.DamageCount != 1 || sum.Damage[0] != transcript.Damage{Line: 12, Offset: int64(start), Kind: transcript.DamageTorn}:
			t.Errorf("cut at %d: damage %v", cut, sum.Damage)
		case sum.Records != 11 || got.Offset != int64(start):
			t.Errorf("cut at %d: %d records, offset %d", cut, sum.Records, got.Offset)
		}
	}
}

func TestNothingToRead(t *testing.T) {
	t.Parallel()
	for name, data := range map[string]string{
		"empty": "", "garbage": "\x01\x02 no json", "NULs": strings.Repeat("\x00", 5000), "brace": "{", "bom": "\xEF\xBB\xBF",
		"deep": strings.Repeat("[", 20000), "quote": `"`, "backslashes": `{"a":"` + strings.Repeat(`\`, 999),
	} {
		sum := scan(t, []byte(data)).Summary
		if sum.Records != 0 || sum.HasMain || !sum.Complete || sum.Size != int64(len(data)) {
			t.Errorf("%s: %+v", name, sum)
		}
		if damaged := sum.DamageCount > 0; damaged != (name != "empty" && name != "bom") {
			t.Errorf("%s: damage %v", name, sum.Damage)
		}
		if tail, err := transcript.ReadTail(t.Context(), strings.NewReader(data), int64(len(data)), 5); err != nil || len(tail.Messages) != 0 {
			t.Errorf("%s: tail %+v, %v", name, tail, err)
		}
	}
}

// TestLongLines: A26, lines that no buffer holds.
func TestLongLines(t *testing.T) {
	t.Parallel()
	b := tt.New(sid).Head().User("look at this").Assistant(tt.Bash("toolu_1", "cat big"))
	b.Result("toolu_1", strings.Repeat("line of output \\ \"quoted\"\n", 12<<20/26))
	b.Next().Assistant(tt.Text("seen")).Title("big")
	data := b.Bytes()
	if got := scan(t, data).Summary; got.CustomTitle != "big" || got.Records != 9 || got.Interrupted || got.DamageCount != 0 || got.Messages != 3 {
		t.Errorf("scan: %+v", got)
	}
	sum, err := transcript.Peek(t.Context(), bytes.NewReader(data), int64(len(data)))
	if err != nil || sum.CustomTitle != "big" || sum.FirstPrompt != "look at this" || sum.Complete {
		t.Errorf("peek: %+v, %v", sum, err)
	}
	torn := data[:len(data)-6<<20]
	if got := scan(t, torn).Summary; got.DamageCount != 1 || got.Damage[0].Kind != transcript.DamageTorn || !got.Interrupted {
		t.Errorf("torn: damage %v, interrupted %t", got.Damage, got.Interrupted)
	}
	tail, err := transcript.ReadTail(t.Context(), bytes.NewReader(data), int64(len(data)), 2)
	if err != nil || len(tail.Messages) != 2 || !tail.Earlier || tail.Messages[0].Blocks[0].Answer.Lines != 12<<20/26 {
		t.Errorf("tail of %d messages, %v", len(tail.Messages), err)
	}
}

// TestBufferBorders has lines around the size of the buffer, which are read in
// one way below and in another above.
func TestBufferBorders(t *testing.T) {
	t.Parallel()
	for extra := -3; extra <= 3; extra++ {
		b := tt.New(sid).User("small")
		row := tt.New(sid).User("").Len()
		b.User(strings.Repeat("x", 256<<10-row+extra)).Assistant(tt.Text("seen")).Title("behind")
		if diff := cmp.Diff(refer(b.Bytes()), summary(t, b)); diff != "" {
			t.Errorf("%+d: reference → scan:\n%s", extra, diff)
		}
	}
}

// changing is a file that changes between two reads.
type changing struct {
	data  []byte
	after int
	then  []byte
}

func (c *changing) ReadAt(b []byte, off int64) (int, error) {
	if c.after--; c.after == 0 {
		c.data = c.then
	}
	return bytes.NewReader(c.data).ReadAt(b, off)
}

// TestChangesWhileRead: F9, the file grows, shrinks or is replaced meanwhile.
func TestChangesWhileRead(t *testing.T) {
	t.Parallel()
	data := benchSession(3, 400<<10)
	grown := append(bytes.Clone(data), twelve("")...)
	size := int64(len(data))
	var s transcript.Scanner
	for after := 1; after < 4; after++ {
		got, err := s.Scan(t.Context(), &changing{data, after, grown}, size, nil)
		if diff := cmp.Diff(scan(t, data), got); diff != "" || err != nil {
			t.Errorf("grown: %v\n%s", err, diff)
		}
		for _, then := range [][]byte{nil, data[:100], data[:len(data)/2], bytes.Repeat([]byte("x\n"), len(data)/2), bytes.Repeat([]byte{0}, len(data))} {
			if _, err := s.Scan(t.Context(), &changing{data, after, then}, size, nil); err != nil {
				t.Errorf("shrunk to %d: %v", len(then), err)
			}
			if _, err := s.Peek(t.Context(), &changing{data, after, then}, size); err != nil {
				t.Errorf("peek, shrunk to %d: %v", len(then), err)
			}
			if _, err := transcript.ReadTail(t.Context(), &changing{data, after, then}, size, 50); err != nil {
				t.Errorf("tail, shrunk to %d: %v", len(then), err)
			}
		}
	}
}

// TestReplacedFile: a file that is not the one of the State is read anew.
func TestReplacedFile(t *testing.T) {
	t.Parallel()
	old := scan(t, twelve(""))
	other := richSession().Bytes()
	var s transcript.Scanner
	for _, data := range [][]byte{other, other[:50], nil} {
		got, err := s.Scan(t.Context(), bytes.NewReader(data), int64(len(data)), &old)
		if diff := cmp.Diff(scan(t, data), got); diff != "" || err != nil {
			t.Errorf("%v\n%s", err, diff)
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
	data := benchSession(3, 1<<20)
	r := failing{bytes.NewReader(data)}
	size := int64(len(data))
	var s transcript.Scanner
	state, err := s.Scan(t.Context(), r, size, nil)
	if !errors.Is(err, errDisk) || state.Summary.Complete || state.Summary.FirstPrompt == "" {
		t.Errorf("scan: %v, complete %t", err, state.Summary.Complete)
	}
	if sum, err := s.Peek(t.Context(), r, size); err != nil && !errors.Is(err, errDisk) || sum.FirstPrompt == "" {
		t.Errorf("peek: %v", err)
	}
	if _, err := transcript.ReadTail(t.Context(), r, size, 5); !errors.Is(err, errDisk) {
		t.Errorf("tail: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.Scan(ctx, bytes.NewReader(data), size, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled scan: %v", err)
	}
}

package ledger_test

import (
	"bytes"
	"context"
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"coppice/transcript/ledger"
	tt "coppice/transcript/transcripttest"
)

// parts checks that readers of parts find what one does, wherever the cuts are.
func parts(t *testing.T, data []byte, whole *ledger.Ledger) {
	t.Helper()
	for _, n := range []int{1, 2, 3, 7} {
		l, err := ledger.ReadParts(context.Background(), bytes.NewReader(data), int64(len(data)), n)
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(plainly(l), plainly(whole)) {
			t.Fatalf("%d parts: %+v, want %+v", n, plainly(l), plainly(whole))
		}
		for _, policy := range []ledger.Policy{ledger.Client, ledger.Keep} {
			got, err := l.Chain(policy)
			want, wantErr := whole.Chain(policy)
			if (err == nil) != (wantErr == nil) || !reflect.DeepEqual(got, want) {
				t.Fatalf("%d parts: chain %+v, %v, want %+v, %v", n, got, err, want, wantErr)
			}
		}
	}
}

// plainly returns what a Ledger lists, its IDs as texts.
func plainly(l *ledger.Ledger) any {
	type named struct {
		Row   ledger.Row
		Texts [5]string
	}
	rows := []named{}
	for _, r := range l.Rows {
		n := named{Row: r}
		for i, id := range []*ledger.ID{&n.Row.UUID, &n.Row.Parent, &n.Row.MessageID, &n.Row.SourceID, &n.Row.Subtype} {
			n.Texts[i], *id = l.Text(*id), 0
		}
		rows = append(rows, n)
	}
	return struct {
		Rows    []named
		Records []ledger.Record
		Damage  []ledger.Damage
		Count   int
		Size    int64
	}{rows, append([]ledger.Record{}, l.Records...), append([]ledger.Damage{}, l.Damage...), l.DamageCount, l.Size}
}

// TestParts reads each of the recorded cases, compactions and damage in parts.
func TestParts(t *testing.T) {
	t.Parallel()
	for _, test := range cases {
		data := tt.New(sid).Tree(test.tree).Bytes()
		parts(t, data, open(t, data))
	}
	b := tt.New(sid).Head()
	for range 4 {
		b.User("look").LastPrompt("look").Assistant(tt.Bash("toolu_1", "ls")).Result("toolu_1", tt.Filler(3000)).Compact("so far").Title("t")
	}
	for _, data := range [][]byte{
		b.Bytes(),
		append(b.Bytes(), b.Bytes()...), // each uuid twice
		bytes.ReplaceAll(b.Bytes(), []byte("}\n{"), []byte("}{")),
		append(bytes.Repeat([]byte("\x00torn {\n"), 50), b.Bytes()...),
		bytes.TrimRight(b.Bytes(), "}\n"),
		[]byte("\n\n\n"), nil,
	} {
		parts(t, data, open(t, data))
	}
}

// TestPartsDamageIsBounded counts all damage and lists no more than MaxDamage.
func TestPartsDamageIsBounded(t *testing.T) {
	t.Parallel()
	data := []byte(strings.Repeat("x\n", ledger.MaxDamage*3/2))
	l := open(t, data)
	if l.DamageCount != ledger.MaxDamage*3/2 || len(l.Damage) != ledger.MaxDamage {
		t.Fatal(l.DamageCount, len(l.Damage))
	}
	parts(t, data, l)
}

// TestPartsOfAShorterFile reads a file that has become shorter as far as it goes,
// whichever part its end is in.
func TestPartsOfAShorterFile(t *testing.T) {
	t.Parallel()
	data := tt.New(sid).Head().User("one").Assistant(tt.Text("two")).User("three").Assistant(tt.Text("four")).Bytes()
	for end := range len(data) {
		r := bytes.NewReader(data[:end])
		want := open(t, data[:end])
		for n := 1; n < 5; n++ {
			l, err := ledger.ReadParts(context.Background(), r, int64(len(data)), n)
			if err != nil || !reflect.DeepEqual(plainly(l), plainly(want)) {
				t.Fatalf("%d bytes in %d parts: %+v, %v, want %+v", end, n, plainly(l), err, plainly(want))
			}
		}
	}
}

// TestSame knows the bytes of a row from others, and where its large values are.
func TestSame(t *testing.T) {
	t.Parallel()
	data := tt.New(sid).User("look").Assistant(tt.Bash("toolu_1", "ls")).Result("toolu_1", tt.Filler(3000)).Bytes()
	l := open(t, data)
	last := len(l.Rows) - 1
	b, err := l.Bytes(l.Rows[last].Offset, l.Rows[last].Size)
	if err != nil {
		t.Fatal(err)
	}
	changed := bytes.Replace(b, []byte("T"), []byte("t"), 1)
	if !l.Same(last, b) || l.Same(last, changed) || l.Same(last, b[1:]) {
		t.Fatal("took other bytes for the row's")
	}
	var rec map[string]json.RawMessage
	if err := json.Unmarshal(b, &rec); err != nil {
		t.Fatal(err)
	}
	for i, key := range []string{"message", "toolUseResult"} {
		if at := l.Rows[last].Large[i]; !bytes.Equal(b[at.From:at.To], rec[key]) {
			t.Fatalf("%s is %q", key, b[at.From:at.To])
		}
	}
}

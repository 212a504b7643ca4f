package ledger_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"coppice/transcript/ledger"
	tt "coppice/transcript/transcripttest"
)

// plain is what a row says by encoding/json alone.
type plain struct {
	Offset                              int64
	Size, Line                          int
	Kind                                ledger.Kind
	UUID, Parent, MessageID             string
	Sidechain, Meta, Summary            bool
	Results, Calls, Void, Rooted, Other bool
}

// reference indexes the lines that are one record each.
func reference(data []byte) []plain {
	var out []plain
	off := int64(0)
	for n, line := range bytes.SplitAfter(data, []byte("\n")) {
		start := off
		off += int64(len(line))
		if n == 0 {
			cut := bytes.TrimPrefix(line, []byte("\xEF\xBB\xBF"))
			start += int64(len(line) - len(cut))
			line = cut
		}
		body := bytes.Trim(line, " \t\r\n")
		start += int64(len(line) - len(bytes.TrimLeft(line, " \t\r\n")))
		var rec map[string]json.RawMessage
		if len(body) == 0 || body[0] != '{' || json.Unmarshal(body, &rec) != nil {
			continue
		}
		if row, ok := refer(rec); ok {
			row.Offset, row.Size, row.Line = start, len(body), n+1
			out = append(out, row)
		}
	}
	return out
}

func refer(rec map[string]json.RawMessage) (plain, bool) {
	str := func(raw json.RawMessage) string {
		var s *string
		if json.Unmarshal(raw, &s) != nil || s == nil {
			return ""
		}
		return *s
	}
	row := plain{UUID: str(rec["uuid"])}
	switch str(rec["type"]) {
	case "user":
		row.Kind = ledger.User
	case "assistant":
		row.Kind = ledger.Assistant
	case "system":
		row.Kind = ledger.System
	case "attachment":
		row.Kind = ledger.Attachment
	case "progress":
		row.Kind = ledger.Progress
	}
	row.Parent, row.Rooted = str(rec["parentUuid"]), string(rec["parentUuid"]) == "null"
	if p := rec["parentUuid"]; len(p) > 0 && p[0] != '"' {
		row.Other, row.Parent = true, "" // no uuid: not compared
	}
	row.Sidechain, row.Meta, row.Summary = string(rec["isSidechain"]) == "true", string(rec["isMeta"]) == "true", string(rec["isCompactSummary"]) == "true"
	if row.Kind != ledger.User && row.Kind != ledger.Assistant {
		return row, row.UUID != "" || row.Kind == ledger.System || row.Kind == ledger.Attachment
	}
	var message map[string]json.RawMessage
	_ = json.Unmarshal(rec["message"], &message) // what is no object has no members
	if row.Kind == ledger.Assistant {
		row.MessageID = str(message["id"])
	}
	var blocks []json.RawMessage
	content := message["content"]
	_ = json.Unmarshal(content, &blocks)
	usable := len(content) > 0 && (content[0] == '"' || content[0] == '[' && len(blocks) == 0)
	for _, raw := range blocks {
		var block map[string]json.RawMessage
		if json.Unmarshal(raw, &block) != nil || len(block["type"]) == 0 || block["type"][0] != '"' {
			continue
		}
		usable = true
		row.Results = row.Results || str(block["type"]) == "tool_result"
		row.Calls = row.Calls || str(block["type"]) == "tool_use"
	}
	row.Void = !usable
	return row, true
}

// FuzzRead: no bytes make the index panic, hang or point outside the file, and of
// lines that are records it says what encoding/json does.
func FuzzRead(f *testing.F) {
	for _, test := range cases {
		f.Add(tt.New(sid).Tree(test.tree).Bytes())
	}
	b := tt.New(sid).Head().User("look").Assistant(tt.Thinking("hm")).Assistant(tt.Bash("toolu_1", "ls")).Result("toolu_1", "a\\b\"").Compact("so far").Environment("/x").Title("t")
	f.Add(b.Bytes())
	f.Add(bytes.ReplaceAll(b.Bytes(), []byte("\n"), []byte("\r\n")))
	f.Add(append([]byte("\xEF\xBB\xBF\x00"), b.Bytes()...))
	for _, s := range []string{
		`{"type":"user","uuid":"a","uuid":5}`, `{"uuid":"a","type":"user","type":null,"message":{"content":[{"type":"tool_use"}]},"message":{"content":[[],{"type":"x","type":1}]}}`,
		`{"uu\u0069d":"\ud83d\u0061","parentUuid":1e5,"type":"assistant","message":{"id":"\n","content":""}}`, `{"a":1}{"type":"user","uuid":"b","parentUuid":null}`,
		strings.Repeat("[", 10001), `{"a":` + strings.Repeat("[", 9999) + strings.Repeat("]", 9999) + `}`, `{"a":-0.0e+5,"b":01}`, `{"a":"\x"}`, `{"type":"system","uuid":"b","subtype":"compact_boundary","compactMetadata":{"preservedMessages":{"anchorUuid":"b","uuids":["b",5]}}}`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		l := open(t, data)
		var got []plain
		for _, r := range l.Rows {
			if r.Offset < 0 || r.Size <= 0 || r.Offset+int64(r.Size) > l.Size {
				t.Fatalf("row %+v of %d bytes", r, l.Size)
			}
			b, err := l.Bytes(r.Offset, r.Size)
			if err != nil || !json.Valid(b) {
				t.Fatalf("%q, %v", b, err)
			}
			for _, large := range r.Large {
				if value := b[large.From:large.To]; len(value) > 0 && !json.Valid(value) {
					t.Fatalf("%q is no value of %q", value, b)
				}
			}
			got = append(got, plain{
				r.Offset, r.Size, r.Line, r.Kind, l.Text(r.UUID), l.Text(r.Parent), l.Text(r.MessageID),
				r.Sidechain, r.Meta, r.Summary, r.Results, r.Calls, r.Void, r.Rooted, false,
			})
		}
		compare(t, reference(data), got, l)
		parts(t, data, l)
		for _, p := range []ledger.Policy{ledger.Client, ledger.Keep} {
			if _, err := l.Chain(p); err != nil && !errors.Is(err, ledger.ErrNoConversation) {
				t.Fatal(err)
			}
		}
	})
}

// compare leaves out what was recovered from damaged lines.
func compare(t *testing.T, want, got []plain, l *ledger.Ledger) {
	damaged := map[int]bool{}
	for _, d := range l.Damage {
		damaged[d.Line] = true
	}
	if l.DamageCount > len(l.Damage) {
		return
	}
	var clean []plain
	for _, r := range got {
		if !damaged[r.Line] {
			clean = append(clean, r)
		}
	}
	for i := range min(len(want), len(clean)) {
		if want[i].Other {
			want[i].Other, clean[i].Parent = false, ""
		}
	}
	if diff := cmp.Diff(want, clean); diff != "" {
		t.Fatal(diff)
	}
}

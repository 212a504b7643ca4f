package transcript_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"coppice/transcript"
	tt "coppice/transcript/transcripttest"
)

// seeds has small transcripts with every kind of record and of damage.
func seeds() [][]byte {
	row := strings.TrimSpace(string(tt.New(sid).User("hi").Bytes()))
	return [][]byte{
		nil,
		[]byte("\n\r\n \t\n[]\n42\n\"s\"\nnull\n{}\n"),
		tt.New(sid).Head().User("hi").Environment("/a").Assistant(tt.Text("x")).Assistant(tt.Bash("t", "ls")).Result("t", "ok").Bytes(),
		tt.New(sid).Title(`a\"b`).AITitle("").Tag("x").PR(3, "u", "r").Worktree("/r", "/w", "n", "b").NoWorktree().Relocated("/x").LastPrompt("p").Bytes(),
		tt.New(sid).Command("/loop", "/ap", "").Shell("ls", "x").Compact("s").System("informational", `"content":"c"`).Progress().Bytes(),
		[]byte(row[:60] + "\n" + row + row + "\n" + strings.Repeat("\x00", 9) + row + "\n" + row[:100] + row + "\nxx\n" + row[:90]),
		[]byte("\xEF\xBB\xBF" + strings.ReplaceAll(row, ":", " : ") + "\r\n" + strings.ReplaceAll(row, "hi", `\ud83d\\\"<command-name>/x</command-name>`)),
		[]byte(`{"message":{"content":[{"tool_use_id":"a","type":"tool_result"}]},"type":"user","isMeta":true,"timestamp":"2026-01-01T00:00:00Z"}`),
	}
}

// plain says whether every line is a value that encoding/json reads, of a record
// without a member that comes twice and without a control character in a string.
func plain(data []byte) bool {
	for line := range bytes.SplitSeq(data, []byte("\n")) {
		line = bytes.Trim(line, " \t\r")
		if len(line) > 0 && (!json.Valid(line) || doubled(line)) {
			return false
		}
	}
	return !bytes.Contains(data, []byte("\xEF\xBB\xBF"))
}

// doubled looks for a key that comes twice in one object.
func doubled(line []byte) bool {
	type level struct {
		keys map[string]bool
		key  bool
	}
	var stack []level
	dec := json.NewDecoder(bytes.NewReader(line))
	for {
		token, err := dec.Token()
		if err != nil {
			return false
		}
		top := len(stack) - 1
		if d, ok := token.(json.Delim); ok {
			if top >= 0 {
				stack[top].key = true
			}
			switch d {
			case '{':
				stack = append(stack, level{keys: map[string]bool{}, key: true})
			case '[':
				stack = append(stack, level{})
			default:
				stack = stack[:top]
			}
			continue
		}
		if top < 0 || stack[top].keys == nil {
			continue
		}
		if l := &stack[top]; l.key {
			name, _ := token.(string)
			if l.keys[name] {
				return true
			}
			l.keys[name], l.key = true, false
		} else {
			l.key = true
		}
	}
}

func FuzzScan(f *testing.F) {
	for _, seed := range seeds() {
		f.Add(seed, uint(len(seed)/2))
	}
	var s transcript.Scanner
	f.Fuzz(func(t *testing.T, data []byte, at uint) {
		r := bytes.NewReader(data)
		want, err := s.Scan(t.Context(), r, int64(len(data)), nil)
		if err != nil {
			t.Fatal(err)
		}
		if plain(data) {
			if diff := cmp.Diff(refer(data), want.Summary); diff != "" {
				t.Errorf("reference → scan:\n%s", diff)
			}
		}
		first, err := s.Scan(t.Context(), r, int64(at%uint(len(data)+1)), nil)
		if err != nil {
			t.Fatal(err)
		}
		got, err := s.Scan(t.Context(), r, int64(len(data)), &first)
		if diff := cmp.Diff(want, got); diff != "" || err != nil {
			t.Errorf("whole → continued, %v:\n%s", err, diff)
		}
		if _, err := s.Peek(t.Context(), r, int64(len(data))); err != nil {
			t.Error(err)
		}
	})
}

func FuzzReadTail(f *testing.F) {
	for _, seed := range seeds() {
		f.Add(seed, 2)
	}
	f.Fuzz(func(t *testing.T, data []byte, n int) {
		n %= 1000
		tail, err := transcript.ReadTail(t.Context(), bytes.NewReader(data), int64(len(data)), max(n, 0))
		if err != nil || len(tail.Messages) > max(n, 0) {
			t.Fatalf("%d messages, %v", len(tail.Messages), err)
		}
		for _, m := range tail.Messages {
			if len(m.Blocks) == 0 {
				t.Error("a message without blocks")
			}
		}
	})
}

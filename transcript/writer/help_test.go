package writer_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"coppice/transcript/ledger"
	tt "coppice/transcript/transcripttest"
	"coppice/transcript/writer"
)

const sid = "7c1d2e3f-4a5b-4c6d-8e7f-901234567890"

var stamp = writer.Stamp{SessionID: sid, Dir: "/home/sam/app", Branch: "main", Version: "2.1.332", Entrypoint: "cli"}

// tb is what tests and properties have in common.
type tb interface {
	Helper()
	Fatalf(format string, args ...any)
	Errorf(format string, args ...any)
}

// newPath returns the path of a session in a folder that does not exist.
func newPath(t testing.TB) string {
	t.Helper()
	return filepath.Join(t.TempDir(), "projects", "-home-sam-app", sid+".jsonl")
}

// steady makes a Writer deterministic. Each life of a session needs its own name
// for the uuids that it makes up.
func steady(w *writer.Writer, life int) *writer.Writer {
	n, at := 0, time.Date(2026, 3, 4, 9, 30, 0, 0, time.UTC)
	w.NewUUID = func() string {
		n++
		return fmt.Sprintf("%08x-0000-4000-8000-%012x", life, n)
	}
	w.Now = func() time.Time {
		at = at.Add(2 * time.Second)
		return at
	}
	return w
}

// mark is the text that names part i of message n.
func mark(n, i int) string { return fmt.Sprintf("#%d.%d#", n, i) }

var marks = regexp.MustCompile(`#(\d+\.\d+)#`)

func blocks(list ...string) json.RawMessage {
	return json.RawMessage("[" + strings.Join(list, ",") + "]")
}

func prompt(n int) writer.Message {
	return writer.Message{Role: "user", Content: json.RawMessage(tt.Quote("ask " + mark(n, 0))), Mode: "default"}
}

func answer(n int) writer.Message {
	return writer.Message{
		Role: "assistant", ID: fmt.Sprintf("msg_%d", n), Model: "claude-opus-5-5", Stop: "end_turn",
		Content: blocks(tt.Text("answer " + mark(n, 0))),
	}
}

// calling is an assistant message of a text and calls.
func calling(n, calls int) writer.Message {
	m := answer(n)
	m.Stop = "tool_use"
	list := []string{tt.Text("working " + mark(n, 0))}
	for i := range calls {
		list = append(list, tt.Bash(callID(n, i), "echo "+mark(n, i+1)))
	}
	m.Content = blocks(list...)
	return m
}

func callID(n, i int) string { return fmt.Sprintf("toolu_%d_%d", n, i) }

// answering answers calls of message of, in this order.
func answering(n, of int, order ...int) writer.Message {
	m := writer.Message{Role: "user", Results: map[string]json.RawMessage{}}
	var list []string
	for i, call := range order {
		text := "out " + mark(n, i)
		list = append(list, tt.ToolResult(callID(of, call), text))
		m.Results[callID(of, call)] = json.RawMessage(`{"stdout":` + tt.Quote(text) + `}`)
	}
	m.Content = blocks(list...)
	return m
}

func summary(n int) writer.Message {
	return writer.Message{Role: "user", Content: json.RawMessage(tt.Quote("what was said so far " + mark(n, 0))), Summary: true}
}

// load reads a transcript as it is now.
func load(t testing.TB, path string, p ledger.Policy) (*ledger.Ledger, ledger.Chain) {
	t.Helper()
	l, c, err := read(path, p)
	if err != nil {
		t.Fatalf("load: %v", err)
	}
	return l, c
}

func read(path string, p ledger.Policy) (*ledger.Ledger, ledger.Chain, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, ledger.Chain{}, err
	}
	l, err := ledger.Read(context.Background(), bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, ledger.Chain{}, err
	}
	c, err := l.Chain(p)
	return l, c, err
}

// said returns the marks of the rows of a conversation, in order.
func said(t tb, l *ledger.Ledger, c ledger.Chain) []string {
	t.Helper()
	var list []string
	for _, i := range c.Rows {
		r := l.Rows[i]
		if r.Kind != ledger.User && r.Kind != ledger.Assistant {
			continue
		}
		raw, err := l.Bytes(r.Offset, r.Size)
		if err != nil {
			t.Fatalf("read a row: %v", err)
		}
		var row struct{ Message json.RawMessage }
		if err := json.Unmarshal(raw, &row); err != nil {
			t.Fatalf("decode a row: %v", err)
		}
		for _, m := range marks.FindAllStringSubmatch(string(row.Message), -1) {
			list = append(list, m[1])
		}
	}
	return list
}

// ordered sorts the parts of each message: answers stand beside their calls,
// whatever the order in which they came.
func ordered(list []string) []string {
	var order []string
	parts := map[string][]string{}
	for _, m := range list {
		n, _, _ := strings.Cut(m, ".")
		if parts[n] == nil {
			order = append(order, n)
		}
		parts[n] = append(parts[n], m)
	}
	var out []string
	for _, n := range order {
		slices.Sort(parts[n])
		out = append(out, parts[n]...)
	}
	return out
}

// adopt loads a session and goes on with it.
func adopt(t testing.TB, path string, life int) *writer.Writer {
	t.Helper()
	l, c := load(t, path, ledger.Keep)
	w, err := writer.Adopt(path, stamp, l, c)
	if err != nil {
		t.Fatal(err)
	}
	return steady(w, life)
}

func turn(t testing.TB, w *writer.Writer, c *writer.Compaction, list []writer.Message) {
	t.Helper()
	if err := w.Turn(t.Context(), list, c); err != nil {
		t.Fatal(err)
	}
}

func readFile(t testing.TB, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func size(t testing.TB, path string) int64 {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	return info.Size()
}

// memoryDir returns a directory in memory where the system has one: what is
// tested is which bytes are written, and syncing a disk thousands of times takes
// minutes.
func memoryDir(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("/dev/shm", "writer-test-")
	if err != nil {
		return t.TempDir()
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	return dir
}

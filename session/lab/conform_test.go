//go:build lab

package lab_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"coppice/session"
	"coppice/session/lab"
	"coppice/transcript/transcripttest/cases"
	"coppice/worktree/worktreetest"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write what the client does into the golden files of the conformance suite")

// question is the prompt of every resume.
const question = "the next question"

// resumed is what the client did with a transcript.
type resumed struct {
	golden cases.Golden
	stderr string
}

// resume has the client resume a transcript in a world of its own.
func resume(t *testing.T, transcript []byte) resumed {
	t.Helper()
	program, err := client()
	if err != nil {
		t.Fatal(err)
	}
	endpoint, err := lab.StartEndpoint()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(endpoint.Close)
	base := worktreetest.Dir(t)
	c := lab.Client{
		Program: program, Home: filepath.Join(base, "home"), Root: filepath.Join(base, "root"),
		URL: endpoint.URL, Path: os.Getenv("PATH"),
	}
	dir := filepath.Join(base, "app")
	worktreetest.MkdirAll(t, c.Home)
	worktreetest.MkdirAll(t, dir)
	if err := c.Trust(dir); err != nil {
		t.Fatal(err)
	}
	folder := filepath.Join(c.Root, "projects", session.Encode(dir))
	worktreetest.MkdirAll(t, folder)
	path := filepath.Join(folder, cases.SessionID+".jsonl")
	if err := os.WriteFile(path, transcript, 0o600); err != nil {
		t.Fatal(err)
	}
	return again(t, c, endpoint, dir, cases.SessionID, path)
}

// again resumes a session whose transcript is in place.
func again(t *testing.T, c lab.Client, endpoint *lab.Endpoint, dir, id, path string) resumed {
	t.Helper()
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	count := len(endpoint.Requests())
	_, runErr := c.Print(t.Context(), dir, "--resume", id, question)
	after, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.HasPrefix(after, before) {
		t.Error("the client changed what was there")
	}
	requests := endpoint.Requests()[count:]
	var exit *exec.ExitError
	switch {
	case errors.As(runErr, &exit) && exit.ExitCode() == 1 && len(requests) == 0:
		return resumed{stderr: runErr.Error()}
	case runErr != nil:
		t.Fatal(runErr)
	case len(requests) == 0:
		t.Fatal("the client resumed without a request")
	}
	return resumed{golden: cases.Golden{
		Resumes:      true,
		Conversation: cases.Notation(before, withoutPrompt(requests[0].Messages)),
		Appended:     cases.AppendedNotation(before, appendedRows(t, before, after[len(before):])),
	}}
}

// withoutPrompt returns the messages without the new prompt.
func withoutPrompt(messages []lab.Message) []cases.Message {
	var out []cases.Message
	for _, m := range messages {
		out = append(out, cases.Message{Role: m.Role, Content: m.Content})
	}
	for i, m := range slices.Backward(out) {
		if m.Role != "user" {
			continue
		}
		blocks := []map[string]any{}
		_ = json.Unmarshal(m.Content, &blocks) // a string is the prompt alone
		blocks = blocks[:max(0, len(blocks)-1)]
		if n := len(blocks); n > 0 && blocks[n-1]["text"] != nil {
			// The line feed that joins two texts belongs to neither.
			text, _ := blocks[n-1]["text"].(string)
			blocks[n-1]["text"] = strings.TrimSuffix(text, "\n")
		}
		out[i].Content, _ = json.Marshal(blocks)
		return out
	}
	return out
}

// appendedRows returns the messages' rows that the client added before the new
// prompt.
func appendedRows(t *testing.T, before, added []byte) []cases.Row {
	t.Helper()
	var rows []cases.Row
	last := ""
	for line := range bytes.Lines(added) {
		var row struct {
			Type, UUID, ParentUUID  string
			SourceToolAssistantUUID string
			Message                 struct{ Content json.RawMessage }
		}
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		if err := json.Unmarshal(line, &row); err != nil {
			t.Errorf("the client wrote a line that is no record: %v", err)
			continue
		}
		if row.Type != "user" && row.Type != "assistant" {
			continue
		}
		if string(row.Message.Content) == `"`+question+`"` || strings.Contains(string(row.Message.Content), question) {
			return rows
		}
		r := cases.Row{Type: row.Type, Content: row.Message.Content, Parent: row.ParentUUID, Source: row.SourceToolAssistantUUID}
		if row.ParentUUID == last && last != "" {
			r.Parent = ""
		}
		rows, last = append(rows, r), row.UUID
	}
	t.Error("the client did not write the prompt")
	return rows
}

// The real client agrees: for every case, what it sends and what it appends is
// what the golden file says, by which our own policy is tested.
func TestConformance(t *testing.T) {
	t.Parallel()
	for _, c := range cases.All() {
		t.Run(c.Name, func(t *testing.T) {
			t.Parallel()
			got := resume(t, c.Transcript()).golden
			if *update {
				name := filepath.Join("..", "..", "transcript", "transcripttest", "cases", "testdata", "client", c.File())
				if err := os.WriteFile(name, []byte(got.String()), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			want, err := c.Client()
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want.String(), got.String()); diff != "" {
				t.Errorf("%s: the client does not do what the golden file says (-golden +client):\n%s", c.Observed, diff)
			}
		})
	}
}

//go:build lab

package lab_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"coppice/session/lab"
	"coppice/transcript/ledger"
	"coppice/transcript/repair"
	"coppice/transcript/transcripttest/cases"
)

var (
	seeds = flag.Int("seeds", 30, "how many random transcripts the conformance suite compares")
	first = flag.Uint64("seed", 1, "seed of the first one")
)

// ours returns what our client policy says that the client does.
func ours(t *testing.T, transcript []byte) cases.Golden {
	t.Helper()
	l, err := ledger.Read(t.Context(), bytes.NewReader(transcript), int64(len(transcript)))
	if err != nil {
		t.Fatal(err)
	}
	chain, err := l.Chain(ledger.Client)
	if errors.Is(err, ledger.ErrNoConversation) {
		return cases.Golden{}
	}
	if err != nil {
		t.Fatal(err)
	}
	prompt := json.RawMessage(`{"type":"text","text":"` + question + `"}`)
	c, err := repair.New(l, chain, repair.Options{KnownModel: cases.KnownModel, Prompt: []json.RawMessage{prompt}})
	if err != nil {
		t.Fatal(err)
	}
	var messages []lab.Message
	for _, m := range c.Messages {
		messages = append(messages, lab.Message{Role: m.Role, Content: blockList(m.Blocks)})
	}
	var rows []cases.Row
	for _, a := range c.Appended {
		row := cases.Row{Type: a.Type, Content: blockList(a.Blocks), Source: a.Source}
		if a.Parent >= 0 {
			row.Parent = l.Text(l.Rows[a.Parent].UUID)
		}
		rows = append(rows, row)
	}
	return cases.Golden{
		Resumes: true, Conversation: cases.Notation(transcript, withoutPrompt(messages)),
		Appended: cases.AppendedNotation(transcript, rows),
	}
}

// blockList returns blocks as the content of a message.
func blockList(blocks []repair.Block) json.RawMessage {
	list := make([]json.RawMessage, len(blocks))
	for i, b := range blocks {
		list[i] = b.JSON
	}
	data, _ := json.Marshal(list)
	return data
}

// compare compares what the client did with a transcript with what we say. The
// transcript of a difference is kept in a file.
func compare(t *testing.T, name string, transcript []byte, got cases.Golden) {
	t.Helper()
	want := ours(t, transcript)
	if want == got {
		return
	}
	path := filepath.Join(os.TempDir(), "coppice-"+name+".jsonl")
	if err := os.WriteFile(path, transcript, 0o600); err != nil {
		path = err.Error()
	}
	t.Errorf("%s: the client and we differ about %s\nthe client:\n%s\nwe:\n%s", name, path, got, want)
}

// The real client agrees with what we say of random transcripts.
func TestConformanceRandom(t *testing.T) {
	t.Parallel()
	for seed := *first; seed < *first+uint64(*seeds); seed++ {
		t.Run(fmt.Sprintf("seed %d", seed), func(t *testing.T) {
			t.Parallel()
			transcript := cases.Random(seed)
			compare(t, fmt.Sprintf("seed-%d", seed), transcript, resume(t, transcript).golden)
		})
	}
}

package repair_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"coppice/transcript/ledger"
	"coppice/transcript/repair"
	"coppice/transcript/transcripttest/cases"
)

// read returns the ledger of a transcript and its chain.
func read(t testing.TB, data []byte, p ledger.Policy) (*ledger.Ledger, ledger.Chain, error) {
	t.Helper()
	l, err := ledger.Read(t.Context(), bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatalf("read: %v", err)
	}
	c, err := l.Chain(p)
	return l, c, err
}

// messages returns a conversation as it is sent.
func messages(c repair.Conversation) []cases.Message {
	out := make([]cases.Message, len(c.Messages))
	for i, m := range c.Messages {
		out[i] = cases.Message{Role: m.Role, Content: list(m.Blocks)}
	}
	return out
}

func list(blocks []repair.Block) json.RawMessage {
	raw := []byte{'['}
	for i, b := range blocks {
		if i > 0 {
			raw = append(raw, ',')
		}
		raw = append(raw, b.JSON...)
	}
	return append(raw, ']')
}

// appended returns the rows that a conversation adds to its transcript.
func appended(l *ledger.Ledger, c repair.Conversation) []cases.Row {
	out := make([]cases.Row, len(c.Appended))
	for i, a := range c.Appended {
		out[i] = cases.Row{Type: a.Type, Content: list(a.Blocks), Source: a.Source}
		if a.Parent >= 0 {
			out[i].Parent = l.Text(l.Rows[a.Parent].UUID)
		}
	}
	return out
}

// observed A: what the client sends and appends when it resumes each case.
func TestClientPolicyIsTheClient(t *testing.T) {
	t.Parallel()
	for _, c := range cases.All() {
		t.Run(c.Name, func(t *testing.T) {
			t.Parallel()
			want, err := c.Client()
			if err != nil {
				t.Fatal(err)
			}
			data := c.Transcript()
			var got cases.Golden
			switch l, chain, err := read(t, data, ledger.Client); {
			case errors.Is(err, ledger.ErrNoConversation):
			case err != nil:
				t.Fatal(err)
			default:
				conv, err := repair.New(l, chain, repair.Options{KnownModel: cases.KnownModel})
				if err != nil {
					t.Fatal(err)
				}
				got = cases.Golden{
					Resumes:      true,
					Conversation: cases.Notation(data, messages(conv)),
					Appended:     cases.AppendedNotation(data, appended(l, conv)),
				}
			}
			if diff := cmp.Diff(want.String(), got.String()); diff != "" {
				t.Errorf("%s (-client +ours):\n%s", c.Observed, diff)
			}
		})
	}
}

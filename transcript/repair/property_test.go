package repair_test

import (
	"bytes"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"coppice/session/request/validate"
	"coppice/transcript/ledger"
	"coppice/transcript/repair"
)

// conversation repairs a transcript; false where there is none.
func conversation(t testing.TB, data []byte, p ledger.Policy, opt repair.Options) (repair.Conversation, bool) {
	t.Helper()
	l, chain, err := read(t, data, p)
	if errors.Is(err, ledger.ErrNoConversation) {
		return repair.Conversation{}, false
	}
	if err != nil {
		t.Fatalf("chain: %v", err)
	}
	conv, err := repair.New(l, chain, opt)
	if err != nil {
		t.Fatalf("repair: %v", err)
	}
	return conv, true
}

// problems returns what a conversation breaks of the API's rules.
func problems(c repair.Conversation) []validate.Problem {
	ms := make([]validate.Message, len(c.Messages))
	for i, m := range c.Messages {
		ms[i] = validate.Message{Role: m.Role, Content: list(m.Blocks)}
	}
	return validate.History(ms)
}

func policies() []ledger.Policy { return []ledger.Policy{ledger.Client, ledger.Keep} }

// Whatever a transcript holds, Keep makes a conversation that the API accepts.
func TestKeepIsValid(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		data := random(rt).Bytes()
		opt := repair.Options{CarryOn: rapid.Bool().Draw(rt, "carry on")}
		conv, ok := conversation(t, data, ledger.Keep, opt)
		if p := problems(conv); ok && len(p) > 0 {
			rt.Fatalf("%v\n%s\n%s", p, data, messages(conv))
		}
	})
}

// The same bytes give the same conversation; neither policy panics.
func TestDeterministic(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		data := random(rt).Bytes()
		if n := len(data); n > 0 && rapid.Bool().Draw(rt, "damage") {
			data = data[:rapid.IntRange(0, n).Draw(rt, "cut")]
		}
		for _, p := range policies() {
			one, _ := conversation(t, data, p, repair.Options{})
			two, _ := conversation(t, data, p, repair.Options{})
			if diff := cmp.Diff(one, two); diff != "" {
				rt.Fatalf("%v: %s", p, diff)
			}
		}
	})
}

// Every block of a conversation is a recorded one, byte for byte, or is said to
// be made or merged, or a repair of its row says why.
func TestRecordedBlocksKeepTheirBytes(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		data := random(rt).Bytes()
		for _, p := range policies() {
			conv, _ := conversation(t, data, p, repair.Options{})
			named := map[int]bool{}
			for _, r := range conv.Repairs {
				named[r.Line] = true
			}
			l, _, _ := read(t, data, p)
			for _, m := range conv.Messages {
				for _, b := range m.Blocks {
					if b.Made != repair.Recorded || b.Merged || named[l.Rows[max(b.Row, 0)].Line] {
						continue
					}
					row, err := l.Bytes(l.Rows[b.Row].Offset, l.Rows[b.Row].Size)
					if err != nil {
						rt.Fatal(err)
					}
					inner := bytes.TrimSuffix(bytes.TrimPrefix(b.JSON, []byte(`{"type":"text","text":`)), []byte(`}`))
					if !bytes.Contains(row, b.JSON) && !bytes.Contains(row, inner) {
						rt.Fatalf("%v: %s is not in %s", p, b.JSON, row)
					}
				}
			}
		}
	})
}

// What a resume appends, and a turn behind it, leave what was sent as it was: the
// provider's cache of it stays good.
func TestPrefixIsStable(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		s := random(rt)
		opt := repair.Options{Model: "claude-a"}
		l, chain, err := read(t, s.Bytes(), ledger.Keep)
		if err != nil {
			return
		}
		before, err := repair.New(l, chain, opt)
		if err != nil {
			rt.Fatal(err)
		}
		grow(s, l, chain, before)
		after, _ := conversation(t, s.Bytes(), ledger.Keep, opt)
		n := len(before.Messages)
		for n > 0 && before.Messages[n-1].Role != "assistant" {
			n--
		}
		for i, m := range before.Messages[:n] {
			if i >= len(after.Messages) || !bytes.Equal(list(m.Blocks), list(after.Messages[i].Blocks)) {
				rt.Fatalf("message %d changed\nbefore %s\nafter  %s\n%s", i, messages(before), messages(after), s.Bytes())
			}
		}
	})
}

// grow appends what a resume appends, and a finished turn.
func grow(s *scribe, l *ledger.Ledger, chain ledger.Chain, c repair.Conversation) {
	s.Parent(l.Text(l.Rows[chain.Leaf].UUID))
	for _, a := range c.Appended {
		if a.Parent >= 0 {
			s.Parent(l.Text(l.Rows[a.Parent].UUID))
		}
		source := ""
		if a.Source != "" {
			source = `,"sourceToolAssistantUUID":"` + a.Source + `"`
		}
		s.Node(a.Type, `"message":{"id":"`+s.fresh("made-%d")+`","role":"`+a.Type+`","model":"<synthetic>","content":`+string(list(a.Blocks))+`}`+source)
	}
	s.User("go on")
	s.Assistant(`{"type":"tool_use","id":"last","name":"ls","input":{}}`)
	s.Result("last", "listed")
	s.Assistant(`{"type":"text","text":"done"}`)
}

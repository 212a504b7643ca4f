package repair_test

import (
	"bytes"
	"errors"
	"testing"

	"coppice/session/request/validate"
	"coppice/transcript/ledger"
	"coppice/transcript/repair"
	"coppice/transcript/transcripttest/cases"
)

// Any bytes of a file give a conversation, or say that there is none.
func FuzzRepair(f *testing.F) {
	for _, c := range cases.All() {
		f.Add(c.Transcript())
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		l, err := ledger.Read(t.Context(), bytes.NewReader(data), int64(len(data)))
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range policies() {
			chain, err := l.Chain(p)
			if errors.Is(err, ledger.ErrNoConversation) {
				continue
			}
			conv, err := repair.New(l, chain, repair.Options{CarryOn: true})
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range conv.Messages {
				if len(m.Blocks) == 0 {
					t.Errorf("%v: a message without blocks", p)
				}
			}
			for _, problem := range problems(conv) {
				if p == ledger.Keep && problem.Rule != validate.Shape { // of blocks that nothing is known of
					t.Errorf("the API would refuse it: %v", problem)
				}
			}
		}
	})
}

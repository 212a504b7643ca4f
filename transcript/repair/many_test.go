package repair_test

import (
	"testing"

	"coppice/transcript/ledger"
	"coppice/transcript/repair"
	tt "coppice/transcript/transcripttest"
)

// Many calls of one id cost twice as much when there are twice as many, not four
// times: each is sent under another id (Keep).
func TestManyCallsOfOneID(t *testing.T) {
	cost := func(n int) float64 {
		b := tt.New(sessionID).User("go on")
		for range n {
			b.Assistant(tt.Bash("toolu_1", "ls"))
		}
		l, chain, err := read(t, b.Bytes(), ledger.Keep)
		if err != nil {
			t.Fatal(err)
		}
		return testing.AllocsPerRun(1, func() {
			if _, err := repair.New(l, chain, repair.Options{}); err != nil {
				t.Fatal(err)
			}
		})
	}
	if one, two := cost(500), cost(1000); two > 2.5*one {
		t.Errorf("500 calls take %.0f allocations, 1000 take %.0f", one, two)
	}
}

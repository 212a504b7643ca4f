package cases_test

import (
	"bytes"
	"encoding/json"
	"testing"

	"coppice/transcript/transcripttest/cases"
)

func TestRandom(t *testing.T) {
	t.Parallel()
	whole := 0
	for seed := range uint64(300) {
		data := cases.Random(seed)
		if !bytes.Equal(data, cases.Random(seed)) {
			t.Fatalf("seed %d gives different transcripts", seed)
		}
		good := true
		for line := range bytes.Lines(data) {
			good = good && (json.Valid(line) || len(bytes.TrimSpace(line)) == 0)
		}
		if good {
			whole++
		}
	}
	if whole < 150 || whole > 290 {
		t.Errorf("%d of 300 transcripts are without damage", whole)
	}
}

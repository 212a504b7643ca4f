package transcript

import (
	"testing"
	"time"
)

// TestPlainStamp changes one byte after the other: what counts as a plain time
// has to be one for the standard library too.
func TestPlainStamp(t *testing.T) {
	t.Parallel()
	if !plainStamp([]byte(stampForm)) {
		t.Fatal("the form itself is none")
	}
	for i := range len(stampForm) {
		for c := range 256 {
			raw := []byte(stampForm)
			raw[i] = byte(c)
			if _, err := time.Parse(time.RFC3339Nano, string(raw)); plainStamp(raw) && err != nil {
				t.Errorf("%q: %v", raw, err)
			}
		}
	}
}

func TestLastQuote(t *testing.T) {
	t.Parallel()
	for n := range 40 {
		for at := -1; at < n; at++ {
			b := make([]byte, n)
			for i := range b {
				b[i] = "#!\x00\xA2\x23\x21"[i%6]
			}
			if at >= 0 {
				b[at] = '"'
			}
			if got := lastQuote(b, n); got != at {
				t.Fatalf("%q: %d, want %d", b, got, at)
			}
		}
	}
}

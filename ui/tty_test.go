package ui

import (
	"bytes"
	"testing"
	"unicode/utf8"
)

// TestInputThatIsNotUTF8 checks that only whole characters get through, wherever
// the input is cut.
func TestInputThatIsNotUTF8(t *testing.T) {
	t.Parallel()
	const in, want = "a\xffb\xc3\xa9\xc3(\xe6\xbc\xa2\xf0\x9f\x91\x8d\xed\xa0\x80z\x1b[<0;1;1M\xe6", "abé(漢👍z\x1b[<0;1;1M"
	for cut := 1; cut <= len(in); cut++ {
		var got, begun []byte
		for rest := []byte(in); len(rest) > 0; {
			chunk := append(begun, rest[:min(cut, len(rest))]...)
			rest = rest[min(cut, len(rest)):]
			var n int
			n, begun = wholeCharacters(chunk, nil)
			got = append(got, chunk[:n]...)
		}
		if string(got) != want || !utf8.Valid(got) || !bytes.Equal(begun, []byte("\xe6")) {
			t.Errorf("in pieces of %d: %q and %q left, want %q", cut, got, begun, want)
		}
	}
}

package ledger_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"coppice/transcript/ledger"
)

// slowStrings is ledger.Strings one byte after the other.
func slowStrings(b []byte) (ends []int, escapes []bool, stop int) {
	hex := func(k byte) bool { return strings.IndexByte("0123456789abcdefABCDEF", k) >= 0 }
	escaped := false
	for i := 0; i < len(b); {
		switch k := b[i]; {
		case k == '"':
			i++
			ends, escapes, escaped = append(ends, i), append(escapes, escaped), false
		case k < ' ':
			return ends, escapes, i
		case k != '\\':
			i++
		case i+1 == len(b):
			return ends, escapes, len(b)
		case b[i+1] == 'u':
			i, escaped = i+2, true
			for end := i + 4; i < end; i++ {
				if i == len(b) || !hex(b[i]) {
					return ends, escapes, i
				}
			}
		case strings.IndexByte(`"\/bfnrt`, b[i+1]) >= 0:
			i, escaped = i+2, true
		default:
			return ends, escapes, i + 2
		}
	}
	return ends, escapes, len(b)
}

// agree compares the two, and what ended with encoding/json.
func agree(t *testing.T, b []byte) {
	t.Helper()
	ends, escapes, stop := ledger.Strings(b)
	wantEnds, wantEscapes, wantStop := slowStrings(b)
	if !slices.Equal(ends, wantEnds) || !slices.Equal(escapes, wantEscapes) || stop != wantStop {
		t.Fatalf("%q: %v %v %d, want %v %v %d", b, ends, escapes, stop, wantEnds, wantEscapes, wantStop)
	}
	from := 0
	for _, end := range ends {
		if text := `"` + string(b[from:end]); !json.Valid([]byte(text)) {
			t.Fatalf("%q is no string", text)
		}
		from = end
	}
	if rest := `"` + string(b[from:]) + `"`; stop < len(b) && json.Valid([]byte(rest)) {
		t.Fatalf("%q is a string", rest)
	}
}

// TestStrings puts what takes a closer look at every place of a word and of a
// block, in strings that are new and in such as are recorded twice.
func TestStrings(t *testing.T) {
	t.Parallel()
	for _, special := range []string{`"`, `\n`, `\"`, `\\`, `\\"`, `\u00e9`, `\u00g9`, `\u00`, `\x`, `\`, "\x00", "\x1f", "\n", "\x7f", "\x80", "\xa2", "\xdc", "\u00e9", "!", "#", "[", "]", " "} {
		for at := range 150 {
			for _, filler := range []string{"a", "\xff", `\t`, "!"} {
				one := strings.Repeat(filler, at) + special + strings.Repeat(filler, 150-at)
				agree(t, []byte(one))
				long := strings.Repeat(filler, 200)
				agree(t, []byte(long+one+`"`+long+one+`"`+long+one[:at]+`"`))
			}
		}
	}
}

func FuzzStrings(f *testing.F) {
	f.Add([]byte("plain\""+strings.Repeat("line \\\"x\\\"\\n", 40)+"\""), uint8(2))
	f.Add([]byte("\\u00e9\\\\\"\x01"), uint8(1))
	f.Fuzz(func(t *testing.T, b []byte, times uint8) {
		var all []byte
		for range times%4 + 1 {
			all = append(all, b...)
		}
		agree(t, all)
	})
}

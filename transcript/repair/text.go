package repair

import (
	"bytes"
	"encoding/json"
	"strings"
	"unicode"
	"unicode/utf8"

	encoding "golang.org/x/text/encoding/unicode"

	"coppice/transcript"
)

// quote returns a text as a JSON string.
func quote(s string) []byte { return transcript.Encode(s) }

// blank reports whether a text holds nothing but what the client takes for white
// space.
func blank(s string) bool { return trim(s) == "" }

// trim cuts white space off both ends, as the client does.
func trim(s string) string {
	return strings.TrimFunc(s, func(c rune) bool {
		return c == '\uFEFF' || c != '\u0085' && unicode.IsSpace(c)
	})
}

// sound returns JSON text without what cannot be sent: each longest beginning of
// a sequence that is not UTF-8, and each escape of half a surrogate pair, become
// U+FFFD (observed A.3). False means that there is nothing to replace.
func sound(raw []byte) ([]byte, bool) {
	changed := false
	if !utf8.Valid(raw) {
		if s, err := encoding.UTF8.NewDecoder().Bytes(raw); err == nil {
			raw, changed = s, true
		}
	}
	if fixed, ok := wholePairs(raw); ok {
		raw, changed = fixed, true
	}
	return raw, changed
}

// wholePairs replaces escapes of lone surrogates.
func wholePairs(raw []byte) ([]byte, bool) {
	var out []byte
	from := 0
	for i := 0; i < len(raw); {
		k := bytes.IndexByte(raw[i:], '\\')
		if k < 0 || i+k+1 >= len(raw) {
			break
		}
		i += k
		if raw[i+1] != 'u' {
			i += 2
			continue
		}
		switch unit := surrogate(raw[i:]); {
		case unit == 0:
			i += 2
		case unit == high && surrogate(raw[min(i+6, len(raw)):]) == low:
			i += 12
		default:
			out = append(append(out, raw[from:i]...), `\ufffd`...)
			i += 6
			from = i
		}
	}
	if out == nil {
		return nil, false
	}
	return append(out, raw[from:]...), true
}

// Halves of a surrogate pair.
const (
	high = 1
	low  = 2
)

// surrogate says which half of a pair the escape at the start of s is, 0 for
// none.
func surrogate(s []byte) int {
	if len(s) < 6 || s[0] != '\\' || s[1] != 'u' || s[2]|0x20 != 'd' {
		return 0
	}
	switch s[3] | 0x20 {
	case '8', '9', 'a', 'b':
		return high
	case 'c', 'd', 'e', 'f':
		return low
	}
	return 0
}

// edit returns a JSON object with members changed: change gets each member's key
// and value and returns the new value, nil to leave the member out.
func edit(object []byte, change func(key, value []byte) []byte) json.RawMessage {
	out := append(make([]byte, 0, len(object)+16), '{')
	members(object, func(key, value []byte) {
		v := change(key, value)
		if v == nil {
			return
		}
		if len(out) > 1 {
			out = append(out, ',')
		}
		out = append(append(append(out, quote(string(key))...), ':'), v...)
	})
	return append(out, '}')
}

// with returns a JSON object with one member's value replaced.
func with(object []byte, key string, value []byte) json.RawMessage {
	return edit(object, func(k, v []byte) []byte {
		if string(k) == key {
			return value
		}
		return v
	})
}

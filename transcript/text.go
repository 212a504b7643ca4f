package transcript

import (
	"bytes"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// maxFact bounds a fact that is text, in bytes.
const maxFact = 4096

// unescape decodes the inside of a JSON string. Invalid UTF-8, lone surrogates
// and broken escapes become U+FFFD.
func unescape(raw []byte) string {
	if bytes.IndexByte(raw, '\\') < 0 {
		return valid(raw)
	}
	out := make([]byte, 0, len(raw))
	for len(raw) > 0 {
		i := bytes.IndexByte(raw, '\\')
		if i < 0 {
			out = append(out, raw...)
			break
		}
		out = append(out, raw[:i]...)
		var r rune
		r, raw = escape(raw[i+1:])
		out = utf8.AppendRune(out, r)
	}
	return valid(out)
}

// valid makes a string in which every byte that is no UTF-8 is U+FFFD.
func valid(b []byte) string {
	if utf8.Valid(b) {
		return string(b)
	}
	return string(bytes.Runes(b))
}

// escape decodes one escape, behind its backslash, and returns what follows.
func escape(b []byte) (rune, []byte) {
	if len(b) == 0 {
		return utf8.RuneError, nil
	}
	switch c := b[0]; c {
	case 'n':
		return '\n', b[1:]
	case 't':
		return '\t', b[1:]
	case 'r':
		return '\r', b[1:]
	case 'b':
		return '\b', b[1:]
	case 'f':
		return '\f', b[1:]
	case '"', '\\', '/':
		return rune(c), b[1:]
	case 'u':
	default:
		return utf8.RuneError, b[1:]
	}
	r, ok := hex4(b[1:])
	if !ok {
		return utf8.RuneError, b[1:]
	}
	b = b[5:]
	if !utf16.IsSurrogate(r) {
		return r, b
	}
	if len(b) >= 6 && b[0] == '\\' && b[1] == 'u' {
		if low, ok := hex4(b[2:]); ok {
			if pair := utf16.DecodeRune(r, low); pair != utf8.RuneError {
				return pair, b[6:]
			}
		}
	}
	return utf8.RuneError, b
}

func hex4(b []byte) (rune, bool) {
	if len(b) < 4 {
		return 0, false
	}
	n, err := strconv.ParseUint(string(b[:4]), 16, 32)
	return rune(n), err == nil
}

// cut shortens s to at most n bytes at the border of a rune.
func cut(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}

// maxLine is the length of a text cut to one line, in characters.
const maxLine = 200

// oneLine makes one line of a text: control characters become blanks, at most
// maxLine characters and an ellipsis.
func oneLine(s string) string {
	s = strings.TrimSpace(strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, s))
	n := 0
	for i := range s {
		if n == maxLine {
			return strings.TrimSpace(s[:i]) + "…"
		}
		n++
	}
	return s
}

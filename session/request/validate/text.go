package validate

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// text checks a text that must say something.
func (c *checker) text(s string) {
	switch {
	case s == "":
		c.report(Empty, "a text has no characters")
	case strings.TrimSpace(s) == "":
		c.report(Blank, "a text is white space")
	}
}

// encoding checks that a value is JSON in UTF-8. What is not cannot be checked
// further.
func (c *checker) encoding(raw json.RawMessage) bool {
	switch {
	case !json.Valid(raw):
		c.report(Encoding, "the content is not JSON")
		return false
	case !utf8.Valid(raw):
		c.report(Encoding, "the content is not UTF-8")
	case halfPair(raw):
		c.report(Encoding, "half of a surrogate pair is written")
	}
	return true
}

// halfPair reports whether JSON text has an escape for half a surrogate pair.
func halfPair(raw []byte) bool {
	for i := 0; i+1 < len(raw); i++ {
		if raw[i] != '\\' {
			continue
		}
		i++ // the character behind it
		r := unit(raw[i:])
		if !utf16.IsSurrogate(r) {
			continue
		}
		if i+6 >= len(raw) || raw[i+5] != '\\' || utf16.DecodeRune(r, unit(raw[i+6:])) == utf8.RuneError {
			return true
		}
		i += 10
	}
	return false
}

// unit returns the UTF-16 unit that u and four digits stand for, -1 for none.
func unit(b []byte) rune {
	if len(b) < 5 || b[0] != 'u' {
		return -1
	}
	n, err := strconv.ParseUint(string(b[1:5]), 16, 16)
	if err != nil {
		return -1
	}
	return rune(n)
}

// ending checks the message that the model is to go on from.
func (c *checker) ending(messages []Message) {
	last := len(messages) - 1
	if last < 0 {
		c.at, c.block = -1, -1
		c.report(Empty, "there is no message")
		return
	}
	if messages[last].Role != "assistant" {
		return
	}
	text, ok := str(messages[last].Content)
	if list, isList := blocks(messages[last].Content); isList && len(list) > 0 {
		if end := list[len(list)-1].Text; end.ok {
			text, ok = end.s, true
		}
	}
	if ok && text != strings.TrimRight(text, " \t\r\n") {
		c.at, c.block = last, -1
		c.report(Ending, "the assistant's last text ends in white space")
	}
}

// str returns a JSON string's text.
func str(raw json.RawMessage) (string, bool) {
	var s string
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 || raw[0] != '"' || json.Unmarshal(raw, &s) != nil {
		return "", false
	}
	return s, true
}

// blocks returns a list of blocks.
func blocks(raw json.RawMessage) ([]block, bool) {
	var list []*block
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 || raw[0] != '[' || json.Unmarshal(raw, &list) != nil {
		return nil, false
	}
	out := make([]block, len(list))
	for i, b := range list {
		if b == nil {
			return nil, false
		}
		out[i] = *b
		out[i].Type = b.Kind.s
	}
	return out, true
}

// object reports whether a value is a JSON object.
func object(raw json.RawMessage) bool {
	raw = bytes.TrimSpace(raw)
	return len(raw) > 0 && raw[0] == '{'
}

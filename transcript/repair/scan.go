package repair

import (
	"bytes"

	"github.com/tidwall/gjson"
)

// members visits the members of a JSON object. Keys come without their quotes,
// values as they are written. Bytes that are no object have none.
func members(object []byte, visit func(key, value []byte)) {
	i := open(object, '{')
	for i >= 0 && i < len(object) && object[i] == '"' {
		end := skip(object, i)
		key := object[i:end]
		i = blanks(object, end)
		if i >= len(object) || object[i] != ':' {
			return
		}
		i = blanks(object, i+1)
		end = skip(object, i)
		visit(plainKey(key), object[i:end:end])
		i = next(object, end)
	}
}

// elements visits the elements of a JSON list.
func elements(list []byte, visit func(value []byte)) {
	i := open(list, '[')
	for i >= 0 && i < len(list) && list[i] != ']' {
		end := skip(list, i)
		if end == i {
			return
		}
		visit(list[i:end:end])
		i = next(list, end)
	}
}

// open returns where the first thing in an object or a list begins, -1 where it
// is none.
func open(b []byte, bracket byte) int {
	i := blanks(b, 0)
	if i >= len(b) || b[i] != bracket {
		return -1
	}
	return blanks(b, i+1)
}

// next returns where the thing behind the one that ends at i begins, -1 for none.
func next(b []byte, i int) int {
	i = blanks(b, i)
	if i >= len(b) || b[i] != ',' {
		return -1
	}
	return blanks(b, i+1)
}

func blanks(b []byte, i int) int {
	for i < len(b) && (b[i] == ' ' || b[i] == '\t' || b[i] == '\n' || b[i] == '\r') {
		i++
	}
	return i
}

// skip returns the end of the value that begins at i.
func skip(b []byte, i int) int {
	depth := 0
	for i < len(b) {
		switch b[i] {
		case '"':
			i = skipString(b, i)
		case '{', '[':
			depth++
			i++
		case '}', ']':
			if depth == 0 {
				return i
			}
			depth--
			i++
		case ',', ' ', '\t', '\n', '\r', ':':
			if depth == 0 {
				return i
			}
			i++
			continue
		default:
			i++
			continue
		}
		if depth == 0 {
			return i
		}
	}
	return i
}

// skipString returns the end of the string that begins at i.
func skipString(b []byte, i int) int {
	for i++; i < len(b); {
		k := bytes.IndexByte(b[i:], '"')
		if k < 0 {
			return len(b)
		}
		i += k
		escapes := 0
		for b[i-1-escapes] == '\\' {
			escapes++
		}
		if i++; escapes%2 == 0 {
			return i
		}
	}
	return len(b)
}

// plainKey returns a key without its quotes.
func plainKey(raw []byte) []byte {
	if len(raw) >= 2 && bytes.IndexByte(raw, '\\') < 0 {
		return raw[1 : len(raw)-1]
	}
	return []byte(unquoted(raw))
}

// unquoted returns the text of a JSON string.
func unquoted(raw []byte) string {
	if len(raw) >= 2 && bytes.IndexByte(raw, '\\') < 0 {
		return string(raw[1 : len(raw)-1])
	}
	return gjson.ParseBytes(raw).String()
}

// kind returns the first byte of a value, by which one sees what it is: a quote,
// a bracket, or a letter or digit. It is 0 for none.
func kind(value []byte) byte {
	if i := blanks(value, 0); i < len(value) {
		return value[i]
	}
	return 0
}

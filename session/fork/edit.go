package fork

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"

	"coppice/transcript"
	"coppice/transcript/ledger"
)

// errNotObject is returned for bytes that are no JSON object.
var errNotObject = errors.New("not one JSON object")

// member is one member of an object, as positions in its bytes.
type member struct {
	start  int // of the key's quote
	keyEnd int // behind the key's closing quote
	value  int // of the value
	end    int // behind the value
}

// editor replaces members of objects. Its buffer is used again and again; it is
// for one goroutine.
type editor struct{ members []member }

// change says what becomes of a member: its new value, nil for the one it has, or
// that it goes.
type change func(key, value []byte) (now []byte, keep bool)

// edit appends the object b to out with members at depth one changed, and with
// what extra appends (members in JSON, each with a comma in front) at its end. All
// other bytes stay as they are: nothing is decoded and encoded again (report A16).
//
// large says where large values lie, which are not looked into; b must be what
// they were found in.
func (e *editor) edit(out, b []byte, large [2]ledger.Stretch, decide change, extra func(out []byte) []byte) ([]byte, error) {
	if err := e.read(b, large); err != nil {
		return out, err
	}
	const more = 1 << 10 // what changes add, mostly
	out = slices.Grow(out, len(b)+more)
	begin, kept := len(out), false
	for i, m := range e.members {
		now, keep := decide(key(b[m.start:m.keyEnd]), b[m.value:m.end])
		if !keep {
			continue
		}
		if kept {
			out = append(out, b[e.members[i-1].end:m.start]...)
		} else {
			out = append(out, b[:e.members[0].start]...)
		}
		kept = true
		if now == nil {
			out = append(out, b[m.start:m.end]...)
		} else {
			out = append(append(out, b[m.start:m.value]...), now...)
		}
	}
	if !kept {
		return out[:begin], errNotObject
	}
	if extra != nil {
		out = extra(out)
	}
	return append(out, b[e.members[len(e.members)-1].end:]...), nil
}

// value returns the value of a member of the object b, the last one with that
// name; nil for none.
func (e *editor) value(b []byte, name string) (value []byte) {
	if e.read(b, [2]ledger.Stretch{}) != nil {
		return nil
	}
	for _, m := range e.members {
		if string(key(b[m.start:m.keyEnd])) == name {
			value = b[m.value:m.end]
		}
	}
	return value
}

// read finds the members of the object b.
func (e *editor) read(b []byte, large [2]ledger.Stretch) error {
	e.members = e.members[:0]
	if len(b) == 0 || b[0] != '{' {
		return errNotObject
	}
	for i := skipSpace(b, 1); i < len(b) && b[i] == '"'; {
		m := member{start: i}
		if m.keyEnd = skipString(b, i); m.keyEnd < 0 {
			return errNotObject
		}
		if i = skipSpace(b, m.keyEnd); i >= len(b) || b[i] != ':' {
			return errNotObject
		}
		m.value = skipSpace(b, i+1)
		switch at := int32(m.value); at {
		case large[0].From:
			m.end = int(large[0].To)
		case large[1].From:
			m.end = int(large[1].To)
		default:
			if m.end = skipValue(b, m.value); m.end < 0 {
				return errNotObject
			}
		}
		e.members = append(e.members, m)
		switch i = skipSpace(b, m.end); {
		case i < len(b) && b[i] == ',':
			i = skipSpace(b, i+1)
		case i < len(b) && b[i] == '}':
			return tail(b[i+1:])
		default:
			return errNotObject
		}
	}
	return errNotObject
}

// tail says whether what follows an object is nothing.
func tail(b []byte) error {
	if len(bytes.TrimSpace(b)) != 0 {
		return errNotObject
	}
	return nil
}

// key returns the key that a string in JSON spells.
func key(quoted []byte) []byte {
	if bytes.IndexByte(quoted, '\\') < 0 {
		return quoted[1 : len(quoted)-1]
	}
	var s string
	_ = json.Unmarshal(quoted, &s) // a key that cannot be read is one that nobody looks for
	return []byte(s)
}

func skipSpace(b []byte, i int) int {
	for i < len(b) && (b[i] == ' ' || b[i] == '\t' || b[i] == '\n' || b[i] == '\r') {
		i++
	}
	return i
}

// skipString returns the position behind the string that begins at i, or -1.
func skipString(b []byte, i int) int {
	for i++; ; i++ {
		n := bytes.IndexByte(b[i:], '"')
		if n < 0 {
			return -1
		}
		quote := i + n
		back := quote
		for back > i && b[back-1] == '\\' {
			back--
		}
		if (quote-back)%2 == 0 {
			return quote + 1
		}
		i = quote
	}
}

// skipValue returns the position behind the value that begins at i, or -1.
func skipValue(b []byte, i int) int {
	if i >= len(b) {
		return -1
	}
	switch b[i] {
	case '"':
		return skipString(b, i)
	case '{', '[':
		return skipContainer(b, i)
	}
	from := i
	for i < len(b) && b[i] != ',' && b[i] != '}' && b[i] != ']' && b[i] > ' ' {
		i++
	}
	if i == from {
		return -1
	}
	return i
}

func skipContainer(b []byte, i int) int {
	for depth := 0; i < len(b); {
		switch b[i] {
		case '"':
			if i = skipString(b, i); i < 0 {
				return -1
			}
			continue
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth == 0 {
				return i + 1
			}
		}
		i++
	}
	return -1
}

// quote returns s as a JSON string as the client writes it.
func quote(s string) []byte { return transcript.Encode(s) }

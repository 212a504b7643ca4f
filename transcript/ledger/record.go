package ledger

import (
	"bytes"
	"encoding/json"
	"math"
	"unicode/utf8"
)

// record is what the index wants of one JSON object.
type record struct {
	arena []byte
	vals  [numFields]value
	body  body
	from  int64 // offset of compactMetadata's value
	to    int64 // behind it
	large [2]Stretch
	many  int // of large
}

// body is what is known of a message's content.
type body struct {
	usable  bool // there is something that a request could hold
	results bool
	calls   bool
}

// str returns a member that is a string.
func (r *record) str(f field) []byte {
	if v := r.vals[f]; v.form == text {
		return r.arena[v.at:v.end]
	}
	return nil
}

// lit returns a member that is a literal.
func (r *record) lit(f field) string {
	if v := r.vals[f]; v.form == literal {
		return string(r.arena[v.at:v.end])
	}
	return ""
}

func (r *record) isTrue(f field) bool {
	v := r.vals[f]
	return v.form == literal && string(r.arena[v.at:v.end]) == "true"
}

// read goes behind the object at the place and takes what is wanted of it. A
// member that comes twice counts as its last occurrence only.
func (r *record) read(c *cursor) bool {
	r.arena, r.vals, r.body, r.large, r.many = r.arena[:0], [numFields]value{}, body{}, [2]Stretch{}, 0
	if c.blanks() != '{' {
		return false
	}
	start := c.offset()
	return c.members(func(key []byte) bool {
		from := c.offset() - start
		ok := r.member(c, rootField(key))
		if to := c.offset() - start; to-from > largeSize {
			r.measure(from, to)
		}
		return ok
	})
}

// measure notes where a large value lies.
func (r *record) measure(from, to int64) {
	if r.many < len(r.large) && to <= math.MaxInt32 {
		r.large[r.many] = Stretch{From: int32(from), To: int32(to)}
		r.many++
	}
}

// members calls each behind the colon of every member of the object at the
// place; it goes behind the value.
func (c *cursor) members(each func(key []byte) bool) bool {
	c.i++
	if c.blanks() == '}' {
		c.i++
		return true
	}
	for {
		if c.blanks() != '"' {
			return false
		}
		c.i++
		key, ok := c.key()
		if !ok || !each(key) {
			return false
		}
		if more, ok := c.next('}'); !more {
			return ok
		}
	}
}

// key goes behind a key and its colon. The key is good until the cursor moves
// and cut where it is longer than any that is wanted.
func (c *cursor) key() ([]byte, bool) {
	if end, escaped, quote := closing(c.b, c.i); quote && !escaped && end+1 < len(c.b) && c.b[end+1] == ':' {
		raw := c.b[c.i:end]
		c.i = end + 2
		return raw, true
	}
	raw, escaped, ok := c.keep()
	if !ok {
		return nil, false
	}
	const longest = 160 // of a wanted key, written in escapes
	if len(raw) > longest {
		raw = nil
	}
	if escaped {
		raw = decode(nil, raw)
	}
	if c.i < len(c.b) && c.b[c.i] == ':' {
		c.i++
		return raw, true
	}
	raw = bytes.Clone(raw)
	if c.blanks() != ':' {
		return nil, false
	}
	c.i++
	return raw, true
}

func (r *record) member(c *cursor, f field) bool {
	switch f {
	case fNone:
		return c.value(1)
	case fMessage:
		r.vals[fMessageID], r.body = value{}, body{}
		return r.under(c, r.messageMember)
	case fAttachment:
		r.vals[fAttachmentType] = value{}
		return r.under(c, r.attachmentMember)
	case fCompact:
		c.blanks()
		r.from = c.offset()
		ok := c.value(1)
		r.to, r.vals[f] = c.offset(), value{form: other}
		return ok
	default:
		return r.scalar(c, f, 1)
	}
}

// under calls each for the members of the object at the place; another value
// is skipped.
func (r *record) under(c *cursor, each func(c *cursor, key []byte) bool) bool {
	if c.blanks() != '{' {
		return c.value(1)
	}
	return c.members(func(key []byte) bool { return each(c, key) })
}

func (r *record) attachmentMember(c *cursor, key []byte) bool {
	if string(key) == "type" {
		return r.scalar(c, fAttachmentType, 2)
	}
	return c.value(2)
}

func (r *record) messageMember(c *cursor, key []byte) bool {
	switch string(key) {
	case "id":
		return r.scalar(c, fMessageID, 2)
	case "content":
		return r.content(c)
	}
	return c.value(2)
}

// content goes behind a message's content: a string, or a list of blocks of
// which at least one must have a type unless it is empty (observed A.4).
func (r *record) content(c *cursor) bool {
	r.body = body{}
	switch c.blanks() {
	case '"':
		r.body.usable = true
	case '[':
		c.i++
		if c.blanks() == ']' {
			r.body.usable = true
			c.i++
			return true
		}
		for {
			if !r.block(c) {
				return false
			}
			if more, ok := c.next(']'); !more {
				return ok
			}
		}
	}
	return c.value(2)
}

func (r *record) block(c *cursor) bool {
	if c.blanks() != '{' {
		return c.value(3)
	}
	r.vals[fBlockType] = value{}
	ok := c.members(func(key []byte) bool {
		if string(key) == "type" {
			return r.scalar(c, fBlockType, 4)
		}
		return c.value(4)
	})
	if r.vals[fBlockType].form == text {
		r.body.usable = true
		switch string(r.str(fBlockType)) {
		case "tool_result":
			r.body.results = true
		case "tool_use":
			r.body.calls = true
		}
	}
	return ok
}

// scalar keeps the value at the place when it is none of the containers.
func (r *record) scalar(c *cursor, f field, depth int) bool {
	at := int32(len(r.arena))
	switch k := c.blanks(); k {
	case '"':
		c.i++
		raw, escaped, ok := c.keep()
		if raw == nil {
			r.vals[f] = value{form: other}
			return ok
		}
		if escaped || !utf8.Valid(raw) {
			r.arena = decode(r.arena, raw)
		} else {
			r.arena = append(r.arena, raw...)
		}
		r.vals[f] = value{at, int32(len(r.arena)), text}
		return ok
	case '{', '[':
		r.vals[f] = value{form: other}
		return c.value(depth)
	default:
		c.mark = c.i
		ok := c.literal(k)
		if ok && c.mark >= 0 {
			r.arena = append(r.arena, c.b[c.mark:c.i]...)
		}
		c.mark = -1
		r.vals[f] = value{at, int32(len(r.arena)), literal}
		return ok
	}
}

// decode appends the string whose inside is raw.
func decode(dst, raw []byte) []byte {
	quoted := make([]byte, 0, len(raw)+2)
	quoted = append(append(append(quoted, '"'), raw...), '"')
	var s string
	if json.Unmarshal(quoted, &s) != nil {
		return dst
	}
	return append(dst, s...)
}

package repair

import "bytes"

// content decodes a message's content. It returns false for one that no message
// can be made of: neither a string nor a list, or a list in which nothing is a
// block (observed A.4). An empty list is one without parts.
func content(value []byte, row int) (parts []part, ok bool) {
	switch kind(value) {
	case '"':
		p := part{Block: Block{Type: "text", JSON: textBlock(value), Row: row}}
		p.blank, p.empty = look(value)
		return []part{p}, true
	case '[':
	default:
		return nil, false
	}
	listed := false
	elements(value, func(v []byte) {
		listed = true
		if p, ok := block(v, row); ok {
			parts = append(parts, p)
		}
	})
	return parts, len(parts) > 0 || !listed
}

// block decodes one element of a content list; false for one that is no block.
func block(raw []byte, row int) (part, bool) {
	p := part{Block: Block{JSON: raw, Row: row}}
	var id, callID, text, name, input, signature, data, thinking []byte
	members(raw, func(key, v []byte) {
		switch string(key) {
		case "type":
			if p.Type = ""; kind(v) == '"' {
				p.Type = typeName(v)
			}
		case "id":
			id = v
		case "tool_use_id":
			callID = v
		case "text":
			text = v
		case "name":
			name = v
		case "input":
			input = v
		case "content":
			p.content = kind(v)
		case "is_error":
			p.failed = kind(v) == 't'
		case "cache_control":
			p.marked = kind(v) != 'n'
		case "signature":
			signature = v
		case "data":
			data = v
		case "thinking":
			thinking = v
		}
	})
	switch {
	case p.Type == "":
		return part{}, false
	case p.text():
		if kind(text) != '"' {
			return part{}, false
		}
		p.blank, p.empty = look(text)
	case p.result() && kind(callID) == '"':
		p.id = unquoted(callID)
	case !p.result() && kind(id) == '"':
		p.id = unquoted(id)
	}
	p.signed = kind(signature) == '"' && kind(thinking) == '"' || p.Type == "redacted_thinking" && kind(data) == '"'
	p.broken = p.id == "" || kind(name) != '"' || len(name) <= len(`""`) || kind(input) != '{'
	return p, true
}

// typeName returns a block's type, without a copy for the common ones.
func typeName(v []byte) string {
	for _, t := range [...]string{"text", "tool_use", "tool_result", "thinking", "image"} {
		if len(v) == len(t)+2 && string(v[1:len(v)-1]) == t {
			return t
		}
	}
	return unquoted(v)
}

// look reports whether a JSON string is white space, and whether it is empty.
func look(v []byte) (white, empty bool) {
	if c := v[1]; c > ' ' && c < 0x80 && c != '\\' && c != '"' {
		return false, false
	}
	s := unquoted(v)
	return blank(s), s == ""
}

// textOf returns the text of a text part.
func (p *part) textOf() string {
	var text []byte
	members(p.JSON, func(key, v []byte) {
		if string(key) == "text" {
			text = v
		}
	})
	return unquoted(text)
}

// addText returns a text part with more behind it.
func (p *part) addText(more string) part {
	q := *p
	text := p.textOf() + more
	q.JSON = with(p.JSON, "text", quote(text))
	q.Merged, q.empty = true, text == ""
	return q
}

// contentOf returns the content of a result.
func (p *part) contentOf() (content []byte) {
	members(p.JSON, func(key, v []byte) {
		if string(key) == "content" {
			content = v
		}
	})
	return bytes.TrimSpace(content)
}

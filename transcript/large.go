package transcript

// readMessage reads the head of the message at i: its id, its model, and what
// its content begins with.
func (e *ends) readMessage(i int) {
	r := e.rec
	key, at := e.stringMembers(i, func(key []byte, start, end int) bool {
		switch string(key) {
		case "id":
			r.set(fMessageID, e.line[start:end])
			e.headHoles = append(e.headHoles, span{f: fMessageID, start: start, end: end})
		case "model":
			r.set(fModel, e.line[start:end])
		case "content":
			r.plain, e.text = plainStart(e.line[start:end]), start
		}
		return true
	})
	if string(key) != "content" || at > len(e.line)-3 {
		return
	}
	if e.line[at] == '"' {
		r.plain, e.text = plainStart(e.line[at+1:]), at+1
		return
	}
	if i := blanks(e.line, at+1); e.line[at] == '[' && e.line[i] == '{' {
		e.stringMembers(i, func(key []byte, start, end int) bool {
			switch string(key) {
			case "type":
				r.results = string(e.line[start:end]) == "tool_result"
				return false
			case "tool_use_id":
				e.headHoles = append(e.headHoles, span{start: start, end: end})
			}
			return true
		})
	}
}

// readAttachment reads the type of the attachment at i.
func (e *ends) readAttachment(i int) {
	e.stringMembers(i, func(key []byte, start, end int) bool {
		if string(key) != "type" {
			return true
		}
		e.rec.set(fAttachmentType, e.line[start:end])
		return false
	})
}

// stringMembers calls each for the members of the object at i that are short
// strings, until it returns false or another kind of value comes that is not
// short: then it returns the key and where that value begins. It moves head to
// where it stopped.
func (e *ends) stringMembers(i int, each func(key []byte, start, end int) bool) ([]byte, int) {
	b := e.line
	for i++; ; i++ {
		if i = blanks(b, i); i >= len(b) || b[i] != '"' {
			return nil, 0
		}
		end := closingQuote(b, i+1)
		if end < 0 || end+1 >= len(b) {
			return nil, 0
		}
		key := b[i+1 : end]
		if i = blanks(b, end+1); b[i] != ':' || i+1 >= len(b) {
			return nil, 0
		}
		i = blanks(b, i+1)
		e.head = i
		switch b[i] {
		case '"':
			n := closingQuote(b[i+1:min(len(b), i+1+maxTiny)], 0)
			if n < 0 {
				e.head = i + 1
				return key, i
			}
			end = i + 1 + n
			e.head = end + 1
			if !each(key, i+1, end) {
				return nil, 0
			}
			i = end + 1
		case '{', '[':
			e.head = i + 1
			return key, i
		default:
			i = literalEnd(b, i)
		}
		if i = blanks(b, i); i >= len(b) || b[i] != ',' {
			return nil, 0
		}
	}
}

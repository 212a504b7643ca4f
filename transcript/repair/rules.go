package repair

// keepRules makes messages fit the rules of the Messages API that the client
// leaves to chance.
func (r *repairer) keepRules(ms []message) []message {
	for i := range ms {
		m := &ms[i]
		r.keepBlocks(m)
		switch m.role {
		case "user":
			m.parts = resultsFirst(m.parts)
		case "assistant":
			r.keepThinking(m)
		}
		if len(m.parts) == 0 {
			m.parts = []part{madeText(MadeNoContent, noContentText)}
		}
	}
	if len(ms) > 0 && ms[0].role != "user" {
		r.note(Opened, ms[0].parts[0].Row, "the conversation begins with an answer: an opening text is put in front")
		opening := message{role: "user", parts: []part{madeText(MadeOpening, openingText)}}
		ms = append([]message{opening}, ms...)
	}
	return ms
}

// resultsFirst moves results to the front.
func resultsFirst(parts []part) []part {
	results, others := split(parts, (*part).result)
	return append(results, others...)
}

// keepBlocks leaves out the blocks that a message of its role cannot hold, blank
// texts and recorded cache marks.
func (r *repairer) keepBlocks(m *message) {
	kept := m.parts[:0]
	for _, p := range m.parts {
		switch {
		case p.text() && p.blank && p.Made == Recorded:
			continue
		case m.role == "user" && (p.call() || p.thinking()), m.role == "assistant" && p.result():
			r.note(DroppedBlock, p.Row, "a block that a message of its role cannot hold is left out")
			continue
		}
		if p.marked {
			p.JSON = edit(p.JSON, func(key, v []byte) []byte {
				if string(key) == "cache_control" {
					return nil
				}
				return v
			})
			r.note(DroppedMark, p.Row, "a recorded cache mark is left out")
		}
		if p.result() {
			r.keepResult(&p)
		}
		kept = append(kept, p)
	}
	m.parts = kept
}

// keepResult gives a result a content that it may have.
func (r *repairer) keepResult(p *part) {
	switch p.content {
	case 0, '"':
	case 'n':
		p.JSON = with(p.JSON, "content", quote(""))
		r.note(EmptyContent, p.Row, "the content of a result is null: it is sent as no text")
	case '[':
		kept, gone := blocks(p, func(q *part) bool { return !q.blank && !q.marked })
		if gone {
			p.JSON = with(p.JSON, "content", kept)
			r.note(DroppedBlock, p.Row, "blocks that a result cannot hold are left out")
		}
	default:
		p.JSON = with(p.JSON, "content", quote(string(p.contentOf())))
		r.note(EmptyContent, p.Row, "the content of a result is neither text nor a list: it is sent as text")
	}
}

// keepThinking lets thinking stand in front of what it led to, and never last.
func (r *repairer) keepThinking(m *message) {
	if !some(m.parts, (*part).thinking) {
		return
	}
	m.parts = without(m.parts, func(p *part) bool {
		bad := p.thinking() && !p.signed
		if bad {
			r.note(DroppedThinking, p.Row, "thinking without a signature is left out")
		}
		return bad
	})
	if len(m.parts) == 0 || !some(m.parts, (*part).thinking) {
		return
	}
	last := &m.parts[len(m.parts)-1]
	if m.parts[0].thinking() && !last.thinking() {
		return
	}
	thinking, others := split(m.parts, (*part).thinking)
	if len(others) == 0 {
		m.parts = append(m.parts, madeText(MadeNoContent, noContentText))
		return
	}
	r.note(MovedThinking, thinking[0].Row, "thinking is moved in front of what it led to")
	m.parts = append(thinking, others...)
}

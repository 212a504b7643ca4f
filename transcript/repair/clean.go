package repair

// clean takes the texts out of user messages that say nothing, and gives every
// result a content that it may have (observed A.4).
func (r *repairer) clean(ms []message) {
	for i := range ms {
		m := &ms[i]
		if m.role != "user" || m.lone { // a lone text is sent as it is
			continue
		}
		m.parts = without(m.parts, func(p *part) bool { return p.text() && p.blank })
		for k := range m.parts {
			if p := &m.parts[k]; p.result() {
				r.cleanResult(p)
			}
		}
		if len(m.parts) == 0 {
			m.parts = []part{madeText(MadeNoContent, noContentText)}
		}
	}
}

// cleanResult makes a result's content one that a result may have: a failed one
// holds texts only, and a content that is neither text nor list is shown.
func (r *repairer) cleanResult(p *part) {
	switch p.content {
	case 0, '"', 'n', '{':
	case '[':
		if !p.failed {
			return
		}
		if kept, gone := blocks(p, func(q *part) bool { return q.text() }); gone {
			p.JSON = with(p.JSON, "content", kept)
			r.note(DroppedBlock, p.Row, "a failed result holds texts only: the rest is left out")
		}
	default:
		p.JSON, p.content = with(p.JSON, "content", quote(string(p.contentOf()))), '"'
		r.note(EmptyContent, p.Row, "the content of a result is neither text nor a list: it is sent as text")
	}
}

// blocks returns the content list of a result with only the blocks that are to
// stay, and whether some are gone.
func blocks(p *part, stays func(*part) bool) (list []byte, gone bool) {
	var kept []part
	elements(p.contentOf(), func(v []byte) {
		if q, ok := block(v, p.Row); ok && stays(&q) {
			kept = append(kept, q)
		} else {
			gone = true
		}
	})
	return listOf(kept), gone
}

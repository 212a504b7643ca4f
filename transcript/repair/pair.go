package repair

// pair makes calls and results fit: each call is answered in the very next
// message, and nothing else is there (observed A.4).
func (r *repairer) pair(ms []message) []message {
	p := pairing{r: r, ms: ms, seen: map[string]bool{}}
	for i := range ms {
		if ms[i].role == "assistant" {
			p.calls(i)
		}
	}
	if r.keep {
		p.fetch()
	}
	return p.rebuild()
}

// pairing holds what the steps of pair share.
type pairing struct {
	r      *repairer
	ms     []message
	seen   map[string]bool // calls so far
	wanted []want          // calls that nothing in the next message answers, in order
	moved  map[int][]part  // results from elsewhere, by the message of their call
}

// want is a call that needs a result.
type want struct {
	message int
	id      string
	row     int
}

// calls checks the calls of a message and takes their results in the next one.
func (p *pairing) calls(i int) {
	m := &p.ms[i]
	results := p.next(i)
	first := map[string]int{} // result of each call
	for k := range results {
		if _, there := first[results[k].id]; !there && results[k].result() {
			first[results[k].id] = k
		}
	}
	server := serverResults(m.parts)
	kept := m.parts[:0]
	changed := false
	for _, b := range m.parts {
		switch {
		case b.result():
			p.r.note(OrphanResult, b.Row, "a result in an assistant message is left out")
			changed = true
			continue
		case serverCall(b.Type) && !server[b.id]:
			p.r.note(ServerCall, b.Row, "call "+name(b.id)+" of a server tool has no result: it is left out")
			changed = true
			continue
		case b.call() && p.seen[b.id]:
			p.r.note(DuplicateCall, b.Row, "call "+name(b.id)+" has the id of an earlier one: it is left out")
			changed = true
			continue
		case b.call():
			p.seen[b.id] = true
			if k, there := first[b.id]; there {
				results[k].taken = true
			} else {
				p.wanted = append(p.wanted, want{i, b.id, b.Row})
			}
		}
		kept = append(kept, b)
	}
	if m.parts = kept; len(kept) > 0 {
		return
	}
	if m.parts = []part{madeText(MadeNoContent, noContentText)}; changed {
		m.parts = []part{madeText(MadeInterrupted, brokenText)}
	}
}

// next returns the parts of the user message that answers message i.
func (p *pairing) next(i int) []part {
	if i+1 < len(p.ms) && p.ms[i+1].role == "user" {
		return p.ms[i+1].parts
	}
	return nil
}

// fetch looks for the missing results anywhere else, first come first taken: a
// recorded result is better than a made one, wherever it stands.
func (p *pairing) fetch() {
	p.moved = map[int][]part{}
	spare := map[string]*part{}
	for i := range p.ms {
		for k := range p.ms[i].parts {
			q := &p.ms[i].parts[k]
			if _, there := spare[q.id]; q.result() && !q.taken && !there && p.ms[i].role == "user" {
				spare[q.id] = q
			}
		}
	}
	missing := p.wanted[:0]
	for _, w := range p.wanted {
		q := spare[w.id]
		if q == nil {
			missing = append(missing, w)
			continue
		}
		delete(spare, w.id)
		p.r.note(MovedResult, q.Row, "the result of call "+name(w.id)+" is moved behind its call")
		p.moved[w.message] = append(p.moved[w.message], *q)
		q.Type = "" // gone from where it stood
	}
	p.wanted = missing
}

// rebuild returns the messages with what is missing and without what is too much.
func (p *pairing) rebuild() []message {
	out := make([]message, 0, len(p.ms))
	k := 0
	for i := 0; i < len(p.ms); i++ {
		m := p.ms[i]
		if m.role == "user" {
			m = p.user(m, nil)
		}
		out = append(out, m)
		if m.role != "assistant" {
			continue
		}
		var results []part
		for ; k < len(p.wanted) && p.wanted[k].message == i; k++ {
			results = append(results, p.missing(p.wanted[k]))
		}
		results = append(results, p.moved[i]...)
		switch {
		case p.next(i) != nil:
			i++
			out = append(out, p.user(p.ms[i], results))
		case len(results) > 0:
			out = append(out, message{role: "user", parts: results})
		}
	}
	return out
}

// missing makes a result for a call.
func (p *pairing) missing(w want) part {
	p.r.note(AnsweredCall, w.row, "call "+name(w.id)+" has no result: it is told that the outcome is unknown")
	return madeResult(w.id)
}

// user returns a user message with only the results that are taken, behind more.
func (p *pairing) user(m message, more []part) message {
	kept := more
	for _, b := range m.parts {
		switch {
		case b.Type == "":
			continue
		case b.result() && !b.taken:
			if p.seen[b.id] {
				p.r.note(DuplicateResult, b.Row, "call "+name(b.id)+" has another result, or this one stands elsewhere: it is left out")
			} else {
				p.r.note(OrphanResult, b.Row, "a result of no call ("+name(b.id)+") is left out")
			}
			continue
		}
		kept = append(kept, b)
	}
	if len(kept) != len(m.parts) {
		m.lone = false
	}
	if m.parts = kept; len(kept) == 0 {
		m.parts = []part{madeText(MadeNoContent, noContentText)}
	}
	return m
}

package transcript

import (
	"bytes"
	"slices"
)

const (
	maxTemplates = 16
	minHole      = 16 // length from which a string of no interest is taken to vary
)

// template is how a row looked that was read from its ends.
// Rows of a session repeat one another in all but a few values, so most are read
// by comparing their bytes with those of an earlier row, which delimit the same
// members: a quote in the text is one in the row, and no hole holds another,
// except that of a prompt, which is followed to its end.
type template struct {
	head []piece // from the start of the line; a hole reaches to the next quote
	tail []piece // from its end backward; a hole has a fixed size
	same []constant
	text []byte // holds the bytes of all of them

	results bool
	plain   bool
	whole   bool // head is all of it

	typ   kind
	side  bool
	typed bool
	model []byte
	age   int // the facts' when it was applied, see fold.age
	next  int // the template that matched the row behind, the last time
	other int // and before that, when it was another
	used  int // when it matched last
}

// piece is text that must be there, and the value that comes next to it.
type piece struct {
	text   []byte
	f      field // of the hole
	size   int   // of the hole, -1 for none
	number bool  // the hole is a number
	prompt bool  // the hole is a typed text of any length
}

type constant struct {
	f   field
	raw []byte
}

// span is a value that may vary, at line[start:end].
type span struct {
	f          field
	start, end int
	number     bool
	prompt     bool
}

// match fills r from line if that looks like the template.
func (t *template) match(r *record, line []byte, age int) bool {
	for i := range t.head {
		p := &t.head[i]
		if !bytes.HasPrefix(line, p.text) {
			return false
		}
		if line = line[len(p.text):]; p.size < 0 {
			continue
		}
		n := p.reach(line)
		if n <= 0 {
			return false
		}
		if p.f != fNone {
			r.set(p.f, line[:n])
		}
		line = line[n:]
	}
	if t.whole && len(line) > 0 || !t.matchTail(r, line) {
		return false
	}
	if r.again = t.age == age; r.again {
		r.typ, r.side, r.typed = t.typ, t.side, t.typed
		if t.model != nil {
			r.set(fModel, t.model)
		}
		return true
	}
	for _, c := range t.same {
		r.set(c.f, c.raw)
	}
	r.results, r.plain = t.results, t.plain
	return true
}

func (t *template) matchTail(r *record, line []byte) bool {
	for i := range t.tail {
		p := &t.tail[i]
		if !bytes.HasSuffix(line, p.text) {
			return false
		}
		if line = line[:len(line)-len(p.text)]; p.size < 0 {
			continue
		}
		start := len(line) - p.size
		if start < 0 || !p.fits(line[start:]) {
			return false
		}
		if p.f != fNone {
			r.set(p.f, line[start:])
		}
		line = line[:start]
	}
	return true
}

// reach returns the length of a hole at the start of line, 0 or less if what is
// there does not fit.
func (p *piece) reach(line []byte) int {
	if p.number {
		n := 0
		for n < len(line) && line[n] >= '0' && line[n] <= '9' {
			n++
		}
		return n
	}
	if p.prompt {
		if !plainStart(line) {
			return -1
		}
		return closingQuote(line, 0)
	}
	n := bytes.IndexByte(line[:min(len(line), maxSmall)], '"')
	if n > 0 && line[n-1] == '\\' {
		return -1
	}
	return n
}

func (p *piece) fits(value []byte) bool {
	if p.number {
		return allDigits(value)
	}
	return bytes.IndexByte(value, '"') < 0 && value[len(value)-1] != '\\'
}

// learn makes a template of the line at hand, of which everything before head
// and from tail on was read. What closes the value before tail is part of it.
func (e *ends) learn(head, tail int) {
	n := e.place()
	e.tick++
	t := &e.templates[n]
	*t = template{head: t.head[:0], tail: t.tail[:0], same: t.same[:0], text: t.text[:0], results: e.rec.results, plain: e.rec.plain, whole: head == len(e.line), used: e.tick, age: -1}
	if e.latest < len(e.templates) {
		e.templates[e.latest].leads(n)
	}
	e.latest, e.hit = n, n
	var holes fieldSet
	at := 0
	for _, h := range e.headHoles {
		t.head = append(t.head, piece{text: t.clone(e.line[at:h.start]), f: h.f, number: h.number, prompt: h.prompt})
		at = h.end
		holes.add(h.f)
	}
	t.head = append(t.head, piece{text: t.clone(e.line[at:head]), size: -1})
	if t.whole {
		t.keep(e.rec, holes)
		return
	}
	at = len(e.line)
	for _, h := range e.tailHoles {
		t.tail = append(t.tail, piece{text: t.clone(e.line[h.end:at]), f: h.f, size: h.end - h.start, number: h.number})
		at = h.start
		holes.add(h.f)
	}
	if e.line[tail-1] == '"' {
		tail--
	} else {
		for tail > head && (e.line[tail-1] == '}' || e.line[tail-1] == ']') {
			tail--
		}
	}
	t.tail = append(t.tail, piece{text: t.clone(e.line[tail:at]), size: -1})
	t.keep(e.rec, holes)
}

// learnPrompt makes a template of a prompt that was read whole.
func (e *ends) learnPrompt() {
	end := closingQuote(e.line, e.text)
	if end < 0 {
		return
	}
	e.headHoles = append(e.headHoles, span{start: e.text, end: end, prompt: true})
	e.headHoles = append(e.headHoles, e.tailHoles...)
	slices.SortFunc(e.headHoles, func(a, b span) int { return a.start - b.start })
	e.learn(len(e.line), len(e.line))
}

// place finds room for a template: when there are too many that of the one that
// was of no use for longest.
func (e *ends) place() int {
	n := len(e.templates)
	switch {
	case n < min(cap(e.templates), maxTemplates):
		e.templates = e.templates[:n+1]
	case n < maxTemplates:
		e.templates = append(e.templates, template{})
	default:
		n = 0
		for i := range e.templates {
			if e.templates[i].used < e.templates[n].used {
				n = i
			}
		}
	}
	return n
}

// keep copies the values that are no holes.
func (t *template) keep(r *record, holes fieldSet) {
	for f := fNone + 1; f < numFields; f++ {
		if r.seen.has(f) && !holes.has(f) {
			t.same = append(t.same, constant{f, t.clone(r.val[f])})
		}
	}
	t.typ, t.side, t.model = r.kind(), r.is(fSidechain), nil
	if model := r.raw(fModel); model != nil {
		t.model = t.clone(model)
	}
	t.typed = r.plain && !t.side && r.spoken()
}

// applied notes that the template of the line at hand, if there is one, was
// applied and left the facts at this age.
func (e *ends) applied(age int) {
	if e.hit < 0 {
		return
	}
	if t := &e.templates[e.hit]; t.typ != kindMeta {
		t.age = age
	}
}

// clone copies b into the template's own memory.
func (t *template) clone(b []byte) []byte {
	start := len(t.text)
	t.text = append(t.text, b...)
	return t.text[start:len(t.text):len(t.text)]
}

// leads notes that template n came next.
func (t *template) leads(n int) { t.next, t.other = n, t.next }

// matched reads the line at hand by a template, first by those that came next
// before.
func (e *ends) matched(age int) bool {
	e.hit = -1
	if len(e.templates) == 0 {
		return false
	}
	before := &e.templates[e.latest]
	next, other := before.next, before.other
	if e.try(next, age) {
		return true
	}
	if other != next && e.try(other, age) {
		before.leads(other)
		return true
	}
	for i := range e.templates {
		if i != next && i != other && e.try(i, age) {
			before.leads(i)
			return true
		}
	}
	return false
}

func (e *ends) try(i, age int) bool {
	t := &e.templates[i]
	if !t.match(e.rec, e.line, age) {
		e.rec.seen = 0
		return false
	}
	e.tick++
	t.used, e.latest, e.hit = e.tick, i, i
	return true
}

func allDigits(b []byte) bool {
	for _, c := range b {
		if c < '0' || c > '9' {
			return false
		}
	}
	return true
}

package repair

import "strings"

// message is a message while it is put together.
type message struct {
	role string
	id   string
	// parts are what the message holds. While messages are merged they are only
	// the front: of a user message that took a second row its results, of an
	// assistant message what is no call.
	parts  []part
	rest   []part
	lone   bool // its content is one recorded string, and nothing was merged into it
	merged bool // it took a second row
	told   bool // a user message of nothing but what was told
	frozen bool // an assistant message whose order is kept
}

// merger puts messages together.
type merger struct {
	ms    []message
	notes []part         // what a system message will tell
	byID  map[string]int // assistant messages
	wall  int            // messages before it take nothing any more
}

// merge puts the items together to messages, as the client does (observed A.4):
// user rows in a row become one message with the results first, assistant rows
// of one id become one across results, and what is told in the middle waits for
// the end of the user message.
func merge(items []item) []message {
	m := merger{byID: map[string]int{}}
	for i := 0; i < len(items); i++ {
		it := &items[i]
		switch it.from {
		case fromNote:
			m.notes = append(m.notes, it.parts...)
		case fromAssistant:
			m.assistant(it)
		case fromAside:
			for i+1 < len(items) && items[i+1].from == fromAside {
				i++
				it.parts = append(it.parts, items[i].parts...)
			}
			m.user(it)
		case fromUser, fromCommand:
			m.user(it)
		}
	}
	if len(m.notes) > 0 {
		m.tell("system") // the next prompt comes in front of it
	}
	for i := range m.ms {
		m.ms[i].parts = append(m.ms[i].parts, m.ms[i].rest...)
		m.ms[i].rest = nil
	}
	return m.ms
}

// user adds what is told in a user message.
func (m *merger) user(it *item) {
	last := len(m.ms) - 1
	if last < 0 || m.ms[last].role != "user" {
		m.ms = append(m.ms, message{role: "user", parts: it.parts, lone: it.lone, told: it.from == fromAside})
		return
	}
	to := &m.ms[last]
	to.lone = false
	to.told = to.told && it.from == fromAside
	if end := len(to.parts) - 1; it.from == fromAside && len(to.rest) == 0 && (to.merged || every(to.parts, (*part).result)) {
		if p, ok := beside(&to.parts[end], it.parts); ok {
			to.parts[end] = p
			return
		}
	}
	if end := to.last(); it.from != fromAside && end.text() && it.parts[0].text() {
		*end = end.addText("\n")
	}
	if !to.merged {
		to.merged = true
		to.parts, to.rest = split(to.parts, (*part).result)
	}
	front, rest := split(it.parts, (*part).result)
	to.parts, to.rest = append(to.parts, front...), append(to.rest, rest...)
}

// last returns the last part.
func (m *message) last() *part {
	if n := len(m.rest); n > 0 {
		return &m.rest[n-1]
	}
	return &m.parts[len(m.parts)-1]
}

// split returns the parts that are so, and the others.
func split(parts []part, is func(*part) bool) (yes, no []part) {
	return without(parts, func(p *part) bool { return !is(p) }), without(parts, is)
}

// beside puts texts that are told beside a result into it: false where it cannot
// hold them.
func beside(result *part, told []part) (part, bool) {
	if !every(told, (*part).text) {
		return part{}, false
	}
	q := *result
	q.Merged = true
	switch result.content {
	case '"':
		var texts []string
		if own := trim(unquoted(result.contentOf())); own != "" {
			texts = append(texts, own)
		}
		for i := range told {
			texts = append(texts, told[i].textOf())
		}
		q.JSON = with(result.JSON, "content", quote(strings.Join(texts, "\n\n")))
	case '[':
		q.JSON = with(result.JSON, "content", appendTexts(result.contentOf(), told))
	default:
		return part{}, false
	}
	return q, true
}

// appendTexts returns a content list with more texts, each on a line of its own.
func appendTexts(list []byte, told []part) []byte {
	var parts []part
	elements(list, func(v []byte) {
		p, ok := block(v, -1)
		if !ok {
			p = part{Block: Block{JSON: v}}
		}
		parts = append(parts, p)
	})
	for i := range told {
		if n := len(parts); n > 0 && parts[n-1].text() {
			parts[n-1] = parts[n-1].addText("\n")
		}
		parts = append(parts, told[i])
	}
	return listOf(parts)
}

// listOf returns a JSON list of blocks.
func listOf(parts []part) []byte {
	out := []byte{'['}
	for i := range parts {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(out, parts[i].JSON...)
	}
	return append(out, ']')
}

// assistant adds an assistant row: to the message with its id when only results
// and other answers stand in between, or nothing but what was told, else as a message of its own. Texts of
// white space do not outlast that.
func (m *merger) assistant(it *item) {
	n := len(m.ms)
	if n > 0 && m.ms[n-1].role == "user" && !m.ms[n-1].results() {
		if !m.ms[n-1].told || n < 2 || m.ms[n-2].id != it.id {
			m.wall = n
		}
	}
	if i, ok := m.byID[it.id]; ok && i >= m.wall && it.id != "" {
		to, blanks := &m.ms[i], func(p *part) bool { return p.text() && p.blank }
		if !to.merged {
			to.merged, to.parts = true, without(to.parts, blanks)
		}
		to.follow(without(it.parts, blanks))
		return
	}
	if len(m.notes) > 0 {
		if n > 0 && m.ms[n-1].role == "user" {
			m.tell("system")
		} else {
			m.tell("user")
			m.wall = len(m.ms)
		}
	}
	m.byID[it.id] = len(m.ms)
	m.ms = append(m.ms, message{role: "assistant", id: it.id})
	m.ms[len(m.ms)-1].follow(it.parts)
}

// results reports whether a user message holds results.
func (m *message) results() bool {
	return m.merged && len(m.parts) > 0 || !m.merged && some(m.parts, (*part).result)
}

// follow adds a row to an assistant message. Calls go behind everything else,
// unless thinking stands directly before and behind them: then the model took
// turns, and the order is kept.
func (m *message) follow(parts []part) {
	if !m.frozen && tookTurns(m.seam(parts)) {
		m.parts, m.rest, m.frozen = append(m.parts, m.rest...), nil, true
	}
	if m.frozen {
		m.parts = append(m.parts, parts...)
		return
	}
	calls, others := split(parts, (*part).call)
	m.parts, m.rest = append(m.parts, others...), append(m.rest, calls...)
}

// seam returns a row's parts behind as much of the message as its order depends on.
func (m *message) seam(parts []part) []part {
	var before []part
	if n := len(m.parts); n > 0 {
		before = append(before, m.parts[n-1])
	}
	if len(m.rest) > 0 {
		before = append(before, m.rest[0])
	}
	return append(before, parts...)
}

// tookTurns reports whether calls stand between thinking.
func tookTurns(parts []part) bool {
	for i := 1; i < len(parts); i++ {
		if !parts[i].call() || !parts[i-1].thinking() {
			continue
		}
		for i < len(parts) && parts[i].call() {
			i++
		}
		if i < len(parts) && parts[i].thinking() {
			return true
		}
	}
	return false
}

// tell writes what was to be told in the middle: as a system message without the
// marks around each reminder, or as a user message with them.
func (m *merger) tell(role string) {
	texts := make([]string, len(m.notes))
	told := m.notes[0]
	for i := range m.notes {
		texts[i] = m.notes[i].textOf()
		if m.notes[i].Made != Recorded {
			told.Made = m.notes[i].Made
		}
	}
	if role == "user" {
		for i := range texts {
			texts[i] = reminderStart + texts[i] + reminderEnd
		}
	}
	told.JSON, told.Merged = textBlock(quote(strings.Join(texts, "\n\n"))), true
	m.notes = nil
	m.ms = append(m.ms, message{role: role, parts: []part{told}})
}

// The marks around a reminder in a user message.
const (
	reminderStart = "<system-reminder>\n"
	reminderEnd   = "\n</system-reminder>"
)

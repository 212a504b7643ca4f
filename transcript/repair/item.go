package repair

import (
	"cmp"
	"slices"

	"coppice/transcript/ledger"
)

// repairer holds what the steps of one repair share.
type repairer struct {
	l    *ledger.Ledger
	keep bool
	opt  Options
	out  Conversation

	lastModel string
	room      []byte // see clone
}

// source says what an item comes from.
type source uint8

const (
	fromUser      source = iota // a user row, or one made like it
	fromAssistant               // an assistant row
	fromCommand                 // a system row of a local command: sent as the user's
	fromAside                   // an attachment that is told in a user message
	fromNote                    // an attachment that is told in a system message
)

// item is what one row contributes to the conversation.
type item struct {
	from   source
	row    int    // index into Ledger.Rows, -1 for a made one
	id     string // message.id of an assistant row
	model  string // of an assistant row
	parts  []part
	lone   bool // the content is recorded as a string
	failed bool // the row stands for an API error
	meta   bool
}

// part is a block with what the steps need to know of it.
type part struct {
	Block
	id    string // of a call, or of the call that a result answers
	blank bool   // a text of white space
	empty bool   // a text without characters
	taken bool   // a result that a call has

	content byte // of a result: what its content begins with, 0 for none
	failed  bool // a result of a call that failed
	marked  bool // it has a cache mark
	signed  bool // thinking that has what proves whose it is
	broken  bool // a call without a usable id, name or input
}

func (p *part) thinking() bool { return p.Type == "thinking" || p.Type == "redacted_thinking" }
func (p *part) call() bool     { return p.Type == "tool_use" }
func (p *part) result() bool   { return p.Type == "tool_result" }
func (p *part) text() bool     { return p.Type == "text" }

// some reports whether one of the parts is so.
func some(parts []part, is func(*part) bool) bool {
	for i := range parts {
		if is(&parts[i]) {
			return true
		}
	}
	return false
}

// every reports whether every part is so.
func every(parts []part, is func(*part) bool) bool {
	return !some(parts, func(p *part) bool { return !is(p) })
}

// speaks reports whether an item is something that a user said: results are not.
func (it *item) speaks() bool {
	return (it.from == fromUser || it.from == fromCommand) && !some(it.parts, (*part).result)
}

// answers reports whether an item brings results of calls.
func (it *item) answers() bool { return it.from == fromUser && some(it.parts, (*part).result) }

// note records a repair of a row.
func (r *repairer) note(kind Kind, row int, detail string) {
	rep := Repair{Kind: kind, Detail: detail}
	if row >= 0 {
		rep.Line, rep.UUID = r.l.Rows[row].Line, r.l.Text(r.l.Rows[row].UUID)
	}
	r.out.Repairs = append(r.out.Repairs, rep)
}

// result returns the conversation of the merged messages.
func (r *repairer) result(ms []message) Conversation {
	r.out.Messages = make([]Message, len(ms))
	n := 0
	for i := range ms {
		n += len(ms[i].parts)
	}
	blocks := make([]Block, n) // of all messages: small lists take up more than they need
	for i, m := range ms {
		of := blocks[:len(m.parts):len(m.parts)]
		blocks = blocks[len(m.parts):]
		for k := range m.parts {
			of[k] = m.parts[k].Block
		}
		r.out.Messages[i] = Message{Role: m.role, ID: m.id, Blocks: of}
	}
	slices.SortStableFunc(r.out.Repairs, func(a, b Repair) int { return cmp.Compare(a.Line, b.Line) })
	return r.out
}

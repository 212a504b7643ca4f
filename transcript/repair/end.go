package repair

import (
	"slices"
	"strings"
)

// end says how the conversation ends and makes what its end needs: a closing
// text behind a user message that nothing answered, or the request to go on.
func (r *repairer) end(items []item) []item {
	at := len(items)
	for !r.keep && at > 0 && items[at-1].from == fromCommand {
		at-- // commands behind the last message belong to the next one (observed A.3)
	}
	last, parent := -1, lastRow(items[:at])
	for i := range items {
		if it := &items[i]; it.from == fromUser || it.from == fromAssistant && (!r.keep || !it.failed) {
			last = i
		}
	}
	if len(r.out.Appended) > 0 {
		parent = -1
	}
	r.turn(items)
	if last < 0 && parent >= 0 {
		last = 0 // only what was told: it is closed like a prompt (observed A.3)
	}
	if last < 0 || items[last].from == fromAssistant {
		return items
	}
	add, role, kind, detail := madeText(MadeClosing, closingText), "assistant", Closed, "the conversation ends on a user message: it is closed"
	made := item{from: fromAssistant, row: -1}
	if r.opt.CarryOn && r.out.Turn.Interrupted() {
		add, role, kind, detail = madeText(MadeCarryOn, carryOnText), "user", CarriedOn, "the turn was interrupted: the request to go on is added"
		made = item{from: fromUser, row: -1, meta: true}
	}
	made.parts = []part{add}
	r.note(kind, items[last].row, detail)
	r.out.Appended = append(r.out.Appended, Appended{Type: role, Parent: parent, Meta: made.meta, Blocks: []Block{add.Block}})
	return slices.Insert(items, at, made)
}

// turn says how the conversation ended before anything was made.
func (r *repairer) turn(items []item) {
	if r.out.Turn == TurnCalls {
		return
	}
	r.out.Turn = TurnEmpty
	for i := len(items) - 1; i >= 0; i-- {
		it := &items[i]
		switch {
		case it.from == fromAssistant && it.failed:
		case it.from == fromAssistant:
			r.out.Turn = TurnDone
			return
		case it.from != fromUser || it.void():
		case it.answers():
			r.out.Turn = TurnResults
			return
		case it.stopped():
			r.out.Turn = TurnStopped
			return
		case r.l.Rows[it.row].Summary || it.meta || it.local():
			r.out.Turn = TurnDone // unless a prompt stands before
		default:
			r.out.Turn = TurnPrompt
			return
		}
	}
}

// stopMark is what the client writes for the user who interrupts it.
const stopMark = "[Request interrupted by user"

// stopped reports whether a user row says that a person interrupted the turn.
func (it *item) stopped() bool { return strings.HasPrefix(it.firstText(), stopMark) }

// local reports whether a user row is a command that the client ran itself, or
// what that printed.
func (it *item) local() bool {
	text := it.firstText()
	for _, tag := range []string{"<local-command-", "<command-name>", "<bash-input>", "<bash-stdout>", "<bash-stderr>"} {
		if strings.HasPrefix(text, tag) {
			return true
		}
	}
	return false
}

// firstText returns an item's first text, trimmed; "" where it has none.
func (it *item) firstText() string {
	for i := range it.parts {
		if it.parts[i].text() && !it.parts[i].blank {
			return trim(it.parts[i].textOf())
		}
	}
	return ""
}

// void reports whether a user row holds nothing. It is not sent, and yet a
// conversation that ends on it is closed (observed A.4).
func (it *item) void() bool { return it.from == fromUser && len(it.parts) == 0 }

// dropUnsent leaves out the rows that only mattered for the end: those of API
// errors, and those that hold nothing.
func (r *repairer) dropUnsent(items []item) []item {
	kept := items[:0]
	for i := range items {
		switch it := &items[i]; {
		case it.failed:
			r.note(DroppedError, it.row, "the row of an API error is left out")
		case !it.void():
			kept = append(kept, *it)
		}
	}
	return kept
}

// prompt returns the item of the next user message.
func (r *repairer) prompt() item {
	it := item{from: fromUser, row: -1}
	for _, raw := range r.opt.Prompt {
		if p, ok := block(raw, -1); ok {
			it.parts = append(it.parts, p)
		}
	}
	return it
}

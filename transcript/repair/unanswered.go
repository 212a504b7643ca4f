package repair

import "slices"

// dropUnanswered finds the calls that nothing answers. At the end of the
// conversation each gets a made result, which a resume appends as a row of its
// own. Further up the client leaves out the whole row (observed A.4); Keep leaves
// that to pair, which answers them.
func (r *repairer) dropUnanswered(items []item) []item {
	answered := map[string]bool{}
	for i := range items {
		if items[i].from != fromUser {
			continue
		}
		for k := range items[i].parts {
			if p := &items[i].parts[k]; p.result() && p.id != "" {
				answered[p.id] = true
			}
		}
	}
	end, working := lastRow(items), atWork(items)
	var made []item
	for _, i := range openTail(items) {
		made = append(made, r.answer(&items[i], end, answered)...)
	}
	items = append(items, made...)
	if r.keep {
		return items
	}
	open := func(p *part) bool { return p.call() && (p.id == "" || !answered[p.id]) }
	kept := items[:0]
	for i := range items {
		it := &items[i]
		if i < working && it.from == fromAssistant && some(it.parts, open) && every(it.parts, func(p *part) bool { return !p.call() || open(p) }) {
			r.unanswered(it)
			continue
		}
		kept = append(kept, *it)
	}
	return kept
}

// atWork returns where the turn at hand begins when results are the last word:
// behind the last user row without any. The client takes the model to be at work
// there, and leaves no call of it out (observed A.4). Without such results it
// returns len(items).
func atWork(items []item) int {
	last := len(items) - 1
	for last >= 0 && items[last].from != fromUser && items[last].from != fromAssistant {
		last--
	}
	if last < 0 || !items[last].answers() {
		return len(items)
	}
	for i := last; i >= 0; i-- {
		if items[i].from == fromUser && !items[i].answers() {
			return i + 1
		}
	}
	return 0
}

// openTail returns the assistant rows whose calls may still be answered, in order:
// those of the last message with more than thinking, when no user spoke behind it.
func openTail(items []item) (tail []int) {
	last := len(items) - 1
	for ; last >= 0; last-- {
		it := &items[last]
		if it.from == fromUser && it.speaks() {
			return nil
		}
		if it.from == fromAssistant && (len(it.parts) == 0 || some(it.parts, func(p *part) bool { return !p.thinking() })) {
			break
		}
	}
	if last >= 0 && items[last].failed {
		return nil
	}
	for i := last; i >= 0; i-- {
		it := &items[i]
		if it.from == fromUser && it.speaks() || it.from == fromAssistant && i != last && (it.id == "" || it.id != items[last].id) {
			break
		}
		if it.from == fromAssistant {
			tail = append(tail, i)
		}
	}
	slices.Reverse(tail)
	return tail
}

// answer makes the results of a row's open calls. The client hangs each below its
// call. Keep hangs them behind the end of the conversation: what stands between
// stays part of it.
func (r *repairer) answer(it *item, end int, answered map[string]bool) (made []item) {
	for k := range it.parts {
		p := &it.parts[k]
		if !p.call() || p.id == "" || answered[p.id] || r.keep && p.broken {
			continue
		}
		answered[p.id] = true
		result := madeResult(p.id)
		made = append(made, item{from: fromUser, row: -1, parts: []part{result}})
		r.note(AnsweredCall, it.row, "call "+name(p.id)+" at the end has no result: it is told that the outcome is unknown")
		r.out.Turn = TurnCalls
		parent := it.row
		if r.keep {
			parent = end
			if len(r.out.Appended) > 0 {
				parent = -1
			}
		}
		r.out.Appended = append(r.out.Appended, Appended{
			Type: "user", Parent: parent, Source: r.l.Text(r.l.Rows[it.row].UUID), Blocks: []Block{result.Block},
		})
	}
	return made
}

// unanswered notes that a row is left out for its calls.
func (r *repairer) unanswered(it *item) {
	if every(it.parts, (*part).call) {
		r.note(DroppedCall, it.row, "nothing answers "+calls(it.parts)+", and more was said since")
		return
	}
	r.note(DroppedMessage, it.row, "nothing answers "+calls(it.parts)+", and more was said since: what stands beside is left out too")
}

// lastRow returns the last row that something comes from, -1 for none.
func lastRow(items []item) int {
	for i := len(items) - 1; i >= 0; i-- {
		if items[i].row >= 0 && !items[i].void() {
			return items[i].row
		}
	}
	return -1
}

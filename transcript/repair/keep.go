package repair

import (
	"strconv"
	"strings"
)

// keepCalls makes every call one that a request may hold: an id that no call
// before it has, a name, and members as input. What cannot be one is said to
// have been there. The results in the next message follow their calls.
func (r *repairer) keepCalls(ms []message) {
	seen := map[string]int{}
	for i := range ms {
		if ms[i].role != "assistant" {
			continue
		}
		var results []part
		if i+1 < len(ms) && ms[i+1].role == "user" {
			results = ms[i+1].parts
		}
		own := map[string]int{} // how many calls of this message have an id
		for k := range ms[i].parts {
			if p := &ms[i].parts[k]; p.call() {
				r.keepCall(p, results, seen, own)
			}
		}
	}
}

// keepCall is keepCalls for one call.
func (r *repairer) keepCall(p *part, results []part, seen, own map[string]int) {
	if p.broken {
		r.note(BrokenCall, p.Row, "a call without a usable id, name or input is replaced by a text")
		row := p.Row
		*p = madeText(MadeInterrupted, brokenText)
		p.Row = row
		return
	}
	id := p.id
	nth := own[id]
	own[id]++
	fresh := unused(id, seen)
	if fresh == id {
		return
	}
	kind, why := DuplicateCall, " has the id of an earlier one: "
	if !usable(id) {
		kind, why = BrokenCall, " has an id that no call may have: "
	}
	r.note(kind, p.Row, "call "+name(id)+why+"it is sent as "+name(fresh))
	p.id, p.JSON = fresh, with(p.JSON, "id", quote(fresh))
	if q := nthResult(results, id, nth); q != nil {
		q.id, q.JSON = fresh, with(q.JSON, "tool_use_id", quote(fresh))
		r.note(kind, q.Row, "the result of call "+name(id)+" is sent as that of "+name(fresh))
	}
}

// nthResult returns the result that belongs to a call whose id is no longer its
// own: the last that is there of as many as there were calls with it.
func nthResult(results []part, id string, nth int) *part {
	var found *part
	for k := range results {
		if q := &results[k]; q.result() && q.id == id {
			if found = q; nth == 0 {
				break
			}
			nth--
		}
	}
	return found
}

// usable reports whether a call may have this id (the Messages API's pattern).
func usable(id string) bool {
	return id != "" && strings.IndexFunc(id, func(c rune) bool { return !idRune(c) }) < 0
}

func idRune(c rune) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '-'
}

// unused returns an id that no call has had, made from one. seen says of each that
// one had which number to try next, so that many calls of one id are no trouble.
func unused(id string, seen map[string]int) string {
	id = strings.Map(func(c rune) rune {
		if idRune(c) {
			return c
		}
		return '_'
	}, id)
	fresh := id
	for seen[fresh] > 0 {
		seen[id]++
		fresh = id + "-" + strconv.Itoa(seen[id])
	}
	seen[fresh] = 1
	return fresh
}

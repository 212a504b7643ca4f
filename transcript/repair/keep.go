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
		var own answers
		if i+1 < len(ms) && ms[i+1].role == "user" {
			own.results = ms[i+1].parts
		}
		for k := range ms[i].parts {
			if p := &ms[i].parts[k]; p.call() {
				r.keepCall(p, &own, seen)
			}
		}
	}
}

// keepCall is keepCalls for one call.
func (r *repairer) keepCall(p *part, own *answers, seen map[string]int) {
	if p.broken {
		r.note(BrokenCall, p.Row, "a call without a usable id, name or input is replaced by a text")
		row := p.Row
		*p = madeText(MadeInterrupted, brokenText)
		p.Row = row
		return
	}
	id, q := p.id, own.next(p.id)
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
	if q != nil {
		q.id, q.JSON = fresh, with(q.JSON, "tool_use_id", quote(fresh))
		r.note(kind, q.Row, "the result of call "+name(id)+" is sent as that of "+name(fresh))
	}
}

// answers hands out the results behind a message: of each recorded id the first
// one to the first call, the second one to the second call, whatever ids they got
// since.
type answers struct {
	results []part
	byID    map[string][]*part // those that are left
}

// next returns the result of the next call with an id, nil for none.
func (a *answers) next(id string) *part {
	if a.byID == nil {
		a.byID = map[string][]*part{}
		for k := range a.results {
			if q := &a.results[k]; q.result() {
				a.byID[q.id] = append(a.byID[q.id], q)
			}
		}
	}
	left := a.byID[id]
	if len(left) == 0 {
		return nil
	}
	a.byID[id] = left[1:]
	return left[0]
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

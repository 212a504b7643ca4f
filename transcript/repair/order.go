package repair

// moveEarly moves a row with results that stands before its calls behind the last
// row of their message, unless a user spoke in between (observed A.4).
func (r *repairer) moveEarly(items []item) []item {
	first := map[string]int{} // call to the first item that makes it
	last := map[string]int{}  // message to its last item
	spoken := make([]int, len(items)+1)
	for i := range items {
		spoken[i+1] = spoken[i]
		if items[i].speaks() {
			spoken[i+1]++
		}
		if items[i].from != fromAssistant {
			continue
		}
		last[items[i].id] = i
		for k := range items[i].parts {
			if p := &items[i].parts[k]; p.call() && p.id != "" {
				if _, ok := first[p.id]; !ok {
					first[p.id] = i
				}
			}
		}
	}
	moved := map[int][]int{} // item to those that follow it now
	away := map[int]bool{}
	with := -1 // where the item before is moved to
	for i := range items {
		if items[i].from == fromAside && with >= 0 { // told beside a moved result
			moved[with] = append(moved[with], i)
			away[i] = true
			continue
		}
		if with = -1; !items[i].answers() {
			continue
		}
		to, ok := call(&items[i], first)
		if !ok || to < i {
			continue
		}
		if id := items[to].id; id != "" {
			to = last[id]
		}
		if spoken[to] == spoken[i+1] {
			moved[to] = append(moved[to], i)
			away[i] = true
			with = to
			r.note(MovedResult, items[i].row, "a result that stands before its call is moved behind it")
		}
	}
	if len(away) == 0 {
		return items
	}
	out := make([]item, 0, len(items))
	for i := range items {
		if !away[i] {
			out = append(out, items[i])
		}
		for _, k := range moved[i] {
			out = append(out, items[k])
		}
	}
	return out
}

// call returns the first item with a call that the results of an item answer.
func call(it *item, first map[string]int) (int, bool) {
	at := -1
	for k := range it.parts {
		if i, ok := first[it.parts[k].id]; ok && it.parts[k].result() && (at < 0 || i < at) {
			at = i
		}
	}
	return at, at >= 0
}

// hoist moves what is told in user messages in front of what the user said: up
// to the answer, or the results, before.
func hoist(items []item) []item {
	out := make([]item, 0, len(items))
	var said []item // since then
	flush := func() {
		out = append(out, said...)
		said = said[:0]
	}
	for _, it := range items {
		switch {
		case it.from == fromAside:
			out = append(out, it)
		case it.from == fromAssistant || it.answers() && it.parts[0].result():
			flush()
			out = append(out, it)
		default:
			said = append(said, it)
		}
	}
	flush()
	return out
}

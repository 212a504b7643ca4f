package ledger

// grafted returns where Keep ends a conversation whose last row in the file is i.
// It is i, but not where a late answer to a call made a branch that nothing else
// is on: the row at which the rest of the talk ends holds more (report A6).
func (t *tree) grafted(i int) int {
	if call := t.call(i); call >= 0 {
		if end := t.goesOn(call, i); end >= 0 {
			return end
		}
	}
	prompt := t.lastPrompt()
	if prompt < 0 {
		return i
	}
	above := map[int]bool{}
	for n := prompt; n >= 0 && !above[n]; n = t.up[n] {
		above[n] = true
	}
	for n, steps := i, 0; n >= 0 && steps < len(t.up); n, steps = t.up[n], steps+1 {
		row := &t.l.Rows[n]
		switch {
		case above[n] && steps > 0:
			return prompt
		case above[n] || row.Kind == User && !row.Results && !row.Void:
			return i // the prompt is below it, or somebody spoke on the way
		}
	}
	return i
}

// goesOn returns the last row of the file at which the turn of a call goes on
// past the answer i, or none.
func (t *tree) goesOn(call, i int) int {
	id := t.l.Rows[call].MessageID
	top := call
	for steps := 0; id != 0 && steps < len(t.up); steps++ {
		up := t.up[top]
		if up < 0 || t.l.Rows[up].MessageID != id {
			break
		}
		top = up
	}
	below := t.below(top)
	for n := len(below) - 1; n >= 0; n-- {
		row := &t.l.Rows[n]
		if below[n] == yes && n != i && t.up[n] != dead && row.Kind == Assistant && !t.silent(n) && t.main(n) && n != top && (id == 0 || row.MessageID != id) {
			return n
		}
	}
	return none
}

// lastPrompt returns the last prompt of a person in the file, or none.
func (t *tree) lastPrompt() int {
	for i := len(t.up) - 1; i >= 0; i-- {
		if t.prompt(i) {
			return i
		}
	}
	return none
}

func (t *tree) prompt(i int) bool {
	row := &t.l.Rows[i]
	return t.up[i] != dead && row.Kind == User && t.main(i) && !row.Void && !row.Results && !row.Meta && !row.Summary
}

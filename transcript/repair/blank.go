package repair

// dropForeignThinking leaves out thinking that is not of the model that the
// request is for: its signature means nothing there (observed A.4).
func (r *repairer) dropForeignThinking(items []item) []item {
	model := r.model(items)
	kept := items[:0]
	for i := range items {
		it := &items[i]
		if it.from == fromAssistant && it.model != model && some(it.parts, (*part).thinking) {
			r.note(DroppedThinking, it.row, "thinking of another model is left out")
			it.parts = without(it.parts, (*part).thinking)
			if len(it.parts) == 0 {
				continue
			}
		}
		kept = append(kept, *it)
	}
	return kept
}

// model returns the model that the request is for.
func (r *repairer) model(items []item) string {
	if r.opt.Model != "" {
		return r.opt.Model
	}
	for i := len(items) - 1; i >= 0; i-- {
		it := &items[i]
		if it.from == fromAssistant && it.model != noModel && (r.opt.KnownModel == nil || r.opt.KnownModel(it.model)) {
			return it.model
		}
	}
	return ""
}

// dropBlank leaves out assistant rows that hold only white space, or only
// thinking that led to nothing: no row of the same message holds more (observed
// A.4). Texts without characters are not looked at.
func (r *repairer) dropBlank(items []item) []item {
	kept := items[:0]
	for i := range items {
		it := &items[i]
		if it.from == fromAssistant && it.blank() {
			r.note(DroppedBlank, it.row, "an assistant message of white space is left out")
			continue
		}
		kept = append(kept, *it)
	}
	items = kept
	led := map[string]bool{} // messages with more than thinking
	for i := range items {
		if it := &items[i]; it.from == fromAssistant && it.id != "" && !every(it.parts, (*part).thinking) {
			led[it.id] = true
		}
	}
	kept = items[:0]
	for i := range items {
		it := &items[i]
		if it.from == fromAssistant && len(it.parts) > 0 && every(it.parts, (*part).thinking) && !led[it.id] {
			r.note(DroppedThinking, it.row, "thinking without an answer is left out")
			continue
		}
		kept = append(kept, *it)
	}
	return kept
}

// blank reports whether an assistant row holds texts, and white space is all
// that is in them and behind any thinking in front. It takes texts without
// characters away.
func (it *item) blank() bool {
	empty := func(p *part) bool { return p.text() && p.empty }
	if some(it.parts, empty) {
		if it.parts = without(it.parts, empty); len(it.parts) == 0 {
			return true
		}
	}
	i := 0
	for i < len(it.parts) && it.parts[i].thinking() {
		i++
	}
	return i < len(it.parts) && every(it.parts[i:], func(p *part) bool { return p.text() && p.blank })
}

// without returns the parts that are not so.
func without(parts []part, is func(*part) bool) []part {
	kept := make([]part, 0, len(parts))
	for i := range parts {
		if !is(&parts[i]) {
			kept = append(kept, parts[i])
		}
	}
	return kept
}

package ui

import (
	"sort"

	"coppice/session"
	"coppice/ui/text"
)

// noteLines is how many lines a note may take at most.
const noteLines = 4

// drawFooter draws the last line: a word that was just said, else the keys that
// make sense now; at its right what a person should know about the data. A long
// word has that to itself and covers a few lines more.
func (m *model) drawFooter(f *frame, r rect) {
	right := m.footerRight().Truncate(r.w * 2 / 3)
	if m.note.text == "" {
		f.put(r.x, r.y, r.w, m.footer(right, r.w))
		return
	}
	lines := wrapped(m.note.text, r.w-2, m.note.role)
	lines = lines[:min(len(lines), noteLines, r.y+1)]
	for i, l := range lines {
		l = append(text.Line{{Text: " "}}, l...)
		if len(lines) == 1 && l.Width()+right.Width() < r.w {
			l = spread(l, right, r.w)
		}
		f.put(r.x, r.y+1-len(lines)+i, r.w, l)
	}
}

// footer is the line of keys.
func (m *model) footer(right text.Line, w int) text.Line {
	room := w - right.Width() - 1
	line := text.Line{}
	for i, hint := range m.hints() {
		gap := " "
		if i > 0 {
			gap = "  "
		}
		part := text.Line{{Text: gap}, {Text: hint.key, Role: text.Key}, {Text: " " + hint.label, Role: text.Dim}}
		if line.Width()+part.Width() > room {
			break
		}
		line = append(line, part...)
	}
	return spread(line, right, w)
}

// footerRight warns about the data: how changes are noticed, what could not be
// read.
func (m *model) footerRight() text.Line {
	switch {
	case m.data.ended != "":
		return text.Line{text.Foreign(m.data.ended, text.Bad), {Text: " "}}
	case m.data.err != "":
		return text.Line{text.Foreign(m.data.err, text.Bad), {Text: " "}}
	case len(m.lost) > 0:
		return text.Line{{Text: m.keys.key("lost"), Role: text.Key}, {Text: " " + text.Plural(len(m.lost), "session") + " lost ", Role: text.Warn}}
	case m.data.watch == session.WatchPolling:
		return text.Line{{Text: "polling every 5 s ", Role: text.Dim}}
	}
	return nil
}

// hint is a key and what it does.
type hint struct{ key, label string }

// hints are the keys that make sense now, the most wanted first. The help key
// is always among the first ones, for all the others.
func (m *model) hints() []hint {
	switch {
	case m.dialog != nil:
		return nil
	case m.rename != nil:
		return []hint{{"Enter", "rename"}, {"Esc", "keep the old name"}}
	case m.picking.host != "":
		return []hint{{"Enter", "switch"}, {"Esc", "cancel"}, {"a–z", "search"}, {"↑↓", "move"}, {"Ctrl-W Ctrl-A Ctrl-B", "worktrees, all, branch"}}
	case m.search.on:
		return []hint{{"Enter", "keep"}, {"Esc", "clear, leave"}, {"↑↓", "move"}}
	}
	table := append([]binding(nil), m.keys.table...)
	sort.SliceStable(table, func(i, j int) bool { return table[i].rank < table[j].rank })
	var out []hint
	for _, b := range table {
		if b.label == "" || len(b.keys) == 0 || b.why != nil && b.why(m) != "" {
			continue
		}
		out = append(out, hint{b.keys[0], b.label})
	}
	if len(m.search.words()) > 0 {
		out = append([]hint{{m.keys.key("back"), "end the search"}}, out...)
	}
	return out
}

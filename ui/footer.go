package ui

import (
	"sort"

	"coppice/session"
	"coppice/ui/text"
)

// footer is the last line: a word that was just said, else the keys that make
// sense now; at its right what a person should know about the data.
func (m *model) footer(w int) text.Line {
	right := m.footerRight().Truncate(w * 2 / 3)
	if m.note.text != "" {
		return spread(text.Line{{Text: " "}, text.Foreign(m.note.text, m.note.role)}, right, w)
	}
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

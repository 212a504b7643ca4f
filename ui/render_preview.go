package ui

import (
	"time"

	"coppice/ui/preview"
	"coppice/ui/text"
)

// roomForFacts is how many rows of conversation there must be below the facts
// for these to stay where they are; in a lower pane they scroll away.
const roomForFacts = 12

// drawPreview draws the selected session: its facts and the end of what was said.
func (m *model) drawPreview(f *frame, r rect, now time.Time) {
	if r.w < 1 {
		return
	}
	if n, ok := m.describes(); ok {
		m.drawNode(f, r, n)
		return
	}
	in := r.inside()
	focus := m.pane() == panePreview
	row := m.list.selected()
	if row == nil {
		f.border(r, text.Line{{Text: "Preview"}}, "", focus)
		return
	}
	facts := append(m.facts(row, in.w, now), nil)
	f.age(now, row.Updated)
	if m.peek.screen != nil && m.peek.host == m.hostOf(row) {
		m.drawPeek(f, r, facts)
		return
	}
	lines := m.preview.conversation(row, in.w, now)
	if in.h-len(facts) >= roomForFacts {
		for i, l := range facts {
			f.put(in.x, in.y+i, in.w, l)
		}
		in.y, in.h = in.y+len(facts), in.h-len(facts)
	} else {
		lines = append(facts, lines...)
	}
	most := max(len(lines)-max(in.h, 1), 0)
	m.preview.up = min(m.preview.up, most)
	from := most - m.preview.up
	f.border(r, text.Line{{Text: "Preview"}}, m.beyond(from), focus)
	for i := from; i < len(lines) && i < from+in.h; i++ {
		f.put(in.x, in.y+i-from, in.w, lines[i])
	}
}

// drawPeek draws the screen of a live session in the place of its conversation.
func (m *model) drawPeek(f *frame, r rect, facts []text.Line) {
	in := r.inside()
	f.border(r, text.Line{{Text: "Screen"}}, m.keys.key("view")+" conversation", m.pane() == panePreview)
	if in.h-len(facts) >= roomForFacts {
		for i, l := range facts {
			f.put(in.x, in.y+i, in.w, l)
		}
		in.y, in.h = in.y+len(facts), in.h-len(facts)
	}
	if in.w > 0 && in.h > 0 {
		f.panes = append(f.panes, placed{in, m.peek.screen})
	}
}

// facts lays out what is known of a session besides its conversation.
func (m *model) facts(r *row, w int, now time.Time) []text.Line {
	lines := preview.Header(r.Session, preview.HeaderOptions{Width: w, Now: now, Home: m.opt.Dirs.Home})
	if l, _ := m.lostOf(r.ID); m.isLost(r) {
		lines = append(lines, hanging("✗", "lost while it was live: "+l.Why+"; "+m.keys.key("lost")+" brings it back", w, text.Bad)...)
	}
	return append(lines, m.reports.lines(r, w, m.keys.key("fork"))...)
}

// beyond says how much of the conversation is out of sight: below once it was
// scrolled, else above.
func (m *model) beyond(above int) string {
	switch {
	case m.preview.up > 0:
		return text.Plural(m.preview.up, "line") + " below"
	case above > 0:
		return text.Plural(above, "line") + " above"
	}
	return ""
}

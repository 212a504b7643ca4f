package ui

import (
	"strconv"

	"coppice/ui/text"
)

// drawLive draws the frame of an agent's pane: the line of tabs, and what a dialog
// puts over the pane. The pane itself is drawn by its own primitive.
func (m *model) drawLive(f *frame) {
	f.filled = true
	m.drawPanes(f)
	if m.paneRect().y > 0 {
		f.put(0, 0, m.w, m.tabLine(m.w))
	}
	if m.dialog != nil {
		f.covered = true
		m.drawDialog(f)
	}
}

// tabLine names the live sessions, the shown one marked, or says what a person
// should know about it.
func (m *model) tabLine(w int) text.Line {
	if line := m.tabWord(); line != nil {
		return line.Truncate(w)
	}
	right := m.tabRight(w)
	var line text.Line
	for _, t := range m.tabs(w - right.Width()) {
		line = append(line, t.line...)
	}
	return spread(line, right, w)
}

// tabRight is what stands at the right of the tabs: what the pane has to say, or
// how to leave it.
func (m *model) tabRight(w int) text.Line {
	if m.live.status != "" {
		return text.Line{{Text: " "}, text.Foreign(m.live.status, text.Accent), {Text: " "}}.Truncate(w * 2 / 3)
	}
	return text.Line{{Text: " " + m.keys.key("leave-pane"), Role: text.Key}, {Text: " back ", Role: text.Dim}}
}

// tabWord is what the line of tabs says instead of the tabs, nil for nothing.
func (m *model) tabWord() text.Line {
	leave := m.keys.key("leave-pane")
	switch {
	case m.note.text != "":
		return text.Line{{Text: " "}, text.Foreign(m.note.text, m.note.role)}
	case m.live.leaving:
		return append(text.Line{{Text: " "}}, keysFoot("any key", "back", "1–9 n p ' !", "another session", "| Tab", "two panes", "s", "switch", "[", "scroll and copy", leave, "sent to the agent")...)
	case m.live.ended != "":
		return text.Line{{Text: " "}, text.Foreign(m.live.ended, text.Bad), {Text: "  any key", Role: text.Key}, {Text: " back to the dashboard", Role: text.Dim}}
	}
	return nil
}

// tab is one name in the line of tabs.
type tab struct {
	host string
	x, w int
	line text.Line
}

// tabs lays out the names of the live sessions in w cells. Names become shorter
// when there are many; where even that is not enough, those around the shown one
// are left.
func (m *model) tabs(w int) []tab {
	const least, most, extra = 6, 30, 6 // cells of a name; those around it
	n := len(m.live.running)
	if n == 0 {
		return nil
	}
	room := max(min(w/n-extra, most), least)
	first := 0
	if fit, at := max(w/(room+extra), 1), m.live.place(m.live.shown); at >= fit {
		first = at - fit + 1
	}
	var out []tab
	x := 0
	for i := first; i < n; i++ {
		t := m.tab(i, room)
		if x+t.w > w && len(out) > 0 {
			break
		}
		t.x = x
		x += t.w
		out = append(out, t)
	}
	return out
}

// tab is the tab of running agent i, its name in at most room cells.
func (m *model) tab(i, room int) tab {
	r := m.live.running[i]
	mark, markRole := liveMark(m.statusOf(r).State)
	number, name := " "+strconv.Itoa(i+1)+" ", text.Foreign(bounded(m.nameOf(r), 8*room), text.Dim)
	numberRole := text.Dim
	switch r.Host {
	case m.live.shown:
		number, numberRole, name.Role = "▸"+strconv.Itoa(i+1)+" ", text.Focus, text.Strong
	case m.live.other.shown:
		number, name.Role = "+"+strconv.Itoa(i+1)+" ", text.Default
	}
	line := text.Line{{Text: number, Role: numberRole}, {Text: mark + " ", Role: markRole}}
	line = append(line, text.Line{name}.Truncate(room)...)
	line = append(line, text.Span{Text: " "})
	return tab{host: r.Host, w: line.Width(), line: line}
}

// tabAt returns the host whose tab is at a column of the line of tabs.
func (m *model) tabAt(x int) (string, bool) {
	if m.tabWord() != nil {
		return "", false
	}
	for _, t := range m.tabs(m.w - m.tabRight(m.w).Width()) {
		if x >= t.x && x < t.x+t.w {
			return t.host, true
		}
	}
	return "", false
}

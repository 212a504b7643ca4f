package ui

import (
	"strconv"
	"strings"
	"time"

	"coppice/session"
	"coppice/ui/preview"
	"coppice/ui/text"
)

// drawList draws the pane of sessions.
func (m *model) drawList(f *frame, r rect, now time.Time) {
	if r.w < 1 {
		return
	}
	right := m.listRight()
	f.border(r, m.listTitle(r.w-text.Width(right)-8), right, m.pane() == paneList)
	in := r.inside()
	if m.searching() && in.h > 0 {
		m.drawSearch(f, rect{x: in.x, y: in.y, w: in.w, h: 1})
		in.y, in.h = in.y+1, in.h-1
	}
	l := &m.list
	if len(l.entries) == 0 {
		m.drawEmpty(f, in)
		return
	}
	l.top = window(l.top, l.at, len(l.entries), max(in.h, 1))
	cols := columnsFor(in.w, l.where)
	for i := l.top; i < len(l.entries) && i < l.top+in.h; i++ {
		e := l.entries[i]
		y := in.y + i - l.top
		f.visible = append(f.visible, e.row.Path)
		if m.rename != nil && m.rename.id == e.row.ID {
			m.drawRename(f, rect{x: in.x, y: y, w: in.w, h: 1})
			continue
		}
		line := m.rowLine(f, e, cols, now, i == l.at)
		f.putSelected(in.x, y, in.w, line, i == l.at)
	}
}

// listTitle names the pane and what it shows, in w cells where that can be.
func (m *model) listTitle(w int) text.Line {
	if m.picking.host != "" {
		one, _ := m.live.find(m.picking.host)
		return text.Line{{Text: "Switch to"}, {Text: " ─ instead of ", Role: text.Border}, text.Foreign(m.nameOf(one), text.Title)}
	}
	line := text.Line{{Text: "Sessions"}, {Text: " ─ ", Role: text.Border}}
	words := m.scopeWords()
	const any = " · any branch"
	if m.scope.branch == "" && line.Width()+text.Width(words+any) <= w {
		words += any
	}
	if m.list.wide {
		words = "everywhere (none in " + m.scopeWords() + ")"
	}
	line = append(line, text.Foreign(words, text.Title))
	if m.list.order != byUpdated {
		line = append(line, text.Span{Text: " · by " + m.list.order.String(), Role: text.Accent})
	}
	return line
}

// listRight says how many rows are not shown.
func (m *model) listRight() string {
	switch {
	case m.hidden:
		return "hidden shown"
	case m.list.hidden > 0:
		return text.Count(m.list.hidden) + " hidden"
	}
	return ""
}

// drawSearch draws the search line: the field, and how much it finds.
func (m *model) drawSearch(f *frame, r rect) {
	count := text.Count(len(m.list.entries)) + " of " + text.Count(m.list.total)
	if m.list.wide {
		count = "0 of " + text.Count(m.list.total)
	} else if m.list.elsewhere > 0 && len(m.search.words()) > 0 {
		count += " · " + text.Count(m.list.elsewhere) + " elsewhere"
	}
	f.put(r.x, r.y, 2, text.Line{{Text: "/ ", Role: text.Accent}})
	room := r.w - 2 - text.Width(count) - 2
	if room < 10 {
		room, count = r.w-2, ""
	}
	f.field(&m.search.field, r.x+2, r.y, room, m.search.on)
	if count != "" {
		f.put(r.x+r.w-text.Width(count)-1, r.y, text.Width(count)+1, text.Line{{Text: count, Role: text.Dim}})
	}
}

// drawRename draws the title being edited, in the place of its row.
func (m *model) drawRename(f *frame, r rect) {
	f.put(r.x, r.y, 4, text.Line{{Text: "▸ ▏ ", Role: text.Accent}})
	f.field(&m.rename.field, r.x+4, r.y, r.w-4, true)
}

// field draws a text field: its end, or the part around the cursor.
func (f *frame) field(in *field, x, y, w int, on bool) {
	if w < 1 {
		return
	}
	before := text.Clean(in.before())
	skip := 0
	for text.Width(before) > w-1 {
		_, _, before = text.Cluster(before)
		skip++
	}
	shown := text.Clean(in.String())
	for ; skip > 0; skip-- {
		_, _, shown = text.Cluster(shown)
	}
	line := text.Line{{Text: shown, Role: text.Strong}}
	if line.Width() > w {
		line = text.Line{{Text: cut(shown, w), Role: text.Strong}}
	}
	f.put(x, y, w, line)
	if on {
		f.typing = true
		f.cursor.x, f.cursor.y = x+text.Width(before), y
	}
}

// cut returns the beginning of s that fits in w cells, at least one cluster.
func cut(s string, w int) string {
	rest := s
	for rest != "" {
		_, n, next := text.Cluster(rest)
		if n > w && rest != s {
			break
		}
		w, rest = w-n, next
	}
	return s[:len(s)-len(rest)]
}

// columns are the widths of the list's columns; 0 for one that is left out.
type columns struct{ title, where, age, detail int }

// shortDetail is the narrowest column of details: it holds "permission".
const shortDetail = 12

// columnsFor fits the columns into w cells: the title has what the others leave,
// and they give way to it one after the other. where is how much the places of
// the rows ask for.
func columnsFor(w, where int) columns {
	const marks, least = 3, 18 // cursor, state and a space; the least for a title
	c := columns{where: min(where+1, w/4), age: 5, detail: shortDetail}
	rest := w - marks - c.where - c.age
	switch enough := w * 2 / 5; {
	case w >= 110 && rest-40 >= enough:
		c.detail = 40 // an amount and a note
	case rest-24 >= enough:
		c.detail = 24 // either, in full
	case rest-19 >= enough:
		c.detail = 19 // an amount
	}
	c.title = rest - c.detail
	if c.title < least {
		c.title, c.where = c.title+c.where, 0
	}
	if c.title < least {
		c.title, c.detail = c.title+c.detail-shortDetail, shortDetail
	}
	if c.title < least-6 {
		c.title, c.detail = c.title+c.detail, 0
	}
	c.title = max(c.title, 1)
	return c
}

// rowLine draws a session's row.
func (m *model) rowLine(f *frame, e entry, c columns, now time.Time, selected bool) text.Line {
	r := e.row
	mark, role := rowMark(r.Session)
	if m.isLost(r) {
		mark, role = "✗", text.Bad
	}
	line := text.Line{{Text: cursorMark(selected), Role: text.Accent}, {Text: mark, Role: role}, {Text: " "}}
	line = append(line, m.titleCell(e, c.title)...)
	if c.where > 0 {
		line = append(line, m.whereCell(r, c.where)...)
	}
	line = append(line, text.Span{Text: text.PadLeft(f.age(now, r.Updated), c.age-1) + " ", Role: text.Default})
	if c.detail > 0 {
		line = append(line, m.detailCell(f, r, c.detail, now)...)
	}
	return line
}

// whereCell is the branch of a row; before it its project, where rows of several
// are shown.
func (m *model) whereCell(r *row, w int) text.Line {
	return m.where(r).Truncate(w - 1).Pad(w)
}

// where is the place of a row in full.
func (m *model) where(r *row) text.Line {
	if !m.scope.everything() && !m.list.wide {
		return text.Line{text.Foreign(dash(r.Summary.Branch), text.Dim)}
	}
	where := text.Line{text.Foreign(m.projectName(r.home.project), text.Default)}
	if r.Summary.Branch != "" {
		where = append(where, text.Span{Text: " "}, text.Foreign(r.Summary.Branch, text.Dim))
	}
	return where
}

// widest is the width of the widest place among the first rows of the list.
func (m *model) widest() int {
	const enough = 500 // rows: the list is made anew at each key of a search
	w := 0
	for _, e := range m.list.entries[:min(len(m.list.entries), enough)] {
		w = max(w, m.where(e.row).Width())
	}
	return w
}

// dash stands for what is not known.
func dash(s string) string {
	if s == "" {
		return "—"
	}
	return s
}

// titleCell is the title with its place among forks and what matched a search.
func (m *model) titleCell(e entry, w int) text.Line {
	lead := ""
	if e.depth > 0 {
		lead = strings.Repeat("  ", min(e.depth-1, 4)) + "├ "
		if e.last {
			lead = strings.Repeat("  ", min(e.depth-1, 4)) + "└ "
		}
	}
	title := text.Foreign(bounded(preview.Title(e.row.Session), 8*w), text.Title)
	if e.row.Hidden != "" || e.row.TitleSource == session.TitleNone {
		title.Role = text.Dim
	}
	name := text.Line{title}.Highlight(positions(title.Text, m.search.words()))
	line := append(text.Line{{Text: lead, Role: text.Border}}, name...)
	tail := ""
	switch {
	case e.forks > 0 && !e.open:
		tail = " ▸ " + text.Plural(e.forks, "fork")
	case strings.Contains(title.Text, "(fork)"): // says so itself
	case e.row.Parent != "" || e.row.Summary.ForkedFrom != "":
		tail = " (fork)"
	}
	if n := m.live.number(e.row.ID); n > 0 {
		tail += " [" + strconv.Itoa(n) + "]"
	}
	if tail == "" {
		return append(line.Truncate(w-1).Pad(w-1), text.Span{Text: " "})
	}
	room := w - 1 - text.Width(tail)
	if room < 8 {
		return line.Truncate(w - 1).Pad(w)
	}
	line = append(line.Truncate(room), text.Span{Text: tail, Role: text.Dim})
	return line.Pad(w)
}

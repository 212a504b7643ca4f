package ui

import (
	"strings"
	"time"

	"coppice/ui/text"
)

// render draws the whole screen: model, size and time in, strips out. What it
// changes of the model is only where the panes are scrolled to.
func (m *model) render(now time.Time) *frame {
	f := &frame{}
	if m.w < 1 || m.h < 1 {
		return f
	}
	if m.live.screen != nil {
		m.drawLive(f)
		return f
	}
	l := m.layout()
	f.put(l.status.x, l.status.y, l.status.w, m.statusLine())
	m.drawTree(f, l.panes[paneTree])
	m.drawList(f, l.panes[paneList], now)
	m.drawPreview(f, l.panes[panePreview], now)
	if m.dialog != nil {
		m.drawDialog(f)
	}
	m.drawFooter(f, l.footer)
	return f
}

// statusLine tells the numbers of everything and what is shown.
func (m *model) statusLine() text.Line {
	t := m.tree.total()
	sep := text.Span{Text: " · ", Role: text.Dim}
	left := text.Line{{Text: " coppice", Role: text.Strong}, {Text: "  "}}
	add := func(s string, role text.Role) {
		if len(left) > 2 {
			left = append(left, sep)
		}
		left = append(left, text.Span{Text: s, Role: role})
	}
	if s := m.progress(); s != "" {
		add(s, text.Accent)
	}
	add(repositories(len(m.data.repos)), text.Default)
	add(text.Plural(m.data.worktrees(), "worktree"), text.Default)
	add(text.Plural(t.sessions, "session"), text.Default)
	if t.live > 0 {
		add(text.Count(t.live)+" live", text.Good)
	}
	if t.waiting > 0 {
		add(text.Count(t.waiting)+needs(t.waiting), text.Warn)
	}
	right := text.Line{text.Foreign(m.scopeWords(), text.Accent), {Text: " "}}
	gap := m.w - left.Width() - right.Width()
	if gap < 2 {
		return shorten(left, m.w)
	}
	return append(append(left, text.Span{Text: strings.Repeat(" ", gap)}), right...)
}

// shorten leaves out what does not fit, a whole word group at a time, those that
// matter least first.
func shorten(l text.Line, w int) text.Line {
	for l.Width() > w && len(l) > 4 {
		l = append(l[:2:2], l[4:]...)
	}
	return l
}

// needs is "1 needs you" without its number.
func needs(n int) string {
	if n == 1 {
		return " needs you"
	}
	return " need you"
}

// repositories counts repositories.
func repositories(n int) string {
	if n == 1 {
		return "1 repository"
	}
	return text.Count(n) + " repositories"
}

// progress says how far a scan is, "" when it is complete.
func (m *model) progress() string {
	p := m.data.progress
	switch {
	case p.Complete || m.data.ended != "":
		return ""
	case p.Files == 0:
		return "looking for sessions"
	case p.Done < p.Files:
		return "reading " + text.Count(p.Done) + "/" + text.Count(p.Files)
	case p.RepositoriesPending > 0:
		return "reading " + repositories(p.RepositoriesPending)
	}
	return "reading"
}

// scopeWords says which sessions are shown.
func (m *model) scopeWords() string {
	s := m.scope
	if s.everything() {
		return "everything" + branchWords(s)
	}
	name := m.projectName(s.project)
	if s.worktree == "" {
		return name + " · all worktrees" + branchWords(s)
	}
	return name + " · " + m.worktreeName(s) + branchWords(s)
}

// branchWords names the branch filter.
func branchWords(s scope) string {
	if s.branch == "" {
		return ""
	}
	return " · branch " + s.branch
}

// projectName names a project as the tree does.
func (m *model) projectName(key string) string {
	if label, ok := m.tree.labels[key]; ok {
		return label
	}
	return baseName(key)
}

// worktreeName names a worktree as the tree does.
func (m *model) worktreeName(s scope) string {
	for _, wt := range m.data.repos[s.project].Worktrees {
		if wt.Path != s.worktree {
			continue
		}
		return checkoutLabel(wt)
	}
	return baseName(s.worktree)
}

// drawDialog draws the box over the panes.
func (m *model) drawDialog(f *frame) {
	b := m.dialogBox()
	f.erase(b.outer)
	if b.outer.w < 5 || b.outer.h < 4 { // no room for a box
		f.put(b.outer.x, b.outer.y, b.outer.w, m.dialog.foot())
		return
	}
	m.scrollDialog(b, 0)
	right := ""
	if more := len(b.lines) - m.dialogTop - b.inner.h; more > 0 {
		right = text.Plural(more, "more line")
		if len(b.choices) > 0 { // the arrows choose
			right = "PgDn: " + text.Count(more) + " more"
		}
	}
	if b.bare {
		f.put(b.outer.x, b.outer.y, b.outer.w, text.Line{{Text: m.dialog.title(), Role: text.Focus}})
	} else {
		f.border(b.outer, text.Line{{Text: m.dialog.title()}}, right, true)
	}
	for i := m.dialogTop; i < len(b.lines) && i < m.dialogTop+b.inner.h; i++ {
		f.put(b.inner.x, b.inner.y+i-m.dialogTop, b.inner.w, b.lines[i])
	}
	if b.field != nil {
		label := text.Width(b.label) + 1
		f.put(b.entry.x, b.entry.y, label, text.Line{{Text: b.label, Role: text.Dim}})
		f.field(b.field, b.entry.x+label, b.entry.y, b.entry.w-label, true)
	}
	from := window(0, b.at, len(b.choices), b.picks.h)
	for i := from; i < len(b.choices) && i < from+b.picks.h; i++ {
		line := text.Line{{Text: cursorMark(i == b.at) + " ", Role: text.Accent}, b.choices[i]}
		f.putSelected(b.picks.x, b.picks.y+i-from, b.picks.w, line, i == b.at)
	}
	f.put(b.foot.x, b.foot.y, b.foot.w, m.dialog.foot())
}

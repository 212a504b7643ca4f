package ui

import (
	"strings"

	"coppice/session/agent"
	"coppice/ui/text"
)

// drawEmpty says why there is no session to show, and what to do.
func (m *model) drawEmpty(f *frame, r rect) {
	var lines []text.Line
	for i, s := range m.emptyWords() {
		role := text.Default
		if i == 0 {
			role = text.Strong
		}
		lines = append(lines, wrapped(s, max(r.w-2, 1), role)...)
	}
	for i, l := range lines {
		if i < r.h {
			f.put(r.x+1, r.y+i+min(1, max(r.h-len(lines), 0)), r.w-2, l)
		}
	}
}

// emptyWords explains an empty list, a line each.
func (m *model) emptyWords() []string {
	p := m.data.progress
	switch {
	case len(m.data.rows) == 0 && !p.Listed && m.data.ended == "":
		return []string{"Looking for sessions …", "in " + m.opt.Dirs.Projects}
	case len(m.data.rows) == 0:
		return []string{
			"Nothing here yet.", "",
			"Looked in " + m.opt.Dirs.Projects + " and found no session.", "",
			"Start " + m.agentName() + " in a project and talk to it: the session appears here by itself.",
			"If your sessions are kept elsewhere, set CLAUDE_CONFIG_DIR to that directory and start again.",
		}
	}
	words := m.search.words()
	out := []string{"No session in " + m.scopeWords() + "."}
	if len(words) > 0 {
		out[0] = "Nothing matches " + strings.Join(words, " ") + "."
		out = append(out, "Esc clears the search.")
	}
	return append(out, m.filterWords()...)
}

// filterWords says what each filter keeps away and which key lifts it.
func (m *model) filterWords() []string {
	if len(m.search.words()) > 0 && m.list.total > 0 {
		return m.hiddenWords(nil)
	}
	left := m.scope.leftOut(m.data.order, m.hidden)
	var out []string
	say := func(n int, where, action string) {
		if n > 0 {
			out = append(out, text.Plural(n, "session")+" "+where+": "+m.press(action)+".")
		}
	}
	say(left.byBranch, "on other branches", "branch")
	say(left.byWorktree, "in other worktrees of "+m.projectName(m.scope.project), "worktrees")
	say(left.byProject, "elsewhere", "everything")
	return m.hiddenWords(out)
}

// hiddenWords adds what is hidden here.
func (m *model) hiddenWords(out []string) []string {
	if n := m.list.hidden; n > 0 {
		out = append(out, text.Count(n)+" hidden here: "+m.press("hidden")+".")
	}
	return out
}

// press names the keys of an action: while the search has the keyboard, Enter
// gives it back first.
func (m *model) press(action string) string {
	if m.search.on {
		return "press Enter, then " + m.keys.key(action)
	}
	return "press " + m.keys.key(action)
}

// agentName is what a person types to start the agent.
func (m *model) agentName() string {
	if c := m.opt.Config.Agents[m.opt.Config.Agent].Command; len(c) > 0 {
		return agent.Quote(c)
	}
	return "the agent"
}

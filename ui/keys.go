package ui

import (
	"fmt"
	"sort"
	"strconv"

	"coppice/config"
)

// binding is one thing that a key can do in the dashboard. The one table of them
// feeds dispatch, footer, help and docs/keys.md.
type binding struct {
	action string   // its name in the configuration's [keys]
	keys   []string // the keys that do it, as keyOf names them
	label  string   // in the footer; "" for never there
	help   string   // in the help and the documentation; "" where another one tells
	rank   int      // order in the footer, the most wanted first
	// why says what keeps the key from acting now, "" when it can act. nil for
	// keys that always can.
	why func(*model) string
	run func(*model) []cmd
}

// bindings is the table, in the order of the help.
func bindings() []binding { return append(plainBindings(), focusBindings()...) }

// focusBindings are the keys that show a live session by its number.
func focusBindings() []binding {
	var out []binding
	help := "show live session 1; 2 to 9 (live-2 to live-9 in the configuration) show the others"
	for n := 1; n <= 9; n++ {
		out = append(out, binding{
			action: fmt.Sprintf("live-%d", n), keys: []string{strconv.Itoa(n)}, help: help,
			why: whyNotFocus(n), run: focusLive(n),
		})
		help = ""
	}
	return out
}

// plainBindings are all others.
func plainBindings() []binding {
	return []binding{
		{action: "up", keys: []string{"Up", "k"}, help: "move up", run: moveBy(-1)},
		{action: "down", keys: []string{"Down", "j"}, help: "move down", run: moveBy(1)},
		{action: "page-up", keys: []string{"PgUp"}, help: "a page up", run: movePage(-1)},
		{action: "page-down", keys: []string{"PgDn"}, help: "a page down", run: movePage(1)},
		{action: "first", keys: []string{"Home"}, help: "to the first row", run: moveTo(0)},
		{action: "last", keys: []string{"End"}, help: "to the last row", run: moveTo(1 << 30)},
		{action: "expand", keys: []string{"Right"}, help: "expand a group, or what is folded in the preview", why: (*model).whyNotExpand, run: (*model).expand},
		{action: "collapse", keys: []string{"Left"}, help: "collapse a group, or go to the row above it", run: (*model).collapse},
		{action: "open", keys: []string{"Enter"}, label: "open", rank: 1, help: "open: resume the session where it belongs; a branch: make a worktree for it, or check it out", why: (*model).whyNotOpen, run: (*model).open},
		{action: "preview", keys: []string{"Space", "Ctrl-V"}, label: "preview", rank: 2, help: "the conversation at full width, and back; of a worktree or branch how it differs from its base", why: (*model).whyNotPreview, run: (*model).togglePreview},
		{action: "fork", keys: []string{"f"}, label: "fork", rank: 4, help: "fork: a new session from a repaired copy of this one", why: (*model).whyNotFork, run: (*model).startFork},
		{action: "fork-worktree", keys: []string{"F"}, label: "fork into a worktree", rank: 9, help: "fork into a new worktree, with or without what is not committed", why: (*model).whyNotForkInto, run: (*model).startForkInto},
		{action: "rename", keys: []string{"r", "Ctrl-R"}, label: "rename", rank: 5, help: "rename the session in place", why: (*model).whyNotRename, run: (*model).startRename},
		{action: "search", keys: []string{"/"}, label: "search", rank: 3, help: "search titles, branches, paths, ids, pull requests and prompts", run: (*model).startSearch},
		{action: "back", keys: []string{"Esc"}, help: "leave what is open: the preview, the search", run: (*model).back},
		{action: "worktrees", keys: []string{"W", "Ctrl-W"}, label: "worktrees", rank: 6, help: "this worktree, or all worktrees of the repository", why: (*model).whyNotWorktrees, run: (*model).toggleWorktrees},
		{action: "everything", keys: []string{"A", "Ctrl-A"}, label: "all", rank: 7, help: "this repository, or everything", why: (*model).whyNotEverything, run: (*model).toggleEverything},
		{action: "branch", keys: []string{"B", "Ctrl-B"}, label: "branch", rank: 8, help: "only the branch of the selected session, or any branch", why: (*model).whyNotBranch, run: (*model).toggleBranch},
		{action: "hidden", keys: []string{"H"}, label: "hidden", rank: 11, help: "show the hidden rows, each with its reason", why: (*model).whyNotHidden, run: (*model).toggleHidden},
		{action: "sort", keys: []string{"s"}, label: "sort", rank: 12, help: "sort by last change, start, title or size", run: (*model).nextSort},
		{action: "copy", keys: []string{"y"}, label: "copy", rank: 9, help: "copy the id, the path or the resume command", why: (*model).whyNoRow, run: (*model).openCopy},
		{action: "delete", keys: []string{"D"}, label: "delete", rank: 13, help: "delete the session, to the trash; in the tree: remove the worktree, after what would be lost", why: (*model).whyNotDelete, run: (*model).startDelete},
		{action: "undo", keys: []string{"u"}, label: "undo", rank: 14, help: "bring back what was deleted last", why: (*model).whyNotUndo, run: (*model).undo},
		{action: "new", keys: []string{"n"}, label: "new", rank: 5, help: "new session in the selected checkout, or in the directory of the selected session", why: (*model).whyNotNew, run: (*model).startNew},
		{action: "worktree", keys: []string{"w"}, label: "worktree", rank: 6, help: "new worktree in the repository of what is selected", why: (*model).whyNotTree, run: (*model).startTree},
		{action: "merged", keys: []string{"M"}, help: "remove worktrees whose branches are merged, each with the reason", why: (*model).whyNotTree, run: (*model).startMerged},
		{action: "end", keys: []string{"x"}, label: "end", rank: 13, help: "end the agent of a live session, politely", why: (*model).whyNotEnd, run: (*model).startEnd},
		// The sign of a shell's prompt: s sorts, and ! shows who waits.
		{action: "shell", keys: []string{"$"}, label: "shell", rank: 14, help: "a shell in the selected checkout, or in the directory of the selected session", why: (*model).whyNotShell, run: (*model).shell},
		{action: "editor", keys: []string{"e"}, label: "edit", rank: 14, help: "your editor (VISUAL, EDITOR) in the same directory", why: (*model).whyNotEditor, run: (*model).editor},
		{action: "answer", keys: []string{"a"}, label: "answer", rank: 3, help: "answer the agent of a live session from here: choose what it asks, or send it a line", why: (*model).whyNotAnswer, run: (*model).startAnswer},
		{action: "switch", keys: []string{"p"}, help: "switch a live session to another one: pick it, Enter ends the one and resumes the other in its place", why: (*model).whyNotBehind, run: (*model).startSwitch},
		{action: "view", keys: []string{"v"}, help: "the screen of a live session in the preview, or its conversation", why: (*model).whyNotView, run: (*model).toggleView},
		{action: "lost", keys: []string{"L"}, help: "bring back the sessions that were live when the system or their hosts went down", why: (*model).whyNoLost, run: (*model).openLost},
		{action: "next-live", keys: []string{"]"}, help: "show the next live session", why: (*model).whyNoLive, run: stepLive(1)},
		{action: "previous-live", keys: []string{"["}, help: "show the previous live session", why: (*model).whyNoLive, run: stepLive(-1)},
		{action: "last-live", keys: []string{"'"}, help: "show the live session that was shown before", why: (*model).whyNoLive, run: (*model).lastLive},
		{action: "needs-you", keys: []string{"!"}, help: "show the next live session that waits for you", run: (*model).nextNeed},
		{action: "leave-pane", keys: []string{"Ctrl-]"}, help: "in the pane of a live session: the next key is the window's; any key goes back, a number, n, p, ' or ! shows another session, | shows a second one beside it or no longer, Tab goes to the other pane, s switches to another session, [ scrolls and copies, the key itself is sent to the agent", why: whyNotLeave, run: (*model).back},
		{action: "next-pane", keys: []string{"Tab"}, label: "pane", rank: 10, help: "next pane", run: moveFocus(1)},
		{action: "previous-pane", keys: []string{"Shift-Tab"}, help: "previous pane", run: moveFocus(-1)},
		{action: "redraw", keys: []string{"Ctrl-L"}, help: "look again at everything and draw anew", run: (*model).refresh},
		{action: "help", keys: []string{"?"}, label: "help", rank: 0, help: "this help", run: (*model).openHelp},
		{action: "suspend", keys: []string{"Ctrl-Z"}, help: "stop for the shell's fg", why: (*model).whyNotStop, run: (*model).stop},
		{action: "interrupt", keys: []string{"Ctrl-C"}, help: "twice: quit", run: (*model).interrupt},
		{action: "quit", keys: []string{"q"}, label: "quit", rank: 15, help: "quit", run: (*model).quit},
	}
}

// Actions names everything that the configuration's [keys] can bind, sorted.
func Actions() []string {
	var names []string
	for _, b := range bindings() {
		names = append(names, b.action)
	}
	sort.Strings(names)
	return names
}

// keymap is the table with the configuration's keys in force.
type keymap struct {
	table []binding
	byKey map[string]int
}

// newKeymap returns the bindings with overrides (action → key) applied. A key
// that an override takes is lost to the action that had it; unknown actions are
// left to the configuration's own check.
func newKeymap(overrides map[string]string) keymap {
	m := keymap{table: bindings(), byKey: map[string]int{}}
	taken := map[string]bool{}
	for _, key := range overrides {
		taken[spelled(key)] = true
	}
	for i := range m.table {
		b := &m.table[i]
		if key, ok := overrides[b.action]; ok {
			b.keys = []string{spelled(key)}
		} else {
			b.keys = without(b.keys, taken)
		}
		for _, key := range b.keys {
			m.byKey[key] = i
		}
	}
	return m
}

// without returns keys less those taken.
func without(keys []string, taken map[string]bool) []string {
	var left []string
	for _, k := range keys {
		if !taken[k] {
			left = append(left, k)
		}
	}
	return left
}

// spelled returns a configured key as keyOf names it: "ctrl-w" is "Ctrl-W". One
// that is no key stays as it is, and no key press has its name.
func spelled(key string) string {
	k, err := config.ParseKey(key)
	if err != nil {
		return key
	}
	return k.String()
}

// find returns the binding of a key.
func (m keymap) find(key string) (binding, bool) {
	i, ok := m.byKey[key]
	if !ok {
		return binding{}, false
	}
	return m.table[i], true
}

// key returns the first key of an action, for hints such as "press A".
func (m keymap) key(action string) string {
	for _, b := range m.table {
		if b.action == action && len(b.keys) > 0 {
			return b.keys[0]
		}
	}
	return ""
}

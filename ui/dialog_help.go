package ui

import (
	"fmt"
	"strings"

	"coppice/ui/text"
)

// helpDialog lists the keys.
type helpDialog struct{}

// openHelp shows the keys.
func (m *model) openHelp() []cmd {
	m.openDialog(helpDialog{})
	return nil
}

func (helpDialog) title() string { return "Keys" }

func (helpDialog) foot() text.Line { return keysFoot("↑↓", "scroll", "Esc", "close") }

func (helpDialog) key(m *model, k keyed) []cmd {
	if b, ok := m.keys.find(k.name); ok && (b.action == "help" || b.action == "quit") {
		return m.closeDialog()
	}
	return nil
}

// helpKeyWidth is the column of the keys.
const helpKeyWidth = 17

func (helpDialog) body(m *model, w int) content {
	var out []text.Line
	row := func(keys, help string, role text.Role) {
		lines := wrapped(help, max(w-helpKeyWidth, 1), role)
		for i, l := range lines {
			lead := ""
			if i == 0 {
				lead = keys
			}
			out = append(out, append(text.Line{{Text: text.Pad(lead, helpKeyWidth), Role: text.Key}}, l...))
		}
	}
	for _, b := range m.keys.table {
		if b.help == "" {
			continue
		}
		help := b.help
		role := text.Default
		if b.why != nil {
			if why := b.why(m); why != "" {
				help, role = help+" (not now: "+why+")", text.Dim
			}
		}
		row(strings.Join(b.keys, "  "), help, role)
	}
	out = append(out, nil, text.Line{{Text: "Marks", Role: text.Heading}})
	for _, l := range legend() {
		row(l.mark, l.means, text.Default)
	}
	out = append(out, nil, text.Line{{Text: "coppice " + m.opt.Version, Role: text.Dim}})
	return content{lines: out}
}

// legend explains the marks of tree and list.
func legend() []struct{ mark, means string } {
	return []struct{ mark, means string }{
		{"●", "live: an agent works in this session now"},
		{"◌", "live and idle: it waits for a prompt"},
		{"!", "live and waiting for you"},
		{"?", "live, but nobody can tell what it does"},
		{"[1]", "live behind this window: 1 shows it"},
		{"✗", "damaged: part of the transcript cannot be read"},
		{"◉  ○  ⎇", "worktree, worktree that is missing, branch without a worktree"},
		{"#7✓ ✗ …", "pull request 7: its checks pass, fail, run"},
		{"↑ ↓ ± ✓", "commits ahead, commits behind, changed files, clean"},
	}
}

// KeysDoc returns docs/keys.md, made from the table that dispatches the keys.
func KeysDoc() string {
	var b strings.Builder
	b.WriteString(`# Keys

This file is generated from the table that dispatches the keys (see CONTRIBUTING).
The name in the last column is what a key is called in the configuration:

    [keys]
    search = "Ctrl-S"

A key set there replaces the keys of its action and is taken from any other
action that had it. Names of keys: a character, ` + "`Enter`, `Esc`, `Tab`, `Space`, `Up`, `Down`,\n`Left`, `Right`, `Home`, `End`, `PgUp`, `PgDn`, `Insert`, `Delete`, `Backspace`" + `, each
also with ` + "`Ctrl-`, `Alt-` or `Shift-`" + ` before it where the terminal tells them apart.

| keys | what they do | action |
|---|---|---|
`)
	for _, k := range bindings() {
		if k.help == "" {
			continue
		}
		keys := make([]string, len(k.keys))
		for i, key := range k.keys {
			keys[i] = "`" + key + "`"
		}
		fmt.Fprintf(&b, "| %s | %s | `%s` |\n", strings.Join(keys, " "), k.help, k.action)
	}
	b.WriteString(`
While a text field has the keyboard (search, rename, fork) its editing keys come first:
` + "`Left` `Right` `Home` `End` `Backspace` `Delete`, `Ctrl-A` and `Ctrl-E` (line start and end),\n`Ctrl-B` and `Ctrl-F` (left and right), `Ctrl-W` (delete a word), `Ctrl-U` and `Ctrl-K` (delete to\nthe start and to the end). `Enter` accepts, `Esc` leaves; in the search the first `Esc` clears.\n" + `
In a dialog ` + "`Up` and `Down` choose or scroll, `PgUp` and `PgDn` scroll, `Enter` accepts, `Esc` closes.\n" + `
With the mouse a click selects, a double click opens, the wheel scrolls. To select
text with the mouse hold ` + "`Shift`" + `, or set ` + "`mouse = false`" + `.
`)
	return b.String()
}

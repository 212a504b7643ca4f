package ui

import (
	"strings"

	"coppice/session"
	"coppice/ui/preview"
	"coppice/ui/text"
	"coppice/worktree/change"
)

// whyNotForkInto says why the selected session cannot be forked into a new
// worktree.
func (m *model) whyNotForkInto() string {
	r := m.list.selected()
	if why := m.whyNotFork(); why != "" {
		return why
	}
	if _, ok := m.data.repos[r.home.project]; !ok {
		return "this session belongs to no repository that could have a worktree"
	}
	return ""
}

// startForkInto asks for the worktree of a fork.
func (m *model) startForkInto() []cmd {
	s := m.list.selected()
	name := change.NameFor(strings.ToLower(preview.Title(s.Session)))
	m.openDialog(&forkIntoDialog{row: s, field: newField(name)})
	return nil
}

// forkIntoDialog asks for the name of a worktree that is made for a fork, and
// whether changes that are not committed go along.
type forkIntoDialog struct {
	row   *row
	field field
	at    int // 1: changes are carried
}

func (*forkIntoDialog) title() string { return "Fork into a new worktree" }

func (*forkIntoDialog) foot() text.Line {
	return keysFoot("↑↓", "choose", "Enter", "see the plan", "Esc", "cancel")
}

func (d *forkIntoDialog) key(m *model, k keyed) []cmd {
	switch k.name {
	case "Up", "Down":
		d.at, _ = choose(d.at, 2, k)
		return nil
	case "Enter":
		name := strings.TrimSpace(d.field.String())
		if err := change.CheckName(name); err != nil {
			return m.warn(err.Error())
		}
		title, err := session.ForkName(m.sessions(), d.row.Session, "", session.SuffixFork)
		if err != nil {
			return m.warn(err.Error())
		}
		m.closeDialog()
		return m.makePlan(d.row.Session, session.Request{
			Fork:     &session.ForkRequest{Name: title},
			Worktree: &session.WorktreeRequest{Name: name, Carry: d.at == 1},
		})
	}
	return m.edit(&d.field, k, "Enter shows the plan, Esc cancels")
}

func (d *forkIntoDialog) body(m *model, w int) content {
	out := []text.Line{{{Text: "of ", Role: text.Dim}, text.Foreign(preview.Title(d.row.Session), text.Title)}, nil}
	conf := m.opt.Config.Worktree
	path, branch, err := change.Outline(m.data.repos[d.row.home.project], change.CreateOptions{
		Name: strings.TrimSpace(d.field.String()), Path: conf.Path, Branch: conf.Branch,
	})
	if err != nil {
		out = append(out, hanging("✗", err.Error(), w, text.Bad)...)
	} else {
		out = append(out, hanging("·", "in "+m.tilde(path), w, text.Default)...)
		out = append(out, hanging("·", "on the new branch "+branch, w, text.Default)...)
	}
	st, known := m.data.status[d.row.home.worktree]
	carry := "copy what is not committed to it, too; the original keeps its own"
	if known && st.Problem == "" {
		carry = "copy its " + text.Plural(st.Dirty, "uncommitted change") + " to it, too; the original keeps its own"
	}
	return content{
		lines: append(out, nil), label: "name", field: &d.field, at: d.at,
		choices: []text.Span{{Text: "with what is committed", Role: text.Default}, {Text: carry, Role: text.Default}},
	}
}

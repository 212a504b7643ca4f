package ui

import (
	"context"

	"coppice/config"
	"coppice/session"
	"coppice/session/agent"
	"coppice/ui/clip"
	"coppice/ui/text"
)

// copyDialog offers what can be copied of a session.
type copyDialog struct {
	at    int
	items []copyItem
}

// copyItem is something to copy.
type copyItem struct{ what, text string }

// openCopy offers to copy the selected session's id, path or resume command.
func (m *model) openCopy() []cmd {
	r := m.list.selected()
	m.openDialog(&copyDialog{items: []copyItem{
		{"id", r.ID},
		{"path", r.Path},
		{"resume command", resumeCommand(m.opt.Config, r.Session)},
	}})
	return nil
}

func (*copyDialog) title() string { return "Copy" }

func (*copyDialog) foot() text.Line {
	return keysFoot("↑↓", "choose", "Enter", "copy", "Esc", "cancel")
}

func (d *copyDialog) key(m *model, k keyed) []cmd {
	if at, ok := choose(d.at, len(d.items), k); ok {
		d.at = at
		return nil
	}
	if k.name != "Enter" && k.name != "y" {
		return nil
	}
	m.closeDialog()
	return m.copyText(d.items[d.at].what, d.items[d.at].text)
}

func (d *copyDialog) body(_ *model, _ int) content {
	c := content{at: d.at}
	for _, it := range d.items {
		c.choices = append(c.choices, text.Foreign(text.Pad(it.what, 16)+it.text, text.Default))
	}
	return c
}

// copyText puts text on the clipboard.
func (m *model) copyText(what, s string) []cmd {
	put := m.clip
	return background(func(ctx context.Context) msg {
		return copied{what: what, text: s, result: put(ctx, s)}
	})
}

// copied says where the text went, or shows it to select.
func (m *model) copied(in copied) {
	if in.result.Way == clip.Select {
		m.openDialog(&selectDialog{text: in.text, why: in.result.Why})
		return
	}
	m.say(in.what + " " + in.result.Message())
}

// selectDialog shows text that no clipboard took. It has no border, so that
// selecting the text with the mouse selects nothing else.
type selectDialog struct{ text, why string }

func (*selectDialog) title() string { return "Select this text" }

func (*selectDialog) foot() text.Line { return keysFoot("Esc", "close") }

func (*selectDialog) key(m *model, k keyed) []cmd {
	if k.name == "Enter" || k.name == "q" {
		return m.closeDialog()
	}
	return nil
}

func (d *selectDialog) body(_ *model, w int) content {
	var out []text.Line
	for rest := text.Clean(d.text); rest != ""; {
		line := cut(rest, w)
		out, rest = append(out, text.Line{{Text: line, Role: text.Strong}}), rest[len(line):]
	}
	out = append(out, nil)
	return content{lines: append(out, wrapped("It could not be copied: "+d.why+". Hold Shift while you select with the mouse.", w, text.Dim)...)}
}

// resumeCommand is what a person can type to resume a session by hand.
func resumeCommand(c config.Config, s session.Session) string {
	return agent.QuoteIn(s.Dir, agent.Command(c.Agents[c.Agent], agent.Resume, agent.Values{ID: s.ID}))
}

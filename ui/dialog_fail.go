package ui

import (
	"coppice/session"
	"coppice/session/agent"
	"coppice/ui/text"
)

// failDialog says why an agent failed and how to try again.
type failDialog struct {
	plan   session.Plan
	reason string
}

func (*failDialog) title() string { return "The agent failed" }

func (*failDialog) foot() text.Line {
	return keysFoot("Enter", "try again", "y", "copy the command", "Esc", "close")
}

func (d *failDialog) key(m *model, k keyed) []cmd {
	switch k.name {
	case "Enter":
		m.closeDialog()
		return m.resume(d.plan)
	case "y":
		return m.copyText("command", agent.QuoteIn(d.plan.Cwd, d.plan.Command))
	case "q":
		return m.closeDialog()
	}
	return nil
}

func (d *failDialog) body(_ *model, w int) content {
	out := append(paragraphs(d.reason, w, text.Bad), nil, text.Line{{Text: "To try it by hand:", Role: text.Dim}})
	return content{lines: append(out, wrapped(agent.QuoteIn(d.plan.Cwd, d.plan.Command), w, text.Code)...)}
}

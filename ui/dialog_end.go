package ui

import (
	"context"

	"coppice/ui/text"
)

// endDialog asks whether an agent is to end.
type endDialog struct{ running Running }

func (*endDialog) title() string { return "End this session?" }

func (*endDialog) foot() text.Line { return keysFoot("Enter", "end it", "Esc", "let it go on") }

func (d *endDialog) key(m *model, k keyed) []cmd {
	if k.name != "Enter" {
		return nil
	}
	m.closeDialog()
	r, hosts, name := d.running, m.opt.Hosts, m.nameOf(d.running)
	m.say("ending " + name)
	return background(func(ctx context.Context) msg {
		return endedAgent{host: r.Host, name: name, err: hosts.End(ctx, r.Host)}
	})
}

func (d *endDialog) body(m *model, w int) content {
	out := wrapped(m.nameOf(d.running), w, text.Title)
	out = append(out, nil)
	out = append(out, hanging("·", "the agent is asked to end, and has time for what it does at an end", w, text.Default)...)
	out = append(out, hanging("·", "a turn that it works on now breaks off", w, text.Default)...)
	out = append(out, hanging("·", "the session stays, and can be resumed", w, text.Default)...)
	return content{lines: out}
}

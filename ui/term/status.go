package term

import (
	"fmt"
	"strings"

	"coppice/session/terminal"
	"coppice/ui/text"
)

// Status returns one clean line for the frame of the pane: what the copy mode
// does, and the address of the link under its cursor or under the mouse, since a
// link need not lead where its text says. It is empty when there is nothing to
// say.
func (p *Pane) Status() string {
	var parts []string
	p.view(func(v terminal.View) {
		r := &p.reader
		switch {
		case r.on && r.prompt.open && r.prompt.backward:
			parts = append(parts, "?"+r.prompt.text)
		case r.on && r.prompt.open:
			parts = append(parts, "/"+r.prompt.text)
		case r.on:
			parts = append(parts, fmt.Sprintf("copy: row %d of %d", r.at.Row-v.Oldest()+1, v.End()-v.Oldest()))
			parts = append(parts, r.selection.status()...)
		}
		if r.note != "" {
			parts = append(parts, r.note)
		}
		if address := p.address(v); address != "" {
			parts = append(parts, "link: "+address)
		}
	})
	return text.Clean(strings.Join(parts, ", "))
}

// status says how much is selected.
func (s *selection) status() []string {
	if s.kind == nothing {
		return nil
	}
	span := s.span()
	if n := span.To.Row - span.From.Row + 1; n > 1 {
		return []string{fmt.Sprintf("%d lines selected", n)}
	}
	return []string{"1 line selected"}
}

// address returns where the link leads that the copy mode's cursor or the mouse
// is on.
func (p *Pane) address(v terminal.View) string {
	at := p.reader.at
	if !p.reader.on {
		if !p.pointer.seen {
			return ""
		}
		at = p.place(v)
	}
	cells := v.Row(at.Row).Cells
	if at.Column < 0 || at.Column >= len(cells) {
		return ""
	}
	return v.Link(cells[at.Column]).Address
}

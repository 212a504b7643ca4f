package ui

import (
	"strings"

	"coppice/session"
	"coppice/ui/preview"
	"coppice/ui/text"
)

// forkDialog asks for the name of a fork and where it is to run.
type forkDialog struct {
	session session.Session
	plan    session.Plan
	field   field
	at      int // of dirs
	dirs    []forkDir
}

// forkDir is a directory that a fork can run in.
type forkDir struct {
	dir, label string
	shared     bool // with the session that is forked
}

// newForkDialog returns the dialog for a plan of a fork.
func newForkDialog(in forkPlanned) *forkDialog {
	d := &forkDialog{session: in.session, plan: in.plan}
	if f := in.plan.Fork; f != nil {
		d.field = newField(f.Name)
	}
	if in.plan.Action == session.ActionRefuse {
		return d
	}
	if in.plan.Cwd != "" {
		shared := in.plan.Fork != nil && in.plan.Fork.Shared
		label := ""
		if shared {
			label = " (the same files as its source)"
		}
		d.dirs = append(d.dirs, forkDir{dir: in.plan.Cwd, label: label, shared: shared})
	}
	for _, c := range in.plan.Choices {
		d.dirs = append(d.dirs, forkDir{dir: c.Dir, label: reason(c.Label)})
	}
	return d
}

func (d *forkDialog) title() string {
	if len(d.dirs) == 0 {
		return "Cannot fork"
	}
	return "Fork"
}

func (d *forkDialog) foot() text.Line {
	switch len(d.dirs) {
	case 0:
		return keysFoot("Esc", "close")
	case 1:
		return keysFoot("Enter", "fork", "Esc", "cancel")
	}
	return keysFoot("↑↓", "where", "Enter", "fork", "Esc", "cancel")
}

func (d *forkDialog) key(m *model, k keyed) []cmd {
	switch {
	case len(d.dirs) == 0:
		if k.name == "Enter" || k.name == "q" {
			return m.closeDialog()
		}
		return nil
	case k.name == "Enter":
		if strings.TrimSpace(d.field.String()) == "" {
			return m.warn("a fork cannot have an empty name; Esc makes none")
		}
		return m.fork(d.session, d.dirs[d.at].dir, d.field.String())
	case k.name == "Up" || k.name == "Down":
		d.at, _ = choose(d.at, len(d.dirs), k)
		return nil
	}
	return m.edit(&d.field, k, "Enter forks, Esc cancels")
}

func (d *forkDialog) body(m *model, w int) content {
	out := []text.Line{{{Text: "of ", Role: text.Dim}, text.Foreign(preview.Title(d.session), text.Title)}, nil}
	add := func(sign string, role text.Role, words ...string) {
		for _, s := range words {
			out = append(out, hanging(sign, s, w, role)...)
		}
	}
	add("✗", text.Bad, d.plan.Blockers...)
	add("!", text.Warn, d.plan.Warnings...)
	c := content{at: d.at}
	if len(d.dirs) > 0 {
		if d.dirs[d.at].shared {
			add("!", text.Warn, "source and fork work on the same files there: what one changes, the other finds changed")
		} else {
			add("·", text.Default, "it has files of its own there")
		}
		out = append(out, nil)
		c.label, c.field = "name", &d.field
	}
	c.lines = out
	for _, o := range d.dirs {
		c.choices = append(c.choices, text.Foreign("in "+m.tilde(o.dir)+o.label, text.Default))
	}
	return c
}

// tilde shortens a path under the home directory.
func (m *model) tilde(path string) string {
	home := m.opt.Dirs.Home
	if rest, ok := strings.CutPrefix(path, home+"/"); ok && home != "" {
		return "~/" + rest
	}
	return path
}

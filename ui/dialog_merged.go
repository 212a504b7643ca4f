package ui

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"coppice/session/owner"
	"coppice/ui/text"
)

// startMerged looks for worktrees whose branches are merged.
func (m *model) startMerged() []cmd {
	m.losing++
	repo, _, _ := m.repoHere()
	gen, trees, rows := m.losing, m.opt.Worktrees, m.sessions()
	m.say("looking for merged worktrees of " + repo.Name)
	return background(func(ctx context.Context) msg {
		found, err := trees.Merged(ctx, rows, repo.CommonDir)
		return mergedFound{gen: gen, repo: repo, rows: found, err: err}
	})
}

// mergedFound offers to remove them.
func (m *model) mergedFound(in mergedFound) {
	switch {
	case in.gen != m.losing || m.quitting:
		return
	case in.err != nil:
		m.warn(in.err.Error())
		return
	case len(in.rows) == 0:
		m.say("no worktree of " + in.repo.Name + " has a branch that is merged")
		return
	}
	m.note = note{}
	d := &mergedDialog{in: in, picked: make([]bool, len(in.rows))}
	for i, r := range in.rows {
		d.picked[i] = len(r.Keep) == 0
	}
	m.openDialog(d)
}

// mergedDialog has a box to tick for each merged worktree.
type mergedDialog struct {
	in       mergedFound
	picked   []bool
	branches bool // they go, too
	at       int
}

func (d *mergedDialog) title() string { return "Merged worktrees of " + text.Clean(d.in.repo.Name) }

func (d *mergedDialog) foot() text.Line {
	branches := "branches too"
	if d.branches {
		branches = "keep the branches"
	}
	return keysFoot("Space", "tick", "b", branches, "Enter", "remove", "Esc", "cancel")
}

// ticks says that Space is the dialog's own.
func (*mergedDialog) ticks() {}

func (d *mergedDialog) key(m *model, k keyed) []cmd {
	if at, ok := choose(d.at, len(d.in.rows), k); ok {
		d.at = at
		return nil
	}
	row := d.in.rows[d.at]
	switch k.name {
	case "Space":
		if len(row.Keep) > 0 {
			return m.warn(filepath.Base(row.Path) + " stays: " + strings.Join(row.Keep, "; "))
		}
		d.picked[d.at] = !d.picked[d.at]
	case "b":
		d.branches = !d.branches
	case "Enter":
		return d.remove(m)
	}
	return nil
}

// remove removes what is ticked. What would be lost is looked at once more there.
func (d *mergedDialog) remove(m *model) []cmd {
	var reqs []owner.RemoveRequest
	for i, r := range d.in.rows {
		if d.picked[i] {
			reqs = append(reqs, owner.RemoveRequest{Repository: d.in.repo.CommonDir, Path: r.Path, Branch: d.branches})
		}
	}
	if len(reqs) == 0 {
		return m.warn("nothing is ticked")
	}
	m.closeDialog()
	return m.removeTrees(reqs)
}

func (d *mergedDialog) body(m *model, w int) content {
	row := d.in.rows[d.at]
	out := wrapped(m.tilde(row.Path), w, text.Dim)
	out = append(out, hanging("·", fmt.Sprintf("the branch %s: %s", row.Branch, row.Reason), w, text.Default)...)
	for _, why := range row.Keep {
		out = append(out, hanging("✗", "it stays: "+why, w, text.Warn)...)
	}
	end := "their branches stay"
	if d.branches {
		end = "their branches go, too"
	}
	out = append(out, text.Line{{Text: end, Role: text.Dim}}, nil)
	c := content{lines: out, at: d.at}
	for i, r := range d.in.rows {
		box := "[ ] "
		switch {
		case d.picked[i]:
			box = "[x] "
		case len(r.Keep) > 0:
			box = " –  "
		}
		c.choices = append(c.choices, text.Foreign(box+filepath.Base(r.Path)+"  "+r.Reason, text.Default))
	}
	return c
}

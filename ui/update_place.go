package ui

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"coppice/session"
	"coppice/ui/preview"
	"coppice/ui/text"
)

// newTreeWords says what worktree is made before an agent starts in it.
func newTreeWords(w session.PlanWorktree) string {
	words := "made first"
	if w.Action == session.TreeRestore {
		words = "made again first"
	}
	if w.Base != "" && w.Base != w.Branch {
		words += ", from " + w.Base
	}
	if w.Carry {
		words += ", with the uncommitted changes of " + w.From
	}
	return words
}

// hostedInNew starts the agent of a plan in a worktree that is made first, behind
// a dialog that can be left.
func (m *model) hostedInNew(p session.Plan) []cmd {
	hosts, prepare, area := m.opt.Hosts, m.opt.Prepare, m.paneRect()
	return m.work("Making the worktree", func(ctx context.Context, d *workDialog, out io.Writer) msg {
		done := treeStarted{work: d, started: agentStarted{plan: p}}
		done.notes, done.started.err = prepare(ctx, p, out)
		if done.started.err == nil {
			done.started.host, done.started.err = hosts.Start(ctx, p, area.w, area.h)
		}
		return done
	})
}

// treeStarted shows the agent, or says what is left where.
func (m *model) treeStarted(in treeStarted) []cmd {
	m.endWork(in.work)
	if err := in.started.err; calledOff(err) {
		m.warn(fmt.Sprintf("cancelled: %v", err))
		return m.lookAgain()
	}
	cmds := append(m.agentStarted(in.started), m.lookAgain()...)
	if len(in.notes) > 0 && m.dialog == nil { // over the agent's pane, too
		m.openDialog(&sayDialog{heading: "The worktree is there", reason: strings.Join(in.notes, "\n")})
	}
	return cmds
}

// dirDialog asks for the directory to resume a session in.
type dirDialog struct {
	session session.Session
	request session.Request
	field   field
}

func (*dirDialog) title() string { return "Resume in another directory" }

func (*dirDialog) foot() text.Line { return keysFoot("Enter", "see the plan", "Esc", "cancel") }

func (d *dirDialog) key(m *model, k keyed) []cmd {
	if k.name != "Enter" {
		return m.edit(&d.field, k, "Esc cancels")
	}
	dir := strings.TrimSpace(d.field.String())
	if rest, ok := strings.CutPrefix(dir, "~/"); ok {
		dir = filepath.Join(m.opt.Dirs.Home, rest)
	}
	if !filepath.IsAbs(dir) {
		return m.warn("write the whole path, from / or ~/")
	}
	m.closeDialog()
	d.request.Dir = filepath.Clean(dir)
	return m.makePlan(d.session, d.request)
}

func (d *dirDialog) body(_ *model, w int) content {
	out := []text.Line{{text.Foreign(preview.Title(d.session), text.Title)}, nil}
	out = append(out, hanging("·", "the session stays where it is: only this run of it is there", w, text.Dim)...)
	return content{lines: append(out, nil), label: "directory", field: &d.field}
}

// moveSession moves a session to a directory.
func (m *model) moveSession(s session.Session, dir string) []cmd {
	move := m.opt.Move
	m.say("moving the session")
	return background(func(ctx context.Context) msg {
		notes, err := move(ctx, s, dir)
		return moved{id: s.ID, dir: dir, notes: notes, err: err}
	})
}

// moved selects the session, which Enter resumes where it is now.
func (m *model) moved(in moved) []cmd {
	if in.err != nil {
		m.warn(fmt.Sprintf("not moved: %v", in.err))
		return m.lookAgain()
	}
	words := "moved to " + in.dir
	if len(in.notes) > 0 {
		words += "; " + strings.Join(in.notes, "; ")
	}
	m.say(words + "; " + m.keys.key("open") + " resumes it there")
	m.awaited = in.id
	return m.lookAgain()
}

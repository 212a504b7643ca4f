package ui

import (
	"fmt"
	"sort"
	"strings"

	"coppice/session"
	"coppice/session/agent"
	"coppice/ui/preview"
	"coppice/ui/text"
)

// planDialog shows what resuming would do before anything unusual starts.
type planDialog struct {
	session session.Session
	request session.Request
	plan    session.Plan
	at      int // of choices
	choices []planOption
}

// planOption is a way to go on.
type planOption struct {
	label   string
	dir     string // resume there instead; "" to go on as planned
	fork    bool   // resume a repaired fork instead
	carry   bool   // have the agent asked to go on
	leave   bool   // do nothing
	restore bool   // make the worktree again first
	move    bool   // move the session to dir first
	ask     bool   // ask for a directory
	take    bool   // end the agent elsewhere first
}

// newPlanDialog returns the dialog for a plan.
func newPlanDialog(in planMade) *planDialog {
	d := &planDialog{session: in.session, request: in.request, plan: in.plan}
	whole := planOption{label: "resume a repaired fork, which drops nothing", fork: true}
	if in.plan.Mended < in.plan.Dropped {
		whole.label = "resume a repaired fork, which drops less"
	}
	if again := in.plan.Restore; again != nil && again.Problem == "" && in.plan.Action != session.ActionRefuse {
		d.choices = append(d.choices, planOption{label: "make the worktree again" + reason(branchOr(again.Branch, again.Commit)), restore: true})
	}
	if in.plan.Mended > 0 && in.plan.Action != session.ActionRefuse {
		d.choices = append(d.choices, whole)
	}
	if len(in.plan.Blockers) == 0 && in.plan.Action == session.ActionResume {
		d.choices = append(d.choices, planOption{label: asPlanned(in.plan)})
		if in.plan.Interrupted != "" && !in.plan.CarryOn {
			d.choices = append(d.choices, planOption{label: "resume, and ask the agent to go on where it was interrupted", carry: true})
		}
	}
	if in.plan.Action == session.ActionRefuse && in.session.Live != nil && in.plan.Fork == nil {
		whole.label = "resume a fork of what is on disk so far"
		d.choices = append(d.choices, planOption{label: "leave it" + goOnAt(in.plan.Live), leave: true}, whole)
		if l := in.plan.Live; l != nil && l.Known {
			d.choices = append(d.choices, planOption{label: "take it over: end the agent there, and resume it here", take: true})
		}
	}
	if in.plan.Action != session.ActionRefuse {
		for _, c := range in.plan.Choices {
			d.choices = append(d.choices, planOption{label: "resume in " + c.Dir + reason(c.Label), dir: c.Dir})
		}
	}
	if in.plan.Action == session.ActionChoose {
		d.choices = append(d.choices, planOption{label: "resume in another directory …", ask: true})
		if len(in.plan.Choices) > 0 && in.request.Fork == nil {
			dir := in.plan.Choices[0].Dir
			d.choices = append(d.choices, planOption{label: "move the session to " + dir, dir: dir, move: true})
		}
	}
	return d
}

// asPlanned is what going on with a plan does.
func asPlanned(p session.Plan) string {
	switch {
	case p.Worktree.Action != session.TreeCreate:
		return "resume as planned"
	case p.Fork != nil:
		return "make the worktree, and fork into it"
	}
	return "make the worktree, and go on in it"
}

// branchOr names what a worktree that is made again would be on.
func branchOr(branch, commit string) string {
	if branch != "" {
		return "branch " + branch
	}
	return fmt.Sprintf("at %.10s", commit)
}

// goOnAt says where a session that is live elsewhere goes on.
func goOnAt(l *session.PlanLive) string {
	if l == nil || l.Where == "" {
		return ""
	}
	return ", and go on in " + l.Where
}

// reason puts a label in brackets.
func reason(label string) string {
	if label == "" {
		return ""
	}
	return " (" + label + ")"
}

func (d *planDialog) title() string {
	if len(d.choices) == 0 || d.plan.Action == session.ActionRefuse {
		return "Cannot resume"
	}
	return "Before it starts"
}

func (d *planDialog) foot() text.Line {
	switch len(d.choices) {
	case 0:
		return keysFoot("↑↓", "scroll", "Esc", "close")
	case 1:
		return keysFoot("Enter", "go on", "PgDn", "scroll", "Esc", "cancel")
	}
	return keysFoot("↑↓", "choose", "Enter", "go on", "Esc", "cancel")
}

func (d *planDialog) key(m *model, k keyed) []cmd {
	if at, ok := choose(d.at, len(d.choices), k); ok {
		d.at = at
		return nil
	}
	if k.name != "Enter" {
		return nil
	}
	if len(d.choices) == 0 {
		return m.closeDialog()
	}
	m.closeDialog()
	c, req := d.choices[d.at], d.request
	switch {
	case c.leave:
		return nil
	case c.move:
		return m.moveSession(d.session, c.dir)
	case c.ask:
		m.openDialog(&dirDialog{session: d.session, request: req})
		return nil
	case c.restore:
		req.Restore = true
	case c.take:
		req.TakeOver = true
	case c.dir != "":
		req.Dir = c.dir
	case c.carry:
		req.CarryOn = true
	case c.fork:
		name, err := session.ForkName(m.sessions(), d.session, "", session.SuffixFork)
		if err != nil {
			return m.warn(err.Error())
		}
		req.Fork = &session.ForkRequest{Name: name}
	default:
		return m.resume(d.plan)
	}
	return m.makePlan(d.session, req)
}

func (d *planDialog) body(_ *model, w int) content {
	var out []text.Line
	add := func(sign string, words []string, role text.Role) {
		for _, s := range words {
			out = append(out, hanging(sign, s, w, role)...)
		}
	}
	out = append(out, text.Line{text.Foreign(preview.Title(d.session), text.Title)}, nil)
	add("✗", d.plan.Blockers, text.Bad)
	add("!", d.plan.Warnings, text.Warn)
	add("·", d.plan.Notes, text.Default)
	if len(d.plan.Blockers)+len(d.plan.Warnings)+len(d.plan.Notes) > 0 {
		out = append(out, nil)
	}
	out = append(out, planFacts(d.plan, w)...)
	if len(d.plan.Lost) > 0 {
		out = append(out, nil, text.Line{{Text: "Will not come back", Role: text.Heading}})
		add("·", d.plan.Lost, text.Default)
	}
	c := content{lines: out, at: d.at}
	if len(d.choices) > 0 {
		c.lines = append(c.lines, nil)
	}
	for _, o := range d.choices {
		c.choices = append(c.choices, text.Foreign(o.label, text.Default))
	}
	return c
}

// planFacts says where and how the session would run.
func planFacts(p session.Plan, w int) []text.Line {
	var out []text.Line
	fact := func(name, value string) {
		if value == "" {
			return
		}
		const names = 10
		for i, l := range wrapped(value, max(w-names, 1), text.Default) {
			if i > 0 {
				name = ""
			}
			out = append(out, append(text.Line{{Text: text.Pad(name, names), Role: text.Dim}}, l...))
		}
	}
	if p.Fork != nil {
		fact("fork", p.Fork.Name)
	}
	fact("directory", p.Cwd)
	if w := p.Worktree; w.Action == session.TreeCreate || w.Action == session.TreeRestore {
		fact("worktree", newTreeWords(w))
	}
	if p.Worktree.Path != "" && p.Worktree.Path != p.Cwd || p.Worktree.Action == "missing" {
		fact("worktree", p.Worktree.Path+reason(p.Worktree.State))
	}
	fact("branch", p.Branch)
	if p.Permission.Mode != "" || p.Permission.Reason != "" {
		mode := p.Permission.Mode
		if mode == "" {
			mode = "as a new session"
		}
		fact("mode", mode+reason(p.Permission.Reason))
	}
	fact("command", agent.Quote(p.Command))
	fact("variables", strings.Join(changes(p), ", "))
	return out
}

// changes names the variables that differ for the agent, but for the one that
// only repeats the directory.
func changes(p session.Plan) []string {
	var out []string
	for name, value := range p.Env {
		switch {
		case name == "PWD" && value == p.Cwd:
		case value == "":
			out = append(out, name+" removed")
		default:
			out = append(out, name+"="+value)
		}
	}
	sort.Strings(out)
	return out
}

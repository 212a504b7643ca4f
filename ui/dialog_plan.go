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
	ways
	session session.Session
	request session.Request
	plan    session.Plan
}

// newPlanDialog returns the dialog for a plan.
func newPlanDialog(in planMade) *planDialog {
	d := &planDialog{session: in.session, request: in.request, plan: in.plan}
	refused := in.plan.Action == session.ActionRefuse
	if again := in.plan.Restore; again != nil && again.Problem == "" && !refused {
		d.add("make the worktree again"+reason(branchOr(again.Branch, again.Commit)), d.with(func(r *session.Request) { r.Restore = true }))
	}
	switch {
	case refused:
	case in.plan.Mended < in.plan.Dropped && in.plan.Mended > 0:
		d.add("resume a repaired fork, which drops less", d.fork)
	case in.plan.Mended > 0:
		d.add("resume a repaired fork, which drops nothing", d.fork)
	}
	if len(in.plan.Blockers) == 0 && in.plan.Action == session.ActionResume {
		d.add(asPlanned(in.plan), func(m *model) []cmd { return m.resume(in.plan) })
		if in.plan.Interrupted != "" && !in.plan.CarryOn {
			d.add("resume, and ask the agent to go on where it was interrupted", d.with(func(r *session.Request) { r.CarryOn = true }))
		}
	}
	if refused && in.session.Live != nil && in.plan.Fork == nil {
		d.add("leave it"+goOnAt(in.plan.Live), nil)
		d.add("resume a fork of what is on disk so far", d.fork)
		if l := in.plan.Live; l != nil && l.Known {
			d.add("take it over: end the agent there, and resume it here", d.with(func(r *session.Request) { r.TakeOver = true }))
		}
	}
	if !refused {
		d.addPlaces()
	}
	return d
}

// addPlaces adds the directories that a session can be resumed in.
func (d *planDialog) addPlaces() {
	for _, c := range d.plan.Choices {
		d.add("resume in "+c.Dir+reason(c.Label), d.with(func(r *session.Request) { r.Dir = c.Dir }))
	}
	if d.plan.Action != session.ActionChoose {
		return
	}
	d.add("resume in another directory …", func(m *model) []cmd {
		m.openDialog(&dirDialog{session: d.session, request: d.request})
		return nil
	})
	if len(d.plan.Choices) > 0 && d.request.Fork == nil {
		dir := d.plan.Choices[0].Dir
		d.add("move the session to "+dir, func(m *model) []cmd { return m.moveSession(d.session, dir) })
	}
}

// with has the plan made anew for a request that was changed.
func (d *planDialog) with(change func(*session.Request)) func(*model) []cmd {
	return func(m *model) []cmd {
		req := d.request
		change(&req)
		return m.makePlan(d.session, req)
	}
}

// fork has the plan made anew for a fork.
func (d *planDialog) fork(m *model) []cmd {
	name, err := session.ForkName(m.sessions(), d.session, "", session.SuffixFork)
	if err != nil {
		return m.warn(err.Error())
	}
	return d.with(func(r *session.Request) { r.Fork = &session.ForkRequest{Name: name} })(m)
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
	switch cannot := len(d.choices) == 0 || d.plan.Action == session.ActionRefuse; {
	case cannot && d.request.Fork != nil:
		return "Cannot fork"
	case cannot:
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
	if len(d.choices) > 0 {
		out = append(out, nil)
	}
	return d.below(out)
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

package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"coppice/session"
	"coppice/session/agent"
	"coppice/ui/text"
)

// showPlan prints a plan. One that cannot be carried out, whatever a person says,
// is an error beside it, so that a script need not read it to know.
func (a *app) showPlan(s session.Session, plan session.Plan, asJSON bool) error {
	var err error
	if asJSON {
		err = a.printJSON(plan)
	} else {
		err = a.print(planText(s, plan))
	}
	if err == nil && refused(plan) {
		err = errRefused(plan)
	}
	return err
}

// planText lays out a plan, a line for each thing that is known.
func planText(s session.Session, p session.Plan) string {
	var b strings.Builder
	line := func(name, value string) {
		if value != "" {
			b.WriteString(text.Pad(name, 12) + text.Clean(value) + "\n")
		}
	}
	line("session", s.Title+" "+p.Session)
	line("transcript", p.Transcript)
	line("action", p.Action)
	if f := p.Fork; f != nil {
		line("fork", f.Name+" "+f.ID)
		if f.At != "" {
			line("until", "the prompt "+f.At)
		}
	}
	line("directory", p.Cwd)
	if w := p.Worktree; w.Path != "" {
		line("worktree", fmt.Sprintf("%s (%s)", w.Path, w.State))
	}
	line("branch", p.Branch)
	line("mode", strings.TrimSpace(p.Permission.Mode+" "+bracket(p.Permission.Reason)))
	line("model", p.Model)
	line("agent", p.Agent)
	line("command", agent.Quote(p.Command))
	for _, name := range slices.Sorted(maps.Keys(p.Env)) {
		if p.Env[name] == "" {
			line("unset", name)
		} else {
			line("set", name+"="+p.Env[name])
		}
	}
	for _, l := range p.Lost {
		line("lost", l)
	}
	for _, n := range p.Notes {
		line("note", n)
	}
	for _, w := range p.Warnings {
		line("warning", w)
	}
	for _, w := range p.Blockers {
		line("blocked", w)
	}
	for i, c := range p.Choices {
		line(fmt.Sprintf("choice %d", i+1), c.Dir+" "+bracket(c.Label))
	}
	return b.String()
}

func bracket(s string) string {
	if s == "" {
		return ""
	}
	return "(" + s + ")"
}

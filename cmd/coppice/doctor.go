package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"coppice/session"
	"coppice/session/doctor"
	"coppice/session/runtime"
	"coppice/ui/text"
	"coppice/worktree"
)

// doctorOptions are the flags of doctor.
type doctorOptions struct {
	scope  scopeFlags
	hidden bool
	fix    bool
	json   bool
}

func (a *app) doctorCommand() *cobra.Command {
	var opt doctorOptions
	cmd := &cobra.Command{
		Use:   "doctor [ID|NAME|FILE...]",
		Short: "Say what is damaged in sessions; --fix writes repaired copies",
		Long: "Say what is damaged in sessions, what the agent would drop when it resumes them, and\n" +
			"what a repaired copy does about it; without arguments of every session of this\n" +
			"repository, or of all where there is none. A transcript is never changed: --fix writes\n" +
			"a repaired fork of each session that is damaged.\n\n" +
			"The exit code is 1 when something is damaged, and with --fix when something could not\nbe repaired.\n\n" + sessionHelp,
		ValidArgsFunction: func(cmd *cobra.Command, _ []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
			return a.completeSessions(cmd, nil, typed)
		},
		RunE: func(cmd *cobra.Command, args []string) error { return a.doctor(cmd.Context(), args, opt) },
	}
	opt.scope.add(cmd)
	f := cmd.Flags()
	f.BoolVar(&opt.hidden, "hidden", false, "hidden sessions too")
	f.BoolVar(&opt.fix, "fix", false, "write a repaired fork of what is damaged; the original stays as it is")
	f.BoolVar(&opt.json, "json", false, "print one JSON array (docs/json.md)")
	return cmd
}

// patient is a session to be examined.
type patient struct {
	session.Session
	outside bool // a file that is no session of the store
	report  doctor.Report
	trouble error    // why it was not repaired
	left    []string // what is damaged in the repaired fork
}

// failed reports whether there is damage that no fork is without.
func (p *patient) failed() bool {
	lasting := func(f doctor.Finding) bool { return f.Severity == doctor.Harm && f.Repair == "" }
	return p.report.Damaged() && (p.report.Fixed == nil || len(p.left) > 0 || slices.ContainsFunc(p.report.Findings, lasting))
}

// doctor examines sessions.
func (a *app) doctor(ctx context.Context, args []string, opt doctorOptions) error {
	if err := opt.scope.check(); err != nil {
		return err
	}
	rows, repos, err := a.load(ctx)
	if err != nil {
		return err
	}
	patients, err := a.patients(ctx, rows, repos, args, opt)
	if err != nil {
		return err
	}
	if err := a.examine(ctx, patients); err != nil {
		return err
	}
	if opt.fix {
		a.fixAll(ctx, patients, rows, repos)
	}
	if opt.json {
		err = a.printJSON(list(patients, func(p *patient) doctor.Report { return p.report }))
		for _, p := range patients {
			for _, left := range p.left {
				a.warnf("the repaired copy of %s still has: %s", orElse(p.ID, p.Path), left)
			}
		}
	} else {
		err = a.printReports(patients, len(args) > 0)
	}
	if err != nil {
		return err
	}
	for _, p := range patients {
		if p.failed() {
			return silentError{exitFailed}
		}
	}
	return nil
}

// patients returns what is to be examined, each file once.
func (a *app) patients(ctx context.Context, rows []session.Session, repos []worktree.Repository, args []string, opt doctorOptions) ([]*patient, error) {
	var out []*patient
	if len(args) == 0 {
		sc := newScope(opt.scope, a.env.Cwd, repos)
		for _, s := range rows {
			if sc.holds(s) && (s.Hidden == "" || opt.hidden) {
				out = append(out, &patient{Session: s})
			}
		}
		return out, nil
	}
	for _, arg := range args {
		s, outside, err := a.findOrFile(ctx, rows, arg)
		if err != nil {
			return nil, err
		}
		if !slices.ContainsFunc(out, func(p *patient) bool { return worktree.SamePath(p.Path, s.Path) }) {
			out = append(out, &patient{Session: s, outside: outside})
		}
	}
	return out, nil
}

// doctorsAtOnce bounds how many transcripts are in memory at a time.
const doctorsAtOnce = 2

// examine looks into every patient. The error is that of ctx.
func (a *app) examine(ctx context.Context, patients []*patient) error {
	told := a.progress("sessions examined", len(patients))
	defer told.end()
	queue := make(chan *patient)
	var group sync.WaitGroup
	for range doctorsAtOnce {
		group.Go(func() {
			for p := range queue {
				p.report, _ = doctor.Examine(ctx, p.Path, p.ID)
				told.step()
			}
		})
	}
	for _, p := range patients {
		if ctx.Err() != nil {
			break
		}
		queue <- p
	}
	close(queue)
	group.Wait()
	return ctx.Err()
}

// fixAll writes a repaired fork of each patient that is damaged.
func (a *app) fixAll(ctx context.Context, patients []*patient, rows []session.Session, repos []worktree.Repository) {
	for _, p := range patients {
		switch {
		case !p.report.Damaged():
			continue
		case !p.report.Mendable():
			p.trouble = errors.New("there is nothing in it that a fork could mend")
			a.warnf("%s was not repaired: %v", orElse(p.ID, p.Path), p.trouble)
			continue
		}
		done, ok := repaired(ctx, rows, p)
		if !ok {
			made, err := a.fix(ctx, p, rows, repos)
			if err != nil {
				p.trouble = err
				a.warnf("%s was not repaired: %v", orElse(p.ID, p.Path), err)
				continue
			}
			rows, done = append(rows, made), made
		}
		p.report.Fixed = &doctor.Fixed{ID: done.ID, Path: done.Path}
		p.left = damage(ctx, done)
	}
}

// repaired returns the repaired fork of a session that was made since the session
// last changed, if there is one: running doctor twice makes no second one. That it
// is one is not taken on trust: it has every message of the session, and nothing
// that another fork would mend. A file that is no session of the store has none,
// since what a fork is of is known by the id alone.
func repaired(ctx context.Context, rows []session.Session, p *patient) (session.Session, bool) {
	if p.outside {
		return session.Session{}, false
	}
	for _, r := range rows {
		if r.Parent != p.ID || !strings.Contains(r.Title, strings.TrimSpace(session.SuffixRepaired)) || !r.ModTime.After(p.ModTime) {
			continue
		}
		if holds, err := doctor.Holds(ctx, r.Path, p.Path); err != nil || !holds {
			continue
		}
		if report, err := doctor.Examine(ctx, r.Path, r.ID); err == nil && !report.Mendable() {
			return r, true
		}
	}
	return session.Session{}, false
}

// damage returns what is damaged in a fork, in words.
func damage(ctx context.Context, s session.Session) []string {
	report, err := doctor.Examine(ctx, s.Path, s.ID)
	if err != nil {
		return []string{"what could not be examined: " + err.Error()}
	}
	var out []string
	for _, f := range report.Findings {
		if f.Severity == doctor.Harm {
			out = append(out, lineOf(f)+f.Detail)
		}
	}
	return out
}

// lineOf names the line that a finding is about.
func lineOf(f doctor.Finding) string {
	if f.Line == 0 {
		return ""
	}
	return fmt.Sprintf("line %d: ", f.Line)
}

// fix writes a repaired fork into the folder of the directory that the session
// belongs to, also when that directory is gone.
func (a *app) fix(ctx context.Context, p *patient, rows []session.Session, repos []worktree.Repository) (session.Session, error) {
	name, err := session.ForkName(rows, p.Session, "", session.SuffixRepaired)
	if err != nil {
		return session.Session{}, err
	}
	req := session.Request{Fork: &session.ForkRequest{Name: name}}
	plan := a.planner().Fork(ctx, p.Session, repos, req)
	switch {
	case plan.Action == session.ActionRefuse && !filepath.IsAbs(p.Dir), plan.Action == session.ActionChoose && p.outside:
		req.Dir = a.env.Cwd
		plan = a.planner().Fork(ctx, p.Session, repos, req)
	case plan.Action != session.ActionFork && p.Problem == "" && p.NotReady == "":
		plan.Action, plan.Cwd, plan.Worktree.Action = session.ActionFork, p.Dir, "missing"
		plan.Fork.Path = filepath.Join(filepath.Dir(p.Path), plan.Fork.ID+".jsonl")
	}
	if plan.Action != session.ActionFork {
		return session.Session{}, errNoPlace(plan)
	}
	result, err := a.makeFork(ctx, plan)
	if err != nil {
		return session.Session{}, err
	}
	return session.Session{ID: result.ID, Path: result.Path, Title: name, TitleSource: session.TitleCustom, Parent: p.ID}, nil
}

// printReports prints what was found. A session without findings is named only
// when it was asked for.
func (a *app) printReports(patients []*patient, asked bool) error {
	var b strings.Builder
	damaged := 0
	for _, p := range patients {
		if p.report.Damaged() {
			damaged++
		}
		if asked || p.report.Damaged() || notable(p.report) {
			b.WriteString(reportText(p))
		}
	}
	fmt.Fprintf(&b, "%s examined, %s damaged\n", text.Plural(len(patients), "session"), text.Count(damaged))
	if err := a.print(b.String()); err != nil {
		return err
	}
	if slices.ContainsFunc(patients, func(p *patient) bool { return p.report.Fixed != nil }) {
		a.warnf("`coppice resume ID` goes on with a repaired copy; the original stays as it is")
	}
	for _, p := range patients {
		if p.report.Mendable() && p.report.Fixed == nil && p.trouble == nil {
			a.warnf("`coppice doctor --fix ID` writes a repaired copy, `coppice resume --fork ID` resumes one")
			break
		}
	}
	return nil
}

// notable reports whether there is more to tell of a session than its age.
func notable(r doctor.Report) bool {
	return slices.ContainsFunc(r.Findings, func(f doctor.Finding) bool { return f.Kind != string(runtime.CheckRetention) })
}

// reportText lays out what was found about one session.
func reportText(p *patient) string {
	var b strings.Builder
	line := func(name, value string) { b.WriteString(text.Pad(name, 12) + text.Clean(value) + "\n") }
	b.WriteString(strings.TrimSpace(text.Clean(p.ID+"  "+p.Title)) + "\n")
	line("  file", p.Path)
	if len(p.report.Findings) == 0 {
		line("  ok", "nothing is wrong with it")
	}
	for _, f := range p.report.Findings {
		line("  "+string(f.Severity), lineOf(f)+f.Detail)
		if f.Repair != "" {
			line("", "in a repaired fork: "+f.Repair)
		}
	}
	if f := p.report.Fixed; f != nil {
		line("  repaired", f.ID+"  "+f.Path)
	}
	for _, left := range p.left {
		line("", "the repaired copy still has: "+left)
	}
	return b.String() + "\n"
}

// orElse returns a, or b when a is empty.
func orElse(a, b string) string {
	if a == "" {
		return b
	}
	return a
}

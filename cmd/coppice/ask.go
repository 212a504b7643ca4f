package main

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"coppice/session"
	"coppice/worktree"
)

// errUnattended says that a plan needs a person's word and there is none to ask.
var errUnattended = errors.New("this needs your word, and there is no terminal to ask on: --yes gives it, --plan shows what would be done, --dir names another directory")

// errNoChoice says that a place is to be chosen, which no yes does.
var errNoChoice = errors.New("where is it to run? There is no terminal to ask on: --dir names one of these directories or another, --restore brings its worktree back")

// errDeclined says that a person said no.
var errDeclined = errors.New("nothing was started")

// agree returns the plan to run: the one given when it is an ordinary one, else
// what a person says to, or said to with --yes.
func (a *app) agree(ctx context.Context, s session.Session, repos []worktree.Repository, req session.Request, plan session.Plan, yes bool) (session.Plan, error) {
	if !plan.Unusual() {
		return plan, nil
	}
	if refused(plan) {
		return plan, errRefused(plan)
	}
	// The answer to a question belongs on the terminal, not into a pipe.
	if _, err := a.env.Stderr.WriteString(a.ascii(planText(s, plan))); err != nil {
		return plan, fmt.Errorf("write to standard error: %w", err)
	}
	switch choose := plan.Action == session.ActionChoose; {
	case yes && !choose:
		return plan, nil
	case !a.env.Interactive() && choose:
		return plan, errNoChoice
	case !a.env.Interactive():
		return plan, errUnattended
	}
	in := bufio.NewReader(a.env.Stdin)
	if plan.Action == session.ActionResume {
		return plan, a.confirm(in, "resume it like this?")
	}
	dir, err := a.pick(in, plan)
	if err != nil {
		return plan, err
	}
	req.Dir, req.Restore = dir, dir == ""
	there := a.planner().Plan(ctx, s, repos, req)
	if there.Action != session.ActionResume {
		return there, fmt.Errorf("it cannot be resumed in %s:\n%s", cmp.Or(dir, there.Cwd, "its worktree"), strings.Join(slices.Concat(there.Blockers, there.Warnings), "\n"))
	}
	for _, w := range there.Warnings {
		if !slices.Contains(plan.Warnings, w) {
			a.warnf("%s", w)
		}
	}
	return there, nil
}

// refused reports whether nothing that a person says makes a plan possible.
func refused(p session.Plan) bool {
	return p.Action == session.ActionRefuse || (p.Action == session.ActionChoose && len(p.Choices) == 0)
}

// errRefused says why a plan is refused, with the next step of each reason.
func errRefused(p session.Plan) error { return errors.New(strings.Join(p.Blockers, "\n")) }

// confirm asks a question; anything but yes is errDeclined.
func (a *app) confirm(in *bufio.Reader, question string) error {
	answer, err := a.ask(in, question+" [y/N] ")
	if err != nil {
		return err
	}
	if answer = strings.ToLower(answer); answer != "y" && answer != "yes" {
		return errDeclined
	}
	return nil
}

// pick asks for one of the choices that planText numbered. It returns "" for the
// worktree that is gone, to be restored.
func (a *app) pick(in *bufio.Reader, plan session.Plan) (string, error) {
	choices := plan.Choices
	restore := ""
	if plan.Restore != nil && plan.Restore.Problem == "" {
		restore = "r to bring its worktree back, "
	}
	for {
		answer, err := a.ask(in, fmt.Sprintf("resume it in which directory? [%s1-%d, Enter for none] ", restore, len(choices)))
		if err != nil {
			return "", err
		}
		if answer == "" {
			return "", errDeclined
		}
		if restore != "" && answer == "r" {
			return "", nil
		}
		if n, err := strconv.Atoi(answer); err == nil && n >= 1 && n <= len(choices) {
			return choices[n-1].Dir, nil
		}
	}
}

// ask writes a question on standard error and reads a line. The end of the input
// is errDeclined.
func (a *app) ask(in *bufio.Reader, question string) (string, error) {
	if _, err := a.env.Stderr.WriteString(question); err != nil {
		return "", fmt.Errorf("write to standard error: %w", err)
	}
	line, err := in.ReadString('\n')
	if err != nil {
		return "", errDeclined
	}
	return strings.TrimSpace(line), nil
}

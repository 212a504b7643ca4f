package ui

import (
	"context"
	"errors"
	"slices"
	"testing"

	"coppice/session"
	"coppice/session/agent"
)

// A shell and an editor run in the directory of what is selected, and nothing
// runs where there is none.
func TestShellAndEditor(t *testing.T) {
	t.Parallel()
	var lent []session.Plan
	var fails error
	opt := sampleOptions()
	opt.Shell, opt.Editor = []string{"/bin/zsh"}, []string{"code", "-w"}
	opt.Lend = func(_ context.Context, p session.Plan) error {
		lent = append(lent, p)
		return fails
	}
	b := newBench(t, opt, 140, 30, sample())
	b.press("$", "e")
	b.shows("back from code")
	b.press("Shift-Tab", "A")
	for b.tree.selected().path != "/home/ann/src/app-feat" {
		b.press("Down")
	}
	b.press("$", "Down")
	if b.tree.selected().path != "/home/ann/src/app-old" {
		t.Fatalf("on %+v", b.tree.selected())
	}
	b.press("$")
	b.shows("this worktree is gone (missing)")
	b.press("End", "Up") // a branch of infra
	b.press("e")
	want := []session.Plan{
		{Action: session.ActionStart, Agent: "zsh", Cwd: "/home/ann/src/app", Command: []string{"/bin/zsh"}},
		{Action: session.ActionStart, Agent: "code", Cwd: "/home/ann/src/app", Command: []string{"code", "-w", "."}},
		{Action: session.ActionStart, Agent: "zsh", Cwd: "/home/ann/src/app-feat", Command: []string{"/bin/zsh"}},
	}
	if !slices.EqualFunc(lent, want, func(a, b session.Plan) bool {
		return a.Action == b.Action && a.Agent == b.Agent && a.Cwd == b.Cwd && slices.Equal(a.Command, b.Command)
	}) {
		t.Errorf("lent the terminal for %+v", lent)
	}
	b.shows("this branch has no worktree; Enter makes one")

	fails = &agent.ExitError{Program: "zsh", Code: 1}
	b.press("Home", "$")
	b.shows("back from zsh")
	fails = errors.New("no such program")
	b.press("$")
	b.shows("no such program")
}

// Where agents run behind the window, so does a shell.
func TestShellBehind(t *testing.T) {
	t.Parallel()
	opt := sampleOptions()
	hosts := &plansHosts{fakeHosts: newFakeHosts()}
	opt.Shell, opt.Hosts = []string{"/bin/zsh"}, hosts
	b := newBench(t, opt, 140, 30, sample())
	b.press("e")
	b.shows("no editor is named: set VISUAL or EDITOR")
	b.press("$")
	if len(hosts.started) != 1 || hosts.started[0].Cwd != "/home/ann/src/app" || hosts.started[0].Agent != "zsh" {
		t.Errorf("started %+v", hosts.started)
	}
}

// plansHosts notes the plans of what it starts.
type plansHosts struct {
	*fakeHosts
	started []session.Plan
}

func (h *plansHosts) Start(ctx context.Context, plan session.Plan, columns, rows int) (string, error) {
	h.started = append(h.started, plan)
	return h.fakeHosts.Start(ctx, plan, columns, rows)
}

package main

import (
	"context"
	"fmt"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"coppice/session"
	"coppice/session/host"
	"coppice/session/terminal"
	"coppice/ui"
)

// scrollback is how many rows of an agent's output are kept.
const scrollback = 10_000

// hosts runs agents behind the window.
type hosts struct{ app *app }

// hostDirs are the directories of hosts.
func (a *app) hostDirs() host.Dirs {
	dirs := a.dirs()
	return host.Dirs{Runtime: dirs.Runtime, State: dirs.State}
}

// hosts returns what runs agents behind the window, or why nothing can.
func (a *app) hosts() (h ui.Hosts, why string) {
	if err := a.hostDirs().Usable(); err != nil {
		return nil, err.Error()
	}
	return hosts{a}, ""
}

// hostCommand is the body of a host's process. It is started by this program, and
// by no person.
func (a *app) hostCommand() *cobra.Command {
	return &cobra.Command{
		Use:               hostCommandName,
		Hidden:            true,
		Args:              atMost(0),
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return host.Run(cmd.Context(), a.hostDirs(), a.env.Stdin, a.env.Stdout)
		},
	}
}

// hostCommandName is the name of the command that a host is started by.
const hostCommandName = "host"

// Start starts the agent of a plan behind the window, on the fork that the plan
// asks for.
func (h hosts) Start(ctx context.Context, plan session.Plan, columns, rows int) (string, error) {
	if err := h.app.makeFirst(ctx, plan); err != nil {
		return "", err
	}
	program, err := os.Executable()
	if err != nil {
		return "", fmt.Errorf("find this program: %w", err)
	}
	name := ""
	if plan.Fork != nil {
		name = plan.Fork.Name
	}
	info, err := host.Start(ctx, h.app.hostDirs(), []string{program, hostCommandName}, host.Spec{
		Host: host.NewID(), Agent: plan.Agent, Session: started(plan), Name: name, Root: h.app.dirs().Agent,
		Args: plan.Command, Dir: plan.Cwd, Env: h.app.planner().Environ(plan),
		Columns: columns, Rows: rows, Scrollback: scrollback, Theme: h.app.colours(), Program: "coppice",
	})
	if err != nil {
		return "", err
	}
	return info.Host, nil
}

// colours are what an agent is told when it asks for the colours of its terminal.
func (a *app) colours() terminal.Theme {
	if a.config().UI.Theme == "light" {
		return terminal.Theme{Foreground: 0x000000, Background: 0xffffff, Cursor: 0x000000}
	}
	return terminal.Theme{Foreground: 0xffffff, Background: 0x000000, Cursor: 0xffffff}
}

// Watch tells which agents of this config root run.
func (h hosts) Watch(ctx context.Context, emit func([]ui.Running)) error {
	root := h.app.dirs().Agent
	var before []ui.Running
	return host.Watch(ctx, h.app.hostDirs(), func(all []host.Host) {
		running := []ui.Running{}
		for _, one := range all {
			if one.Root == root && (one.State == host.Running || one.State == host.Version) {
				running = append(running, toRunning(one))
			}
		}
		if before == nil || !slices.Equal(running, before) {
			before = running
			emit(running)
		}
	})
}

// toRunning is what the window knows of a host.
func toRunning(h host.Host) ui.Running {
	r := ui.Running{Host: h.Host, Session: h.Session, Agent: h.Agent, Name: h.Name, Dir: h.Dir}
	if h.State == host.Version {
		r.Problem = h.Reason
	}
	return r
}

// Attach shows the screen of a host.
func (h hosts) Attach(ctx context.Context, id string, columns, rows int) (ui.Screen, error) {
	v, err := host.Attach(ctx, h.app.hostDirs(), id, columns, rows)
	if err != nil {
		return nil, err
	}
	return viewer{v}, nil
}

// viewer is the screen of a host.
type viewer struct{ *host.Viewer }

// News is what the agent had for others since the last call. What it asked its
// terminal, the host has answered.
func (v viewer) News() terminal.Output { return v.Terminal().Take() }

// End ends an agent politely.
func (h hosts) End(ctx context.Context, id string) error {
	_, err := host.Stop(ctx, h.app.hostDirs(), id)
	return err
}

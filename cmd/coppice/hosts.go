package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"coppice/session"
	"coppice/session/host"
	"coppice/session/launch"
	"coppice/session/terminal"
	"coppice/ui"
)

// hosts runs agents behind the window.
type hosts struct {
	launch.Launcher
	root string // config root of the sessions
}

// hostDirs are the directories of hosts.
func (a *app) hostDirs() host.Dirs {
	dirs := a.dirs()
	return host.Dirs{Runtime: dirs.Runtime, State: dirs.State}
}

// hosts returns what runs agents behind the window, or why nothing can.
func (a *app) hosts() (h ui.Hosts, why string) {
	b, why := a.behind()
	if b == nil {
		return nil, why
	}
	return b, ""
}

// behind is hosts for commands.
func (a *app) behind() (h *hosts, why string) {
	if err := a.hostDirs().Usable(); err != nil {
		return nil, err.Error()
	}
	l, err := a.launcher()
	if err != nil {
		return nil, err.Error()
	}
	return &hosts{l, a.dirs().Agent}, ""
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
			return a.runHost(cmd.Context())
		},
	}
}

// runHost runs a host, and sees to the lock of the worktree that its agent was in
// when that has ended.
func (a *app) runHost(ctx context.Context) error {
	var spec bytes.Buffer
	var what host.Spec
	err := host.Run(ctx, a.hostDirs(), io.TeeReader(a.env.Stdin, &spec), a.env.Stdout)
	if json.Unmarshal(spec.Bytes(), &what) == nil && what.Dir != "" {
		_ = a.settle(context.WithoutCancel(ctx), nil, what.Dir) // nobody is there to be told
	}
	return err
}

// hostCommandName is the name of the command that a host is started by.
const hostCommandName = "host"

// launcher starts sessions in hosts.
func (a *app) launcher() (launch.Launcher, error) {
	program, err := os.Executable()
	if err != nil {
		return launch.Launcher{}, fmt.Errorf("find this program: %w", err)
	}
	return launch.Launcher{
		Dirs: a.hostDirs(), Host: []string{program, hostCommandName}, Planner: a.planner(), Proc: a.env.Proc,
		Observer: []string{program, observeCommandName}, Theme: a.colours(), Program: "coppice", Prepare: a.makeFirst, Load: a.load,
		Memory: a.memory(),
	}, nil
}

// memory keeps what sessions were started with.
func (a *app) memory() launch.Memory {
	return launch.Memory{File: filepath.Join(a.dirs().State, "arguments.json"), Now: a.env.Now}
}

// Start starts the agent of a plan behind the window, on the fork that the plan
// asks for.
func (h hosts) Start(ctx context.Context, plan session.Plan, columns, rows int) (string, error) {
	info, err := h.Launcher.Start(ctx, plan, columns, rows)
	return info.Host, err
}

// Switch puts the session of a plan in the place of the one that a host has.
func (h hosts) Switch(ctx context.Context, id string, plan session.Plan, columns, rows int) (next, note string, err error) {
	to, err := h.Launcher.Switch(ctx, id, plan, columns, rows)
	if to.Back != nil {
		to.Note = fmt.Sprintf("the other session did not come up, so this one was resumed: %v", to.Back)
	}
	return to.Host.Host, to.Note, err
}

// TakeOver starts a session that is live elsewhere, when it has ended there.
func (h hosts) TakeOver(ctx context.Context, plan session.Plan, columns, rows int) (string, error) {
	info, err := h.Launcher.TakeOver(ctx, plan, columns, rows)
	return info.Host, err
}

// colours are what an agent is told when it asks for the colours of its terminal.
func (a *app) colours() terminal.Theme {
	if a.config().UI.Theme == "light" {
		return terminal.Theme{Foreground: 0x000000, Background: 0xffffff, Cursor: 0x000000}
	}
	return terminal.Theme{Foreground: 0xffffff, Background: 0x000000, Cursor: 0xffffff}
}

// Watch tells which agents of this config root run, which have ended and nobody has
// read how, and which hosts were killed.
func (h hosts) Watch(ctx context.Context, emit func(running []ui.Running, gone []string)) error {
	var before []ui.Running
	var goneBefore []string
	return host.Watch(ctx, h.Dirs, func(all []host.Host) {
		running, gone := []ui.Running{}, []string{}
		for _, one := range all {
			switch {
			case one.Root != h.root:
			case one.State == host.Gone:
				gone = append(gone, one.Host)
			case one.State == host.Running || one.State == host.Version || one.Unread:
				running = append(running, toRunning(one))
			}
		}
		if before == nil || !slices.Equal(running, before) || !slices.Equal(gone, goneBefore) {
			before, goneBefore = running, gone
			emit(running, gone)
		}
	})
}

// toRunning is what the window knows of a host.
func toRunning(h host.Host) ui.Running {
	r := ui.Running{Status: statusOf(h), Host: h.Host, Session: h.Session, Agent: h.Agent, Name: h.Name, Dir: h.Dir}
	if h.State == host.Version {
		r.Problem = h.Reason
	}
	return r
}

// Attach shows the screen of a host.
func (h hosts) Attach(ctx context.Context, id string, columns, rows int) (ui.Screen, error) {
	v, err := host.Attach(ctx, h.Dirs, id, columns, rows)
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
	_, err := host.Stop(ctx, h.Dirs, id)
	return err
}

package ui

import (
	"context"
	"path/filepath"
	"slices"

	"coppice/session"
	"coppice/session/launch"
	"coppice/session/terminal"
	"coppice/ui/term"
)

// Hosts runs agents behind the window, where they outlive it. Its methods are
// called off the loop and may take seconds.
type Hosts interface {
	// Watch tells which agents run, or have ended and nobody has seen how, in the
	// order they were started, and the ids of hosts that are no more although nobody
	// ended them, now and whenever that changes, until ctx ends; emit may block.
	Watch(ctx context.Context, emit func(running []Running, gone []string)) error
	// Start starts the agent of a plan and returns the id of its host.
	Start(ctx context.Context, plan session.Plan, columns, rows int) (host string, err error)
	// Attach shows the screen of a host, which gets this size. One of no columns and
	// no rows is only glanced at: it keeps its size, and how it ended stays to be
	// read.
	Attach(ctx context.Context, host string, columns, rows int) (Screen, error)
	// End ends an agent politely, with time for its hooks.
	End(ctx context.Context, host string) error
	// Switch ends the agent of a host and starts that of a plan in its place, with
	// SessionEnd before SessionStart. The target is looked at before anything ends:
	// with an error the agent before goes on, unless the error says that nothing
	// runs. When the target does not come up, the session before is resumed; next is
	// its new host then, and the note says so. A note is also what a person should
	// know otherwise, "" for nothing.
	Switch(ctx context.Context, host string, plan session.Plan, columns, rows int) (next, note string, err error)
	// TakeOver ends the agent elsewhere on this machine that has the session of a
	// plan open (its Live), politely, and then starts the plan, which was asked for
	// with session.Request.TakeOver. Start would refuse it.
	TakeOver(ctx context.Context, plan session.Plan, columns, rows int) (host string, err error)
	// Lost returns what was live when its host was killed or the system was started
	// anew, in the order in which it was started, and is not live again.
	Lost(ctx context.Context) ([]launch.Lost, error)
	// BringBack starts lost sessions again, in their order, and tells what became of
	// each. One that cannot be started stays lost.
	BringBack(ctx context.Context, lost []launch.Lost, columns, rows int) []launch.Brought
	// Dismiss forgets what was lost. The sessions stay, as rows like any other.
	Dismiss(ctx context.Context, lost []launch.Lost) error
}

// Running is an agent that runs behind the window, with what it does and who says
// so.
type Running struct {
	session.Status
	Host    string // id of its host
	Session string // the session that it has open, "" while that is not known
	Agent   string
	Name    string // "" for none
	Dir     string
	Problem string // what keeps its screen from being shown, "" for nothing
}

// Screen is the screen of a host, and the way to it.
type Screen interface {
	term.Program
	// Changed is poked when the screen may look different, or when there is news.
	Changed() <-chan struct{}
	// News is what the agent had for others since the last call.
	News() terminal.Output
	// Done is closed when the agent has ended or its host is lost. Err says then
	// how, nil for a program that ended well.
	Done() <-chan struct{}
	Err() error
	// Close ends the showing, not the agent. It does not block.
	Close() error
}

// live is what runs behind the window, and which of it fills the window.
type live struct {
	running []Running
	gone    []string // hosts that were killed, by their ids
	side             // the pane with the keyboard; without a screen while the dashboard shows
	other   side     // the pane beside it, without a screen while there is none
	second  bool     // the pane with the keyboard is the right or lower one
	before  string   // host that was shown before
	wish    int      // generation of the newest wish to show one
	leaving bool     // the leave-pane key was pressed: the next key is the window's
	word    string   // to be said when the wished one shows
}

// side is the pane of one agent.
type side struct {
	shown  string // host, "" for none
	screen Screen // of it
	ended  string // how its agent ended, "" while it runs
	status string // what the pane has to say
}

// place returns the index of a running agent by its host, -1 for none.
func (l *live) place(host string) int {
	return slices.IndexFunc(l.running, func(r Running) bool { return r.Host == host })
}

// find returns a running agent by its host.
func (l *live) find(host string) (Running, bool) { return l.at(l.place(host)) }

// of returns the agent that has a session open.
func (l *live) of(session string) (Running, bool) { return l.at(l.number(session) - 1) }

// at returns the agent at an index, or none.
func (l *live) at(i int) (Running, bool) {
	if i < 0 {
		return Running{}, false
	}
	return l.running[i], true
}

// forget drops an agent that has ended, before its host says so.
func (l *live) forget(host string) {
	l.running = slices.DeleteFunc(slices.Clone(l.running), func(r Running) bool { return r.Host == host })
}

// number is the place of the agent that has a session open, from 1, as the keys
// count; 0 for none.
func (l *live) number(session string) int {
	return 1 + slices.IndexFunc(l.running, func(r Running) bool { return session != "" && r.Session == session })
}

// beside returns the host that is step places from another, around the ends.
func (l *live) beside(host string, step int) string {
	n, at := len(l.running), l.place(host)
	if at < 0 && step < 0 {
		at = 0 // the last one is before all
	}
	return l.running[(at+step+n)%n].Host
}

// nameOf is what a running agent is called: by its row, by its name, or by what
// it is and where it runs.
func (m *model) nameOf(r Running) string {
	if row := m.data.rows[r.Session]; row != nil && row.TitleSource != session.TitleNone {
		return row.Title
	}
	if r.Name != "" {
		return r.Name
	}
	return r.Agent + " in " + filepath.Base(r.Dir)
}

// paneRect is the part of the screen that agents' panes fill.
func (m *model) paneRect() rect {
	r := rect{w: max(m.w, 1), h: max(m.h, 1)}
	if m.h >= 2 {
		r.y, r.h = 1, m.h-1
	}
	return r
}

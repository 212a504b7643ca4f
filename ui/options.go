package ui

import (
	"context"
	"io"
	"time"

	"github.com/gdamore/tcell/v2"

	"coppice/config"
	"coppice/session"
	"coppice/session/doctor"
	"coppice/transcript"
	"coppice/ui/clip"
	"coppice/ui/theme"
	"coppice/worktree"
	"coppice/worktree/forge"
)

// Store is what the dashboard needs of the index of sessions. *session.Store is
// one.
type Store interface {
	// Watch sends news until ctx ends; emit may block.
	Watch(ctx context.Context, emit func(session.Update)) error
	// SetVisible names the transcripts on the screen. It never blocks.
	SetVisible(paths []string)
	// Refresh asks for another look at everything. It never blocks.
	Refresh()
}

// Options are everything that the dashboard knows from outside. Store, Now and
// the functions are required unless their comment says otherwise; all paths are
// absolute. The functions are called off the loop, so they may block, but for
// Resume, Lend and Stop, which have the terminal to themselves while they run: the
// screen is suspended then, and nothing is drawn.
type Options struct {
	Store   Store
	Config  config.Config
	Dirs    config.Dirs
	Start   string // directory the person stands in
	Search  string // text that the search begins with, "" for none
	Show    string // host whose pane is shown at first, "" for the dashboard
	Version string
	Now     func() time.Time

	// Notify is how a person hears of what happens to sessions out of sight.
	Notify Notify

	// Theme is the look, see theme.Pick: it knows NO_COLOR, the terminal's
	// colours and the locale.
	Theme theme.Theme

	// ReadTail reads the end of a session's conversation for the preview.
	ReadTail func(context.Context, session.Session) (transcript.Tail, error)
	// Plan says what resuming would do. It may look at files.
	Plan func(context.Context, session.Session, []worktree.Repository, session.Request) session.Plan
	// Resume runs the agent in the foreground until it ends. The error says, in
	// words, why it did not start or how it failed.
	Resume func(context.Context, session.Plan) error
	// Hosts runs agents behind the window; nil where Resume is all there is, for
	// the reason NoHosts.
	Hosts   Hosts
	NoHosts string
	// PlanNew says how a new session would start. It may look at files.
	PlanNew func(context.Context, session.StartRequest) session.Plan
	// Prepare makes what a plan asks for before its agent starts, once: a worktree,
	// a fork in it. output gets what the set-up command prints; the notes are what a
	// person should know about it.
	Prepare func(ctx context.Context, plan session.Plan, output io.Writer) (notes []string, err error)
	// PlanFork says where a fork would run and what it would be; it may look at
	// files. Fork writes the fork of such a plan and returns what a person should
	// know about it, a line each.
	PlanFork func(context.Context, session.Session, []worktree.Repository, session.Request) session.Plan
	Fork     func(context.Context, session.Plan) (notes []string, err error)
	// Delete takes a session that has ended to the trash; Undelete brings the one
	// with an id back.
	Delete   func(context.Context, session.Session) error
	Undelete func(ctx context.Context, id string) error
	// Move moves a session that has ended to another directory, with what lies
	// beside it, and returns what a person should know about it, a line each.
	Move func(ctx context.Context, s session.Session, dir string) (notes []string, err error)
	// Examine says what is wrong with a session's transcript.
	Examine func(context.Context, session.Session) (doctor.Report, error)
	// Rename gives a session a custom title.
	Rename func(ctx context.Context, s session.Session, name string) error
	// Copy puts text on the clipboard, as well as it can. write sends bytes to the
	// terminal between two frames; it may be called until Copy returns.
	Copy func(ctx context.Context, text string, write func([]byte) error) clip.Result
	// Stop stops the process for the shell's job control (Ctrl-Z) and returns
	// when it goes on. nil where that cannot be done.
	Stop func()
	// Worktrees makes, compares and removes worktrees; nil where nothing can.
	Worktrees Worktrees
	// Requests asks for the pull requests of a repository, by branch; nil where
	// nobody is to be asked.
	Requests func(ctx context.Context, repository string) (map[string]forge.Request, error)
	// Shell and Editor are the person's own, program and arguments; empty where
	// none is named. Lend runs such a program in the foreground until it ends.
	Shell, Editor []string
	Lend          func(context.Context, session.Plan) error
	// Screen is drawn on instead of the terminal; nil for the terminal.
	Screen tcell.Screen
}

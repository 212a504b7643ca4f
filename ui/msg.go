package ui

import (
	"context"

	"coppice/session"
	"coppice/session/doctor"
	"coppice/session/launch"
	"coppice/session/terminal"
	"coppice/transcript"
	"coppice/ui/clip"
)

// msg is a fact that happened. Only the model's update sees it.
type msg interface{ isMsg() }

type (
	// sized tells the size of the screen in cells.
	sized struct{ w, h int }
	// keyed is one key press, see keyName.
	keyed struct {
		name string
		r    rune // the character of a printable key, else 0
	}
	// pasted is text that was pasted as a whole.
	pasted struct{ text string }
	// moused is something the mouse did at a cell.
	moused struct {
		x, y int
		what mouseAction
	}
	// ticked says that time passed which is visible on the screen.
	ticked struct{}

	// storeChanged carries news of the store, the oldest first.
	storeChanged struct{ news []session.Update }
	// watchEnded says that no more news will come, and why.
	watchEnded struct{ err error }
	// tailLoaded answers a preview's request.
	tailLoaded struct {
		key  tailKey
		tail transcript.Tail
		err  error
	}
	// planMade answers a wish to resume; a late one is dropped by its gen.
	planMade struct {
		gen     int
		session session.Session
		request session.Request
		plan    session.Plan
	}
	// agentEnded says that the agent gave the terminal back.
	agentEnded struct {
		plan session.Plan
		err  error
	}
	// renamed says how a rename went.
	renamed struct {
		id, name string
		was      session.Session // before it
		err      error
	}
	// forkPlanned answers a wish to fork; a late one is dropped by its gen.
	forkPlanned struct {
		gen     int
		session session.Session
		plan    session.Plan
	}
	// forked says how a fork went.
	forked struct {
		plan  session.Plan
		notes []string
		err   error
	}
	// deleted and restored say how it went.
	deleted struct {
		id, title string
		err       error
	}
	restored struct {
		id, title string
		err       error
	}
	// runningChanged says which agents run behind the window, and which of their
	// hosts were killed.
	runningChanged struct {
		running []Running
		gone    []string
	}
	// newPlanned answers a wish for a new session; a late one is dropped by its gen.
	newPlanned struct {
		gen  int
		plan session.Plan
	}
	// agentStarted says that an agent was started behind the window, or why not.
	agentStarted struct {
		plan session.Plan
		host string
		err  error
	}
	// attached answers a wish to show a host; a late one is dropped by its wish.
	attached struct {
		wish   int
		host   string
		beside bool // in a pane of its own beside the one that shows
		screen Screen
		err    error
	}
	// screenChanged says that a shown screen may look different, and what its agent
	// has for others.
	screenChanged struct {
		screen Screen
		output terminal.Output
		status string // of its pane
	}
	// paneUsed says that a person did something in the pane, and what the pane has
	// to say since.
	paneUsed struct {
		screen Screen
		typed  bool // a key or a paste, not the mouse
		status string
	}
	// selected is text that the person chose to copy from a pane.
	selected struct{ text string }
	// sideChosen is a click in the pane that does not have the keyboard.
	sideChosen struct{}
	// focused says whether the terminal has the focus.
	focused struct{ in bool }
	// glanced answers a wish to see a host in the preview; a late one is dropped by
	// its wish.
	glanced struct {
		wish   int
		screen Screen
		err    error
	}
	// answered says that something was sent to an agent from the dashboard.
	answered struct{ name string }
	// switched says how a switch to another session went.
	switched struct {
		from, to string // names
		next     string // host that runs now, "" for none
		note     string
		err      error
	}
	// lostFound says what was live when its host was lost.
	lostFound struct {
		lost  []launch.Lost
		asked bool // by a person
		err   error
	}
	// broughtBack and dismissed say what became of it.
	broughtBack struct{ back []launch.Brought }
	dismissed   struct{ n int }
	// heraldDue says that it is time to tell what happened out of sight.
	heraldDue struct{}
	// tabbed is a click on a tab.
	tabbed struct{ host string }
	// screenEnded says that the agent of a screen has ended, and how.
	screenEnded struct {
		screen Screen
		err    error
	}
	// endedAgent says how ending an agent went.
	endedAgent struct {
		host, name string
		err        error
	}
	// examined says what is wrong with a transcript.
	examined struct {
		key    tailKey
		report doctor.Report
		err    error
	}
	// copied says where copied text went.
	copied struct {
		what, text string
		result     clip.Result
	}
	// stopped says that the process was stopped and goes on.
	stopped struct{}
	// failed says that work broke off.
	failed struct{ err error }
)

func (sized) isMsg()          {}
func (keyed) isMsg()          {}
func (pasted) isMsg()         {}
func (moused) isMsg()         {}
func (ticked) isMsg()         {}
func (storeChanged) isMsg()   {}
func (watchEnded) isMsg()     {}
func (tailLoaded) isMsg()     {}
func (planMade) isMsg()       {}
func (agentEnded) isMsg()     {}
func (renamed) isMsg()        {}
func (forkPlanned) isMsg()    {}
func (forked) isMsg()         {}
func (deleted) isMsg()        {}
func (restored) isMsg()       {}
func (examined) isMsg()       {}
func (copied) isMsg()         {}
func (runningChanged) isMsg() {}
func (newPlanned) isMsg()     {}
func (agentStarted) isMsg()   {}
func (attached) isMsg()       {}
func (screenChanged) isMsg()  {}
func (paneUsed) isMsg()       {}
func (selected) isMsg()       {}
func (sideChosen) isMsg()     {}
func (focused) isMsg()        {}
func (glanced) isMsg()        {}
func (answered) isMsg()       {}
func (switched) isMsg()       {}
func (lostFound) isMsg()      {}
func (broughtBack) isMsg()    {}
func (dismissed) isMsg()      {}
func (heraldDue) isMsg()      {}
func (tabbed) isMsg()         {}
func (screenEnded) isMsg()    {}
func (endedAgent) isMsg()     {}
func (stopped) isMsg()        {}
func (failed) isMsg()         {}

// cmd is work that an update asks for. It never sees the model; what it finds
// out comes back as a message.
type cmd struct {
	run func(context.Context) msg
	// terminal is set when the work needs the terminal to itself: it runs on the
	// loop with the screen suspended.
	terminal bool
}

// background is work that runs beside the loop.
func background(run func(context.Context) msg) []cmd { return []cmd{{run: run}} }

// foreground is work that gets the terminal.
func foreground(run func(context.Context) msg) []cmd { return []cmd{{run: run, terminal: true}} }

// mouseAction is what the mouse did.
type mouseAction int

const (
	mouseClick mouseAction = iota
	mouseDouble
	mouseWheelUp
	mouseWheelDown
)

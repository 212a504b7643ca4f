package ui

import (
	"context"

	"coppice/session"
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

func (sized) isMsg()        {}
func (keyed) isMsg()        {}
func (pasted) isMsg()       {}
func (moused) isMsg()       {}
func (ticked) isMsg()       {}
func (storeChanged) isMsg() {}
func (watchEnded) isMsg()   {}
func (tailLoaded) isMsg()   {}
func (planMade) isMsg()     {}
func (agentEnded) isMsg()   {}
func (renamed) isMsg()      {}
func (copied) isMsg()       {}
func (stopped) isMsg()      {}
func (failed) isMsg()       {}

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

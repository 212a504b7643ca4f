package ui

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gdamore/tcell/v2"
	"github.com/rivo/tview"

	"coppice/session"
	"coppice/ui/clip"
)

// ErrTerminal is returned by Run when the terminal could not be used, or was
// lost while the dashboard ran.
var ErrTerminal = errors.New("no usable terminal")

// lastWait bounds how long the end of the dashboard waits for work that does
// not end when it is told to.
const lastWait = time.Second

// endGrace is how long tview may take to end before the terminal is taken from
// it: a terminal that takes no more output holds its loop for ever.
const endGrace = 1500 * time.Millisecond

// app ties the model to tview: it runs what updates ask for and draws.
type app struct {
	tasks
	*pump
	opt    Options
	ctx    context.Context // ends when the dashboard is to end
	cancel context.CancelFunc
	tv     *tview.Application
	screen *shadow
	model  *model
	view   *view
	stage  stage
	titled string // title of the terminal's window

	tick    *time.Timer // refreshes ages
	ticked  time.Time   // when it last did
	resumed time.Time   // keys older than this were meant for somebody else
	lent    atomic.Bool // an agent has the terminal, and ends by itself

	mu      sync.Mutex
	err     error // why the dashboard ends, nil when it was asked to
	ending  bool
	visible []string
}

// Run shows the dashboard until the person quits or ctx ends, which are not
// errors. The terminal is as it was before when Run returns. The error is a
// *PanicError, or wraps ErrTerminal.
func Run(ctx context.Context, opt Options) error {
	screen := opt.Screen
	if screen == nil {
		var err error
		if screen, err = newScreen(); err != nil {
			return fmt.Errorf("%w: %w; set TERM to one that this machine knows, such as xterm-256color", ErrTerminal, err)
		}
	}
	a := newApp(ctx, opt, screen)
	if err := a.screen.Init(); err != nil {
		a.cancel()
		return fmt.Errorf("%w: %w", ErrTerminal, err)
	}
	return a.run()
}

// newApp returns an app that does not run yet.
func newApp(ctx context.Context, opt Options, screen tcell.Screen) *app {
	a := &app{pump: newPump(), opt: opt, tv: tview.NewApplication(), model: newModel(opt)}
	a.ctx, a.cancel = context.WithCancel(ctx)
	a.fail = a.end
	a.screen = newShadow(screen, a.spawn, func(err error) { a.end(fmt.Errorf("%w: %w", ErrTerminal, err)) })
	a.model.clip = func(ctx context.Context, s string) clip.Result { return opt.Copy(ctx, s, a.screen.send) }
	a.view = newView(a)
	a.stage.app = a
	a.stage.held = time.AfterFunc(time.Hour, func() { a.send(a.ctx, envelope{msg: ticked{}}) })
	return a
}

// run is Run once the terminal is ours.
func (a *app) run() error {
	a.tv.SetScreen(a.screen)
	a.tv.EnableMouse(a.opt.Config.UI.Mouse).EnablePaste(true)
	a.tv.SetRoot(a.view, true).SetInputCapture(a.view.capture)
	a.tick = time.AfterFunc(time.Hour, func() { a.send(a.ctx, envelope{msg: ticked{}}) })
	a.spawn(func() { a.pump.run(a.ctx, a.onLoop) })
	a.spawn(a.watch)
	if a.opt.Hosts != nil {
		a.spawn(a.watchHosts)
		a.background(findLost(a.opt.Hosts, false))
	}
	a.spawn(func() {
		<-a.ctx.Done()
		a.end(nil)
	})
	stopped, err := a.loop()
	a.end(err)
	a.tick.Stop()
	a.stage.held.Stop()
	if stopped { // else the stage still is the loop's
		a.stage.close()
	}
	a.wait(lastWait)
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.err
}

// loop runs tview until it has stopped, or until it does not although it was told
// to.
func (a *app) loop() (stopped bool, err error) {
	ended := make(chan error, 1)
	a.spawnUncounted(func() {
		defer close(ended)
		ended <- a.tv.Run()
	})
	select {
	case err := <-ended:
		return true, err
	case <-a.ctx.Done():
	}
	grace := time.NewTimer(endGrace)
	defer grace.Stop()
	for {
		select {
		case err := <-ended:
			return true, err
		case <-grace.C:
			if !a.lent.Load() {
				a.screen.seize()
				return false, nil
			}
			grace.Reset(endGrace)
		}
	}
}

// end ends the dashboard, in the order that leaves nothing stuck: workers are
// told, the pump ends, then the loop stops. Only the first reason counts. It may
// be called from any goroutine and does not block.
func (a *app) end(reason error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.ending {
		return
	}
	a.ending, a.err = true, reason
	a.cancel()
	a.spawn(func() {
		<-a.done
		a.tv.Stop()
	})
}

// watch passes the store's news on.
func (a *app) watch() {
	err := a.opt.Store.Watch(a.ctx, func(u session.Update) {
		a.send(a.ctx, envelope{msg: storeChanged{[]session.Update{u}}})
	})
	if a.ctx.Err() == nil {
		a.send(a.ctx, envelope{msg: watchEnded{err}})
	}
}

// watchHosts passes on which agents run behind the window.
func (a *app) watchHosts() {
	err := a.opt.Hosts.Watch(a.ctx, func(running []Running, gone []string) {
		a.send(a.ctx, envelope{msg: runningChanged{running, gone}})
	})
	if err != nil && a.ctx.Err() == nil {
		a.send(a.ctx, envelope{msg: failed{fmt.Errorf("live sessions are no longer watched: %w", err)}})
	}
}

// onLoop applies a batch of messages on tview's loop and draws once.
func (a *app) onLoop(batch []envelope) {
	a.tv.QueueUpdateDraw(func() {
		a.guard(func() {
			for _, e := range merge(batch) {
				a.apply(e.msg)
				if e.counted {
					a.pending.Add(-1)
				}
			}
		})
	})
}

// apply changes the model by a message and starts the work that follows. Only
// the loop calls it.
func (a *app) apply(in msg) {
	if _, ok := in.(ticked); ok {
		a.ticked = a.opt.Now()
	}
	if change, ok := in.(screenChanged); ok {
		in = a.stage.news(change)
	}
	for _, c := range a.model.update(in) {
		if c.terminal {
			a.foreground(c.run)
		} else {
			a.background(c.run)
		}
	}
	if a.model.redraw {
		a.model.redraw = false
		a.screen.whole = true
	}
	if a.model.bell {
		a.model.bell = false
		_ = a.screen.Beep()
	}
	a.stage.follow()
	a.tell()
	if a.model.quitting {
		a.end(nil)
	}
}

// tell tells the terminal what is not on the screen: the title of its window, and
// what happened out of sight. tcell brings the title back at the end.
func (a *app) tell() {
	if a.opt.Config.UI.Title && a.model.title != a.titled {
		a.titled = a.model.title
		a.screen.SetTitle(strings.ReplaceAll(a.titled, "$<", "$ <")) // which terminfo takes for a pause
	}
	if call := a.model.heralds.call; call != "" {
		a.model.heralds.call = ""
		_ = a.screen.Beep()
		_ = a.screen.send(a.opt.Notify.bytes(call))
	}
}

// background runs work beside the loop; its answer comes through the pump.
func (a *app) background(run func(context.Context) msg) {
	a.pending.Add(1)
	a.spawn(func() { a.send(a.ctx, envelope{msg: run(a.ctx), counted: true}) })
}

// foreground runs work that has the terminal to itself, on the loop.
func (a *app) foreground(run func(context.Context) msg) {
	var out msg
	a.lent.Store(true)
	defer a.lent.Store(false)
	ok := a.tv.Suspend(func() {
		a.guard(func() { out = run(a.ctx) })
		a.screen.restoreModes(a.opt.Screen == nil)
	})
	a.resumed = time.Now()
	switch {
	case !ok:
		out = failed{errors.New("the terminal could not be handed over")}
	case a.screen.back != nil:
		a.end(fmt.Errorf("%w: %w", ErrTerminal, a.screen.back))
	}
	if out != nil {
		a.apply(out)
	}
}

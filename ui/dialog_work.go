package ui

import (
	"context"
	"errors"
	"io"

	"coppice/ui/text"
	"coppice/worktree/change"
)

// workDialog shows work that takes its time and what it prints. Leaving it ends
// the work, which takes back what it did.
type workDialog struct {
	what     string
	out      *output
	cancel   context.CancelFunc
	stopping bool
}

// work runs something in the background behind a dialog. Its answer names the
// dialog.
func (m *model) work(what string, run func(ctx context.Context, d *workDialog, out io.Writer) msg) []cmd {
	wanted, cancel := context.WithCancel(context.Background())
	d := &workDialog{what: what, out: newOutput(), cancel: cancel}
	m.openDialog(d)
	return append(background(func(ctx context.Context) msg {
		defer close(d.out.ended)
		ctx, stop := context.WithCancel(ctx)
		defer stop()
		defer context.AfterFunc(wanted, stop)()
		if wanted.Err() != nil {
			stop() // at once: AfterFunc takes its time
		}
		return run(ctx, d, d.out)
	}), d.more()...)
}

// more waits for what is printed next, until the work has ended.
func (d *workDialog) more() []cmd {
	select {
	case <-d.out.ended:
		return nil
	default:
	}
	return background(func(ctx context.Context) msg {
		d.out.wait(ctx)
		return workPrinted{d}
	})
}

func (d *workDialog) title() string { return d.what }

func (d *workDialog) foot() text.Line {
	if d.stopping {
		return keysFoot("Esc", "let it end behind the window")
	}
	return keysFoot("Esc", "cancel: nothing is left behind")
}

func (*workDialog) key(*model, keyed) []cmd { return nil }

// leave ends the work; once it was told, the dialog goes.
func (d *workDialog) leave(m *model) []cmd {
	if d.stopping {
		return m.closeDialog()
	}
	d.stopping = true
	d.cancel()
	return nil
}

func (d *workDialog) body(m *model, w int) content {
	lines := d.out.lines(w)
	if rows := max(m.body().h-3, 1); len(lines) > rows {
		lines = lines[len(lines)-rows:] // its end, as on a terminal
	}
	switch {
	case d.stopping:
		lines = append(lines, text.Line{{Text: "taking back what was done …", Role: text.Warn}})
	case len(lines) == 0:
		lines = []text.Line{{{Text: "working …", Role: text.Dim}}}
	}
	return content{lines: lines}
}

// endWork takes the dialog of work that has ended away.
func (m *model) endWork(d *workDialog) {
	d.cancel()
	if m.dialog == d {
		m.closeDialog()
	}
}

// calledOff reports whether work was cancelled and left nothing behind.
func calledOff(err error) bool {
	var left *change.LeftError
	return errors.Is(err, context.Canceled) && !errors.As(err, &left)
}

// worked ends work in a dialog, and says when it failed.
func (m *model) worked(d *workDialog, what string, err error) (ok bool) {
	m.endWork(d)
	switch {
	case err == nil:
		return true
	case calledOff(err):
		m.say(what + " was cancelled; nothing is left behind")
	default:
		m.openDialog(&sayDialog{heading: what + " failed", reason: err.Error(), printed: d.out})
	}
	return false
}

// sayDialog says what failed, and what a program printed before.
type sayDialog struct {
	heading, reason string
	printed         *output // nil for nothing
}

func (d *sayDialog) title() string { return d.heading }

func (*sayDialog) foot() text.Line { return keysFoot("Esc", "close") }

func (*sayDialog) key(m *model, k keyed) []cmd {
	if k.name == "Enter" || k.name == "q" {
		return m.closeDialog()
	}
	return nil
}

func (d *sayDialog) body(_ *model, w int) content {
	out := paragraphs(d.reason, w, text.Bad)
	if d.printed != nil {
		if said := d.printed.lines(w); len(said) > 0 {
			out = append(append(out, nil), said...)
		}
	}
	return content{lines: out}
}

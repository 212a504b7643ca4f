package term

import (
	"time"

	"github.com/gdamore/tcell/v2"
	"github.com/rivo/tview"

	"coppice/session/terminal"
	"coppice/ui/term/input"
	"coppice/ui/theme"
)

// Program is what runs in a pane. Its methods are called on tview's loop, with no
// lock held, and Terminal from any goroutine.
type Program interface {
	// Terminal returns the screen of the program, never nil. It may be another
	// one later, when the pane was attached to the program anew.
	Terminal() *terminal.Terminal
	// Send queues input for the program, in order. It never blocks and does not
	// keep p.
	Send(p []byte)
	// Resize gives the terminal its size, then the program. It never blocks.
	Resize(columns, rows int)
}

// Options is what a Pane is made from.
type Options struct {
	Theme theme.Theme
	Copy  func(text string) // a person selected and copied text; called on tview's loop
	Now   func() time.Time
	// Glance leaves the program its size: the pane shows as much of the end of what
	// is written on its screen as it has room for, from the left.
	Glance bool
}

// Pane shows a program and gives it keys, pasted text, the mouse and the focus.
//
// It is a tview.Primitive, though its own Key, Paste, Mouse and SetFocus are
// meant to be called rather than tview's handlers. All methods belong to tview's
// loop but Changed and Due, which any goroutine may call.
type Pane struct {
	*tview.Box
	program Program
	copied  func(string)
	glance  bool
	now     func() time.Time

	asked   size // of the program
	focused bool
	reader  reader
	pointer pointer

	look  look
	frame frame
	shown shown
}

// size is a size that a terminal was given.
type size struct {
	of            *terminal.Terminal
	columns, rows int
}

// New returns a pane of a program. It has no size until SetRect.
func New(p Program, o Options) *Pane {
	return &Pane{
		Box: tview.NewBox(), program: p, copied: o.Copy, now: o.Now, glance: o.Glance,
		look: newLook(o.Theme), reader: reader{tail: o.Glance},
	}
}

// SetRect places the pane. The program gets the size if it is another one than
// before, unless the pane only glances at it.
func (p *Pane) SetRect(x, y, width, height int) {
	p.Box.SetRect(x, y, width, height)
	if width < 1 || height < 1 || p.glance {
		return
	}
	want := size{p.program.Terminal(), min(width, terminal.MaxColumns), min(height, terminal.MaxRows)}
	if p.asked.of != want.of {
		p.asked.of = want.of
		want.of.Look(func(v terminal.View) { p.asked.columns, p.asked.rows = v.Size() })
	}
	if p.asked != want {
		p.asked = want
		p.program.Resize(want.columns, want.rows)
	}
}

// Key takes a key that a person pressed in the pane.
func (p *Pane) Key(ev *tcell.EventKey) {
	if p.reader.on {
		p.read(func(v terminal.View) string { return p.reader.key(v, keyName(ev)) })
		return
	}
	var modes terminal.Modes
	var back bool // there is text to scroll back to
	p.view(func(v terminal.View) { modes, back = v.Modes(), v.Oldest() < v.Top() })
	if back && keyName(ev) == "Shift-PgUp" {
		p.read(func(v terminal.View) string {
			p.reader.start(v, true)
			return p.reader.key(v, "Shift-PgUp")
		})
		return
	}
	p.send(input.Key(ev, modes))
}

// Paste takes pasted text. The copy mode ends, unless it asks for a text.
func (p *Pane) Paste(text string) {
	if p.reader.on && p.reader.prompt.open {
		p.reader.prompt.add(text)
		p.touch()
		return
	}
	p.reader.stop()
	p.touch()
	p.send(input.Paste(text, p.modes()))
}

// SetFocus tells the pane whether it has the keyboard. The program hears of a
// change, if it asked for that.
func (p *Pane) SetFocus(on bool) {
	if on == p.focused {
		return
	}
	p.focused = on
	p.touch()
	if b := input.Focus(on, p.modes()); len(b) > 0 {
		p.program.Send(b)
	}
}

// Motion reports whether the program wants to hear of every movement of the
// mouse, also without a button.
func (p *Pane) Motion() bool { return p.modes().Mouse == terminal.MouseMotion }

// StartCopy begins the copy mode. One that scrolling began stays where it is, and
// does not end any more where it comes back to the end.
func (p *Pane) StartCopy() {
	if p.reader.brief = false; !p.reader.on {
		p.read(func(v terminal.View) string {
			p.reader.start(v, false)
			return ""
		})
	}
}

// send gives the program what a person typed or pasted. What was selected before
// is not any more.
func (p *Pane) send(b []byte) {
	if len(b) == 0 {
		return
	}
	if p.reader.selection.kind != nothing {
		p.reader.selection = selection{}
		p.touch()
	}
	p.program.Send(b)
}

// modes returns what the program has asked for.
func (p *Pane) modes() (m terminal.Modes) {
	p.view(func(v terminal.View) { m = v.Modes() })
	return m
}

// rect returns the pane's rectangle, never less than empty.
func (p *Pane) rect() (x, y, columns, rows int) {
	x, y, columns, rows = p.GetRect()
	return x, y, max(columns, 0), max(rows, 0)
}

// view looks at the program's terminal, after the copy mode has followed what
// became of the text.
func (p *Pane) view(f func(terminal.View)) {
	t := p.program.Terminal()
	_, _, _, rows := p.rect()
	t.Look(func(v terminal.View) {
		p.reader.follow(t, v, rows)
		f(v)
	})
}

// read lets f change what is read and selected; f returns what a person copied.
func (p *Pane) read(f func(terminal.View) string) {
	var text string
	p.view(func(v terminal.View) { text = f(v) })
	p.touch()
	if text != "" {
		p.copied(text)
	}
}

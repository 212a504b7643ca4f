package ui

import (
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/gdamore/tcell/v2"
)

const (
	// maxPaste is how many bytes of text one event carries. What is more comes in
	// the next one.
	maxPaste = 16 << 20
	// pasteTick is how often it is looked whether a paste goes on. It is over when
	// nothing came from one time to the next.
	pasteTick = time.Second
)

// pasteEvent is all text of one paste, in place of the keys that a terminal sends
// it as: tview would lose its line feeds. Every newline is a line feed. The text
// is what a stranger wrote; controls other than newline and Tab are not in it.
type pasteEvent struct {
	at   time.Time // when it began
	text string
}

// When returns when the paste began.
func (e *pasteEvent) When() time.Time { return e.at }

// paste collects the keys between the marks of a paste. It belongs to an inbox and
// its lock.
type paste struct {
	open  bool          // the start mark came, the end mark did not
	lost  bool          // the text is thrown away, since input was when some of it came
	quiet bool          // nothing came since the last tick
	at    time.Time     // when it began
	text  []byte        // so far
	late  []tcell.Event // input that came meanwhile and is no key
	tick  *time.Timer
}

// collect takes an event that is part of a paste, and reports whether it is. An
// unfinished paste comes out when another begins, when its keys stop coming, and
// at the end.
func (b *inbox) collect(ev tcell.Event) bool {
	p := &b.paste
	switch ev := ev.(type) {
	case nil:
		b.endPaste(false)
		return false
	case *tcell.EventPaste:
		b.endPaste(ev.End())
		if ev.Start() {
			b.beginPaste(ev.When())
		}
		return true
	case *tcell.EventKey:
		if p.open {
			b.pasteKey(ev)
		}
		return p.open
	case *tcell.EventMouse:
		if p.open && !p.lost && len(p.late) < maxEvents {
			p.late = append(p.late, ev)
		}
		return p.open
	}
	return false
}

// beginPaste begins a paste.
func (b *inbox) beginPaste(at time.Time) {
	p := &b.paste
	p.open, p.lost, p.quiet, p.at = true, b.held, false, at
	if p.tick == nil {
		p.tick = time.AfterFunc(pasteTick, b.tickPaste)
		return
	}
	p.tick.Reset(pasteTick)
}

// pasteKey adds the text of a key.
func (b *inbox) pasteKey(ev *tcell.EventKey) {
	p := &b.paste
	p.quiet = false
	if p.lost {
		return
	}
	if r := textOf(ev); r != 0 {
		p.text = utf8.AppendRune(p.text, r)
	}
	if len(p.text) >= maxPaste {
		b.deliverPaste()
	}
}

// textOf returns the character of a pasted text that a key stands for, 0 for other
// keys.
func textOf(ev *tcell.EventKey) rune {
	k, r := ev.Key(), ev.Rune()
	if k == tcell.KeyRune && !unicode.IsControl(r) {
		return r
	}
	if k == tcell.KeyTab || k == tcell.KeyEnter {
		return rune(k)
	}
	if k == tcell.KeyCtrlJ {
		return '\n'
	}
	return 0
}

// tickPaste ends a paste whose end mark does not come.
func (b *inbox) tickPaste() {
	b.mu.Lock()
	defer b.mu.Unlock()
	p := &b.paste
	switch {
	case !p.open:
	case p.quiet:
		b.endPaste(false)
	default:
		p.quiet = true
		p.tick.Reset(pasteTick)
	}
}

// endPaste ends a paste and delivers what it has: an empty text only if whole says
// that the paste is, since it is what pasting a picture looks like.
func (b *inbox) endPaste(whole bool) {
	p := &b.paste
	if !p.open {
		return
	}
	p.tick.Stop()
	if !p.lost && (whole || len(p.text) > 0) {
		b.deliverPaste()
	}
	b.queue = append(b.queue, p.late...)
	p.open, p.late = false, nil
	b.change.Broadcast()
}

// deliverPaste puts the text so far into the queue.
func (b *inbox) deliverPaste() {
	p := &b.paste
	text := strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(string(p.text))
	b.queue = append(b.queue, &pasteEvent{at: p.at, text: text})
	p.text = nil
	b.change.Broadcast()
}

// lose throws away what was pasted so far, and the rest of it when it comes.
func (p *paste) lose() { p.lost, p.text, p.late = true, nil, nil }

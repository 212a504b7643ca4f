package ui

import (
	"bytes"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gdamore/tcell/v2"

	"coppice/ui/screentest"
)

// feed puts events into an inbox: keys of a text, and marks.
func feed(b *inbox, text string) {
	for _, r := range text {
		switch r {
		case '<':
			b.add(tcell.NewEventPaste(true))
		case '>':
			b.add(tcell.NewEventPaste(false))
		case '\b', '\t', '\r', '\x7f':
			b.add(tcell.NewEventKey(tcell.Key(r), 0, 0))
		default:
			if r < ' ' { // as tcell has it
				b.add(tcell.NewEventKey(tcell.KeyCtrlSpace+tcell.Key(r), 0, tcell.ModCtrl))
				continue
			}
			b.add(tcell.NewEventKey(tcell.KeyRune, r, 0))
		}
	}
}

// taken ends an inbox and describes all that comes out of it.
func taken(b *inbox) string {
	b.add(nil)
	var out []string
	for ev := b.take(); ev != nil; ev = b.take() {
		switch ev := ev.(type) {
		case *pasteEvent:
			out = append(out, "<"+ev.text+">")
		case *tcell.EventKey:
			out = append(out, string(ev.Rune()))
		case *tcell.EventMouse:
			out = append(out, "mouse")
		case *tcell.EventResize:
			out = append(out, "resize")
		}
	}
	return strings.Join(out, " ")
}

func TestPasteIsOneEvent(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ in, want string }{
		"one":               {"a<one two>b", "a <one two> b"},
		"two":               {"<one><two>", "<one> <two>"},
		"empty":             {"a<>b", "a <> b"},
		"end without start": {"a>b", "a b"},
		"start without end": {"<one<two>a", "<one> <two> a"},
		"never ends":        {"a<one", "a <one>"},
		"nothing":           {"a<", "a"},
		"characters":        {"<é漢👩‍🍳>", "<é漢👩‍🍳>"},
		"newlines":          {"<a\nb\r\nc\rd\te>", "<a\nb\nc\nd\te>"},
		"controls":          {"<a\x01\x07\x7f\b\u009bb>", "<ab>"},
	} {
		b := newInbox()
		feed(b, c.in)
		if got := taken(b); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

// TestPasteAmongOthers checks that other input waits for the end of a paste, and
// that what is no input does not.
func TestPasteAmongOthers(t *testing.T) {
	t.Parallel()
	b := newInbox()
	feed(b, "<on")
	b.add(tcell.NewEventMouse(1, 1, tcell.ButtonPrimary, 0))
	b.add(tcell.NewEventResize(80, 24))
	feed(b, "e>a")
	if got, want := taken(b), "resize <one> mouse a"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestPasteInPieces checks that a paste of more than one event may carry comes
// whole, and that it waits for nobody.
func TestPasteInPieces(t *testing.T) {
	t.Parallel()
	b := newInbox()
	feed(b, strings.Repeat("a", maxEvents-1))
	feed(b, "<")
	b.paste.text = bytes.Repeat([]byte("x"), maxPaste-2)
	feed(b, "xxx>")
	for range maxEvents - 1 {
		b.take()
	}
	for _, want := range []int{maxPaste, 1} {
		if e, ok := b.take().(*pasteEvent); !ok || len(e.text) != want || strings.Trim(e.text, "x") != "" {
			t.Errorf("not %d bytes", want)
		}
	}
}

// TestPasteThatStops checks that a paste without an end is over when nothing has
// come for a while, not before, and that keys are keys then.
func TestPasteThatStops(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := newInbox()
		feed(b, "<")
		for range 10 {
			feed(b, "x")
			time.Sleep(pasteTick - time.Millisecond) // of a clock that does not wait
		}
		began := time.Now()
		if e, ok := b.take().(*pasteEvent); !ok || e.text != strings.Repeat("x", 10) {
			t.Error("it is not the text")
		}
		if waited := time.Since(began); waited > pasteTick {
			t.Errorf("it took %v", waited)
		}
		feed(b, "a<b")
		time.Sleep(3 * pasteTick)
		feed(b, "c>d<e>")
		if got, want := taken(b), "a <b> c d <e>"; got != want {
			t.Errorf("%q, want %q", got, want)
		}
	})
}

// TestPasteWhileHeld checks that nothing of a paste comes out that began or went
// on while input is thrown away.
func TestPasteWhileHeld(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ before, held, after, want string }{
		"before":     {"a<one>b", "", "c", "c"},
		"meanwhile":  {"", "a<one>b", "c", "c"},
		"goes on":    {"<one", " and", " more>c", "c"},
		"begins":     {"", "<one", " more>c", "c"},
		"ends":       {"<one", ">", "c<two>", "c <two>"},
		"the next":   {"<one", "", "<two>c", "<two> c"},
		"never ends": {"<one", "", "more", ""},
	} {
		b := newInbox()
		feed(b, c.before)
		b.hold(true)
		feed(b, c.held)
		b.hold(false)
		feed(b, c.after)
		if got := taken(b); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

// pasteInto pastes text into a real screen and returns what comes out.
func pasteInto(tb testing.TB, text string) string {
	term := screentest.New(tb, 40, 10)
	b, done := newInbox(), make(chan struct{})
	screen := screentest.NewScreen(tb, newTTY(term.Tty(), nil))
	if err := screen.Init(); err != nil {
		tb.Fatal(err)
	}
	screen.EnablePaste()
	go func() {
		defer close(done)
		b.fill(screen.PollEvent)
	}()
	defer func() { <-done }()
	defer screen.Fini()
	defer b.hold(true)
	term.Paste(text)
	for ev := b.take(); ev != nil; ev = b.take() {
		if e, ok := ev.(*pasteEvent); ok {
			return e.text
		}
	}
	return ""
}

// TestPasteThroughTheTerminal checks that 1 MB arrives once, in order, as it was,
// and that what is pasted cannot end the paste or stop the input.
func TestPasteThroughTheTerminal(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ in, want string }{
		"1 MB":      {strings.Repeat("a line of text, 漢字\n", 1<<20/24), strings.Repeat("a line of text, 漢字\n", 1<<20/24)},
		"indented":  {"if x {\n\ty()\r\n}\r", "if x {\n\ty()\n}\n"},
		"sequences": {"a\x1b[31mb\x1b]0;c\x1bPd\x1b_e\x1bOf", "a[31mb]0;cPd_eOf"},
	} {
		if got := pasteInto(t, c.in); got != c.want {
			t.Errorf("%s: %d bytes, want %d: %.80q", name, len(got), len(c.want), got)
		}
	}
}

func BenchmarkPaste(b *testing.B) {
	text := strings.Repeat("a line of text, 漢字\n", 1<<20/24)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		pasteInto(b, text)
	}
}

package ui

import (
	"errors"
	"fmt"
	"sync"

	"github.com/gdamore/tcell/v2"
	"github.com/rivo/uniseg"
)

// shadow is the screen that tview draws on. tview clears and draws everything
// anew each time, which tcell takes for a change of every cell; shadow remembers
// what was sent and hands on only cells that differ, so that a frame without a
// change costs no byte (report G12). It also keeps events away while the
// terminal belongs to somebody else, and notices when the terminal is gone.
//
// Its methods are called by tview: drawing on the loop, PollEvent beside it.
type shadow struct {
	tcell.Screen
	w, h   int
	now    []cell // being drawn
	clear  bool   // now is to be blank, but for what is drawn from here on
	sent   []cell // on the terminal
	ground tcell.Style
	all    bool   // send every cell: nobody knows what the terminal shows
	cursor cursor // being drawn
	placed cursor // on the terminal
	caret  caret  // where typed text goes while the cursor is hidden
	parked caret  // of the last frame
	mouse  bool   // the mouse is used at all
	moves  bool   // every motion of it is reported
	differ bool   // something has to be sent
	linked bool   // part of it is a link
	whole  bool   // the next frame is sent whole: another program wrote on the terminal

	once    sync.Once
	initErr error
	events  *inbox
	carried sync.Map // by its key, what a key of keyCarrier stands for
	spawn   func(func())
	lost    func(error) // called when the terminal is gone
	back    error       // how the last Resume went

	mu   sync.Mutex // writing to the terminal
	shut bool       // the terminal is not ours now
}

// cell is what one cell of the screen shows.
type cell struct {
	text  string
	width int // 0 for the right half of a wide cell that was never drawn by itself
	style tcell.Style
}

// cursor is where the cursor is, and what it looks like.
type cursor struct {
	x, y  int
	shape tcell.CursorStyle
}

// caret is where typed text goes, which an input method wants to know.
type caret struct {
	x, y int
	on   bool
}

// errNotOurs is returned for bytes that cannot be sent now.
var errNotOurs = errors.New("the terminal is in use")

// newShadow wraps a screen. spawn starts the goroutine that takes its events.
func newShadow(s tcell.Screen, spawn func(func()), lost func(error)) *shadow {
	return &shadow{Screen: s, spawn: spawn, lost: lost, events: newInbox()}
}

// Init initialises the terminal the first time it is called.
func (s *shadow) Init() error {
	s.once.Do(func() {
		if s.initErr = s.Screen.Init(); s.initErr == nil {
			s.EnableFocus()
			s.spawn(func() { s.events.fill(s.Screen.PollEvent) })
		}
	})
	return s.initErr
}

// fit follows the size of the terminal.
func (s *shadow) fit() {
	w, h := s.Size()
	if w == s.w && h == s.h {
		return
	}
	s.w, s.h = w, h
	s.now, s.sent = make([]cell, w*h), make([]cell, w*h)
	s.Fill(' ', s.ground)
}

// Clear blanks the drawing, as soon as something else is drawn or shown.
func (s *shadow) Clear() { s.clear = true }

// keep takes a Clear back: the last frame is this one, too.
func (s *shadow) keep() { s.clear = false }

// settle does what Clear put off.
func (s *shadow) settle() {
	if s.clear {
		s.Fill(' ', s.ground)
	}
}

// SetStyle sets the look of blank cells.
func (s *shadow) SetStyle(st tcell.Style) {
	s.ground = st
	s.Screen.SetStyle(st)
}

// Fill sets every cell.
func (s *shadow) Fill(r rune, st tcell.Style) {
	s.fit()
	s.clear = false
	c := cell{text: string(r), width: 1, style: st}
	for i := range s.now {
		s.now[i] = c
	}
}

// Put draws the first cluster of text.
func (s *shadow) Put(x, y int, text string, st tcell.Style) (string, int) {
	if text == "" {
		return "", 0
	}
	s.settle()
	first, rest, width := text, "", 1
	if len(text) > 1 || text[0] >= 0x80 {
		first, rest, width, _ = uniseg.FirstGraphemeClusterInString(text, -1)
	}
	if x >= 0 && y >= 0 && x < s.w && y < s.h {
		s.now[y*s.w+x] = cell{text: first, width: max(width, 1), style: st}
	}
	return rest, width
}

// SetContent draws one character.
func (s *shadow) SetContent(x, y int, r rune, comb []rune, st tcell.Style) {
	s.Put(x, y, string(append([]rune{r}, comb...)), st)
}

// PutStr draws text.
func (s *shadow) PutStr(x, y int, text string) { s.PutStrStyled(x, y, text, s.ground) }

// PutStrStyled draws text in a style.
func (s *shadow) PutStrStyled(x, y int, text string, st tcell.Style) {
	for text != "" && x < s.w {
		var w int
		text, w = s.Put(x, y, text, st)
		x += max(w, 1)
	}
}

// Get returns what a cell will show.
func (s *shadow) Get(x, y int) (string, tcell.Style, int) {
	if x < 0 || y < 0 || x >= s.w || y >= s.h {
		return "", tcell.StyleDefault, 0
	}
	s.settle()
	c := s.now[y*s.w+x]
	return c.text, c.style, c.width
}

// GetContent returns what a cell will show, as characters.
func (s *shadow) GetContent(x, y int) (rune, []rune, tcell.Style, int) {
	text, st, w := s.Get(x, y)
	if runes := []rune(text); len(runes) > 0 {
		return runes[0], runes[1:], st, w
	}
	return ' ', nil, st, 1
}

// Show sends the cells that differ.
func (s *shadow) Show() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.shut {
		return
	}
	s.settle()
	s.placeCursor()
	s.differ = s.differ || s.all
	for y := range s.h {
		s.row(y)
	}
	switch {
	case s.whole:
		s.Screen.Sync()
	case s.differ:
		s.Screen.Show()
	}
	s.closeLink()
	s.park()
	s.all, s.differ, s.whole, s.linked = false, false, false, false
}

// closeLink ends the link that the last cell of a frame may be part of: tcell
// forgets that it is open, and the next frame's cells would belong to it.
func (s *shadow) closeLink() {
	if tty, ok := s.Tty(); ok && s.linked {
		_, _ = tty.Write([]byte("\x1b]8;;\x1b\\"))
	}
}

// park puts a hidden cursor to the caret, where an input method opens (report
// G10). tcell moves it before it draws anything else.
func (s *shadow) park() {
	if s.cursor.x >= 0 || !s.caret.on || !s.differ && s.caret == s.parked {
		return
	}
	if tty, ok := s.Tty(); ok {
		_, _ = fmt.Fprintf(tty, "\x1b[%d;%dH", s.caret.y+1, s.caret.x+1)
		s.parked = s.caret
	}
}

// ShowCursor moves the cursor.
func (s *shadow) ShowCursor(x, y int) { s.cursor.x, s.cursor.y = x, y }

// SetCursorStyle chooses the shape of the cursor. It has the terminal's colour.
func (s *shadow) SetCursorStyle(shape tcell.CursorStyle, _ ...tcell.Color) { s.cursor.shape = shape }

// placeCursor hands the cursor on if it differs.
func (s *shadow) placeCursor() {
	if s.cursor == s.placed && !s.all {
		return
	}
	if s.cursor.shape != s.placed.shape || s.all {
		s.Screen.SetCursorStyle(s.cursor.shape)
	}
	s.Screen.ShowCursor(s.cursor.x, s.cursor.y)
	s.placed, s.differ = s.cursor, true
}

// HideCursor hides the cursor.
func (s *shadow) HideCursor() { s.ShowCursor(-1, -1) }

// row hands on the cells of a row that differ from what was sent. What a wide
// cell covers is not known afterwards.
func (s *shadow) row(y int) {
	now, sent := s.now[y*s.w:(y+1)*s.w], s.sent[y*s.w:(y+1)*s.w]
	for x := 0; x < s.w; x++ {
		c := now[x]
		if c != sent[x] || s.all {
			sent[x], s.differ = c, true
			s.linked = s.linked || c.style.Url("") != c.style
			s.Screen.Put(x, y, c.text, c.style)
		}
		for k := 1; k < c.width && x+1 < s.w; k++ {
			x++
			sent[x] = cell{}
		}
	}
}

// Sync sends every cell.
func (s *shadow) Sync() {
	s.whole = true
	s.Show()
}

// Suspend gives the terminal away; events are dropped from here on.
func (s *shadow) Suspend() error {
	s.quiet()
	s.mu.Lock()
	s.shut = true
	s.mu.Unlock()
	err := s.Screen.Suspend()
	if err != nil {
		s.reopen()
	}
	return err
}

// Resume takes the terminal back.
func (s *shadow) Resume() error {
	if s.back = s.Screen.Resume(); s.back == nil {
		s.reopen()
	}
	return s.back
}

// reopen lets frames through again, the next one whole.
func (s *shadow) reopen() {
	s.events.hold(false)
	s.mu.Lock()
	s.shut, s.all = false, true
	s.mu.Unlock()
}

// Fini gives the terminal away for good.
func (s *shadow) Fini() {
	s.quiet()
	s.mu.Lock()
	s.shut = true
	s.mu.Unlock()
	s.Screen.Fini()
}

// quiet stops events on their way, so that none holds tcell up.
func (s *shadow) quiet() {
	s.events.hold(true)
	if dev, ok := s.Tty(); ok {
		if dev, ok := dev.(*tty); ok {
			dev.quiet()
		}
	}
}

// keyCarrier is the key that stands for an event that tview would not hand on, so
// that it stays in order with the keys.
const keyCarrier tcell.Key = 1 << 13

// PollEvent waits for an event that is ours. A terminal that is gone is told
// through lost, and no event of it reaches tview (report G13).
func (s *shadow) PollEvent() tcell.Event {
	for {
		switch ev := s.events.take().(type) {
		case *tcell.EventError:
			s.lost(ev)
		case *pasteEvent, *tcell.EventFocus:
			key := tcell.NewEventKey(keyCarrier, 0, tcell.ModNone)
			s.carried.Store(key, ev)
			return key
		default:
			return ev
		}
	}
}

// event returns what a key stands for, once: another event, or itself.
func (s *shadow) event(key *tcell.EventKey) tcell.Event {
	if ev, ok := s.carried.LoadAndDelete(key); ok {
		return ev.(tcell.Event)
	}
	return key
}

// EnableMouse asks for buttons and drags only: a report of every motion would
// wake the dashboard for nothing.
func (s *shadow) EnableMouse(...tcell.MouseFlags) {
	s.mouse = true
	s.Screen.EnableMouse(tcell.MouseButtonEvents | tcell.MouseDragEvents)
}

// motion asks for a report of every motion of the mouse, or no longer: an agent
// wants it.
func (s *shadow) motion(all bool) {
	if all == s.moves || !s.mouse {
		return
	}
	s.moves = all
	flags := tcell.MouseButtonEvents | tcell.MouseDragEvents
	if all {
		flags |= tcell.MouseMotionEvents
	}
	s.Screen.EnableMouse(flags)
}

// send writes bytes to the terminal between two frames.
func (s *shadow) send(b []byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	tty, ok := s.Tty()
	if !ok || s.shut {
		return errNotOurs
	}
	_, err := tty.Write(b)
	return err
}

// seize takes the terminal from a screen that does not give it back.
func (s *shadow) seize() {
	if dev, ok := s.Tty(); ok {
		if dev, ok := dev.(*tty); ok {
			dev.seize()
		}
	}
}

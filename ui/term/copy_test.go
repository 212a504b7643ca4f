package term_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gdamore/tcell/v2"

	"coppice/session/terminal"
)

// numbered lets a program print rows that say which they are.
func (d *desk) numbered(from, to int) {
	for n := from; n <= to; n++ {
		d.program.prints(fmt.Sprintf("\r\nrow %d: some words", n))
	}
}

// TestCopyKeys presses keys in the copy mode. The program has printed rows 1 to
// 30 in a pane of 10 rows, and its cursor is at the end of row 30.
func TestCopyKeys(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		keys   string
		first  string // row of the pane
		copied string
		status string
	}{
		{"", "row 21: some words", "", "copy: row 31 of 31"},
		{"k", "row 21: some words", "", "copy: row 30 of 31"},
		{"<Up><Up><Down>", "row 21: some words", "", "copy: row 30 of 31"},
		{"<PgUp>", "row 12: some words", "", "copy: row 22 of 31"},
		{"<PgUp><PgDn>", "row 21: some words", "", "copy: row 31 of 31"},
		{"g", "", "", "copy: row 1 of 31"},
		{"gjG", "row 21: some words", "", "copy: row 31 of 31"},
		{"kkkkkkkkkkk", "row 19: some words", "", "copy: row 20 of 31"},
		{"gj0vlly", "row 21: some words", "row", ""},
		{"gj0v$y", "row 21: some words", "row 1: some words", ""},
		{"gj0wvwhhy", "row 21: some words", "1:", ""},
		{"gj0wwvw<Left><Left><Enter>", "row 21: some words", "some", ""},
		{"gj$bvy", "row 21: some words", "w", ""},
		{"gj$bbvby", "row 21: some words", "1: s", ""},
		{"gjVjjy", "row 21: some words", "row 1: some words\nrow 2: some words\nrow 3: some words", ""},
		{"gjVjj", "", "", "copy: row 4 of 31, 3 lines selected"},
		{"gjvV", "", "", "copy: row 2 of 31, 1 line selected"},
		{"gjvv", "", "", "copy: row 2 of 31"},
		{"gj0ll<C-v>jjlly", "row 21: some words", "w 1\nw 2\nw 3", ""},
		{"gjjj0ll<C-v>kkhhy", "row 21: some words", "row\nrow\nrow", ""},
		{"y", "row 21: some words", "", "copy: row 31 of 31, nothing is selected: v, V or Ctrl-V begins"},
		{"gq", "row 21: some words", "", ""},
		{"gv<Esc>", "row 21: some words", "", ""},
		{"/", "row 21: some words", "", "/"},
		{"?ro", "row 21: some words", "", "?ro"},
		{"/rox<BS>w<C-u>a<Esc>", "row 21: some words", "", "copy: row 31 of 31"},
		{"/<BS>", "row 21: some words", "", "copy: row 31 of 31"},
		{"?row 7<Enter>", "row 2: some words", "", "copy: row 8 of 31"},
		{"/row 7<Enter>", "row 2: some words", "", "copy: row 8 of 31, went on at the top"},
		{"?row 7<Enter>v$y", "row 21: some words", "row 7: some words", ""},
		{"g/row<Enter>n", "", "", "copy: row 3 of 31"},
		{"g/row<Enter>nnN", "", "", "copy: row 3 of 31"},
		{"?row<Enter>nN", "row 21: some words", "", "copy: row 31 of 31"},
		{"?row<Enter>/<Enter>", "", "", "copy: row 2 of 31, went on at the top"},
		{"n", "row 21: some words", "", "copy: row 31 of 31, nothing was searched for"},
		{"/absent<Enter>", "row 21: some words", "", "copy: row 31 of 31, not found: absent"},
	} {
		t.Run(c.keys, func(t *testing.T) {
			t.Parallel()
			d := newDesk(t, 30, 10)
			d.numbered(1, 30)
			d.pane.StartCopy()
			d.press(keys(c.keys)...)
			d.draw()
			if got := strings.Join(d.copied, "|"); got != c.copied {
				t.Errorf("copied %q instead of %q", got, c.copied)
			}
			if got := d.pane.Status(); got != c.status {
				t.Errorf("status %q instead of %q", got, c.status)
			}
			if got, _, _ := strings.Cut(d.text(), "\n"); got != c.first && c.first != "" {
				t.Errorf("the first row is %q instead of %q", got, c.first)
			}
			if got := d.program.take(); got != "" {
				t.Errorf("the program got %q", got)
			}
		})
	}
}

// TestNewOutputMovesNothing reads while a program prints.
func TestNewOutputMovesNothing(t *testing.T) {
	t.Parallel()
	d := newDesk(t, 30, 10)
	d.numbered(1, 100)
	d.press(keys("<S-PgUp><S-PgUp>")...)
	d.press(keys("kkV")...)
	d.draw()
	before := d.text()
	d.numbered(101, 190)
	d.draw()
	if got := d.text(); got != before {
		t.Errorf("it showed\n%sand shows\n%s", before, got)
	}
	d.press(keys("y")...)
	if want := "row 80: some words"; len(d.copied) != 1 || d.copied[0] != want {
		t.Errorf("copied %q", d.copied)
	}
	d.draw()
	if !strings.HasPrefix(d.text(), "row 181:") {
		t.Errorf("afterwards it shows\n%s", d.text())
	}
	// Rows that are not kept any longer are let go.
	d.press(keys("<S-PgUp><PgUp>V")...)
	d.numbered(191, 600)
	d.draw()
	if got, want := d.pane.Status(), "copy: row 1 of 210"; !strings.HasPrefix(got, want) {
		t.Errorf("status %q", got)
	}
	d.press(keys("y")...)
	if strings.Contains(d.copied[len(d.copied)-1], "row 1") {
		t.Errorf("copied %q", d.copied)
	}
}

// TestCopyModeFollowsTheText changes the size and the screen while a person reads.
func TestCopyModeFollowsTheText(t *testing.T) {
	t.Parallel()
	d := newDesk(t, 30, 10)
	d.numbered(1, 50)
	d.pane.StartCopy()
	d.press(keys("?row 20<Enter>v")...)
	d.columns = 12 // each row becomes two
	d.draw()
	d.draw()
	if got := d.pane.Status(); !strings.HasPrefix(got, "copy: row ") || strings.Contains(got, "selected") {
		t.Errorf("status %q after a change of the width", got)
	}
	d.program.prints("\x1b[?1049h")
	if got := d.pane.Status(); got != "" {
		t.Errorf("status %q on the alternate screen", got)
	}
	d.press(keys("<S-PgUp>")...)
	if got := d.program.take(); got == "" {
		t.Error("a key was kept although there is nothing to scroll")
	}
}

// TestScrollingBackEnds goes back by page and comes to the end again.
func TestScrollingBackEnds(t *testing.T) {
	t.Parallel()
	d := newDesk(t, 30, 10)
	d.press(keys("<S-PgUp>")...)
	if d.program.take() == "" || d.pane.Status() != "" {
		t.Error("there is nothing to scroll back to")
	}
	d.numbered(1, 50)
	d.press(keys("<S-PgUp><S-PgUp>")...)
	if d.pane.Status() == "" {
		t.Error("not in copy mode")
	}
	d.press(keys("<S-PgDn><S-PgDn>")...)
	if got := d.pane.Status(); got != "" {
		t.Errorf("status %q at the end", got)
	}
	d.press(keys("x")...)
	if got := d.program.take(); got != "x" {
		t.Errorf("the program got %q", got)
	}
}

// TestWideCharactersInCopyMode moves over characters of two columns.
func TestWideCharactersInCopyMode(t *testing.T) {
	t.Parallel()
	d := newDesk(t, 12, 4)
	d.program.prints("漢字 가나\r\nab é\x1b[1;1H")
	d.pane.StartCopy()
	d.press(keys("lvly")...)
	d.pane.StartCopy()
	d.press(keys("j$vky")...)
	d.pane.StartCopy()
	d.press(keys("jlk<C-v>jy")...)
	if got, want := fmt.Sprintf("%q", d.copied), `["字 " "字 가나\nab é" "漢\nab"]`; got != want {
		t.Errorf("copied %s instead of %s", got, want)
	}
}

// TestWrappedLines: a line is one, however it is wrapped.
func TestWrappedLines(t *testing.T) {
	t.Parallel()
	d := newDesk(t, 5, 6)
	d.program.prints("ab cdef gh\r\nij漢漢\x1b[1;1H")
	d.pane.StartCopy()
	for i, c := range []struct{ keys, status string }{
		{"w", "row 1 of 6"},  // cdef
		{"w", "row 2 of 6"},  // gh
		{"b", "row 1 of 6"},  // cdef, which begins in the row above
		{"ww", "row 3 of 6"}, // ij
		{"b", "row 2 of 6"},
	} {
		d.press(keys(c.keys)...)
		if got := d.pane.Status(); got != "copy: "+c.status {
			t.Errorf("%d: after %q: status %q", i, c.keys, got)
		}
	}
	d.press(keys("Vy")...)
	if got := d.copied[0]; got != "ab cdef gh" {
		t.Errorf("copied %q", got)
	}
	found := func() string {
		d.draw()
		return d.marked(terminal.Bold)
	}
	d.pane.StartCopy()
	d.press(keys("?def<Enter>")...)
	if got := found(); got != "def" {
		t.Errorf("found %q", got)
	}
	d.press(keys("/j漢漢<Enter>")...)
	if got := found(); got != "j漢 漢" { // with the place that the second one found no room in
		t.Errorf("found %q", got)
	}
	d.press(keys("q")...)
	d.pane.StartCopy()
	if got := found(); got != "" {
		t.Errorf("found %q before anything was searched for again", got)
	}
}

// marked returns the text that is shown with an attribute.
func (d *desk) marked(a terminal.Attr) (text string) {
	d.outer.screen.Look(func(v terminal.View) {
		for y := range d.rows {
			for _, c := range v.Row(v.Top() + d.top + y).Cells {
				if c.Attr()&a != 0 {
					text += v.Text(c)
				}
			}
		}
	})
	return text
}

// TestMarksAreVisible looks at how a selection and found text are drawn.
func TestMarksAreVisible(t *testing.T) {
	t.Parallel()
	d := newDesk(t, 30, 6)
	d.program.prints("\x1b[31mone Two one\r\nthree one t\x1b[32mwo")
	d.pane.StartCopy()
	d.press(keys("/two<Enter>gvl")...)
	d.draw()
	reversed, bold := d.marked(terminal.Reverse), d.marked(terminal.Bold)
	if reversed != "on" || bold != "Twotwo" {
		t.Errorf("selected %q, found %q", reversed, bold)
	}
}

// TestCtrlAsModifier: a terminal can report Ctrl as a modifier of a character.
func TestCtrlAsModifier(t *testing.T) {
	t.Parallel()
	d := newDesk(t, 30, 6)
	d.program.prints("words")
	d.pane.StartCopy()
	d.press(tcell.NewEventKey(tcell.KeyRune, 'v', tcell.ModCtrl))
	if got := d.pane.Status(); got != "copy: row 1 of 6, 1 line selected" {
		t.Errorf("status %q", got)
	}
	d.press(tcell.NewEventKey(tcell.KeyRune, 'G', tcell.ModShift))
	if got := d.pane.Status(); got != "copy: row 6 of 6, 6 lines selected" {
		t.Errorf("status %q after a character with Shift", got)
	}
	d.press(tcell.NewEventKey(tcell.KeyRune, 'q', tcell.ModAlt))
	if d.pane.Status() == "" {
		t.Error("Alt was ignored")
	}
}

// TestPaste gives pasted text to whom it is for.
func TestPaste(t *testing.T) {
	t.Parallel()
	d := newDesk(t, 30, 6)
	d.numbered(1, 20)
	d.pane.StartCopy()
	d.press(keys("?")...)
	d.pane.Paste("row 7\nand more")
	if got := d.pane.Status(); got != "?row 7" || d.program.take() != "" {
		t.Errorf("status %q", got)
	}
	d.press(keys("<Enter>")...)
	d.pane.Paste("a\nb")
	if got := d.program.take(); got != "a\rb" || d.pane.Status() != "" {
		t.Errorf("the program got %q", got)
	}
	big := strings.Repeat("0123456789abcde\n", 1<<16)
	d.program.prints("\x1b[?2004h")
	d.pane.Paste(big)
	if got := d.program.take(); got != "\x1b[200~"+strings.ReplaceAll(big, "\n", "\r")+"\x1b[201~" {
		t.Errorf("the program got %d bytes", len(got))
	}
}

// TestCopyCursor looks where the cursor is.
func TestCopyCursor(t *testing.T) {
	t.Parallel()
	d := newDesk(t, 30, 6)
	d.program.prints("漢字 text\x1b[1;2H\x1b[5 q")
	d.pane.SetFocus(true)
	cursor := func() (c terminal.Cursor) {
		d.draw()
		d.outer.screen.Look(func(v terminal.View) { c = v.Cursor() })
		return c
	}
	at := func(column, row int, shape terminal.Shape) terminal.Cursor {
		return terminal.Cursor{Column: d.left + column, Row: d.top + row, Visible: true, Shape: shape}
	}
	if got, want := cursor(), at(0, 0, terminal.BlinkingBar); got != want {
		t.Errorf("on a wide character: %+v", got)
	}
	d.program.prints("\x1b[?25l\x1b[3;4H")
	if got := cursor(); got.Visible {
		t.Errorf("hidden: %+v", got)
	}
	if x, y, ok := d.pane.Caret(); !ok || x != d.left+3 || y != d.top+2 {
		t.Errorf("typed text goes to %d, %d, %t (report G10)", x, y, ok)
	}
	d.pane.StartCopy()
	d.press(keys("k")...)
	if got, want := cursor(), at(3, 1, terminal.UsualShape); got.Column != want.Column || got.Row != want.Row || !got.Visible {
		t.Errorf("in copy mode: %+v", got)
	}
	d.press(keys("q")...)
	d.pane.SetFocus(false)
	d.screen.ShowCursor(1, 1)
	if got := cursor(); got.Column != 1 || got.Row != 1 {
		t.Errorf("without focus: %+v", got)
	}
}

// TestFocusIsToldOnce: only a change is one (findings: a click made the program
// hear that the focus went and came).
func TestFocusIsToldOnce(t *testing.T) {
	t.Parallel()
	d := newDesk(t, 30, 6)
	d.pane.SetFocus(true)
	d.program.prints("\x1b[?1004h")
	d.pane.SetFocus(true)
	if got := d.program.take(); got != "" {
		t.Errorf("without a change: %q", got)
	}
	d.pane.SetFocus(false)
	d.pane.SetFocus(false)
	d.pane.SetFocus(true)
	if got := d.program.take(); got != "\x1b[O\x1b[I" {
		t.Errorf("the program got %q", got)
	}
}

// TestSizeIsToldOnce: SIGWINCH only if the size changed (report G8).
func TestSizeIsToldOnce(t *testing.T) {
	t.Parallel()
	d := newDesk(t, 30, 6)
	d.draw()
	d.pane.SetRect(9, 9, 30, 6)
	d.pane.SetRect(9, 9, 0, 0)
	d.pane.SetRect(9, 9, -3, 5)
	d.pane.Draw(d.screen)
	if len(d.program.sizes) != 0 {
		t.Errorf("sizes %v for the one that it had", d.program.sizes)
	}
	d.pane.SetRect(0, 0, 31, 6)
	d.pane.SetRect(0, 0, 2000, 2000)
	d.pane.SetRect(0, 0, 2000, 3000)
	if got := fmt.Sprint(d.program.sizes); got != "[[31 6] [1000 500]]" {
		t.Errorf("sizes %v", got)
	}
	d.program.screen = terminal.New(terminal.Options{Columns: 1000, Rows: 500})
	d.pane.SetRect(0, 0, 2000, 3000)
	d.program.screen = terminal.New(terminal.Options{Columns: 80, Rows: 24})
	d.pane.SetRect(0, 0, 2000, 3000)
	if got := fmt.Sprint(d.program.sizes); got != "[[31 6] [1000 500] [1000 500]]" {
		t.Errorf("sizes %v after the program got another terminal", got)
	}
}

// TestKeysGoToTheProgram is a smoke test: input has the table.
func TestKeysGoToTheProgram(t *testing.T) {
	t.Parallel()
	d := newDesk(t, 30, 6)
	d.press(tcell.NewEventKey(tcell.KeyRune, 'a', tcell.ModNone), tcell.NewEventKey(tcell.KeyUp, 0, tcell.ModNone))
	d.program.prints("\x1b[?1h")
	d.press(tcell.NewEventKey(tcell.KeyUp, 0, tcell.ModNone))
	if got := d.program.take(); got != "a\x1b[A\x1bOA" {
		t.Errorf("the program got %q", got)
	}
}

package term_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/gdamore/tcell/v2"

	"coppice/session/terminal"
)

const (
	left  = tcell.ButtonPrimary
	none  = tcell.ButtonNone
	shift = tcell.ModShift
)

// gesture sends events: "x,y" presses there or drags there, "up" lets go, "wait"
// lets time pass.
func (d *desk) gesture(mods tcell.ModMask, steps string) {
	d.t.Helper()
	var x, y int
	for step := range strings.FieldsSeq(steps) {
		switch step {
		case "up":
			d.mouse(x, y, none, mods)
		case "wait":
			d.clock = d.clock.Add(time.Second)
		default:
			if _, err := fmt.Sscanf(step, "%d,%d", &x, &y); err != nil {
				d.t.Fatal(err)
			}
			d.mouse(x, y, left, mods)
		}
	}
}

func TestMouseSelects(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ steps, want string }{
		{"0,0 up", ""},
		{"0,0 2,0 up", "one"},
		{"2,0 0,0 up", "one"},
		{"0,0 2,0 0,0 up", "o"},
		{"4,0 2,1 up", "two-x 漢字\nlin"},
		{"4,0 up 4,0 up", "two-x"},
		{"4,0 up wait 4,0 up", ""},
		{"4,0 up 5,0 up", ""},
		{"4,0 up 4,0 11,0 up", "two-x 漢字"},
		{"0,1 up 0,1 up 0,1 up", "line that is long and goes on"},
		{"0,1 up 0,1 up 0,1 up 0,1 up", ""},
		{"10,0 11,0 up", "漢"},
		{"11,0 12,0 up", "漢字"},
		{"0,0 90,90 up", "one two-x 漢字\nline that is long and goes on\n\n"},
		{"5,1 -9,-9 up", "one two-x 漢字\nline t"},
	} {
		t.Run(c.steps, func(t *testing.T) {
			t.Parallel()
			for _, how := range []struct {
				modes string
				mods  tcell.ModMask
			}{{"", 0}, {"\x1b[?1003h\x1b[?1006h", shift}} {
				d := newDesk(t, 20, 5)
				d.program.prints("one two-x 漢字\r\nline that is long and goes on" + how.modes)
				d.gesture(how.mods, c.steps)
				got := ""
				if n := len(d.copied); n > 0 {
					got = d.copied[n-1]
				}
				if strings.HasSuffix(c.steps, "0,1 up 0,1 up 0,1 up 0,1 up") && len(d.copied) == 2 {
					got = "" // the fourth click is a first one
				}
				if got != c.want {
					t.Errorf("copied %q instead of %q", got, c.want)
				}
				if sent := d.program.take(); sent != "" {
					t.Errorf("the program got %q", sent)
				}
				if status := d.pane.Status(); status != "" {
					t.Errorf("status %q", status)
				}
			}
		})
	}
}

// TestDragHoldsStill drags while the program prints, and scrolls by dragging out
// of the pane.
func TestDragHoldsStill(t *testing.T) {
	t.Parallel()
	d := newDesk(t, 30, 10)
	d.numbered(1, 50)
	d.gesture(0, "0,5 2,5")
	d.numbered(51, 80)
	d.gesture(0, "5,5 up")
	if got := fmt.Sprintf("%q", d.copied); got != `["row 46"]` {
		t.Errorf("copied %s", got)
	}
	d.draw()
	if !strings.HasPrefix(d.text(), "row 71:") {
		t.Errorf("after the drag it shows\n%s", d.text())
	}
	d.gesture(0, "2,0 2,-1 1,-1 0,-1 up")
	if got := d.copied[1]; !strings.HasPrefix(got, "row 68") || !strings.HasSuffix(got, "row") {
		t.Errorf("copied %q", got)
	}
	// What was selected is visible until something else happens.
	d.draw()
	if got := d.marked(terminal.Reverse); got == "" || d.pane.Status() != "" {
		t.Errorf("status %q, marked %q", d.pane.Status(), got)
	}
	d.press(keys("x")...)
	d.draw()
	if got := d.marked(terminal.Reverse); got != "" || d.program.take() != "x" {
		t.Errorf("after a key for the program %q is selected", got)
	}
}

func TestWheel(t *testing.T) {
	t.Parallel()
	d := newDesk(t, 30, 10)
	turn := func(button tcell.ButtonMask, mods tcell.ModMask, n int) {
		for range n {
			d.mouse(4, 4, button, mods)
		}
	}
	turn(tcell.WheelUp, 0, 1)
	turn(tcell.WheelDown, 0, 1)
	if d.pane.Status() != "" || d.program.take() != "" {
		t.Error("there was nothing to scroll")
	}
	d.numbered(1, 50)
	turn(tcell.WheelUp, 0, 2)
	turn(tcell.WheelLeft, 0, 1)
	d.draw()
	if !strings.HasPrefix(d.text(), "row 35:") || d.pane.Status() == "" {
		t.Errorf("two steps back:\n%s", d.text())
	}
	turn(tcell.WheelDown, 0, 2)
	if d.pane.Status() != "" {
		t.Error("at the end the copy mode goes on")
	}
	d.program.prints("\x1b[?1000h\x1b[?1006h")
	turn(tcell.WheelUp, 0, 1)
	if got := d.program.take(); got != "\x1b[<64;5;5M" {
		t.Errorf("the program got %q", got)
	}
	turn(tcell.WheelUp, shift, 1)
	if got := d.program.take(); got != "" || d.pane.Status() == "" {
		t.Errorf("with Shift the program got %q", got)
	}
	d.program.prints("\x1b[?1000l\x1b[?1049h\x1b[?1h")
	turn(tcell.WheelDown, 0, 1)
	if got := d.program.take(); got != "\x1bOB\x1bOB\x1bOB" {
		t.Errorf("on the alternate screen the program got %q", got)
	}
}

// TestMouseOfTheProgram: what began in the pane ends there, and what did not is
// not the pane's.
func TestMouseOfTheProgram(t *testing.T) {
	t.Parallel()
	d := newDesk(t, 30, 10)
	d.program.prints("\x1b[?1002h\x1b[?1006h")
	if d.mouse(-1, 0, left, 0) || d.mouse(30, 0, none, 0) || d.mouse(0, 10, left, 0) {
		t.Error("took an event outside")
	}
	d.mouse(0, 10, none, 0)
	if !d.mouse(1, 2, left, 0) || !d.mouse(99, 99, left, 0) || !d.mouse(-99, 3, none, 0) {
		t.Error("a drag was let go")
	}
	if d.mouse(-1, 0, none, 0) {
		t.Error("took a movement outside")
	}
	d.mouse(-1, 0, left, 0)
	if d.mouse(2, 2, left, 0) || !d.mouse(2, 2, none, 0) {
		t.Error("took a drag that began outside")
	}
	want := "\x1b[<0;2;3M\x1b[<32;30;10M\x1b[<0;1;4m"
	if got := d.program.take(); got != want {
		t.Errorf("the program got %q instead of %q", got, want)
	}
	if d.pane.Motion() {
		t.Error("the program does not want all motion")
	}
	d.program.prints("\x1b[?1003h")
	if !d.pane.Motion() {
		t.Error("the program wants all motion")
	}
	d.mouse(4, 4, none, 0)
	if got := d.program.take(); got != "\x1b[<35;5;5M" {
		t.Errorf("the program got %q", got)
	}
	// In copy mode the mouse is the person's.
	d.pane.StartCopy()
	d.gesture(0, "0,0 3,0 up")
	if got := d.program.take(); got != "" || d.pane.Status() == "" {
		t.Errorf("in copy mode the program got %q", got)
	}
}

// TestLinksOfOneID: cells of one link belong together outside, too, by an id that
// is not the program's.
func TestLinksOfOneID(t *testing.T) {
	t.Parallel()
	d := newDesk(t, 40, 4)
	d.program.prints("\x1b]8;id=1;http://a.example\x1b\\a\x1b]8;;\x1b\\ \x1b]8;id=1;http://a.example\x1b\\a\x1b]8;id=1;http://b.example\x1b\\b")
	d.draw()
	var ids []string
	d.outer.screen.Look(func(v terminal.View) {
		for _, x := range []int{0, 2, 3} {
			ids = append(ids, v.Link(v.Row(v.Top() + d.top).Cells[d.left+x]).ID)
		}
	})
	if ids[0] != ids[1] || ids[0] == ids[2] || ids[0] == "1" || ids[0] == "" {
		t.Errorf("ids %q", ids)
	}
}

// TestLinksThatLie: a person can read where a link leads.
func TestLinksThatLie(t *testing.T) {
	t.Parallel()
	d := newDesk(t, 40, 4)
	d.program.prints("see \x1b]8;;https://evil.example/x\x1b\\https://good.example\x1b]8;;\x1b\\ and \x1b]8;;run:rm\x1b\\this\x1b]8;;\x1b\\")
	d.mouse(6, 0, none, 0)
	if got := d.pane.Status(); got != "link: https://evil.example/x" {
		t.Errorf("status %q", got)
	}
	d.mouse(2, 0, none, 0)
	if got := d.pane.Status(); got != "" {
		t.Errorf("status %q beside the link", got)
	}
	d.mouse(6, 0, none, 0)
	d.mouse(-1, 0, none, 0)
	if got := d.pane.Status(); got != "" {
		t.Errorf("status %q after the mouse left", got)
	}
	d.pane.StartCopy()
	d.press(keys("0$b")...)
	if got := d.pane.Status(); !strings.HasSuffix(got, ", link: run:rm") {
		t.Errorf("status %q", got)
	}
}

package input_test

import (
	"strings"
	"testing"

	"github.com/gdamore/tcell/v2"

	"coppice/session/terminal"
	"coppice/ui/term/input"
)

// Events of a mouse, for short.
const (
	none   = tcell.ButtonNone
	left   = tcell.ButtonPrimary
	middle = tcell.ButtonMiddle
	right  = tcell.ButtonSecondary
)

// deed is one event of the mouse and what it reports.
type deed struct {
	button tcell.ButtonMask
	mods   tcell.ModMask
	x, y   int
	want   string
}

// sgr is the mode with the encoding that most programs choose.
func sgr(m terminal.Mouse) terminal.Modes {
	return terminal.Modes{Mouse: m, MouseEncoding: terminal.MouseSGR}
}

// encoded is another encoding of mode 1003.
func encoded(e terminal.MouseEncoding) terminal.Modes {
	return terminal.Modes{Mouse: terminal.MouseMotion, MouseEncoding: e}
}

func TestMouse(t *testing.T) {
	t.Parallel()
	const all = tcell.ModShift | tcell.ModAlt | tcell.ModCtrl
	for name, c := range map[string]struct {
		modes terminal.Modes
		deeds []deed
	}{
		"nobody asked": {sgr(terminal.NoMouse), []deed{{left, 0, 1, 1, ""}, {none, 0, 1, 1, ""}, {tcell.WheelUp, 0, 1, 1, ""}}},
		"X10": {terminal.Modes{Mouse: terminal.MouseX10}, []deed{
			{left, all, 0, 0, "\x1b[M !!"},
			{left, 0, 1, 0, ""},
			{none, 0, 1, 0, ""},
			{middle, 0, 2, 3, "\x1b[M!#$"},
			{none, 0, 2, 3, ""},
			{right, 0, 0, 0, "\x1b[M\"!!"},
			{tcell.WheelUp, 0, 0, 0, ""},
		}},
		"buttons": {sgr(terminal.MouseButtons), []deed{
			{none, 0, 4, 4, ""},
			{left, 0, 4, 5, "\x1b[<0;5;6M"},
			{left, 0, 7, 5, ""},
			{none, 0, 7, 5, "\x1b[<0;8;6m"},
			{middle, 0, 0, 0, "\x1b[<1;1;1M"},
			{none, 0, 0, 0, "\x1b[<1;1;1m"},
			{right, 0, 0, 0, "\x1b[<2;1;1M"},
			{none, 0, 0, 0, "\x1b[<2;1;1m"},
			{none, 0, 0, 0, ""},
		}},
		"drag": {sgr(terminal.MouseDrag), []deed{
			{none, 0, 3, 3, ""},
			{right, 0, 4, 5, "\x1b[<2;5;6M"},
			{right, 0, 4, 5, ""},
			{right, 0, 5, 5, "\x1b[<34;6;6M"},
			{right, tcell.ModCtrl, 6, 5, "\x1b[<50;7;6M"},
			{none, 0, 6, 5, "\x1b[<2;7;6m"},
			{none, 0, 7, 5, ""},
		}},
		"motion": {sgr(terminal.MouseMotion), []deed{
			{none, 0, 3, 3, "\x1b[<35;4;4M"},
			{none, 0, 3, 3, ""},
			{none, tcell.ModShift, 4, 3, "\x1b[<39;5;4M"},
			{left, 0, 4, 3, "\x1b[<0;5;4M"},
			{left, 0, 4, 4, "\x1b[<32;5;5M"},
			{none, 0, 4, 4, "\x1b[<0;5;5m"},
		}},
		"two buttons": {sgr(terminal.MouseDrag), []deed{
			{left, 0, 1, 1, "\x1b[<0;2;2M"},
			{right, 0, 1, 1, "\x1b[<2;2;2M"},
			{right, 0, 2, 1, "\x1b[<34;3;2M"},
			{none, 0, 2, 1, "\x1b[<0;3;2m\x1b[<2;3;2m"},
			{none, 0, 2, 1, ""},
		}},
		"modifiers and the wheel": {sgr(terminal.MouseButtons), []deed{
			{left, tcell.ModShift, 0, 0, "\x1b[<4;1;1M"},
			{none, tcell.ModAlt, 0, 0, "\x1b[<8;1;1m"},
			{left, all, 0, 0, "\x1b[<28;1;1M"},
			{tcell.WheelUp, 0, 9, 9, "\x1b[<64;10;10M"},
			{tcell.WheelUp, 0, 9, 9, "\x1b[<64;10;10M"},
			{tcell.WheelDown, tcell.ModCtrl, 9, 9, "\x1b[<81;10;10M"},
			{tcell.WheelLeft, 0, 9, 9, "\x1b[<66;10;10M"},
			{tcell.WheelRight, 0, 9, 9, "\x1b[<67;10;10M"},
			{none, 0, 0, 0, "\x1b[<0;1;1m"},
		}},
		"bytes": {encoded(terminal.MouseBytes), []deed{
			{left, 0, 0, 0, "\x1b[M !!"},
			{none, 0, 9, 0, "\x1b[M#*!"},
			{tcell.WheelDown, all, 222, 222, "\x1b[M\x7d\xff\xff"},
			{tcell.WheelDown, 0, 223, 0, ""},
			{tcell.WheelDown, 0, 0, 223, ""},
			{left, 0, 223, 0, ""},
			{none, 0, 1, 0, "\x1b[M#\"!"},
		}},
		"UTF-8": {encoded(terminal.MouseUTF8), []deed{
			{left, 0, 0, 94, "\x1b[M !\x7f"},
			{left, 0, 95, 2014, "\x1b[M@\u0080\u07ff"},
			{none, 0, 300, 0, "\x1b[M#\u014d!"},
			{tcell.WheelUp, 0, 2015, 0, ""},
		}},
		"URXVT": {encoded(terminal.MouseURXVT), []deed{
			{left, 0, 299, 0, "\x1b[32;300;1M"},
			{left, 0, 300, 0, "\x1b[64;301;1M"},
			{none, 0, 300, 0, "\x1b[35;301;1M"},
			{tcell.WheelDown, 0, 0, 0, "\x1b[97;1;1M"},
		}},
		"outside": {sgr(terminal.MouseButtons), []deed{{left, 0, -3, -1, "\x1b[<0;1;1M"}, {none, 0, 5000, 7000, "\x1b[<0;5001;7001m"}}},
		"arrows": {terminal.Modes{Alternate: true, WheelArrows: true, AppCursor: true}, []deed{
			{tcell.WheelUp, 0, 0, 0, "\x1bOA\x1bOA\x1bOA"},
			{tcell.WheelDown, 0, 0, 0, "\x1bOB\x1bOB\x1bOB"},
			{tcell.WheelLeft, 0, 0, 0, "\x1bOD\x1bOD\x1bOD"},
			{tcell.WheelRight, 0, 0, 0, "\x1bOC\x1bOC\x1bOC"},
			{left, 0, 0, 0, ""},
			{none, 0, 0, 0, ""},
		}},
		"no arrows on the main screen": {terminal.Modes{WheelArrows: true}, []deed{{tcell.WheelUp, 0, 0, 0, ""}}},
		"no arrows if switched off":    {terminal.Modes{Alternate: true}, []deed{{tcell.WheelUp, 0, 0, 0, ""}}},
	} {
		var mouse input.Mouse
		for i, d := range c.deeds {
			ev := tcell.NewEventMouse(77, 78, d.button, d.mods) // where it is on the screen does not count
			if got := mouse.Event(ev, d.x, d.y, c.modes); string(got) != d.want {
				t.Errorf("%s, %d: %q, want %q", name, i, got, d.want)
			}
		}
	}
}

// TestMouseFromTerminal checks that what a terminal reports reaches a program that
// asked for the same as it was, through tcell.
func TestMouseFromTerminal(t *testing.T) {
	t.Parallel()
	k := newKeyboard(t)
	k.Resize(300, 90)
	for ev := k.screen.PollEvent(); ev != nil; ev = k.screen.PollEvent() {
		if size, ok := ev.(*tcell.EventResize); ok {
			if w, _ := size.Size(); w == 300 {
				break
			}
		}
	}
	k.screen.EnableMouse(tcell.MouseMotionEvents)
	var mouse input.Mouse
	for _, report := range strings.Fields(`
		[<35;1;1M [<35;300;90M [<0;300;90M [<32;299;90M [<0;299;90m [<1;5;5M [<1;5;5m [<2;5;5M [<34;5;6M [<2;5;6m
		[<64;5;6M [<65;5;6M [<66;5;6M [<67;5;6M [<4;5;6M [<4;5;6m [<8;5;6M [<8;5;6m [<16;5;6M [<48;7;6M [<16;7;6m
		[<92;7;6M [<63;9;9M`) {
		report = "\x1b" + report
		k.Type(report)
		ev, ok := k.screen.PollEvent().(*tcell.EventMouse)
		if !ok {
			t.Fatalf("%q is no event of the mouse", report)
		}
		x, y := ev.Position()
		if got := mouse.Event(ev, x, y, sgr(terminal.MouseMotion)); string(got) != report {
			t.Errorf("%q, want %q", got, report)
		}
	}
}

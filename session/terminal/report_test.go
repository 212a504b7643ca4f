package terminal_test

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"coppice/session/terminal"
)

// TestReplies feeds questions to a screen of 10 columns and 4 rows.
func TestReplies(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, in, want string }{
		{"DA1", "\x1b[c\x1b[0c\x1bZ", "\x1b[?62;22;52c\x1b[?62;22;52c\x1b[?62;22;52c"},
		{"not DA1", "\x1b[1c", ""},
		{"DA2", "\x1b[>c", "\x1b[>1;10;0c"},
		{"DA3", "\x1b[=c", "\x1bP!|00000000\x1b\\"},
		{"XTVERSION", "\x1b[>0q", "\x1bP>|Coppice 1\x1b\\"},
		{"the version comes before the fence", "\x1b[>0q\x1b[c", "\x1bP>|Coppice 1\x1b\\\x1b[?62;22;52c"},
		{"DSR", "\x1b[5n\x1b[2;3H\x1b[6n\x1b[?6n", "\x1b[0n\x1b[2;3R\x1b[?2;3;1R"},
		{"DSR in origin mode", "\x1b[2;3r\x1b[?6h\x1b[2;1H\x1b[6n", "\x1b[2;1R"},
		{"DSR while a wrap is pending", "0123456789\x1b[6n", "\x1b[1;10R"},
		{"DECRQM", "\x1b[4$p\x1b[4h\x1b[4$p\x1b[99$p", "\x1b[4;2$y\x1b[4;1$y\x1b[99;0$y"},
		{"DECRQM of private modes", "\x1b[?7$p\x1b[?25l\x1b[?25$p\x1b[?2026$p\x1b[?69$p", "\x1b[?7;1$y\x1b[?25;2$y\x1b[?2026;2$y\x1b[?69;0$y"},
		{"DECRQM of mouse modes", "\x1b[?1002;1006h\x1b[?1002$p\x1b[?1003$p\x1b[?1006$p", "\x1b[?1002;1$y\x1b[?1003;2$y\x1b[?1006;1$y"},
		{"DECRQM of the frame and the screen", "\x1b[?2026;1049h\x1b[?2026$p\x1b[?1049$p", "\x1b[?2026;1$y\x1b[?1049;1$y"},
		{"kitty keyboard", "\x1b[?u\x1b[>5u\x1b[?u\x1b[<u\x1b[?u", "\x1b[?0u\x1b[?1u\x1b[?0u"},
		{"kitty keyboard set in place", "\x1b[=1u\x1b[?u\x1b[=1;3u\x1b[?u\x1b[=1;2u\x1b[?u", "\x1b[?1u\x1b[?0u\x1b[?1u"},
		{"kitty keyboard by screen", "\x1b[>1u\x1b[?1049h\x1b[?u\x1b[?1049l\x1b[?u", "\x1b[?0u\x1b[?1u"},
		{"modifyOtherKeys", "\x1b[>4;2m\x1b[?4m\x1b[>4m\x1b[?4m\x1b[>4;1m\x1b[>4n\x1b[?4m", "\x1b[>4;2m\x1b[>4;0m\x1b[>4;0m"},
		{"sizes", "\x1b[14t\x1b[16t\x1b[18t", "\x1b[4;64;80t\x1b[6;16;8t\x1b[8;4;10t"},
		{"a title is not told", "\x1b]2;rm -rf\x07\x1b[21t", ""},
		{"size notices", "\x1b[?2048h", "\x1b[48;4;10;0;0t"},
		{"colours", "\x1b]10;?\x07\x1b]11;?\x1b\\\x1b]12;?\x07", "\x1b]10;rgb:d0d0/d0d0/d0d0\x07\x1b]11;rgb:1010/1010/1010\x1b\\\x1b]12;rgb:ffff/8080/0000\x07"},
		{"several colours at once", "\x1b]10;?;?\x07", "\x1b]10;rgb:d0d0/d0d0/d0d0\x07\x1b]11;rgb:1010/1010/1010\x07"},
		{"colours to set", "\x1b]11;#ffffff\x07\x1b]11;?\x07\x1b]4;1;#ffffff\x07\x1b]4;1;?\x07\x1b]111\x07", "\x1b]11;rgb:1010/1010/1010\x07\x1b]4;1;rgb:cdcd/0000/0000\x07"},
		{"palette", "\x1b]4;16;?;231;?;255;?;256;?\x07", "\x1b]4;16;rgb:0000/0000/0000\x07\x1b]4;231;rgb:ffff/ffff/ffff\x07\x1b]4;255;rgb:eeee/eeee/eeee\x07"},
		{"scheme", "\x1b[?996n", "\x1b[?997;1n"},
		{"the clipboard is not told", "\x1b]52;c;?\x07", ""},
		{"XTGETTCAP", "\x1bP+q524742;436f;7878;zz\x1b\\", "\x1bP1+r524742\x1b\\\x1bP1+r436f=323536\x1b\\\x1bP0+r7878\x1b\\"},
		{"DECRQSS", "\x1b[2;3r\x1b[4 q\x1b[1;31;48;2;1;2;3;4:3m\x1bP$qm\x1b\\\x1bP$qr\x1b\\\x1bP$q q\x1b\\\x1bP$q\"q\x1b\\\x1bP$qx\x1b\\", "\x1bP1$r0;1;4:3;38:5:1;48:2::1:2:3m\x1b\\\x1bP1$r2;3r\x1b\\\x1bP1$r4 q\x1b\\\x1bP1$r2\"q\x1b\\\x1bP0$r\x1b\\"},
		{"DECREQTPARM", "\x1b[x\x1b[1x", "\x1b[2;1;1;128;128;1;0x\x1b[3;1;1;128;128;1;0x"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if got := string(newTerminal(10, 4, c.in).Take().Replies); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
			e := newTerminal(10, 4)
			for i := range len(c.in) {
				write(e, c.in[i:i+1])
			}
			if got := string(e.Take().Replies); got != c.want {
				t.Errorf("byte by byte: got %q, want %q", got, c.want)
			}
		})
	}
}

// Nobody has to read the replies (report G6: a query blocks the program that asks
// for ever).
func TestRepliesAreBounded(t *testing.T) {
	t.Parallel()
	e := newTerminal(10, 4)
	write(e, strings.Repeat("\x1b[c\x1b[6n\x1b[>0q\x1b]11;?\a", 20_000))
	replies := e.Take().Replies
	if len(replies) == 0 || len(replies) > terminal.MaxReplies {
		t.Fatalf("%d bytes of replies", len(replies))
	}
	if !bytes.HasSuffix(replies, []byte("R")) && !bytes.HasSuffix(replies, []byte("c")) && !bytes.HasSuffix(replies, []byte("\x1b\\")) && !bytes.HasSuffix(replies, []byte("\a")) {
		t.Errorf("the last reply was cut: %q", replies[len(replies)-20:])
	}
	write(e, "\x1b[5nscreen")
	if got := string(e.Take().Replies); got != "\x1b[0n" || screen(e) != "screen" {
		t.Errorf("afterwards: %q, %q", got, screen(e))
	}
}

func TestOutput(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, in string
		want     terminal.Output
	}{
		{"nothing", "text", terminal.Output{}},
		{"bells", "\a\a\x1b]9;\a", terminal.Output{Bells: 2}},
		{"a title", "\x1b]0;name\a", terminal.Output{Title: true}},
		{"a notice", "\x1b]9;done\x1b\\", terminal.Output{Notices: []terminal.Notice{{Body: "done"}}}},
		{"a notice with a title", "\x1b]777;notify;Build;it; worked\a", terminal.Output{Notices: []terminal.Notice{{Title: "Build", Body: "it; worked"}}}},
		{"a notice is one clean line", "\x1b]9;a\nb\u202ec\x7fd\xff\a", terminal.Output{Notices: []terminal.Notice{{Body: "abcd\ufffd"}}}},
		{"progress", "\x1b]9;4;1;250\a", terminal.Output{Progress: true}},
		{"no progress", "\x1b]9;4;7;1\a\x1b]9;4;x\a", terminal.Output{}},
		{"a directory", "\x1b]7;file://h/a%20b\a", terminal.Output{Directory: true}},
		{"no directory", "\x1b]7;file://h/\u202e\a", terminal.Output{}},
		{"a clip", "\x1b]52;c;aGk=\a", terminal.Output{Clips: []terminal.Clip{{Selection: "c", Data: []byte("hi")}}}},
		{"the last clip", "\x1b]52;c;aGk=\a\x1b]52;p;aGk=\a\x1b]52;c;aG8=\a", terminal.Output{Clips: []terminal.Clip{{Selection: "p", Data: []byte("hi")}, {Selection: "c", Data: []byte("ho")}}}},
		{"no clip", "\x1b]52;c;?\a\x1b]52;c;%%\a\x1b]52\a", terminal.Output{}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			e := newTerminal(10, 4, c.in)
			if got := e.Take(); !reflect.DeepEqual(got, c.want) {
				t.Errorf("got %+v, want %+v", got, c.want)
			}
			if again := e.Take(); !reflect.DeepEqual(again, terminal.Output{}) {
				t.Errorf("taken twice: %+v", again)
			}
		})
	}
}

func TestOutputIsBounded(t *testing.T) {
	t.Parallel()
	e := newTerminal(10, 4)
	for i := range 1000 {
		write(e, fmt.Sprintf("\x1b]9;%d\a\x1b]52;%d;aGk=\a", i, i))
	}
	out := e.Take()
	if len(out.Notices) != terminal.MaxNotices || out.Notices[terminal.MaxNotices-1].Body != "999" || len(out.Clips) > 4 {
		t.Errorf("%d notices, %d clips", len(out.Notices), len(out.Clips))
	}
	write(e, "\x1b]52;c;"+base64.StdEncoding.EncodeToString(make([]byte, terminal.MaxClip+1))+"\a")
	write(e, "\x1b]52;c;"+strings.Repeat("A", 4<<20)+"\a")
	if out := e.Take(); len(out.Clips) != 0 {
		t.Errorf("a clip of %d bytes", len(out.Clips[0].Data))
	}
	write(e, "\x1b]52;c;"+base64.StdEncoding.EncodeToString(make([]byte, terminal.MaxClip))[:0]+base64.StdEncoding.EncodeToString(make([]byte, 700<<10))+"\a")
	if out := e.Take(); len(out.Clips) != 1 || len(out.Clips[0].Data) != 700<<10 {
		t.Error("a clip of 700 KB did not arrive")
	}
}

func TestTitle(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, in, want string }{
		{"OSC 0", "\x1b]0;a;b\a", "a;b"},
		{"OSC 2", "\x1b]2;✳ name\x1b\\", "✳ name"},
		{"not the icon's", "\x1b]1;x\a", ""},
		{"clean", "\x1b]0;a\tb\x7f\u202e\u2063\u2028c\xfe\a", "abc\ufffd"},
		{"short", "\x1b]0;" + strings.Repeat("é", 5000) + "\a", strings.Repeat("é", 256)},
		{"pushed", "\x1b]0;a\a\x1b[22;0t\x1b]0;b\a\x1b[23;0t", "a"},
		{"popped from nothing", "\x1b]0;a\a\x1b[23t", "a"},
		{"RIS keeps it", "\x1b]0;a\a\x1bc", "a"},
	} {
		e := newTerminal(10, 4, c.in)
		e.Look(func(v terminal.View) {
			if v.Title() != c.want {
				t.Errorf("%s: %q, want %q", c.name, v.Title(), c.want)
			}
		})
	}
}

func TestModes(t *testing.T) {
	t.Parallel()
	on := terminal.Modes{
		AppCursor: true, AppKeypad: true, Paste: true, Focus: true, WheelArrows: true, Mouse: terminal.MouseMotion,
		MouseEncoding: terminal.MouseSGR, Kitty: 1, ModifyOtherKeys: 2, Reverse: true, Alternate: true,
	}
	const set = "\x1b[?1;5;1004;1007;2004;1000;1003;1006;1049h\x1b=\x1b[>4;2m\x1b[>31u"
	for _, c := range []struct {
		name, in string
		want     terminal.Modes
	}{
		{"none", "", terminal.Modes{}},
		{"all", set, on},
		{"all off", set + "\x1b[?1;5;1004;1007;2004;1003;1006;1049l\x1b>\x1b[>4m", terminal.Modes{}},
		{"all off by RIS", set + "\x1bc", terminal.Modes{}},
		{"keypad by mode", "\x1b[?66h", terminal.Modes{AppKeypad: true}},
	} {
		newTerminal(10, 4, c.in).Look(func(v terminal.View) {
			if got := v.Modes(); got != c.want {
				t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
			}
		})
	}
}

func TestCursorState(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]terminal.Cursor{
		"":                     {Visible: true},
		"\x1b[?25l":            {},
		"\x1b[5 qx":            {Visible: true, Shape: terminal.BlinkingBar, Column: 1},
		"\x1b[5 q\x1b[0 q":     {Visible: true},
		"\x1b[9 q":             {Visible: true},
		"\x1b[?25l\x1b[?25h\n": {Visible: true, Row: 1},
	} {
		newTerminal(10, 4, in).Look(func(v terminal.View) {
			if got := v.Cursor(); got != want {
				t.Errorf("%q: %+v, want %+v", in, got, want)
			}
		})
	}
}

func TestTheme(t *testing.T) {
	t.Parallel()
	e := newTerminal(10, 4)
	light := terminal.Theme{Foreground: 0, Background: 0xffffff}
	e.SetTheme(light)
	write(e, "\x1b[?996n\x1b]11;?\a\x1b[?2031h")
	if got := string(e.Take().Replies); got != "\x1b[?997;2n\x1b]11;rgb:ffff/ffff/ffff\a" {
		t.Errorf("light: %q", got)
	}
	e.SetTheme(light)
	e.SetTheme(terminal.Theme{Foreground: 0xffffff})
	if got := string(e.Take().Replies); got != "\x1b[?997;1n" {
		t.Errorf("dark: %q", got)
	}
}

func TestFrame(t *testing.T) {
	t.Parallel()
	e := newTerminal(10, 4, "\x1b[?2026h")
	e.Look(func(v terminal.View) {
		if v.HeldSince().IsZero() {
			t.Error("the frame is not held")
		}
	})
	write(e, "\x1b[?2026l")
	e.Look(func(v terminal.View) {
		if !v.HeldSince().IsZero() {
			t.Error("the frame is held")
		}
	})
}

func TestAlternate(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, in, inside, after string }{
		{"1049", "ab\x1b[?1049h\x1b[Hx", "x", "aby"},
		{"1047", "ab\x1b[?1047h\x1b[Hx", "x", "ay"},
		{"47", "ab\x1b[?47h\x1b[Hx", "x", "ay"},
		{"47 with 1048", "ab\x1b[?1048h\x1b[?47h\x1b[Hx", "x", "ay"},
		{"it is empty each time", "ab\x1b[?1049hx\x1b[?1049l\x1b[?1049h", "", "aby"},
		{"on twice", "ab\x1b[?1049hx\x1b[?1049hy", "  xy", "aby"},
	} {
		e := newTerminal(10, 4, c.in)
		if got := screen(e); got != c.inside {
			t.Errorf("%s: inside %q, want %q", c.name, got, c.inside)
		}
		mode := strings.FieldsFunc(c.in, func(r rune) bool { return r < '0' || r > '9' })[0]
		if strings.Contains(c.in, "1048") {
			mode = "47"
		}
		write(e, "\x1b[?"+mode+"ly")
		if got := screen(e); got != c.after {
			t.Errorf("%s: after %q, want %q", c.name, got, c.after)
		}
	}
}

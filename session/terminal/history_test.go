package terminal_test

import (
	"fmt"
	"strings"
	"testing"

	"coppice/session/terminal"
)

// numbers returns lines that hold the numbers from first to last.
func numbers(first, last int) string {
	var b strings.Builder
	for n := first; n <= last; n++ {
		fmt.Fprintf(&b, "%d\r\n", n)
	}
	return b.String()
}

func TestScrollback(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, in, want string }{
		{"none", "1\r\n2", ""},
		{"rows that left", numbers(1, 6), "1\n2\n3"},
		{"the newest hundred", numbers(1, 200), strings.TrimSpace(strings.ReplaceAll(numbers(98, 197), "\r\n", "\n"))},
		{"SU", "1\r\n2\x1b[S", "1"},
		{"DL does not", "1\r\n2\x1b[H\x1b[M", ""},
		{"margins at the top do", "\x1b[1;2r1\r\n2\r\n3", "1"},
		{"margins below do not", "\x1b[2;3r\x1b[2H1\r\n2\r\n3", ""},
		{"the alternate screen does not", "\x1b[?1049h" + numbers(1, 9) + "\x1b[?1049l", ""},
		{"ED 3", numbers(1, 9) + "\x1b[3J", ""},
		{"RIS", numbers(1, 9) + "\x1bc", ""},
		{"styles", "\x1b[41m漢\x1b[m\x1b[5Cx\U0001f1e9\U0001f1ea\r\n\r\n\r\n\r\n", "漢     x\U0001f1e9\U0001f1ea"},
	} {
		if got := scrollback(newTerminal(10, 4, c.in)); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// A row of the scrollback has the cells that it had on the screen.
func TestScrollbackKeepsCells(t *testing.T) {
	t.Parallel()
	for _, in := range []string{
		"plain", "\x1b[1;31mred\x1b[m plain \x1b[4:3;58:5:9munder", "漢字 \x1b[42m漢\x1b[m字", "e\u0301\u4e2d👨\u200d👩\u200d👧ü→é", "\x1b]8;id=a;http://x\alink\x1b]8;;\a",
		"\x1b[41m\x1b[K", "a\x1b[5Cb", "0123456789012345678\u00e9", strings.Repeat("漢", 10), strings.Repeat("x", 19) + "漢",
	} {
		e := newTerminal(20, 3, in)
		want := styles(e, 0)
		write(e, "\x1b[m\r\n\n\n")
		e.Look(func(v terminal.View) {
			var b strings.Builder
			for _, c := range v.Row(v.Oldest()).Cells {
				b.WriteString(describe(v, c))
			}
			if got := strings.TrimRight(b.String(), "·"); got != want {
				t.Errorf("%q: %s, want %s", in, got, want)
			}
		})
	}
}

// Rows keep their numbers while others come and go, until the width changes.
func TestNumbers(t *testing.T) {
	t.Parallel()
	e := newTerminal(10, 4, numbers(0, 299))
	row := func(n int) (text string) {
		e.Look(func(v terminal.View) { text = rowText(v, n) })
		return text
	}
	if row(250) != "250" || row(299) != "299" || row(100) != "" {
		t.Errorf("rows 250, 299 and 100 are %q, %q and %q", row(250), row(299), row(100))
	}
	write(e, numbers(300, 320))
	if row(250) != "250" || row(310) != "310" {
		t.Errorf("afterwards %q and %q", row(250), row(310))
	}
	e.Resize(10, 9)
	e.Resize(10, 2)
	if row(250) != "250" || row(310) != "310" {
		t.Errorf("at other heights %q and %q", row(250), row(310))
	}
	before, after := uint64(0), uint64(0)
	e.Look(func(v terminal.View) { before = v.Numbering() })
	e.Resize(20, 2)
	e.Look(func(v terminal.View) { after = v.Numbering() })
	if before == after {
		t.Error("another width has the same numbering")
	}
}

func TestResize(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, in   string
		cols, rows int
		after      string // written afterwards
		want       string
		back       string // the scrollback
	}{
		{"wider", "0123456789abc", 20, 4, "X", "0123456789abcX", ""},
		{"narrower", "0123456789", 5, 4, "X", "01234\n56789\nX", ""},
		{"narrower by one", "0123456789", 9, 4, "X", "012345678\n9X", ""},
		{"the cursor stays on its character", "0123456789\x1b[1;7H", 5, 4, "X", "01234\n5X789", ""},
		{"behind the text", "abc\x1b[1;9H", 5, 4, "X", "abc X", ""},
		{"shrinking drops empty rows first", "1\r\n2", 10, 2, "X", "1\n2X", ""},
		{"then scrolls", "1\r\n2\r\n3\r\n4", 10, 2, "X", "3\n4X", "1\n2"},
		{"growing takes rows back", numbers(1, 6) + "7", 10, 6, "X", "2\n3\n4\n5\n6\n7X", "1"},
		{"wide characters", "漢字漢字漢", 5, 4, "X", "漢字\n漢字\n漢X", ""},
		{"at the edge", "0123456漢字", 9, 4, "X", "0123456漢\n字X", ""},
		{"one column", "ab漢", 1, 4, "", "b", "a"},
		{"one cell", "ab", 1, 1, "X", "X", "a\nb"},
		{"margins go", "\x1b[2;3r\x1b[4;1H0", 10, 5, "\nX", "\n\n\n0\n X", ""},
		{"a pending wrap stays", "0123456789", 10, 5, "X", "0123456789\nX", ""},
		{"the alternate screen is cut", "\x1b[?1049h0123456789", 5, 4, "X", "0123X", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			e := newTerminal(10, 4, c.in)
			e.Resize(c.cols, c.rows)
			write(e, c.after)
			if got := screen(e); c.after != "" && got != c.want {
				t.Errorf("the screen is\n%s\nnot\n%s", got, c.want)
			}
			if got := scrollback(e); c.after != "" && got != c.back {
				t.Errorf("the scrollback is\n%s\nnot\n%s", got, c.back)
			}
		})
	}
}

// Another width and back again leaves the text as it was.
func TestResizeThereAndBack(t *testing.T) {
	t.Parallel()
	text := strings.Repeat("The quick brown fox jumps over the lazy dog. 漢字, e\u0301.\r\n\r\n", 20) + "prompt> "
	e := terminal.New(terminal.Options{Columns: 60, Rows: 10, Scrollback: 5000})
	write(e, text)
	want := scrollback(e) + "\n" + screen(e)
	for _, cols := range []int{59, 31, 7, 2, 100, 60} {
		e.Resize(cols, 10)
	}
	if got := scrollback(e) + "\n" + screen(e); got != want {
		t.Errorf("the text is\n%s\nnot\n%s", got, want)
	}
	if at := cursor(e); at != [2]int{8, 9} {
		t.Errorf("the cursor is at %v", at)
	}
}

// Report G7: wide characters all over, at awkward widths.
func TestResizeFullOfWideCharacters(t *testing.T) {
	t.Parallel()
	e := newTerminal(80, 24, strings.Repeat("가나다", 2000))
	for _, cols := range []int{79, 77, 55, 41, 1, 0, -5, 80, 2, 3, 100000} {
		e.Resize(cols, 24)
		write(e, "가\x1b[H나\x1b[99;99H다")
	}
}

func TestSizesAreBounded(t *testing.T) {
	t.Parallel()
	e := newTerminal(0, -1, "x")
	e.Resize(1<<30, 1<<30)
	e.Look(func(v terminal.View) {
		if cols, rows := v.Size(); cols != terminal.MaxColumns || rows != terminal.MaxRows {
			t.Errorf("%d by %d", cols, rows)
		}
	})
}

func TestSizeNotice(t *testing.T) {
	t.Parallel()
	e := newTerminal(10, 4, "\x1b[?2048h")
	e.Take()
	e.Resize(10, 4)
	e.Resize(20, 5)
	if got := string(e.Take().Replies); got != "\x1b[48;5;20;0;0t" {
		t.Errorf("%q", got)
	}
}

// What a narrow alternate screen hides is there when it is wide again, as in tmux
// and xterm.js, unless it was erased or cut in half.
func TestAlternateHides(t *testing.T) {
	t.Parallel()
	e := newTerminal(10, 4, "\x1b[?1049h0123456789\r\n01234漢字9\r\nabcdefghij")
	e.Resize(6, 4)
	if got := screen(e); got != "012345\n01234\nabcdef" {
		t.Errorf("narrow it is\n%s", got)
	}
	write(e, "\x1b[3H\x1b[K\x1b[1;3Hx")
	for _, cols := range []int{8, 20} {
		e.Resize(cols, 4)
		check(t, e)
	}
	if got := screen(e); got != "01x3456789\n01234    9" {
		t.Errorf("wide it is\n%s", got)
	}
}

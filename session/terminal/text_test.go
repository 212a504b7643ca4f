package terminal_test

import (
	"strings"
	"testing"

	"coppice/session/terminal"
)

// at makes a place on the screen.
func at(v terminal.View, row, column int) terminal.Point {
	return terminal.Point{Row: v.Top() + row, Column: column}
}

func TestCopy(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, in               string
		row0, col0, row1, col1 int
		want                   string
	}{
		{"part of a row", "hello", 0, 1, 0, 3, "el"},
		{"rows", "one  \r\ntwo\r\nthree", 0, 1, 2, 3, "ne\ntwo\nthr"},
		{"in either order", "one\r\ntwo", 1, 2, 0, 1, "ne\ntw"},
		{"a wrapped line is one", "0123456789abc", 0, 5, 1, 2, "56789ab"},
		{"a wrapped line keeps its spaces", "01234567  abc", 0, 0, 1, 3, "01234567  abc"},
		{"gaps are spaces", "a\x1b[5Gb", 0, 0, 0, 10, "a   b"},
		{"a wide character without room", "012345678漢", 0, 7, 1, 2, "78漢"},
		{"wide characters", "漢字x", 0, 1, 0, 5, "字x"},
		{"a whole row", "one\r\ntwo", 0, 0, 1, 0, "one"},
		{"empty rows", "one\r\n\r\ntwo", 0, 0, 2, 9, "one\n\ntwo"},
		{"from the scrollback", "a\r\nb\r\nc\r\nd\r\ne\r\nf", -2, 0, 0, 1, "a\nb\nc"},
		{"what is not there", "a", -50, 0, 50, 0, "a\n\n\n"},
		{"columns beyond", "abc", 0, -5, 0, 99, "abc"},
	} {
		newTerminal(10, 4, c.in).Look(func(v terminal.View) {
			r := terminal.Range{From: at(v, c.row0, c.col0), To: at(v, c.row1, c.col1)}
			if got := v.Copy(r); got != c.want {
				t.Errorf("%s: %q, want %q", c.name, got, c.want)
			}
		})
	}
}

func TestCopyBlock(t *testing.T) {
	t.Parallel()
	newTerminal(10, 4, "hello\r\nab\r\n漢字x").Look(func(v terminal.View) {
		if got, want := v.CopyBlock(v.Top(), v.Top()+2, 1, 4), "ell\nb\n字"; got != want {
			t.Errorf("%q, want %q", got, want)
		}
		if got := v.CopyBlock(-9, 99, 50, 20); strings.Trim(got, "\n") != "" {
			t.Errorf("nothing is %q", got)
		}
	})
}

func TestWordAndLine(t *testing.T) {
	t.Parallel()
	const in = "see http://a.example/b?c=d, (x) 漢字"
	for _, c := range []struct {
		row, column int
		word, line  string
	}{
		{0, 0, "see", in},
		{0, 3, " ", in},
		{0, 6, "http://a.example/b?c=d", in},
		{2, 1, "http://a.example/b?c=d", in},
		{2, 9, "x", in},
		{3, 3, "漢字", in},
		{3, 9, "", in},
		{99, 9, "", ""},
	} {
		newTerminal(10, 6, in).Look(func(v terminal.View) {
			p := at(v, c.row, c.column)
			if got := v.Copy(v.Word(p)); got != c.word {
				t.Errorf("the word at %d, %d is %q, not %q", c.row, c.column, got, c.word)
			}
			if got := v.Copy(v.Line(p)); got != c.line {
				t.Errorf("the line at %d, %d is %q, not %q", c.row, c.column, got, c.line)
			}
		})
	}
}

func TestFind(t *testing.T) {
	t.Parallel()
	in := "Alpha beta\r\nlong line with ALPHA in it\r\n漢字alpha\r\nalphalpha" + strings.Repeat("\r\n", 3) + "end"
	e := newTerminal(10, 4, in)
	found := func(text string, backward bool) (places [][2]int) {
		e.Look(func(v terminal.View) {
			from := terminal.Point{Row: v.Oldest(), Column: -1}
			if backward {
				from = terminal.Point{Row: v.End()}
			}
			for {
				r, ok := v.Find(text, from, backward)
				if !ok {
					return
				}
				if got := v.Copy(r); !strings.EqualFold(got, text) {
					t.Errorf("found %q for %q", got, text)
				}
				places = append(places, [2]int{r.From.Row - v.Oldest(), r.From.Column})
				from = r.From
			}
		})
		return places
	}
	for _, c := range []struct {
		text string
		want [][2]int
	}{
		{"alpha", [][2]int{{0, 0}, {2, 5}, {4, 4}, {5, 0}, {5, 4}}},
		{"ALPHA", [][2]int{{2, 5}}},
		{"字a", [][2]int{{4, 2}}},
		{"end", [][2]int{{8, 0}}},
		{"", nil},
		{"nowhere", nil},
	} {
		got := found(c.text, false)
		if len(got) != len(c.want) {
			t.Errorf("%q is at %v, not %v", c.text, got, c.want)
			continue
		}
		back := found(c.text, true)
		for i := range got {
			if got[i] != c.want[i] || back[len(got)-1-i] != c.want[i] {
				t.Errorf("%q is at %v and %v, not %v", c.text, got, back, c.want)
			}
		}
	}
}

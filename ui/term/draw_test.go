package term_test

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/rivo/uniseg"
	"pgregory.net/rapid"

	"coppice/session/terminal"
)

// cell is what is compared of a cell.
type cell struct {
	text, link     string
	foreground     terminal.Color
	background     terminal.Color
	attr           terminal.Attr
	underline      terminal.Underline
	underlineColor terminal.Color
	width          int
}

// cellOf copies a cell.
func cellOf(v terminal.View, c terminal.Cell) cell {
	out := cell{
		v.Text(c), v.Link(c).Address, c.Foreground, c.Background, c.Attr(),
		c.Underline(), v.UnderlineColor(c), c.Width(),
	}
	if out.text == "" && out.width == 1 {
		out.text = " "
	}
	return out
}

// expected returns what a cell of a program has to look like on the screen.
func expected(c cell, swapped bool) cell {
	if swapped {
		c.attr ^= terminal.Reverse
	}
	c.attr &^= terminal.Overline | terminal.Protected
	if c.attr&terminal.Hidden != 0 {
		c.attr, c.text, c.width = c.attr&^terminal.Hidden, " ", 1
	}
	if c.underline == terminal.NoUnderline {
		c.underlineColor = terminal.Default
	}
	if !harmless().MatchString(c.link) {
		c.link = ""
	}
	return c
}

// harmless matches the addresses that a terminal may get.
func harmless() *regexp.Regexp {
	return regexp.MustCompile(`(?i)^(https?|file|mailto):[-a-z0-9._~:/?#\[\]@!$&'()*+,;=%]*$`)
}

// sameText reports whether what is shown may stand for the text of a cell.
func sameText(want, got cell) bool {
	if want.text == got.text {
		return true
	}
	first, _ := utf8.DecodeRuneInString(want.text)
	shown, _ := utf8.DecodeRuneInString(got.text)
	odd := len(want.text) > utf8.RuneLen(first) || uniseg.StringWidth(want.text) != want.width || !unicode.IsGraphic(first) ||
		unicode.In(first, unicode.M) || first >= 0x1160 && first < 0x1200 || first >= 0xd7b0 && first < 0xd800
	return odd && (shown == first || shown < 0x80 || strings.ContainsRune("—\ufffd\uff1f", shown))
}

// check compares the pane with the program's terminal, cell by cell, and the rest
// of the screen with the pattern.
func (d *desk) check() error {
	var want [][]cell
	d.program.screen.Look(func(v terminal.View) {
		for y := range d.rows {
			var row []cell
			for _, c := range v.Row(v.Top() + y).Cells {
				row = append(row, expected(cellOf(v, c), v.Modes().Reverse))
			}
			want = append(want, row)
		}
	})
	var err error
	d.outer.screen.Look(func(v terminal.View) {
		_, rows := v.Size()
		for y := range rows {
			for x, c := range v.Row(v.Top() + y).Cells {
				got := cellOf(v, c)
				inside := x >= d.left && x < d.left+d.columns && y >= d.top && y < d.top+d.rows
				if !inside {
					if got != (cell{text: pattern, width: 1}) {
						err = fmt.Errorf("outside, at %d,%d: %+v", x-d.left, y-d.top, got)
					}
					continue
				}
				w := want[y-d.top][x-d.left]
				ok := sameText(w, got)
				w.text = got.text
				if !ok || w != got {
					err = fmt.Errorf("at %d,%d: %+v instead of %+v", x-d.left, y-d.top, got, want[y-d.top][x-d.left])
				}
				if err != nil {
					return
				}
			}
		}
	})
	return err
}

// streams are what programs can send, by name.
func streams() map[string]string {
	var sgr, wide, trueColor strings.Builder
	for i := range 256 {
		fmt.Fprintf(&sgr, "\x1b[0;%d;%dmA\x1b[38;5;%dmB\x1b[48;5;%dmC\x1b[4:%dmD\x1b[58;5;%dmE\x1b[58:2::%d:2:3mF", i%10, 30+i%80, i, 255-i, i%6, i, i)
		fmt.Fprintf(&wide, "\x1b[3%dm漢e\u0301한👩\u200d🍳", i%8)
	}
	for i := range 2000 {
		fmt.Fprintf(&trueColor, "\x1b[38;2;%d;%d;%d;48;2;%d;0;9mx", i%256, i/8%256, i*7%256, i*3%256)
	}
	return map[string]string{
		"sgr":       sgr.String(),
		"wide":      wide.String(),
		"true":      trueColor.String(),
		"default":   "plain \x1b[7mreverse\x1b[0m \x1b[8mhidden\x1b[0m\x1b[1mbold\x1b[2mdim\x1b[9mstrike\x1b[53mover",
		"swapped":   "\x1b[?5hlight \x1b[7mand\x1b[0m dark",
		"alternate": "main screen\r\n\x1b[?1049h\x1b[2;3Hother \x1b[44mscreen\x1b[K",
		"region":    "1\r\n2\r\n3\r\n4\r\n\x1b[2;3r\x1b[3;1Ha\r\nb\r\nc漢\r\n\x1b[2L\x1b[M\x1b[r\x1b[1;2H\x1b[2@\x1b[3P",
		"links": "\x1b]8;;https://example.org/a\x1b\\one\x1b]8;id=7;http://example.org/b\x1b\\two\x1b]8;;\x1b\\ none " +
			"\x1b]8;;javascript:alert(1)\x1b\\odd\x1b]8;;https://example.org/$<9999>\x1b\\wait\x1b]8;;\x1b\\",
		"unicode": "🇩🇪🇫 ❤\ufe0f 1\ufe0f\u20e3 \u00ad \u2e3a\u2e3b कि क्षि ｶﾞ \u1112\u1161\u11ab ⌚ é \ue0b0 \u0600" + "1 \u200b\u202eabc\u2066\ufeff\u034f",
		"apart": "a\x1b[1;2H\u0301b\x1b[2;1H\u1100\x1b[2;3H\u1161\x1b[2;4H\u11a8x\x1b[3;1H👩\u200d\x1b[3;3H👩y\x1b[4;1Ha\x1b[4;2H\u0903z" +
			"\x1b[5;1H\U0001f1e9\x1b[5;2H\U0001f1eaw",
		"edge": strings.Repeat("x", 19) + "漢" + strings.Repeat("y", 18) + "👨\u200d👩\u200d👧" + "\r\n\x1b[?7l" + strings.Repeat("z", 25) + "漢\x1b[?7h",
	}
}

func TestPaneShowsWhatTheTerminalHolds(t *testing.T) {
	t.Parallel()
	for name, in := range streams() {
		for _, size := range [][2]int{{20, 6}, {80, 24}, {21, 3}, {2, 2}, {1, 1}} {
			t.Run(fmt.Sprintf("%s %dx%d", name, size[0], size[1]), func(t *testing.T) {
				t.Parallel()
				d := newDesk(t, size[0], size[1])
				d.program.prints(in)
				d.draw()
				if err := d.check(); err != nil {
					t.Error(err)
				}
				d.program.prints("\x1b[H\x1b[0;41m漢x")
				d.draw()
				if err := d.check(); err != nil {
					t.Error("then:", err)
				}
			})
		}
	}
}

// TestTerminalOfAnotherSize shows what fits of a terminal that is larger than the
// pane, with the cursor in it, and nothing beside a smaller one.
func TestTerminalOfAnotherSize(t *testing.T) {
	t.Parallel()
	d := newDesk(t, 20, 10)
	d.program.keeps = true
	d.program.prints("aaaa漢字\r\nb\r\nc\r\nd\r\ne")
	for _, c := range []struct {
		columns, rows int
		want          string
	}{
		{5, 5, "aaaa\nb\nc\nd\ne\n"},
		{7, 4, "b\nc\nd\ne\n"},
		{12, 2, "d\ne\n"},
	} {
		d.columns, d.rows = c.columns, c.rows
		d.draw()
		if got := d.text(); got != c.want {
			t.Errorf("%d by %d shows %q instead of %q", c.columns, c.rows, got, c.want)
		}
	}
	d.columns, d.rows = 20, 10
	d.program.screen.Resize(4, 3)
	d.draw()
	if got, want := d.text(), "c\nd\ne\n\n\n\n\n\n\n\n"; got != want {
		t.Errorf("a smaller one shows %q", got)
	}
}

// TestHostileStreams draws garbage between resizes.
func TestHostileStreams(t *testing.T) {
	t.Parallel()
	var parts []string
	for _, in := range streams() {
		parts = append(parts, in)
	}
	rapid.Check(t, func(rt *rapid.T) {
		size := rapid.IntRange(1, 30)
		d := newDesk(t, size.Draw(rt, "columns"), size.Draw(rt, "rows"))
		defer d.screen.Fini()
		seed := rapid.Uint64().Draw(rt, "seed")
		random := rand.New(rand.NewPCG(seed, 1))
		for range rapid.IntRange(1, 6).Draw(rt, "steps") {
			d.program.prints(mutated(random, parts))
			d.columns = min(d.columns, 1+random.IntN(30))
			d.rows = min(d.rows, 1+random.IntN(30))
			d.draw()
			if err := d.check(); err != nil && !held(d) {
				rt.Fatal(err)
			}
		}
	})
}

// held reports whether the program holds its frame back.
func held(d *desk) (held bool) {
	d.program.screen.Look(func(v terminal.View) { held = !v.HeldSince().IsZero() })
	return held
}

// mutated returns pieces of streams, damaged.
func mutated(random *rand.Rand, parts []string) string {
	var out []byte
	for range 1 + random.IntN(8) {
		p := []byte(parts[random.IntN(len(parts))])
		from := random.IntN(len(p))
		p = append([]byte(nil), p[from:min(len(p), from+random.IntN(400))]...)
		for range random.IntN(6) {
			if len(p) > 0 {
				p[random.IntN(len(p))] = byte(random.IntN(256))
			}
		}
		out = append(out, p...)
		if random.IntN(3) == 0 {
			out = fmt.Appendf(out, "\x1b[%d;%dH", random.IntN(20), random.IntN(30))
		}
	}
	return string(out)
}

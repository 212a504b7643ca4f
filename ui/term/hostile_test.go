package term_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/gdamore/tcell/v2"
	"github.com/rivo/uniseg"

	"coppice/session/terminal"
	"coppice/ui/screentest"
	"coppice/ui/term"
	"coppice/ui/theme"
)

// recorder is a screen that keeps what it is told to draw.
type recorder struct {
	tcell.Screen
	colors int
	puts   []put
}

type put struct {
	x, y  int
	text  string
	style tcell.Style
}

func (r *recorder) Colors() int { return r.colors }
func (r *recorder) Put(x, y int, s string, st tcell.Style) (string, int) {
	r.puts = append(r.puts, put{x, y, s, st})
	return "", 1
}

// recorded draws what a program prints in a pane of the given size.
func recorded(t *testing.T, columns, rows, colors int, name, in string) []put {
	t.Helper()
	s := &program{screen: terminal.New(terminal.Options{Columns: columns, Rows: rows})}
	s.prints(in)
	th, _ := theme.Named(name)
	p := term.New(s, term.Options{Theme: th, Now: time.Now})
	p.SetRect(0, 0, columns, rows)
	r := &recorder{colors: colors}
	p.Draw(r)
	return r.puts
}

// lastOdd is the last place that is kept for what cannot be seen.
const lastOdd = '\U000e0fff'

// TestNothingReachesTheTerminalRaw prints every character that is not simply a
// visible one, alone and after another, and looks at what the screen is told to
// draw: no controls, nothing that changes the direction, no format characters but
// those that join.
func TestNothingReachesTheTerminalRaw(t *testing.T) {
	t.Parallel()
	odd := []*unicode.RangeTable{
		unicode.Cc, unicode.Cf, unicode.M, unicode.Z, unicode.Other_Default_Ignorable_Code_Point, unicode.Bidi_Control,
	}
	var in strings.Builder
	for r, n := rune(0x80), 0; r <= 0x10ffff; r++ {
		if !unicode.In(r, odd...) {
			continue
		}
		in.WriteString("\x1b[3;1H" + string(r) + "\x1b[3;5Ha" + string(r) + "\x1b[H\x1bM")
		if n++; n%64 != 0 && r != lastOdd {
			continue
		}
		for _, p := range recorded(t, 12, 100, 256, "16", in.String()) {
			for _, c := range p.text {
				joins := c == '\u200c' || c == '\u200d' || c >= 0xe0020 && c <= 0xe007f
				if unicode.IsControl(c) || unicode.Is(unicode.Bidi_Control, c) || unicode.Is(unicode.Cf, c) && !joins {
					t.Errorf("%U is drawn, in %q", c, p.text)
				}
			}
		}
		in.Reset()
	}
	if in.Len() > 0 {
		t.Error("the last of them were not drawn")
	}
}

// TestNothingIsDrawnOverTheEdge: no text has more columns than there are up to the
// edge of the pane, not even in a terminal that joins no characters.
func TestNothingIsDrawnOverTheEdge(t *testing.T) {
	t.Parallel()
	for name, in := range streams() {
		for _, columns := range []int{2, 3, 20, 21} {
			for _, p := range recorded(t, columns, 12, 1<<24, "16", in+"\r\n👨\u200d👩\u200d👧🇩🇪❤\ufe0fकि") {
				most := 0
				for _, r := range p.text {
					switch {
					case unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf):
					case unicode.Is(unicode.Regional_Indicator, r):
						most++
					default:
						most += uniseg.StringWidth(string(r))
					}
				}
				if p.x+most > columns {
					t.Errorf("%s: %q at %d of %d", name, p.text, p.x, columns)
				}
			}
		}
	}
}

// TestFlagAtTheEdge: no terminal takes more than two columns for a flag.
func TestFlagAtTheEdge(t *testing.T) {
	t.Parallel()
	if puts := recorded(t, 3, 1, 256, "16", "x🇩🇪"); puts[1].text != "🇩🇪" {
		t.Errorf("drawn: %q", puts[1].text)
	}
}

// TestLinksAreBounded: one frame sends few bytes of addresses, whatever a program
// makes of its cells.
func TestLinksAreBounded(t *testing.T) {
	t.Parallel()
	var in strings.Builder
	for i := range 2000 {
		fmt.Fprintf(&in, "\x1b]8;;https://example.org/%s%d\x1b\\x", strings.Repeat("a", 2000), i)
	}
	d := newDesk(t, 80, 24)
	d.program.prints(in.String())
	d.draw()
	before := d.outer.written
	d.program.prints("\x1b[H\x1b[L")
	d.draw()
	if n := d.outer.written - before; n > 200<<10 {
		t.Errorf("a frame sent %d bytes", n)
	}
}

// TestFewColours: on screens without true colours there are those of the palette,
// and in a theme without colours none.
func TestFewColours(t *testing.T) {
	t.Parallel()
	var in strings.Builder
	random := rand.New(rand.NewPCG(1, 2))
	for range 500 {
		fmt.Fprintf(&in, "\x1b[38;2;%d;%d;%d;48;5;%d;58:2::9:9:9;4mx", random.IntN(256), random.IntN(256), random.IntN(256), random.IntN(256))
	}
	for _, c := range []struct {
		colors int
		theme  string
		ok     func(tcell.Color) bool
	}{
		{1 << 24, "dark", func(c tcell.Color) bool { return c.Valid() }},
		{256, "16", func(c tcell.Color) bool { return c == tcell.ColorDefault || c.Valid() && !c.IsRGB() }},
		{8, "16", func(c tcell.Color) bool { return c == tcell.ColorDefault || c.Valid() && !c.IsRGB() }},
		{0, "16", func(c tcell.Color) bool { return c == tcell.ColorDefault }},
		{256, "none", func(c tcell.Color) bool { return c == tcell.ColorDefault }},
	} {
		for _, p := range recorded(t, 40, 20, c.colors, c.theme, in.String()) {
			foreground, background, _ := p.style.Decompose()
			if !c.ok(foreground) || !c.ok(background) {
				t.Fatalf("%d colours, theme %s: %v on %v", c.colors, c.theme, foreground, background)
			}
			if u := p.style.GetUnderlineColor(); c.colors <= 256 && u.IsRGB() {
				t.Fatalf("underlined in %v", u)
			}
		}
	}
}

// TestNearestColour compares the arithmetic with a search of the palette.
func TestNearestColour(t *testing.T) {
	t.Parallel()
	distance := func(a, b tcell.Color) int {
		r, g, bl := a.RGB()
		r2, g2, b2 := b.RGB()
		return int((r-r2)*(r-r2) + (g-g2)*(g-g2) + (bl-b2)*(bl-b2))
	}
	part := func(n, shift int) int { return n >> shift & 15 * 17 }
	var in strings.Builder
	for n := range 4096 {
		fmt.Fprintf(&in, "\x1b[38;2;%d;%d;%dmx", part(n, 8), part(n, 4), part(n, 0))
	}
	for n, p := range recorded(t, 64, 64, 256, "16", in.String()) {
		got, _, _ := p.style.Decompose()
		want := tcell.NewRGBColor(int32(part(n, 8)), int32(part(n, 4)), int32(part(n, 0)))
		best := 1 << 30
		for i := 16; i < 256; i++ {
			best = min(best, distance(want, tcell.PaletteColor(i)))
		}
		if d := distance(want, got); d > best {
			t.Fatalf("%v becomes %v: %d instead of %d", want, got, d, best)
		}
	}
}

// TestASCII: where the locale is not UTF-8 nothing else is drawn.
func TestASCII(t *testing.T) {
	t.Parallel()
	s := &program{screen: terminal.New(terminal.Options{Columns: 12, Rows: 1})}
	s.prints("é漢─🇩🇪x")
	th, _ := theme.Named("16")
	th.ASCII = true
	p := term.New(s, term.Options{Theme: th, Now: time.Now})
	p.SetRect(0, 0, 12, 1)
	r := &recorder{}
	p.Draw(r)
	row := []byte(strings.Repeat("#", 12))
	for _, p := range r.puts {
		copy(row[p.x:], p.text)
	}
	if got := string(row); got != "??"+" -? x     " {
		t.Errorf("drawn: %q", got)
	}
}

// TestGarbage feeds megabytes of nonsense between changes of the size.
func TestGarbage(t *testing.T) {
	t.Parallel()
	d := newDesk(t, 60, 20)
	random := rand.New(rand.NewPCG(3, 4))
	garbage := make([]byte, 192<<10)
	for j := range garbage {
		garbage[j] = byte(random.Uint32())
		if j%12 == 0 {
			garbage[j] = "\x1b[;mHJK\x1b]8;\a\x9b漢"[random.IntN(16)]
		}
	}
	for i := range 30 {
		from := random.IntN(128 << 10)
		_, _ = d.program.screen.Write(garbage[from : from+64<<10])
		d.columns, d.rows = 1+random.IntN(60), 1+random.IntN(20)
		d.mouse(random.IntN(60), random.IntN(20), tcell.ButtonMask(1<<random.IntN(12)), 0)
		if i%3 == 0 {
			d.pane.StartCopy()
			d.press(keys("<PgUp>vwbV$/x<Enter>ny")...)
		}
		d.draw()
		_ = d.pane.Status()
		if d.pane.Status() == "" && !held(d) {
			if err := d.check(); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// TestOtherTerminal draws a pane in a terminal that is not ours.
func TestOtherTerminal(t *testing.T) {
	t.Parallel()
	outer := screentest.New(t, 40, 8)
	screen := outer.Screen()
	if err := screen.Init(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(screen.Fini)
	s := &program{screen: terminal.New(terminal.Options{Columns: 20, Rows: 4})}
	s.prints("\x1b[1;31mred\x1b[0m \x1b[38;2;1;2;3;7mtrue\x1b[0m\r\n漢字 x\r\n" + strings.Repeat("y", 25))
	th, _ := theme.Named("16")
	p := term.New(s, term.Options{Theme: th, Now: time.Now})
	p.SetRect(5, 2, 20, 4)
	p.Draw(screen)
	screen.Show()
	got := outer.WaitText("yyyyy").Styled()
	want := strings.Join([]string{
		"|", "|",
		"|     red true", "  5-7: bold fg=#800000", "  9-12: reverse fg=#010203",
		"|     漢字 x", "|     " + strings.Repeat("y", 20), "|     yyyyy", "|", "|", "",
	}, "\n")
	if got != want {
		t.Errorf("shows\n%s\ninstead of\n%s", got, want)
	}
}

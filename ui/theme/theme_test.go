package theme_test

import (
	"math"
	"os"
	"testing"

	"github.com/gdamore/tcell/v2"

	"coppice/ui/screentest"
	"coppice/ui/text"
	"coppice/ui/theme"
)

func TestMain(m *testing.M) { os.Exit(screentest.Main(m)) }

// TestContrast wants a contrast of 4.5 (WCAG AA) for every role of text, on the
// ground and on the selected row, in 24 bits and as the nearest of 256 colours.
func TestContrast(t *testing.T) {
	t.Parallel()
	palette := make([]tcell.Color, 256)
	for i := range palette {
		palette[i] = tcell.PaletteColor(i)
	}
	for _, name := range []string{"dark", "light"} {
		th, ok := theme.Named(name)
		if !ok {
			t.Fatalf("no theme %q", name)
		}
		for role := range text.Roles {
			for where, style := range map[string]tcell.Style{
				"on the ground": th.Style(text.Role(role)), "selected": th.Selected().Style(text.Role(role)),
			} {
				fg, bg, _ := style.Decompose()
				least := 4.5
				if text.Role(role) == text.Border {
					least = 2
				}
				if c := contrast(fg, bg); c < least {
					t.Errorf("%s: role %d %s: contrast %.2f", name, role, where, c)
				}
				if c := contrast(tcell.FindColor(fg, palette), tcell.FindColor(bg, palette)); c < least {
					t.Errorf("%s: role %d %s: contrast %.2f in 256 colours", name, role, where, c)
				}
			}
		}
		if c := contrast(ground(th.Selected()), ground(th)); c < 1.15 {
			t.Errorf("%s: the selected row hardly differs: %.2f", name, c)
		}
	}
}

// ground returns a theme's background.
func ground(th theme.Theme) tcell.Color {
	_, bg, _ := th.Style(text.Default).Decompose()
	return bg
}

// contrast returns the WCAG contrast of two colours.
func contrast(a, b tcell.Color) float64 {
	la, lb := luminance(a), luminance(b)
	return (max(la, lb) + 0.05) / (min(la, lb) + 0.05)
}

// luminance returns the WCAG relative luminance.
func luminance(c tcell.Color) float64 {
	linear := func(v int32) float64 {
		f := float64(v) / 255
		if f <= 0.04045 {
			return f / 12.92
		}
		return math.Pow((f+0.055)/1.055, 2.4)
	}
	r, g, b := c.RGB()
	return 0.2126*linear(r) + 0.7152*linear(g) + 0.0722*linear(b)
}

func TestFewColours(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"16", "none"} {
		th, _ := theme.Named(name)
		for role := range text.Roles {
			for _, style := range []tcell.Style{th.Style(text.Role(role)), th.Selected().Style(text.Role(role))} {
				fg, bg, attrs := style.Decompose()
				if bg != tcell.ColorDefault || fg.IsRGB() || name == "none" && fg != tcell.ColorDefault {
					t.Errorf("%s: role %d has colours %v on %v", name, role, fg, bg)
				}
				if name == "16" && attrs&tcell.AttrReverse != 0 && fg != tcell.ColorDefault {
					t.Errorf("16: role %d turns its colour into the ground", role)
				}
			}
		}
		if _, _, attrs := th.Selected().Style(text.Dim).Decompose(); attrs&tcell.AttrReverse == 0 {
			t.Errorf("%s: the selected row is not reversed", name)
		}
	}
	if got, want := (theme.Theme{}).Style(200), tcell.StyleDefault; got != want {
		t.Errorf("an unknown role is %v", got)
	}
	for _, name := range theme.Names() {
		if th, ok := theme.Named(name); !ok || th.Name() != name {
			t.Errorf("Named(%q) = %q, %t", name, th.Name(), ok)
		}
	}
	if _, ok := theme.Named("blue"); ok {
		t.Error("there is a theme called blue")
	}
}

func TestPick(t *testing.T) {
	t.Parallel()
	type env map[string]string
	for _, tt := range []struct {
		name  string
		env   env
		want  string
		ascii bool
	}{
		{"dark", env{"TERM": "xterm-256color", "LANG": "de_DE.UTF-8"}, "dark", false},
		{"light", env{"TERM": "screen", "COLORTERM": "truecolor", "LC_ALL": "C.utf8"}, "light", false},
		{"dark", env{"TERM": "xterm-kitty", "LANG": "C.UTF-8"}, "dark", false},
		{"light", env{"TERM": "xterm", "LANG": "C.UTF-8"}, "16", false},
		{"dark", env{"TERM": "linux", "LANG": "C.UTF-8"}, "16", false},
		{"16", env{"TERM": "xterm-256color", "LANG": "C.UTF-8"}, "16", false},
		{"dark", env{"TERM": "xterm-256color", "NO_COLOR": "1", "LANG": "C.UTF-8"}, "none", false},
		{"dark", env{"TERM": "xterm-256color", "NO_COLOR": "", "LANG": "C.UTF-8"}, "dark", false},
		{"dark", env{"TERM": "vt220", "COLORTERM": "truecolor", "LANG": "C.UTF-8"}, "none", false},
		{"none", env{"TERM": "xterm-256color", "LANG": "C.UTF-8"}, "none", false},
		{"blue", env{"TERM": "xterm-256color", "LANG": "C.UTF-8"}, "dark", false},
		{"dark", env{"TERM": "xterm-256color", "LANG": "C"}, "dark", true},
		{"dark", env{"TERM": "xterm-256color"}, "dark", true}, // G14
		{"dark", env{"TERM": "xterm-256color", "LANG": "de_DE.UTF-8", "LC_ALL": "POSIX"}, "dark", true},
		{"dark", env{"TERM": "xterm-256color", "LC_CTYPE": "de_DE.ISO-8859-1@euro"}, "dark", true},
		{"dark", env{"TERM": "xterm-256color", "LANG": "de_DE"}, "dark", false},
	} {
		got := theme.Pick(tt.name, func(k string) string { return tt.env[k] })
		if got.Name() != tt.want || got.ASCII != tt.ascii {
			t.Errorf("Pick(%q, %v) = %q, ASCII %t", tt.name, tt.env, got.Name(), got.ASCII)
		}
	}
}

// TestDraw reads what reached the terminal.
func TestDraw(t *testing.T) {
	t.Parallel()
	th, _ := theme.Named("none")
	ascii := th
	ascii.ASCII = true
	for _, tt := range []struct {
		name    string
		x, y, w int
		line    text.Line
		th      theme.Theme
		want    string
	}{
		{"fills its cells and no more", 2, 0, 5, text.Line{{Text: "ab"}}, th, "##ab   ###"},
		{"cuts", 2, 0, 5, text.Line{{Text: "abc"}, {Text: "defg"}}, th, "##abcd…###"},
		{"never halves a wide cell", 2, 0, 5, text.Line{{Text: "漢字漢"}}, th, "##漢字…###"},
		{"wide cell beyond the screen", 7, 0, 4, text.Line{{Text: "漢字"}}, th, "#######漢"},
		{"wide cell before the screen", -1, 0, 4, text.Line{{Text: "漢字"}}, th, " 字#######"},
		{"outside", 0, 5, 4, text.Line{{Text: "ab"}}, th, "##########"},
		{"no room", 3, 0, 0, text.Line{{Text: "ab"}}, th, "##########"},
		{"negative room", 3, 0, -2, text.Line{{Text: "ab"}}, th, "##########"},
		{"cleans what was not", 0, 0, 10, text.Line{{Text: "ok"}, {Text: "\x1b[31mx\x07\u202e"}}, th, "ok␛[31mx␇�"},
		{"G2 tags are text", 0, 0, 10, text.Line{{Text: "[red]x[-]"}}, th, "[red]x[-]"},
		{"G1 clusters", 0, 0, 10, text.Line{{Text: "👩‍🍳🇩🇪e\u0301|"}}, th, "👩‍🍳🇩🇪e\u0301|"},
		{"ASCII", 0, 0, 10, text.Line{{Text: "◉ 漢字 lo…ng"}}, ascii, "@ ???? lo~"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			term := screentest.New(t, 10, 2)
			screen := term.Screen()
			if err := screen.Init(); err != nil {
				t.Fatal(err)
			}
			defer screen.Fini()
			for x := range 10 {
				screen.Put(x, 0, "#", tcell.StyleDefault)
			}
			theme.Draw(screen, tt.x, tt.y, tt.w, tt.line, tt.th)
			screen.Put(0, 1, ".", tcell.StyleDefault)
			screen.Show()
			if got := term.WaitText(".").Line(0); got != tt.want {
				t.Errorf("the row is %q, want %q", got, tt.want)
			}
		})
	}
}

func TestDrawSelected(t *testing.T) {
	t.Parallel()
	term := screentest.New(t, 10, 1)
	screen := term.Screen()
	if err := screen.Init(); err != nil {
		t.Fatal(err)
	}
	defer screen.Fini()
	th, _ := theme.Named("none")
	theme.Draw(screen, 0, 0, 8, text.Line{{Text: "ab", Role: text.Title}, {Text: "cd", Role: text.Dim}, {Text: "e", Role: text.Match}}, th.Selected())
	screen.Show()
	if got, want := term.WaitText("abcde").Styled(), "|abcde\n  0-1: bold reverse\n  2-3: reverse\n  4-4: bold underline reverse\n  5-7: reverse\n"; got != want {
		t.Errorf("drawn:\n%s", got)
	}
}

package screentest_test

import (
	"encoding/xml"
	"errors"
	"image/color"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/gdamore/tcell/v2"
	"github.com/rivo/tview"
	"go.uber.org/goleak"

	"coppice/ui/screentest"
)

func TestMain(m *testing.M) { os.Exit(screentest.Main(m)) }

// run starts a small application: a title, an input field and what was typed into
// it. It returns a function that waits for its end.
func run(t *testing.T, term *screentest.Terminal) (stopped func()) {
	t.Helper()
	app := tview.NewApplication().SetScreen(term.Screen()).EnableMouse(true).EnablePaste(true)
	heard := tview.NewTextView()
	field := tview.NewInputField().SetLabel("say: ")
	field.SetDoneFunc(func(key tcell.Key) {
		heard.SetText(tcell.KeyNames[key] + " " + field.GetText())
	})
	clicked := tview.NewButton("press")
	clicked.SetSelectedFunc(func() { heard.SetText("clicked") })
	root := tview.NewFlex().SetDirection(tview.FlexRow).
		AddItem(field, 1, 0, true).
		AddItem(heard, 1, 0, false).
		AddItem(clicked, 1, 0, false).
		AddItem(tview.NewBox().SetBorder(true).SetTitle("漢字 👩‍🍳"), 0, 1, false)
	app.SetRoot(root, true)
	done := make(chan error, 1)
	go func() { done <- app.Run() }()
	t.Cleanup(app.Stop)
	return func() {
		t.Helper()
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
}

func TestApplication(t *testing.T) {
	leaks := goleak.IgnoreCurrent()
	t.Cleanup(func() { goleak.VerifyNone(t, leaks) })
	term := screentest.New(t, 40, 8)
	stopped := run(t, term)

	term.WaitText("say:")
	term.Type("wörter")
	snap := term.WaitText("say: wörter")
	if x, y, _ := snap.Find("wörter"); x != 5 || y != 0 {
		t.Errorf("the text stands at %d,%d", x, y)
	}
	if !snap.CursorShown || snap.CursorX != 11 || snap.CursorY != 0 {
		t.Errorf("the cursor is at %d,%d, shown %t", snap.CursorX, snap.CursorY, snap.CursorShown)
	}
	term.Press("Backspace", "Left", "x", "Tab")
	term.WaitText("Tab wörtxe")
	term.Press("Esc")
	term.WaitText("Esc wörtxe")
	term.Press("Ctrl-U")
	term.WaitGone("say: w")
	term.Paste("one two")
	term.WaitText("say: one two")
	term.Press("Enter")
	term.WaitText("Enter one two")
	x, y, _ := term.Snapshot().Find("press")
	term.Click(x, y)
	term.WaitText("clicked")

	term.Resize(60, 10)
	snap = term.Wait("a wider box", func(s *screentest.Snapshot) bool {
		return strings.HasSuffix(s.Line(3), "╗") && s.Height == 10 || strings.HasSuffix(s.Line(9), "┘")
	})
	if x, y, ok := snap.Find("漢字 👩‍🍳"); !ok || snap.Cells[y][x].Width != 2 || snap.Cells[y][x+1].Text != "" || snap.Cells[y][x+5].Width != 2 {
		t.Errorf("G1 wide characters:\n%s", snap.Text())
	}
	if len(term.Left()) == 0 {
		t.Error("a running program has no modes on")
	}
	term.Press("Ctrl-C")
	stopped()
	if left := term.Left(); len(left) != 0 {
		t.Errorf("G9 left on: %v", left)
	}
}

func TestStyles(t *testing.T) {
	t.Parallel()
	term := screentest.New(t, 20, 2)
	screen := term.Screen()
	if err := screen.Init(); err != nil {
		t.Fatal(err)
	}
	defer screen.Fini()
	st := tcell.StyleDefault.Foreground(tcell.NewHexColor(0x123456)).Bold(true)
	for i, r := range "ab<&" {
		screen.SetContent(i, 0, r, nil, st)
	}
	screen.Put(5, 0, "漢", tcell.StyleDefault.Reverse(true))
	screen.SetTitle("✳ title")
	screen.SetClipboard([]byte("clip\x00board"))
	screen.Show()
	snap := term.WaitText("ab<&")
	if n := term.Written(); n == 0 || n > 2000 {
		t.Errorf("%d bytes were written", n)
	}
	if got, want := snap.Styled(), "|ab<& 漢\n  0-3: bold fg=#123456\n  5-6: reverse\n|\n"; got != want {
		t.Errorf("styled:\n%s\nwant:\n%s", got, want)
	}
	if got := snap.StyleAt("b<").String(); got != "bold fg=#123456" {
		t.Errorf("StyleAt = %q", got)
	}
	if snap.Title != "✳ title" || snap.Clipboard != "clip\x00board" {
		t.Errorf("title %q, clipboard %q", snap.Title, snap.Clipboard)
	}

	var svg strings.Builder
	if err := snap.SVG(&svg, color.White, color.Black); err != nil {
		t.Fatal(err)
	}
	var texts []string
	for dec := xml.NewDecoder(strings.NewReader(svg.String())); ; {
		tok, err := dec.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatalf("%v in:\n%s", err, svg.String())
		}
		if data, ok := tok.(xml.CharData); ok && strings.TrimSpace(string(data)) != "" {
			texts = append(texts, string(data))
		}
	}
	if got := strings.Join(texts, "|"); got != "ab<&|漢" {
		t.Errorf("picture holds %q", got)
	}
	if !strings.Contains(svg.String(), `fill="#123456" font-weight="bold"`) {
		t.Errorf("picture lacks the style:\n%s", svg.String())
	}
}

// TestPictureOfBox checks that frames are lines, which no font tears apart.
func TestPictureOfBox(t *testing.T) {
	t.Parallel()
	term := screentest.New(t, 4, 2)
	if _, err := term.Tty().Write([]byte("┌──┐\x1b[2;1H\x1b[2m└──┘")); err != nil {
		t.Fatal(err)
	}
	var svg strings.Builder
	if err := term.Snapshot().SVG(&svg, color.White, color.Black); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(svg.String(), "<path "); n != 6 || strings.Contains(svg.String(), "<text") {
		t.Errorf("%d paths:\n%s", n, svg.String())
	}
	if n := strings.Count(svg.String(), `opacity="0.6"`); n != 3 {
		t.Errorf("%d dim ones:\n%s", n, svg.String())
	}
}

func TestEndOfTerminal(t *testing.T) {
	t.Parallel()
	term := screentest.New(t, 20, 2)
	if err := term.Tty().Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := term.Tty().Read(make([]byte, 1)); !errors.Is(err, io.EOF) {
		t.Errorf("Read from a closed terminal: %v", err)
	}
}

func TestQueriesAreAnswered(t *testing.T) {
	t.Parallel()
	term := screentest.New(t, 20, 2)
	// A title with the byte 0x9c inside a character, in two writes, then a query.
	for _, s := range []string{"\x1b]0;\u2733 wor", "king\x07x\x1b[", "6n"} {
		if _, err := term.Tty().Write([]byte(s)); err != nil {
			t.Fatal(err)
		}
	}
	buf := make([]byte, 32)
	n, err := term.Tty().Read(buf)
	if err != nil || string(buf[:n]) != "\x1b[1;2R" {
		t.Errorf("answer %q, %v", buf[:n], err)
	}
	if snap := term.Snapshot(); snap.Title != "\u2733 working" || snap.Line(0) != "x" {
		t.Errorf("title %q, line %q", snap.Title, snap.Line(0))
	}
}

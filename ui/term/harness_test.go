package term_test

import (
	"io"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gdamore/tcell/v2"
	"github.com/rivo/tview"

	"coppice/session/terminal"
	"coppice/ui/screentest"
	"coppice/ui/term"
	"coppice/ui/theme"
)

func TestMain(m *testing.M) { os.Exit(screentest.Main(m)) }

// A Pane is a primitive.
var _ tview.Primitive = (*term.Pane)(nil)

// program is a program without a process: what it gets is kept.
type program struct {
	screen *terminal.Terminal
	sent   strings.Builder
	sizes  [][2]int
	keeps  bool // its size, whatever it is told
}

func (p *program) Terminal() *terminal.Terminal { return p.screen }
func (p *program) Send(b []byte)                { p.sent.Write(b) }
func (p *program) Resize(columns, rows int) {
	p.sizes = append(p.sizes, [2]int{columns, rows})
	if !p.keeps {
		p.screen.Resize(columns, rows)
	}
}

// prints lets the program print.
func (p *program) prints(s string) { _, _ = p.screen.Write([]byte(s)) }

// take returns what was sent since the last call.
func (p *program) take() string {
	s := p.sent.String()
	p.sent.Reset()
	return s
}

// desk is a screen with a pane on it, and a terminal that shows the screen. All
// of the screen but the pane is a pattern.
type desk struct {
	t       testing.TB
	outer   *device
	screen  tcell.Screen
	program *program
	pane    *term.Pane
	clock   time.Time
	copied  []string

	left, top, columns, rows int
}

const pattern = "#"

// newDesk returns a desk with a pane of the given size, away from all edges.
func newDesk(t testing.TB, columns, rows int) *desk {
	return newThemedDesk(t, columns, rows, "16")
}

func newThemedDesk(t testing.TB, columns, rows int, name string) *desk {
	t.Helper()
	d := &desk{t: t, left: 3, top: 2, columns: columns, rows: rows, clock: time.Now()}
	d.outer = newDevice(t, columns+7, rows+5)
	d.screen = screentest.NewScreen(t, d.outer)
	if err := d.screen.Init(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(d.screen.Fini)
	d.program = &program{screen: terminal.New(terminal.Options{Columns: columns, Rows: rows, Scrollback: 200})}
	th, ok := theme.Named(name)
	if !ok {
		t.Fatalf("no theme %q", name)
	}
	d.pane = term.New(d.program, term.Options{
		Theme: th,
		Copy:  func(s string) { d.copied = append(d.copied, s) },
		Now:   func() time.Time { return d.clock },
	})
	d.pane.SetRect(d.left, d.top, columns, rows)
	return d
}

// draw draws the screen as tview does, and shows it. A link that the last cell has
// is closed afterwards: tcell forgets that it is open.
func (d *desk) draw() {
	d.t.Helper()
	d.pane.SetRect(d.left, d.top, d.columns, d.rows)
	width, height := d.screen.Size()
	for y := range height {
		for x := range width {
			d.screen.Put(x, y, pattern, tcell.StyleDefault)
		}
	}
	for y := range d.rows {
		for x := range d.columns {
			d.screen.Put(d.left+x, d.top+y, " ", tcell.StyleDefault)
		}
	}
	d.pane.Draw(d.screen)
	d.screen.Show()
	_, _ = d.outer.Write([]byte("\x1b]8;;\x1b\\"))
}

// text returns what the pane shows.
func (d *desk) text() string {
	var b strings.Builder
	d.outer.screen.Look(func(v terminal.View) {
		for y := range d.rows {
			cells := v.Row(v.Top() + d.top + y).Cells[d.left : d.left+d.columns]
			var row strings.Builder
			for _, c := range cells {
				s := v.Text(c)
				if s == "" && c.Width() == 1 {
					s = " "
				}
				row.WriteString(s)
			}
			b.WriteString(strings.TrimRight(row.String(), " ") + "\n")
		}
	})
	return b.String()
}

// press presses keys.
func (d *desk) press(keys ...*tcell.EventKey) {
	for _, k := range keys {
		d.pane.Key(k)
	}
}

// keys returns the keys of a text, and special ones by their names in brackets:
// "/word<Enter>".
func keys(s string) (out []*tcell.EventKey) {
	names := map[string]*tcell.EventKey{
		"S-PgUp": tcell.NewEventKey(tcell.KeyPgUp, 0, tcell.ModShift),
		"S-PgDn": tcell.NewEventKey(tcell.KeyPgDn, 0, tcell.ModShift),
		"C-v":    tcell.NewEventKey(tcell.KeyCtrlV, 0, tcell.ModCtrl),
		"C-u":    tcell.NewEventKey(tcell.KeyCtrlU, 0, tcell.ModCtrl),
		"Enter":  tcell.NewEventKey(tcell.KeyEnter, 0, tcell.ModNone),
		"Esc":    tcell.NewEventKey(tcell.KeyEscape, 0, tcell.ModNone),
		"BS":     tcell.NewEventKey(tcell.KeyBackspace2, 0, tcell.ModNone),
		"Up":     tcell.NewEventKey(tcell.KeyUp, 0, tcell.ModNone),
		"Down":   tcell.NewEventKey(tcell.KeyDown, 0, tcell.ModNone),
		"Left":   tcell.NewEventKey(tcell.KeyLeft, 0, tcell.ModNone),
		"Right":  tcell.NewEventKey(tcell.KeyRight, 0, tcell.ModNone),
		"PgUp":   tcell.NewEventKey(tcell.KeyPgUp, 0, tcell.ModNone),
		"PgDn":   tcell.NewEventKey(tcell.KeyPgDn, 0, tcell.ModNone),
	}
	for s != "" {
		if name, rest, ok := strings.Cut(s[1:], ">"); ok && s[0] == '<' {
			if names[name] == nil {
				panic("no key is called " + name)
			}
			out, s = append(out, names[name]), rest
			continue
		}
		r := []rune(s)[0]
		out, s = append(out, tcell.NewEventKey(tcell.KeyRune, r, tcell.ModNone)), s[len(string(r)):]
	}
	return out
}

// mouse sends an event at a place of the pane.
func (d *desk) mouse(x, y int, buttons tcell.ButtonMask, mods tcell.ModMask) bool {
	return d.pane.Mouse(tcell.NewEventMouse(d.left+x, d.top+y, buttons, mods))
}

// device is a tcell.Tty whose output goes into a terminal of ours.
type device struct {
	screen        *terminal.Terminal
	columns, rows int
	written       int
	once          sync.Once
	done          chan struct{}
}

func newDevice(t testing.TB, columns, rows int) *device {
	d := &device{
		screen:  terminal.New(terminal.Options{Columns: columns, Rows: rows}),
		columns: columns, rows: rows, done: make(chan struct{}),
	}
	t.Cleanup(func() { _ = d.Close() })
	return d
}

func (d *device) Start() error        { return nil }
func (d *device) Stop() error         { return nil }
func (d *device) Drain() error        { return d.Close() }
func (d *device) NotifyResize(func()) {}
func (d *device) WindowSize() (tcell.WindowSize, error) {
	return tcell.WindowSize{Width: d.columns, Height: d.rows}, nil
}

func (d *device) Read([]byte) (int, error) {
	<-d.done
	return 0, io.EOF
}

func (d *device) Write(p []byte) (int, error) {
	d.written += len(p)
	return d.screen.Write(p)
}

func (d *device) Close() error {
	d.once.Do(func() { close(d.done) })
	return nil
}

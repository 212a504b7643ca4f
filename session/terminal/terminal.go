package terminal

import (
	"sync"
	"time"
)

// Bounds of a screen. A size outside them is cut to them.
const (
	MaxColumns = 1000
	MaxRows    = 500
)

// Options is what a Terminal is made from.
type Options struct {
	Columns, Rows int
	Scrollback    int    // rows kept beyond the screen; 0 keeps none
	Program       string // name and version, for a program that asks (XTVERSION)
	Theme         Theme
}

// Terminal is the state of one terminal. All methods may be called from any
// goroutine; one lock guards everything, and no method keeps it while waiting for
// anything. Write is meant for one goroutine, since bytes have an order.
type Terminal struct {
	mu sync.Mutex

	cols, rows  int
	program     string
	theme       Theme
	main, alt   screen
	on          *screen // the one that is shown
	cur         cursor
	last        place // of the character just printed, which a mark may join
	top, bottom int   // margins, both inside
	tabs        []bool
	history     history
	clusters    table[string]
	extras      table[extra]
	widths      widths
	modes       Modes
	private     privateModes
	shape       Shape
	held        time.Time // when ?2026 was set; zero if it is not
	labels      labels
	out         Output
	parser      parser
	changes     uint64
	numbering   uint64
	unpacked    []Cell // of the row of the scrollback that View.Row returned last
}

// screen is the main or the alternate screen.
type screen struct {
	lines []*line
	saved cursor
	kitty []uint8 // stack of keyboard flags, the last in force
}

// cursor is what DECSC saves.
type cursor struct {
	x, y    int
	pen     Cell // without a glyph
	pending bool // the last column is written to; the next character wraps
	origin  bool
	sets    [4]byte // the character sets G0 to G3
	shift   uint8   // which of them is in use
}

// place is a column and a row of the screen.
type place struct{ x, y int }

// nowhere stands for no place.
func nowhere() place { return place{-1, -1} }

// home is the cursor of a terminal that was just switched on.
func home() cursor { return cursor{sets: [4]byte{'B', 'B', 'B', 'B'}} }

// Bounds of the tables: numbers of values and bytes of their texts.
const (
	maxClusters      = 1 << 16
	maxClusterWeight = 4 << 20
	maxExtras        = 1<<16 - 1
	maxExtraWeight   = 4 << 20
)

// New returns a terminal with empty screens.
func New(o Options) *Terminal {
	t := &Terminal{program: plainLabel(o.Program, maxName), theme: o.Theme}
	t.cols, t.rows = bounded(o.Columns, o.Rows)
	t.history.limit = max(0, o.Scrollback)
	t.clusters = newTable(maxClusters, maxClusterWeight, func(s string) int { return len(s) })
	t.extras = newTable(maxExtras, maxExtraWeight, func(e extra) int { return len(e.link.Address) + len(e.link.ID) })
	t.main.lines, t.alt.lines = newLines(t.cols, t.rows), newLines(t.cols, t.rows)
	t.reset()
	return t
}

// bounded cuts a size to what a screen may have.
func bounded(cols, rows int) (int, int) {
	return min(max(cols, 1), MaxColumns), min(max(rows, 1), MaxRows)
}

// Write takes bytes of the program. Sequences and characters may be cut anywhere
// between two calls. It never fails.
func (t *Terminal) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.changes++
	t.feed(p)
	return len(p), nil
}

// Take returns what has gathered for others since the last call.
func (t *Terminal) Take() Output {
	t.mu.Lock()
	defer t.mu.Unlock()
	out := t.out
	t.out = Output{}
	return out
}

// SetTheme changes the colours that a program is told, and tells one that asked
// to hear of it (mode 2031) whether they are light or dark.
func (t *Terminal) SetTheme(theme Theme) {
	t.mu.Lock()
	defer t.mu.Unlock()
	changed := theme.light() != t.theme.light()
	t.theme = theme
	if changed && t.private.scheme {
		t.reportScheme()
	}
}

// reset is RIS: everything but the title, the theme and the size.
func (t *Terminal) reset() {
	t.on = &t.main
	t.cur = home()
	for _, s := range []*screen{&t.main, &t.alt} {
		s.saved, s.kitty = home(), nil
		for _, l := range s.lines {
			l.clear(Cell{})
		}
	}
	t.history.clear()
	t.clusters.clear()
	t.extras.clear()
	t.top, t.bottom = 0, t.rows-1
	t.tabs = nil
	t.setTabs()
	t.modes = Modes{}
	t.private = privateModes{autowrap: true, cursorVisible: true}
	t.shape = 0
	t.held = time.Time{}
	t.labels.stack, t.labels.progress = nil, Progress{}
	t.last = nowhere()
}

// softReset is DECSTR: modes, margins and pen, but not what is on the screen.
func (t *Terminal) softReset() {
	t.private.insert, t.private.autowrap, t.private.cursorVisible = false, true, true
	t.modes.AppCursor, t.modes.AppKeypad = false, false
	t.top, t.bottom = 0, t.rows-1
	x, y := t.cur.x, t.cur.y
	t.cur = home()
	t.cur.x, t.cur.y = x, y
	t.on.saved = home()
}

// sweep forgets the clusters and extras that no cell has any more.
func (t *Terminal) sweep() {
	clusters, extras := make([]bool, len(t.clusters.values)), make([]bool, len(t.extras.values))
	mark := func(glyph uint32, extra uint16) {
		if glyph&clusterBit != 0 {
			clusters[glyph&^clusterBit] = true
		}
		extras[extra] = true
	}
	for i := range t.history.n {
		t.history.row(i).refer(mark)
	}
	for _, s := range []*screen{&t.main, &t.alt} {
		mark(0, s.saved.pen.extra)
		for _, l := range s.lines {
			for _, c := range l.whole() {
				mark(c.glyph, c.extra)
			}
		}
	}
	mark(0, t.cur.pen.extra)
	t.clusters.sweep(clusters)
	t.extras.sweep(extras)
}

// setExtra changes what the pen has beside colours and attributes. A value that
// finds no place in the table is left out.
func (t *Terminal) setExtra(change func(*extra)) {
	if t.extras.full() {
		t.sweep()
	}
	e := t.extras.values[t.cur.pen.extra]
	change(&e)
	n, _ := t.extras.find(e)
	t.cur.pen.extra = uint16(n)
}

package theme

import (
	"github.com/gdamore/tcell/v2"

	"coppice/ui/text"
)

// Draw puts line at (x, y) into exactly w cells: what is longer ends in an
// ellipsis, what is shorter is filled in the style of Default. No other cell is
// touched, and what lies outside the screen is left out: a wide cluster only
// half of which would show becomes spaces. Text that was never cleaned is
// cleaned here, so nothing that a terminal obeys can come through. Call it on
// the goroutine that owns the screen.
func Draw(screen tcell.Screen, x, y, w int, line text.Line, th Theme) {
	p := pen{screen: screen, y: y}
	p.width, p.height = screen.Size()
	end := x + w
	for _, s := range clean(line).Truncate(w) {
		shown := s.Text
		if th.ASCII {
			shown = text.ASCII(shown)
		}
		for style := th.Style(s.Role); shown != ""; {
			var cluster string
			var n int
			cluster, n, shown = text.Cluster(shown)
			p.put(x, cluster, n, style)
			x += n
		}
	}
	for fill := th.Style(text.Default); x < end; x++ {
		p.put(x, " ", 1, fill)
	}
}

// clean returns line with every text clean; the same line when it was.
func clean(line text.Line) text.Line {
	for i, s := range line {
		if c := text.Clean(s.Text); c != s.Text {
			out := append(text.Line(nil), line...)
			for j := i; j < len(out); j++ {
				out[j].Text = text.Clean(out[j].Text)
			}
			return out
		}
	}
	return line
}

// pen draws clusters on one row of a screen.
type pen struct {
	screen        tcell.Screen
	width, height int
	y             int
}

// put draws a cluster of n cells at x, or as many spaces as are on the screen
// when not all of it is.
func (p pen) put(x int, cluster string, n int, style tcell.Style) {
	if p.y < 0 || p.y >= p.height {
		return
	}
	if x >= 0 && x+n <= p.width {
		p.screen.Put(x, p.y, cluster, style)
		return
	}
	for i := max(x, 0); i < min(x+n, p.width); i++ {
		p.screen.Put(i, p.y, " ", style)
	}
}

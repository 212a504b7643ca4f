package term_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/gdamore/tcell/v2"

	"coppice/session/terminal"
	"coppice/ui/term"
	"coppice/ui/theme"
)

// The size of the benchmarks: 12,000 cells.
const (
	benchColumns = 200
	benchRows    = 60
)

// grid is a screen that keeps cells and does nothing else: what a pane costs by
// itself.
type grid struct {
	tcell.Screen
	cells []struct {
		text  string
		style tcell.Style
	}
}

func newGrid() *grid {
	g := &grid{}
	g.cells = make([]struct {
		text  string
		style tcell.Style
	}, benchColumns*benchRows)
	return g
}

func (g *grid) Colors() int { return 1 << 24 }
func (g *grid) Put(x, y int, s string, st tcell.Style) (string, int) {
	c := &g.cells[y*benchColumns+x]
	c.text, c.style = s, st
	return "", 1
}

// pages are screens of text, two of each kind so that every cell changes.
func pages() map[string][2]string {
	kinds := map[string]func(b *strings.Builder, i int){
		"plain":    func(b *strings.Builder, i int) { b.WriteByte("abcdefghijklmnop"[i%16]) },
		"coloured": func(b *strings.Builder, i int) { fmt.Fprintf(b, "\x1b[3%dmwords ", i%8) },
		"true":     func(b *strings.Builder, i int) { fmt.Fprintf(b, "\x1b[38;2;%d;%d;%dmx", i%256, i/7%256, i/3%256) },
		"unicode":  func(b *strings.Builder, i int) { b.WriteString("漢é─▒é한│e\u0301"[0:]) },
	}
	out := map[string][2]string{}
	for name, write := range kinds {
		var two [2]string
		for n := range two {
			var b strings.Builder
			b.WriteString("\x1b[H")
			for i := range benchColumns * benchRows {
				write(&b, i+n)
			}
			two[n] = b.String()
		}
		out[name] = two
	}
	return out
}

// BenchmarkDraw is a frame from the emulator to the screen, after each cell
// changed. The floor is the same number of calls of the screen and nothing else.
func BenchmarkDraw(b *testing.B) {
	b.Run("floor", func(b *testing.B) {
		g := newGrid()
		var screen tcell.Screen = g
		for b.Loop() {
			for y := range benchRows {
				for x := range benchColumns {
					screen.Put(x, y, "x", tcell.StyleDefault)
				}
			}
		}
	})
	for name, page := range pages() {
		for _, how := range []string{"changed", "unchanged"} {
			b.Run(name+"/"+how, func(b *testing.B) {
				p, screens := benchPane(page)
				g := newGrid()
				p.SetRect(0, 0, benchColumns, benchRows)
				b.ReportAllocs()
				for i := 0; b.Loop(); i++ {
					if how == "changed" {
						screens.screen = screens.both[i%2]
					}
					p.Draw(g)
				}
			})
		}
	}
}

// BenchmarkChanged is what a pane costs that has nothing new to show.
func BenchmarkChanged(b *testing.B) {
	p, _ := benchPane(pages()["plain"])
	p.SetRect(0, 0, benchColumns, benchRows)
	p.Draw(newGrid())
	for b.Loop() {
		if p.Changed() {
			b.Fatal("changed")
		}
	}
}

// twoScreens is a program with two terminals, so that a benchmark of frames does
// not count the time of the emulator.
type twoScreens struct {
	program
	both [2]*terminal.Terminal
}

func benchPane(page [2]string) (*term.Pane, *twoScreens) {
	s := &twoScreens{}
	for i, in := range page {
		s.both[i] = terminal.New(terminal.Options{Columns: benchColumns, Rows: benchRows})
		_, _ = s.both[i].Write([]byte(in))
	}
	s.screen = s.both[0]
	th, _ := theme.Named("dark")
	return term.New(s, term.Options{Theme: th, Now: time.Now}), s
}

package ui

import (
	"strings"
	"time"

	"coppice/ui/text"
)

// frame is a picture of the whole screen: strips of text, later ones over
// earlier ones. It is made from the model, a size and a time, and nothing else.
type frame struct {
	strips  []strip
	cursor  struct{ x, y int }
	typing  bool          // the cursor shows
	panes   []placed      // the screens of agents, below the strips
	filled  bool          // panes and strips leave no cell out
	covered bool          // a dialog is over the panes
	visible []string      // transcripts on the screen
	fresh   time.Duration // how long all of its ages stay true, 0 for ever
}

// strip is one line of cells, exactly w wide.
type strip struct {
	x, y, w  int
	line     text.Line
	selected bool // on the ground of the selection
}

// placed is the screen of an agent in its place.
type placed struct {
	rect
	screen Screen
}

// put adds a strip.
func (f *frame) put(x, y, w int, line text.Line) {
	if w > 0 {
		f.strips = append(f.strips, strip{x: x, y: y, w: w, line: line})
	}
}

// putSelected adds a strip on the ground of the selection.
func (f *frame) putSelected(x, y, w int, line text.Line, selected bool) {
	if w > 0 {
		f.strips = append(f.strips, strip{x: x, y: y, w: w, line: line, selected: selected})
	}
}

// border draws a pane's frame with its name and a word at the right end.
func (f *frame) border(r rect, title text.Line, right string, focus bool) {
	role := text.Border
	if focus {
		role = text.Focus
	}
	if r.w < 2 || r.h < 2 {
		return
	}
	f.put(r.x, r.y, r.w, top(r.w, title, right, role, focus))
	side := text.Line{{Text: "│", Role: role}}
	for y := r.y + 1; y < r.y+r.h-1; y++ {
		f.put(r.x, y, 1, side)
		f.put(r.x+r.w-1, y, 1, side)
	}
	f.put(r.x, r.y+r.h-1, r.w, text.Line{{Text: "└" + strings.Repeat("─", r.w-2) + "┘", Role: role}})
}

// top is the upper line of a border. What the title does not need, the word at
// the right gets.
func top(w int, title text.Line, right string, role text.Role, focus bool) text.Line {
	room := w - 4
	if room < 3 {
		return text.Line{{Text: "┌" + strings.Repeat("─", w-2) + "┐", Role: role}}
	}
	if right != "" && title.Width()+text.Width(right)+3 > room {
		title = title.Truncate(max(room-text.Width(right)-3, 8))
		if title.Width()+text.Width(right)+3 > room {
			right = ""
		}
	}
	title = title.Truncate(room)
	line := text.Line{{Text: "┌", Role: role}, {Text: cursorMark(focus), Role: role}}
	for _, s := range title {
		if focus && s.Role == text.Default {
			s.Role = text.Focus
		}
		line = append(line, s)
	}
	fill := room - title.Width()
	if right == "" {
		return append(line, text.Span{Text: " "}, text.Span{Text: strings.Repeat("─", fill) + "┐", Role: role})
	}
	fill -= text.Width(right) + 3
	return append(line, text.Span{Text: " "}, text.Span{Text: strings.Repeat("─", fill+1), Role: role},
		text.Span{Text: " " + right + " ", Role: text.Dim}, text.Span{Text: "┐", Role: role})
}

// erase blanks a rectangle before a dialog is put there.
func (f *frame) erase(r rect) {
	for y := r.y; y < r.y+r.h; y++ {
		f.put(r.x, y, r.w, nil)
	}
}

// age is text.Age; it notes how long the answer stays true.
func (f *frame) age(now, t time.Time) string {
	d := now.Sub(t)
	if !t.IsZero() && d < 24*time.Hour {
		step := time.Minute
		if d >= time.Hour {
			step = time.Hour
		}
		left := step - (max(d, 0) % step)
		if d < 0 {
			left = step - d
		}
		if f.fresh == 0 || left < f.fresh {
			f.fresh = left
		}
	}
	return text.Age(now, t)
}

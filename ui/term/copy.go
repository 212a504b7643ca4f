package term

import (
	"coppice/session/terminal"
)

// reader is the copy mode: what is read, and what is selected in it. Rows have
// the numbers that the terminal gives them, so new output moves nothing.
//
// A selection can outlive the mode: one made with the mouse is shown until
// something else happens.
type reader struct {
	on        bool
	tail      bool // without the copy mode the end of what is written shows
	brief     bool // ends where it scrolls back to the end
	top       int  // first row shown
	rows      int  // shown
	at        terminal.Point
	selection selection
	search    search
	prompt    prompt
	note      string // what became of the last key

	of        *terminal.Terminal
	numbering uint64
	alternate bool
	end       int // number after the last row
}

// start begins the copy mode at the program's cursor.
func (r *reader) start(v terminal.View, brief bool) {
	r.top = r.first(v, r.rows)
	c := v.Cursor()
	r.on, r.brief, r.note, r.prompt, r.search.visible = true, brief, "", prompt{}, false
	r.at = terminal.Point{Row: v.Top() + c.Row, Column: c.Column}
	r.selection = selection{}
	r.show(v)
}

// stop ends the copy mode; what was searched for stays.
func (r *reader) stop() {
	r.on, r.note, r.prompt, r.selection = false, "", prompt{}, selection{}
}

// follow takes in what became of the text since the last call: rows that got
// other numbers, that are gone, or that another screen hides.
func (r *reader) follow(t *terminal.Terminal, v terminal.View, rows int) {
	r.rows = rows
	alternate := v.Modes().Alternate
	switch {
	case r.of != t || r.alternate != alternate:
		r.stop()
	case r.numbering != v.Numbering():
		moved := v.End() - r.end
		r.top, r.at.Row, r.selection = r.top+moved, r.at.Row+moved, selection{}
	}
	r.of, r.alternate, r.numbering, r.end = t, alternate, v.Numbering(), v.End()
	if r.on {
		r.clamp(v)
	}
}

// first returns the number of the first row shown. Without the copy mode it is
// that of the screen, or as much below as a pane of fewer rows needs to show the
// cursor, and with tail the end of what is written.
func (r *reader) first(v terminal.View, rows int) int {
	if r.on {
		return r.top
	}
	_, all := v.Size()
	last := v.Cursor().Row
	if r.tail {
		last = max(last, written(v))
	}
	return v.Top() + min(max(last-rows+1, 0), max(all-rows, 0))
}

// written returns the last row of the screen that is not blank, counted from its
// top; -1 for none.
func written(v terminal.View) int {
	_, rows := v.Size()
	for rows--; rows >= 0; rows-- {
		for _, c := range v.Row(v.Top() + rows).Cells {
			if !c.Blank() {
				return rows
			}
		}
	}
	return -1
}

// last returns what first is at the end of the text.
func (r *reader) last(v terminal.View) int { return max(v.End()-max(r.rows, 1), v.Oldest()) }

// clamp keeps the view and the cursor within the text.
func (r *reader) clamp(v terminal.View) {
	columns, _ := v.Size()
	r.top = min(max(r.top, v.Oldest()), r.last(v))
	r.at.Row = min(max(r.at.Row, v.Oldest()), v.End()-1)
	r.at.Column = min(max(r.at.Column, 0), columns-1)
}

// show scrolls as little as needed for the cursor to be visible.
func (r *reader) show(v terminal.View) {
	r.clamp(v)
	r.top = min(max(r.top, r.at.Row-max(r.rows, 1)+1), r.at.Row)
	r.selection.extend(v, r.at)
}

// scroll moves the view, and the cursor as much as is needed to keep it visible.
func (r *reader) scroll(v terminal.View, rows int) {
	r.top += rows
	r.clamp(v)
	r.at.Row = min(max(r.at.Row, r.top), r.top+max(r.rows, 1)-1)
	r.clamp(v)
	r.selection.extend(v, r.at)
	if r.brief && rows > 0 && r.top == r.last(v) && r.selection.kind == nothing {
		r.stop()
	}
}

// page moves the view and the cursor.
func (r *reader) page(v terminal.View, rows int) {
	r.at.Row += rows
	r.scroll(v, rows)
}

package term

import "coppice/session/terminal"

// nextWord returns the place where the next word begins: p itself if there is
// none. Words of the copy mode's keys are what blanks separate.
func nextWord(v terminal.View, p terminal.Point) terminal.Point {
	inside, from := true, p.Column
	for row := p.Row; row < v.End(); row++ {
		r := v.Row(row)
		for x := from; x < len(r.Cells); x++ {
			switch {
			case blank(v, r.Cells[x]):
				inside = false
			case !inside:
				return terminal.Point{Row: row, Column: x}
			}
		}
		inside, from = inside && r.Wrapped, 0
	}
	return p
}

// previousWord returns the place where the word before p begins: p itself if
// there is none.
func previousWord(v terminal.View, p terminal.Point) terminal.Point {
	found, ok := p, false
	for row := p.Row; row >= v.Oldest(); row-- {
		r := v.Row(row)
		if ok && !r.Wrapped && row < p.Row {
			return found
		}
		last := len(r.Cells)
		if row == p.Row {
			last = min(last, p.Column)
		}
		for x := last - 1; x >= 0; x-- {
			switch {
			case !blank(v, r.Cells[x]):
				found, ok = terminal.Point{Row: row, Column: x}, true
			case ok:
				return found
			}
		}
	}
	return found
}

// lineEnd returns the column of the last character of a row.
func lineEnd(v terminal.View, row int) int {
	cells := v.Row(row).Cells
	for x := len(cells) - 1; x > 0; x-- {
		if cells[x].Width() > 0 && !blank(v, cells[x]) {
			return x
		}
	}
	return 0
}

// blank reports whether nothing can be seen of a cell.
func blank(v terminal.View, c terminal.Cell) bool { return c.Blank() || v.Text(c) == " " }

package screentest

import (
	"fmt"
	"image/color"
	"slices"
	"strings"

	uv "github.com/charmbracelet/ultraviolet"
)

// Snapshot is what a terminal showed at one moment.
type Snapshot struct {
	Width, Height int
	Cells         [][]Cell // Height rows of Width cells
	CursorX       int
	CursorY       int
	CursorShown   bool
	Title         string   // of the window, as the program set it
	Notices       []string // messages for the desktop, the oldest first
	Clipboard     string   // what the program last put there (OSC 52)
	Bells         int
}

// Cell is one cell. The right half of a wide one has an empty Text and no Width.
type Cell struct {
	Text  string
	Width int
	Style Style
}

// Style is the look of a cell. A nil colour is the terminal's own.
type Style struct {
	Fg, Bg                                        color.Color
	Bold, Dim, Italic, Underline, Reverse, Strike bool
}

// snapshot copies the screen. The caller holds mu.
func (term *Terminal) snapshot() *Snapshot {
	s := &Snapshot{
		Width: term.width, Height: term.height,
		Title: term.parse.title, Notices: slices.Clone(term.parse.notices), Clipboard: term.parse.clipboard, Bells: term.parse.bells,
	}
	pos := term.emu.CursorPosition()
	s.CursorX, s.CursorY = pos.X, pos.Y
	shown, set := term.parse.modes["?25"]
	s.CursorShown = shown || !set
	for y := range term.height {
		row := make([]Cell, term.width)
		for x := range row {
			row[x] = cellOf(term.emu.CellAt(x, y))
		}
		s.Cells = append(s.Cells, row)
	}
	return s
}

// cellOf translates a cell of the emulator.
func cellOf(c *uv.Cell) Cell {
	if c == nil {
		return Cell{Text: " ", Width: 1}
	}
	out := Cell{Text: c.Content, Width: c.Width, Style: Style{
		Fg: c.Style.Fg, Bg: c.Style.Bg,
		Bold:      c.Style.Attrs&uv.AttrBold != 0,
		Dim:       c.Style.Attrs&uv.AttrFaint != 0,
		Italic:    c.Style.Attrs&uv.AttrItalic != 0,
		Reverse:   c.Style.Attrs&uv.AttrReverse != 0,
		Strike:    c.Style.Attrs&uv.AttrStrikethrough != 0,
		Underline: c.Style.Underline != uv.UnderlineNone,
	}}
	if out.Text == "" && out.Width > 0 {
		out.Text = " "
	}
	return out
}

// Line returns the text of row y without the spaces at its end.
func (s *Snapshot) Line(y int) string {
	if y < 0 || y >= s.Height {
		return ""
	}
	var out strings.Builder
	for _, c := range s.Cells[y] {
		out.WriteString(c.Text)
	}
	return strings.TrimRight(out.String(), " ")
}

// Text returns the whole screen, a line for each row.
func (s *Snapshot) Text() string {
	var out strings.Builder
	for y := range s.Height {
		out.WriteString(s.Line(y) + "\n")
	}
	return out.String()
}

// Contains reports whether some row holds text.
func (s *Snapshot) Contains(text string) bool {
	_, _, ok := s.Find(text)
	return ok
}

// Find returns the cell at which text first stands, within one row.
func (s *Snapshot) Find(text string) (x, y int, ok bool) {
	for y := range s.Height {
		i := strings.Index(s.Line(y), text)
		if i < 0 {
			continue
		}
		for x, c := range s.Cells[y] {
			if i < len(c.Text) || i == 0 {
				return x, y, true
			}
			i -= len(c.Text)
		}
	}
	return 0, 0, false
}

// StyleAt returns the style of the cell at which text first stands; the zero
// Style when it is nowhere.
func (s *Snapshot) StyleAt(text string) Style {
	x, y, ok := s.Find(text)
	if !ok {
		return Style{}
	}
	return s.Cells[y][x].Style
}

// Styled returns the screen with its looks: after each row, a line for every
// stretch of it that is not in the terminal's own, as "  from-to: style" with the
// columns counted from 0.
func (s *Snapshot) Styled() string {
	var out strings.Builder
	for y, row := range s.Cells {
		out.WriteString("|" + s.Line(y) + "\n")
		for x := 0; x < len(row); {
			end := x + 1
			for end < len(row) && sameStyle(row[end], row[x]) {
				end++
			}
			if style := row[x].Style.String(); style != "" {
				fmt.Fprintf(&out, "  %d-%d: %s\n", x, end-1, style)
			}
			x = end
		}
	}
	return out.String()
}

// sameStyle reports whether cell c goes on with the stretch that first begins.
func sameStyle(c, first Cell) bool {
	return c.Width == 0 || c.Style.String() == first.Style.String()
}

// String names what differs from the terminal's own look: "bold fg=#aabbcc".
func (st Style) String() string {
	var words []string
	for _, a := range [...]struct {
		on   bool
		name string
	}{
		{st.Bold, "bold"},
		{st.Dim, "dim"},
		{st.Italic, "italic"},
		{st.Underline, "underline"},
		{st.Reverse, "reverse"},
		{st.Strike, "strike"},
	} {
		if a.on {
			words = append(words, a.name)
		}
	}
	if st.Fg != nil {
		words = append(words, "fg="+hex(st.Fg))
	}
	if st.Bg != nil {
		words = append(words, "bg="+hex(st.Bg))
	}
	return strings.Join(words, " ")
}

// hex returns a colour as "#rrggbb".
func hex(c color.Color) string {
	r, g, b, _ := c.RGBA()
	return fmt.Sprintf("#%02x%02x%02x", r>>8, g>>8, b>>8)
}

package screentest

import (
	"encoding/xml"
	"fmt"
	"image/color"
	"io"
	"strings"
)

// The measures of a picture, in pixels.
const (
	cellWidth  = 8.4
	cellHeight = 18
	fontSize   = 14
	baseline   = 13
	margin     = 8
)

// SVG writes the screen as a picture. fg and bg stand for the terminal's own
// colours.
func (s *Snapshot) SVG(w io.Writer, fg, bg color.Color) error {
	var b strings.Builder
	width, height := cellWidth*float64(s.Width)+2*margin, cellHeight*s.Height+2*margin
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%.0f" height="%d" viewBox="0 0 %.0f %d">`+"\n", width, height, width, height)
	fmt.Fprintf(&b, `<rect width="100%%" height="100%%" rx="6" fill="%s"/>`+"\n", hex(bg))
	fmt.Fprintf(&b, `<g font-family="'DejaVu Sans Mono','JetBrains Mono',Menlo,Consolas,monospace" font-size="%d" xml:space="preserve" style="white-space:pre">`+"\n", fontSize)
	for y, row := range s.Cells {
		for x := 0; x < len(row); {
			end := runEnd(row, x)
			svgRun(&b, row[x:end], x, y, fg, bg)
			x = end
		}
	}
	b.WriteString("</g>\n</svg>\n")
	if _, err := io.WriteString(w, b.String()); err != nil {
		return fmt.Errorf("write picture: %w", err)
	}
	return nil
}

// runEnd returns the end of the stretch of cells that is drawn as one text: of
// one style, and each cluster beyond ASCII alone, so that the columns stay
// columns in any font. A horizontal line is one stretch.
func runEnd(row []Cell, x int) int {
	end := x + 1
	for row[x].Text == "─" && end < len(row) && row[end].Text == "─" && row[end].Style.String() == row[x].Style.String() {
		end++
	}
	for end < len(row) && row[end].Width == 0 {
		end++
	}
	if end > x+1 || !ascii(row[x].Text) {
		return end
	}
	for end < len(row) && row[end].Width == 1 && ascii(row[end].Text) && row[end].Style.String() == row[x].Style.String() {
		end++
	}
	return end
}

// ascii reports whether s is one ASCII character.
func ascii(s string) bool { return len(s) == 1 && s[0] < 0x80 }

// svgRun draws cells of one style that begin at column x of row y.
func svgRun(b *strings.Builder, cells []Cell, x, y int, fg, bg color.Color) {
	st := cells[0].Style
	front, back := st.Fg, st.Bg
	if front == nil {
		front = fg
	}
	if st.Reverse {
		if back == nil {
			back = bg
		}
		front, back = back, front
	}
	left, top := margin+cellWidth*float64(x), margin+cellHeight*y
	length := cellWidth * float64(len(cells))
	if back != nil && hex(back) != hex(bg) {
		fmt.Fprintf(b, `<rect x="%.1f" y="%d" width="%.1f" height="%d" fill="%s"/>`, left, top, length+0.2, cellHeight, hex(back))
	}
	var text strings.Builder
	for _, c := range cells {
		text.WriteString(c.Text)
	}
	if strings.TrimSpace(text.String()) == "" && !st.Underline {
		return
	}
	if arms := boxArms(cells[0].Text); arms != "" {
		svgBox(b, arms, left, top, length, front, st)
		return
	}
	fmt.Fprintf(b, `<text x="%.1f" y="%d" textLength="%.1f" lengthAdjust="spacingAndGlyphs" fill="%s"%s>`, left, top+baseline, length, hex(front), svgAttributes(st))
	// Writing to a strings.Builder never fails.
	_ = xml.EscapeText(b, []byte(text.String()))
	b.WriteString("</text>\n")
}

// boxArms returns the directions in which a character of box drawing has a line
// from its middle, "" for other characters.
func boxArms(text string) string {
	return map[string]string{
		"─": "lr", "│": "ud", "┌": "rd", "┐": "ld", "└": "ru", "┘": "lu",
		"├": "udr", "┤": "udl", "┬": "lrd", "┴": "lru", "┼": "lrud",
	}[text]
}

// svgBox draws a character of box drawing as lines, which meet those of the
// cells beside it in any font.
func svgBox(b *strings.Builder, arms string, left float64, top int, length float64, front color.Color, st Style) {
	x, y, stroke := left+cellWidth/2, top+cellHeight/2, 1.2
	if st.Bold {
		stroke = 2
	}
	fmt.Fprint(b, `<path d="`)
	for _, arm := range arms {
		switch arm {
		case 'l':
			fmt.Fprintf(b, "M%.1f %dH%.1f", x, y, left)
		case 'r':
			fmt.Fprintf(b, "M%.1f %dH%.1f", x, y, left+length)
		case 'u':
			fmt.Fprintf(b, "M%.1f %dV%d", x, y, top)
		case 'd':
			fmt.Fprintf(b, "M%.1f %dV%d", x, y, top+cellHeight)
		}
	}
	fmt.Fprintf(b, `" stroke="%s" stroke-width="%.1f" stroke-linecap="square"%s/>`+"\n", hex(front), stroke, svgOpacity(st))
}

// svgOpacity returns the attribute of a dim style.
func svgOpacity(st Style) string {
	if st.Dim {
		return ` opacity="0.6"`
	}
	return ""
}

// svgAttributes returns the attributes of a style besides its colours.
func svgAttributes(st Style) string {
	var out string
	if st.Bold {
		out += ` font-weight="bold"`
	}
	out += svgOpacity(st)
	if st.Italic {
		out += ` font-style="italic"`
	}
	switch {
	case st.Underline && st.Strike:
		out += ` text-decoration="underline line-through"`
	case st.Underline:
		out += ` text-decoration="underline"`
	case st.Strike:
		out += ` text-decoration="line-through"`
	}
	return out
}

package term

import (
	"github.com/gdamore/tcell/v2"

	"coppice/session/terminal"
	"coppice/ui/text"
	"coppice/ui/theme"
)

// look says how cells look on a screen: a palette colour stays one, so that the
// person's own palette shows, a true colour stays one where the screen has them.
type look struct {
	foreground, background tcell.Color // of what has no colour of its own
	selected, match        tcell.Style
	plain                  bool // the theme has no colours, so programs have none
	ascii                  bool // the locale is not UTF-8
	colors                 int  // of the screen; 0 is none
}

// newLook returns the look of a theme, for a screen without colours.
func newLook(t theme.Theme) look {
	foreground, background, _ := t.Style(text.Default).Decompose()
	return look{
		foreground: foreground, background: background,
		selected: t.Style(text.Selected), match: t.Style(text.Match),
		plain: t.Name() == "none", ascii: t.ASCII,
	}
}

// style returns the style of a cell but for its link. swapped says that light and
// dark are swapped on the whole screen.
func (l *look) style(v terminal.View, c terminal.Cell, swapped bool) tcell.Style {
	mask := attributes(c.Attr())
	if swapped {
		mask ^= tcell.AttrReverse
	}
	s := tcell.StyleDefault.
		Foreground(l.color(c.Foreground, l.foreground)).
		Background(l.color(c.Background, l.background)).
		Attributes(mask)
	if u := underline(c.Underline()); u != tcell.UnderlineStyleNone {
		s = s.Underline(u, l.color(v.UnderlineColor(c), tcell.ColorDefault))
	}
	return s
}

// attributes translates attributes. There is no line above a character in tcell,
// and what is hidden is drawn as blank.
func attributes(a terminal.Attr) tcell.AttrMask {
	var mask tcell.AttrMask
	if a == 0 {
		return mask
	}
	for _, pair := range [...]struct {
		of terminal.Attr
		is tcell.AttrMask
	}{
		{terminal.Bold, tcell.AttrBold},
		{terminal.Dim, tcell.AttrDim},
		{terminal.Italic, tcell.AttrItalic},
		{terminal.Blink, tcell.AttrBlink},
		{terminal.Reverse, tcell.AttrReverse},
		{terminal.Strike, tcell.AttrStrikeThrough},
	} {
		if a&pair.of != 0 {
			mask |= pair.is
		}
	}
	return mask
}

// underline translates the kind of an underline.
func underline(u terminal.Underline) tcell.UnderlineStyle {
	switch u {
	case terminal.Single:
		return tcell.UnderlineStyleSolid
	case terminal.Double:
		return tcell.UnderlineStyleDouble
	case terminal.Curly:
		return tcell.UnderlineStyleCurly
	case terminal.Dotted:
		return tcell.UnderlineStyleDotted
	case terminal.Dashed:
		return tcell.UnderlineStyleDashed
	default:
		return tcell.UnderlineStyleNone
	}
}

// color translates a colour; usual is what the default one is. On a screen
// without true colours the nearest of the palette is taken here: tcell would
// remember each of millions, and look for each through the whole palette.
func (l *look) color(c terminal.Color, usual tcell.Color) tcell.Color {
	if c == terminal.Default || l.plain || l.colors == 0 {
		return usual
	}
	if i, ok := c.Index(); ok {
		return tcell.PaletteColor(int(i))
	}
	r, g, b, _ := c.RGB()
	if l.colors <= 256 {
		return tcell.PaletteColor(nearest(int(r), int(g), int(b)))
	}
	return tcell.NewRGBColor(int32(r), int32(g), int32(b))
}

// nearest returns the colour of the usual palette of 256, without its first 16,
// that is nearest to a true one.
func nearest(r, g, b int) int {
	cr, cg, cb := level(r), level(g), level(b)
	grey := min(max((r+g+b)/3-3, 0)/10, 23)
	at := 8 + 10*grey
	if distance(r-at, g-at, b-at) < distance(r-shade(cr), g-shade(cg), b-shade(cb)) {
		return 232 + grey
	}
	return 16 + 36*cr + 6*cg + cb
}

// level returns the place of a part of a colour in the cube of the palette, whose
// levels are 0, 95, 135, 175, 215 and 255.
func level(part int) int {
	switch {
	case part < 48:
		return 0
	case part < 115:
		return 1
	}
	return (part - 35) / 40
}

// shade returns what a place in the cube stands for.
func shade(level int) int {
	if level == 0 {
		return 0
	}
	return 55 + 40*level
}

// distance is the square of how far apart two colours are.
func distance(r, g, b int) int { return r*r + g*g + b*b }

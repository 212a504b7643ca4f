package terminal

// Color is the colour of a cell: the default one, one of the 256 of the palette,
// or a true colour.
type Color uint32

// Default is the colour that the viewer's theme has for text or for its ground.
const Default Color = 0

const (
	indexed Color = 1 << 24
	direct  Color = 2 << 24
)

// Indexed returns colour i of the palette.
func Indexed(i uint8) Color { return indexed | Color(i) }

// RGB returns a true colour.
func RGB(r, g, b uint8) Color { return direct | Color(r)<<16 | Color(g)<<8 | Color(b) }

// Index returns the place in the palette, if the colour is one of it.
func (c Color) Index() (i uint8, ok bool) { return uint8(c), c&indexed != 0 }

// RGB returns the parts of a true colour, if it is one.
func (c Color) RGB() (r, g, b uint8, ok bool) {
	return uint8(c >> 16), uint8(c >> 8), uint8(c), c&direct != 0
}

// Attr is a set of attributes.
type Attr uint16

// The attributes that a program can give to a character, beside its underline.
const (
	Bold Attr = 1 << iota
	Dim
	Italic
	Blink
	Reverse
	Hidden
	Strike
	Overline
	Protected // from selective erasing (DECSCA)
	wideHead  // the left cell of a wide character
	wideTail  // its right cell

	layout         = wideHead | wideTail
	underlineShift = 11
	underlineMask  = Attr(7) << underlineShift
)

// Underline is the kind of line below a character.
type Underline uint8

// The kinds of underlines, as SGR 4:n numbers them.
const (
	NoUnderline Underline = iota
	Single
	Double
	Curly
	Dotted
	Dashed
)

// Cell is one place of a row. The zero Cell was never written to or was erased.
// Its text, link and underline colour are found by way of the View that it came
// from.
type Cell struct {
	glyph      uint32 // a rune, or clusterBit and a number in the table; 0 is nothing
	Foreground Color
	Background Color
	attr       Attr
	extra      uint16 // number in the table of extras
}

// clusterBit marks a glyph of more than one rune.
const clusterBit uint32 = 1 << 31

// Attr returns the attributes.
func (c Cell) Attr() Attr { return c.attr &^ (layout | underlineMask) }

// Underline returns the kind of underline.
func (c Cell) Underline() Underline { return Underline(c.attr & underlineMask >> underlineShift) }

// Width returns how many columns the cell's character takes: 1, 2 for the left
// cell of a wide character, 0 for the right one, which has no text.
func (c Cell) Width() int {
	switch {
	case c.attr&wideHead != 0:
		return 2
	case c.attr&wideTail != 0:
		return 0
	}
	return 1
}

// Blank reports whether nothing is written there. It may have a background.
func (c Cell) Blank() bool { return c.glyph == 0 && c.attr&wideTail == 0 }

// sameStyle reports whether two cells differ in nothing but their text.
func (c *Cell) sameStyle(d *Cell) bool {
	return c.Foreground == d.Foreground && c.Background == d.Background && c.attr == d.attr && c.extra == d.extra
}

// Link is a hyperlink (OSC 8). Cells with the same ID belong to one link even
// when they do not touch. The address is what the program said: printable ASCII,
// and nothing else is known of it.
type Link struct {
	Address string
	ID      string
}

// extra is what few cells have.
type extra struct {
	underline Color
	link      Link
}

// Theme is the viewer's default colours as 0xRRGGBB: what a program is told when
// it asks. A program cannot change them.
type Theme struct {
	Foreground uint32
	Background uint32
	Cursor     uint32
}

// light reports whether the background is nearer to white than to black.
func (t Theme) light() bool {
	r, g, b := t.Background>>16&255, t.Background>>8&255, t.Background&255
	return 299*r+587*g+114*b > 127500
}

// paletteColor returns colour i of the usual palette of 256 as 0xRRGGBB.
func paletteColor(i uint8) uint32 {
	first := [16]uint32{
		0x000000, 0xcd0000, 0x00cd00, 0xcdcd00, 0x0000ee, 0xcd00cd, 0x00cdcd, 0xe5e5e5,
		0x7f7f7f, 0xff0000, 0x00ff00, 0xffff00, 0x5c5cff, 0xff00ff, 0x00ffff, 0xffffff,
	}
	switch {
	case i < 16:
		return first[i]
	case i < 232:
		level := [6]uint32{0, 95, 135, 175, 215, 255}
		i -= 16
		return level[i/36]<<16 | level[i/6%6]<<8 | level[i%6]
	}
	v := 8 + 10*(uint32(i)-232)
	return v<<16 | v<<8 | v
}

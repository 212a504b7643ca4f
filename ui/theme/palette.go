package theme

import (
	"github.com/gdamore/tcell/v2"

	"coppice/ui/text"
)

// palette holds a theme's colours as 0xRRGGBB.
type palette struct {
	ground, selection                  int32
	text, dim, accent, good, warn, bad int32
	border, heading, code, agent       int32
}

// dark and light return the palettes. Every colour but border has a contrast of at
// least 4.5 with both grounds, in 24 bits and as the nearest of 256 colours.
func dark() palette {
	return palette{
		ground: 0x121212, selection: 0x303030,
		text: 0xdadada, dim: 0xa8a8a8, accent: 0x87d7ff, good: 0x87d787, warn: 0xffd75f, bad: 0xff8787,
		border: 0x626262, heading: 0xd7afff, code: 0xafd7d7, agent: 0xd7afff,
	}
}

func light() palette {
	return palette{
		ground: 0xffffff, selection: 0xd7e7f7,
		text: 0x1c1c1c, dim: 0x585858, accent: 0x005faf, good: 0x005f00, warn: 0x875f00, bad: 0xaf0000,
		border: 0x8a8a8a, heading: 0x5f00af, code: 0x005f5f, agent: 0x5f00af,
	}
}

// theme returns the theme of a palette.
func (p palette) theme(name string) Theme {
	base := tcell.StyleDefault.Background(tcell.NewHexColor(p.ground))
	fg := func(hex int32) tcell.Style { return base.Foreground(tcell.NewHexColor(hex)) }
	return Theme{name: name, styles: [text.Roles]tcell.Style{
		text.Default:  fg(p.text),
		text.Dim:      fg(p.dim),
		text.Title:    fg(p.text).Bold(true),
		text.Accent:   fg(p.accent),
		text.Good:     fg(p.good),
		text.Warn:     fg(p.warn),
		text.Bad:      fg(p.bad),
		text.Selected: fg(p.text).Background(tcell.NewHexColor(p.selection)),
		text.Border:   fg(p.border),
		text.Focus:    fg(p.accent).Bold(true),
		text.Heading:  fg(p.heading).Bold(true),
		text.Strong:   fg(p.text).Bold(true),
		text.Code:     fg(p.code),
		text.Key:      fg(p.warn),
		text.User:     fg(p.accent).Bold(true),
		text.Agent:    fg(p.agent).Bold(true),
		text.Tool:     fg(p.dim),
		text.Match:    fg(p.warn).Bold(true).Underline(true),
	}}
}

// sixteen returns the theme for terminals of 16 colours: the terminal's own
// ground and text, and the six colours that can be read on black and on white.
func sixteen() Theme {
	base := tcell.StyleDefault
	return Theme{name: "16", styles: [text.Roles]tcell.Style{
		text.Default:  base,
		text.Dim:      base,
		text.Title:    base.Bold(true),
		text.Accent:   base.Foreground(tcell.ColorTeal),
		text.Good:     base.Foreground(tcell.ColorGreen),
		text.Warn:     base.Foreground(tcell.ColorOlive),
		text.Bad:      base.Foreground(tcell.ColorMaroon),
		text.Selected: base.Reverse(true),
		text.Border:   base,
		text.Focus:    base.Foreground(tcell.ColorTeal).Bold(true),
		text.Heading:  base.Foreground(tcell.ColorPurple).Bold(true),
		text.Strong:   base.Bold(true),
		text.Code:     base.Foreground(tcell.ColorTeal),
		text.Key:      base.Foreground(tcell.ColorOlive),
		text.User:     base.Foreground(tcell.ColorTeal).Bold(true),
		text.Agent:    base.Foreground(tcell.ColorPurple).Bold(true),
		text.Tool:     base,
		text.Match:    base.Foreground(tcell.ColorOlive).Bold(true).Underline(true),
	}}
}

// plain returns the theme without colours: attributes only, for NO_COLOR.
func plain() Theme {
	base := tcell.StyleDefault
	t := Theme{name: "none"}
	for role := range t.styles {
		t.styles[role] = base
	}
	for _, role := range [...]text.Role{
		text.Title, text.Accent, text.Warn, text.Bad, text.Focus, text.Heading,
		text.Strong, text.Key, text.User, text.Agent,
	} {
		t.styles[role] = base.Bold(true)
	}
	t.styles[text.Dim] = base.Dim(true)
	t.styles[text.Match] = base.Bold(true).Underline(true)
	t.styles[text.Selected] = base.Reverse(true)
	return t
}

package theme

import (
	"github.com/gdamore/tcell/v2"

	"coppice/ui/text"
)

// Names are the themes by name, the default first.
func Names() []string { return []string{"dark", "light", "16", "none"} }

// Theme is a look: a style for every role, on the screen's ground and on the
// selected row. It is a value, safe to copy and to share.
type Theme struct {
	// ASCII makes Draw show ASCII only, for locales that are not UTF-8.
	ASCII bool

	name     string
	styles   [text.Roles]tcell.Style
	selected bool
}

// Named returns the theme of that name, and false for an unknown one.
func Named(name string) (Theme, bool) {
	switch name {
	case "dark":
		return dark().theme(name), true
	case "light":
		return light().theme(name), true
	case "16":
		return sixteen(), true
	case "none":
		return plain(), true
	}
	return Theme{}, false
}

// Name returns the theme's name.
func (t Theme) Name() string { return t.name }

// Style returns the style of a role; of Default for a role that does not exist.
func (t Theme) Style(role text.Role) tcell.Style {
	if int(role) >= len(t.styles) {
		role = text.Default
	}
	st := t.styles[role]
	if !t.selected {
		return st
	}
	return t.over(st)
}

// Selected returns the theme of the selected row: every role keeps its colour
// and attributes where they can be read on the selection, and has its ground.
func (t Theme) Selected() Theme {
	t.selected = true
	return t
}

// over returns st on the ground of the selection.
func (t Theme) over(st tcell.Style) tcell.Style {
	_, ground, attrs := t.styles[text.Selected].Decompose()
	if attrs&tcell.AttrReverse != 0 { // a colour would become the ground
		return st.Foreground(tcell.ColorDefault).Dim(false).Reverse(true)
	}
	return st.Background(ground)
}

package ui

import "coppice/ui/text"

// dialog is a box over the panes that has the keyboard.
type dialog interface {
	// title names the box.
	title() string
	// body returns its lines for a width, and the index of the selected one, -1
	// when none is: then the keys that move scroll.
	body(m *model, w int) (lines []text.Line, selected int)
	// foot names its keys.
	foot() text.Line
	// key handles a key that does not scroll.
	key(m *model, k keyed) []cmd
}

// openDialog puts a dialog over the panes.
func (m *model) openDialog(d dialog) {
	m.dialog, m.dialogTop = d, 0
}

// closeDialog takes the dialog away.
func (m *model) closeDialog() []cmd {
	m.dialog = nil
	return nil
}

// dialogKey scrolls a dialog that has no selection and hands it the other keys.
// Esc always leaves it.
func (m *model) dialogKey(k keyed) []cmd {
	if k.name == "Esc" || k.name == "Ctrl-C" {
		return m.closeDialog()
	}
	box := m.dialogBox()
	if box.selected < 0 {
		page := max(box.inner.h-1, 1)
		switch k.name {
		case "Up", "k":
			m.scrollDialog(box, -1)
			return nil
		case "Down", "j":
			m.scrollDialog(box, 1)
			return nil
		case "PgUp":
			m.scrollDialog(box, -page)
			return nil
		case "PgDn", "Space":
			m.scrollDialog(box, page)
			return nil
		case "Home":
			m.dialogTop = 0
			return nil
		case "End":
			m.scrollDialog(box, len(box.lines))
			return nil
		}
	}
	return m.dialog.key(m, k)
}

// scrollDialog moves what is shown of a dialog by n lines.
func (m *model) scrollDialog(b box, n int) {
	m.dialogTop = max(min(m.dialogTop+n, len(b.lines)-b.inner.h), 0)
}

// box is a dialog laid out on the screen.
type box struct {
	outer, inner rect
	lines        []text.Line
	selected     int
	bare         bool // without a border at its sides
}

// maxDialogWidth keeps a dialog readable on a wide screen.
const maxDialogWidth = 84

// dialogBox lays out the dialog: as large as it needs to be, in the middle.
func (m *model) dialogBox() box {
	body := m.body()
	if d, ok := m.dialog.(*selectDialog); ok {
		lines, selected := d.body(m, body.w)
		inner := rect{x: body.x, y: body.y + 1, w: body.w, h: max(body.h-2, 1)}
		return box{outer: body, inner: inner, lines: lines, selected: selected, bare: true}
	}
	w := min(body.w, maxDialogWidth)
	lines, selected := m.dialog.body(m, max(w-4, 1))
	h := min(len(lines)+3, body.h)
	outer := rect{x: body.x + (body.w-w)/2, y: body.y + (body.h-h)/2, w: w, h: h}
	inner := rect{x: outer.x + 2, y: outer.y + 1, w: max(w-4, 1), h: max(h-3, 1)}
	return box{outer: outer, inner: inner, lines: lines, selected: selected}
}

// choose returns the selection of a dialog of n choices after a key, and whether
// the key moved it.
func choose(at, n int, k keyed) (int, bool) {
	switch k.name {
	case "Up", "k":
		at--
	case "Down", "j", "Tab":
		at++
	case "Home", "PgUp":
		at = 0
	case "End", "PgDn":
		at = n - 1
	default:
		return at, false
	}
	return max(min(at, n-1), 0), true
}

// keysFoot is a dialog's line of keys: key and label in turn.
func keysFoot(pairs ...string) text.Line {
	var l text.Line
	for i := 0; i+1 < len(pairs); i += 2 {
		if i > 0 {
			l = append(l, text.Span{Text: "  "})
		}
		l = append(l, text.Span{Text: pairs[i], Role: text.Key}, text.Span{Text: " " + pairs[i+1], Role: text.Dim})
	}
	return l
}

// wrapped returns foreign text in lines of at most w cells, all of one role.
func wrapped(s string, w int, role text.Role) []text.Line {
	var out []text.Line
	for _, part := range text.Wrap(text.Clean(s), max(w, 1)) {
		out = append(out, text.Line{{Text: part, Role: role}})
	}
	return out
}

package ui

import "coppice/ui/text"

// dialog is a box over the panes that has the keyboard.
type dialog interface {
	// title names the box.
	title() string
	// body returns what it shows in a width.
	body(m *model, w int) content
	// foot names its keys.
	foot() text.Line
	// key handles a key that does not scroll.
	key(m *model, k keyed) []cmd
}

// leaver is a dialog that has something to do before it is left.
type leaver interface{ leave(m *model) []cmd }

// ticker is a dialog whose choices Space ticks.
type ticker interface{ ticks() }

// content is what a dialog shows: lines that scroll, and below them a text field
// and choices that always show, one of them selected.
type content struct {
	lines   []text.Line
	label   string // of the field
	field   *field // nil for none
	choices []text.Span
	at      int // of choices
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

// dialogKey scrolls a dialog and hands it the other keys; in one with choices the
// keys for a single line and for the ends choose. Esc always leaves it.
func (m *model) dialogKey(k keyed) []cmd {
	if k.name == "Esc" || k.name == "Ctrl-C" {
		if d, ok := m.dialog.(leaver); ok {
			return d.leave(m)
		}
		return m.closeDialog()
	}
	box := m.dialogBox()
	_, ticks := m.dialog.(ticker)
	if box.field != nil && k.r != 0 || ticks && k.name == "Space" {
		return m.dialog.key(m, k)
	}
	if n, ok := scrollKey(k.name, max(box.inner.h-1, 1), len(box.choices) > 0); ok {
		m.scrollDialog(box, n)
		return nil
	}
	return m.dialog.key(m, k)
}

// scrollKey returns how many lines a key scrolls a dialog, and whether it does.
func scrollKey(name string, page int, choices bool) (int, bool) {
	const all = 1 << 20
	switch name {
	case "PgUp":
		return -page, true
	case "PgDn", "Space":
		return page, true
	case "Up", "k":
		return -1, !choices
	case "Down", "j":
		return 1, !choices
	case "Home":
		return -all, !choices
	case "End":
		return all, !choices
	}
	return 0, false
}

// scrollDialog moves what is shown of a dialog by n lines.
func (m *model) scrollDialog(b box, n int) {
	m.dialogTop = max(min(m.dialogTop+n, len(b.lines)-b.inner.h), 0)
}

// box is a dialog laid out on the screen.
type box struct {
	content
	outer, inner rect
	entry        rect // of the field, below inner
	picks        rect // of the choices, below inner
	foot         rect
	bare         bool // without a border at its sides
}

// maxDialogWidth keeps a dialog readable on a wide screen.
const maxDialogWidth = 84

// dialogBox lays out the dialog: as large as it needs to be, in the middle.
func (m *model) dialogBox() box {
	body := m.body()
	if d, ok := m.dialog.(*selectDialog); ok {
		inner := rect{x: body.x, y: body.y + 1, w: body.w, h: max(body.h-2, 1)}
		foot := rect{x: inner.x, y: inner.y + inner.h, w: inner.w, h: 1}
		return box{content: d.body(m, body.w), outer: body, inner: inner, foot: foot, bare: true}
	}
	const around = 3 // borders and the line of keys
	w := min(body.w, maxDialogWidth)
	c := m.dialog.body(m, max(w-4, 1))
	fields := 0
	if c.field != nil {
		fields = 1
	}
	h := min(len(c.lines)+fields+len(c.choices)+around, body.h)
	outer := rect{x: body.x + (body.w-w)/2, y: body.y + (body.h-h)/2, w: w, h: h}
	in := rect{x: outer.x + 2, y: outer.y + 1, w: max(w-4, 1), h: max(h-around, 1)}
	inner, entry, picks, foot := in, in, in, in
	picks.h = min(len(c.choices), max(in.h-fields-min(len(c.lines), in.h/2), 1))
	inner.h = max(in.h-picks.h-fields, 0)
	entry.y, entry.h = in.y+inner.h, fields
	picks.y = entry.y + fields
	foot.y, foot.h = in.y+in.h, 1
	return box{content: c, outer: outer, inner: inner, entry: entry, picks: picks, foot: foot}
}

// choose returns the selection of a dialog of n choices after a key, and whether
// the key moved it.
func choose(at, n int, k keyed) (int, bool) {
	switch k.name {
	case "Up", "k":
		at--
	case "Down", "j", "Tab":
		at++
	case "Home":
		at = 0
	case "End":
		at = n - 1
	default:
		return at, false
	}
	return max(min(at, n-1), 0), true
}

// edit hands a key to a text field. hint says what can be done where it is of no use.
func (m *model) edit(f *field, k keyed, hint string) []cmd {
	if !f.key(k) {
		return m.say(k.name + " does nothing here; " + hint)
	}
	return nil
}

// way is a way to go on that a dialog offers.
type way struct {
	label string
	take  func(*model) []cmd // nil: nothing is done
}

// ways are the ways to go on of a dialog that closes with the one taken.
type ways struct {
	at      int // of choices
	choices []way
}

func (w *ways) add(label string, take func(*model) []cmd) {
	w.choices = append(w.choices, way{label, take})
}

func (w *ways) key(m *model, k keyed) []cmd {
	if at, ok := choose(w.at, len(w.choices), k); ok {
		w.at = at
		return nil
	}
	if k.name != "Enter" {
		return nil
	}
	m.closeDialog()
	if len(w.choices) == 0 || w.choices[w.at].take == nil {
		return nil
	}
	return w.choices[w.at].take(m)
}

// below is a dialog's content: lines, and below them the ways.
func (w *ways) below(lines []text.Line) content {
	c := content{lines: lines, at: w.at}
	for _, one := range w.choices {
		c.choices = append(c.choices, text.Foreign(one.label, text.Default))
	}
	return c
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

// paragraphs is wrapped for text whose own lines stay apart.
func paragraphs(s string, w int, role text.Role) []text.Line {
	var out []text.Line
	for _, part := range text.Wrap(text.CleanLines(s), max(w, 1)) {
		out = append(out, text.Line{{Text: part, Role: role}})
	}
	return out
}

// hanging returns foreign text in lines of at most w cells behind a sign, below
// which the later lines begin.
func hanging(sign, s string, w int, role text.Role) []text.Line {
	var out []text.Line
	lead := text.Span{Text: sign + " ", Role: role}
	for _, l := range wrapped(s, max(w-text.Width(lead.Text), 1), role) {
		out = append(out, append(text.Line{lead}, l...))
		lead.Text = text.Pad("", text.Width(lead.Text))
	}
	return out
}

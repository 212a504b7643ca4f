package term

import (
	"strings"

	"github.com/gdamore/tcell/v2"

	"coppice/session/terminal"
)

// keyName names a key: a character, or what tcell calls it, after "Shift-" if
// that was held.
func keyName(ev *tcell.EventKey) string {
	if ev.Key() == tcell.KeyRune {
		mods, r := ev.Modifiers()&^tcell.ModShift, string(ev.Rune())
		if mods == tcell.ModCtrl {
			return "Ctrl-" + strings.ToUpper(r)
		}
		if mods != tcell.ModNone {
			return ""
		}
		return r
	}
	name := tcell.KeyNames[ev.Key()]
	if ev.Modifiers()&tcell.ModShift != 0 {
		return "Shift-" + name
	}
	return name
}

// key does what a key means in the copy mode. It returns what a person copied.
func (r *reader) key(v terminal.View, name string) (copied string) {
	r.note = ""
	if r.prompt.open {
		if asked := r.prompt; r.prompt.key(name) {
			r.search.backward = asked.backward
			if asked.text != "" {
				r.search.text = asked.text
			}
			r.find(v, asked.backward)
		}
		return ""
	}
	if r.moved(v, name) {
		return ""
	}
	switch name {
	case "v":
		r.choose(v, cells)
	case "V":
		r.choose(v, lines)
	case "Ctrl-V":
		r.choose(v, block)
	case "/", "?":
		r.prompt = prompt{open: true, backward: name == "?"}
	case "n":
		r.find(v, r.search.backward)
	case "N":
		r.find(v, !r.search.backward)
	case "y", "Enter":
		if r.selection.kind == nothing {
			r.note = "nothing is selected: v, V or Ctrl-V begins"
			return ""
		}
		copied = r.selection.text(v)
		r.stop()
	case "Esc", "q", "Ctrl-C":
		r.stop()
	}
	return copied
}

// moved moves the cursor or the view if that is what a key means.
func (r *reader) moved(v terminal.View, name string) bool {
	page := max(r.rows-1, 1)
	switch name {
	case "PgUp", "Shift-PgUp", "Ctrl-B":
		r.page(v, -page)
		return true
	case "PgDn", "Shift-PgDn", "Ctrl-F":
		r.page(v, page)
		return true
	case "Up", "k":
		r.at.Row--
	case "Down", "j":
		r.at.Row++
	case "Left", "h":
		r.at = head(v, r.at)
		r.at.Column--
	case "Right", "l":
		r.at = head(v, r.at)
		r.at.Column += width(v, r.at)
	case "g", "Home":
		r.at = terminal.Point{Row: v.Oldest()}
	case "G", "End":
		r.at = terminal.Point{Row: v.End() - 1}
	case "w":
		r.at = nextWord(v, r.at)
	case "b":
		r.at = previousWord(v, r.at)
	case "0":
		r.at.Column = 0
	case "$":
		r.at.Column = lineEnd(v, r.at.Row)
	default:
		return false
	}
	r.show(v)
	return true
}

// choose begins a selection at the cursor, changes its kind, or ends it.
func (r *reader) choose(v terminal.View, k kind) {
	switch r.selection.kind {
	case k:
		r.selection = selection{}
	case nothing:
		r.selection = begin(v, k, r.at)
	default:
		end := r.selection.end
		r.selection = begin(v, k, r.selection.anchor)
		r.selection.extend(v, end)
	}
}

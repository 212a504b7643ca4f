package difftest_test

import "strings"

// deliberate returns why a difference is meant, "" if it is not. It is all in
// which our terminal differs from another on the recorded streams. row is the
// text of our row.
func deliberate(other, row string, d difference) string {
	if d.cursor {
		return ""
	}
	if other == "xterm.js" && d.ours == (cell{width: 1}) && strings.TrimSpace(d.theirs.text) == "" && d.theirs.attr == 0 {
		return "coloured blanks behind a line that is wrapped anew are not kept; xterm.js keeps some"
	}
	if underlined := d.ours.attr | underline; other == "xterm.js" && d.ours.link && underlined == d.theirs.attr {
		return "xterm.js underlines links; here a link is underlined when a viewer draws it so"
	}
	label, _, _ := strings.Cut(row, " ")
	switch other + " " + label {
	case "xterm.js family", "xterm.js skin", "xterm.js flag":
		return "what Unicode counts as one character is one cell, as in the outer terminal's library; xterm.js counts its runes"
	case "tmux skin", "tmux flag":
		return "tmux 3.3a joins neither skin tones nor regional indicators"
	case "tmux Jamo", "xterm.js Jamo":
		return "conjoining Jamo are one syllable of two columns; tmux and xterm.js add up the widths of its parts"
	case "tmux Devanagari", "xterm.js Devanagari", "xterm.js Thai":
		return "a spacing mark belongs to the cell before it, which has two columns then"
	case "tmux zero", "xterm.js zero":
		return "a format character that joins nothing is not kept: it has no form, and hides in copied text"
	}
	return ""
}

package text

import "strings"

// Role names what a span is; a theme gives it its look.
type Role uint8

// The roles.
const (
	Default  Role = iota
	Dim           // secondary: paths, ages, hints
	Title         // a row's name
	Accent        // what draws the eye: counts, the current scope
	Good          // clean, done
	Warn          // unusual, waits for a person
	Bad           // damaged, failed
	Selected      // the row under the cursor
	Border        // of a pane
	Focus         // border and name of the pane that has the keys
	Heading       // of a section, or in a conversation's text
	Strong        // emphasised text
	Code          // code in a conversation's text
	Key           // a key in the footer and in help
	User          // the person's name in a conversation
	Agent         // the agent's name in a conversation
	Tool          // a tool call
	Match         // what a search found
)

// Roles is the number of roles.
const Roles = int(Match) + 1

// Span is text of one look. Text is clean: build spans of foreign text with
// Foreign.
type Span struct {
	Text string
	Role Role
}

// Foreign returns a span of text from outside, cleaned.
func Foreign(s string, role Role) Span { return Span{Clean(s), role} }

// Line is one line of the screen. Lines are values: no method changes one.
type Line []Span

// Width returns how many cells the line takes.
func (l Line) Width() int {
	w := 0
	for _, s := range l {
		w += Width(s.Text)
	}
	return w
}

// String returns the text alone.
func (l Line) String() string {
	var out strings.Builder
	for _, s := range l {
		out.WriteString(s.Text)
	}
	return out.String()
}

// Truncate returns the line cut to at most w cells, with an Ellipsis in the role
// of what it replaces.
func (l Line) Truncate(w int) Line {
	if l.Width() <= w {
		return l
	}
	if w <= 0 {
		return nil
	}
	var out Line
	for _, s := range l {
		n := Width(s.Text)
		if n > w-1 {
			return append(out, Span{head(s.Text, w-1) + Ellipsis, s.Role})
		}
		out, w = append(out, s), w-n
	}
	return out
}

// Pad returns the line cut or filled with spaces to exactly w cells.
func (l Line) Pad(w int) Line {
	l = l.Truncate(w)
	if n := w - l.Width(); n > 0 {
		l = append(l[:len(l):len(l)], Span{spaces(n), Default})
	}
	return l
}

// Highlight returns the line with the clusters that hold one of the positions
// in the role Match. A position is a byte offset in String, as fuzzy matchers
// give them; they ascend.
func (l Line) Highlight(positions []int) Line {
	if len(positions) == 0 {
		return l
	}
	var out Line
	at := 0
	for _, s := range l {
		for rest := s.Text; rest != ""; {
			cluster, _, next := Cluster(rest)
			role := s.Role
			end := at + len(cluster)
			for len(positions) > 0 && positions[0] < end {
				if positions[0] >= at {
					role = Match
				}
				positions = positions[1:]
			}
			if n := len(out); n > 0 && out[n-1].Role == role {
				out[n-1].Text += cluster
			} else {
				out = append(out, Span{cluster, role})
			}
			at, rest = end, next
		}
	}
	return out
}

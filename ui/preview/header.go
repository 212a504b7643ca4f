package preview

import (
	"strconv"
	"strings"
	"time"

	"coppice/session"
	"coppice/transcript"
	"coppice/ui/text"
	"coppice/worktree"
)

// HeaderOptions say how to lay out a header.
type HeaderOptions struct {
	Width int       // cells of a line at most; below one there are no lines
	Now   time.Time // for ages
	Home  string    // the person's home directory, shown as "~"; "" to show it in full
}

// Header lays out what is known of a session besides its conversation: title,
// id, place, branch, model, size, what it is linked to, and in plain words all
// that is unusual about it. A fact that is not known has no line.
func Header(s session.Session, opt HeaderOptions) []text.Line {
	if opt.Width < 1 {
		return nil
	}
	h := header{opt: opt}
	h.add(text.Line{text.Foreign(Title(s), text.Title)})
	h.add(text.Line{text.Foreign(s.ID, text.Dim)})
	h.live(s.Live)
	h.place(s)
	h.counts(s)
	h.links(s)
	h.trouble(s)
	return h.lines
}

// Title returns the title to show for a session. One without a title whose
// transcript is damaged is named by that and by the beginning of its id. It is not cleaned.
func Title(s session.Session) string {
	title := strings.TrimSpace(s.Title)
	switch {
	case s.TitleSource == session.TitleNone && Damaged(s):
		return "(damaged) " + s.ID[:min(len(s.ID), 8)]
	case title == "":
		return "(no title)"
	}
	return title
}

// Damaged reports whether something in a session's transcript cannot be read.
func Damaged(s session.Session) bool { return s.Problem != "" || s.Summary.DamageCount > 0 }

// header collects the lines of a header.
type header struct {
	opt   HeaderOptions
	lines []text.Line
}

// nameWidth is the width of a fact's name and the space behind it.
const nameWidth = 7

func (h *header) add(l text.Line) { h.lines = append(h.lines, l.Truncate(h.opt.Width)) }

// fact adds a line with a name; nothing when the value is empty.
func (h *header) fact(name, value string, more ...text.Span) {
	if value == "" {
		return
	}
	l := text.Line{{Text: text.Pad(name, nameWidth), Role: text.Dim}, text.Foreign(value, text.Default)}
	h.add(append(l, more...))
}

// sentence adds wrapped words behind a sign.
func (h *header) sentence(sign, words string, role text.Role) {
	p := page{opt: Options{Width: h.opt.Width}}
	p.hang(text.Line{{Text: sign + " ", Role: role}}, text.Line{text.Foreign(words, role)})
	h.lines = append(h.lines, p.lines...)
}

// live says what the agent that has the session open does.
func (h *header) live(l *session.Live) {
	if l == nil {
		return
	}
	sign, role := "●", text.Good
	switch l.State {
	case session.StateWaiting:
		sign, role = "!", text.Warn
	case session.StateUnknown:
		sign, role = "?", text.Warn
	case session.StateEnded:
		sign, role = "✗", text.Bad
	case session.StateStarting, session.StateWorking, session.StateIdle, session.StateBackground:
	}
	words := "live: " + string(l.State)
	switch {
	case l.State == session.StateEnded:
		words = "its agent has ended, exit status " + strconv.Itoa(l.Code)
	case l.Need != "":
		words += " (" + string(l.Need) + ")"
	}
	if l.Reason != "" {
		words += ", " + l.Reason
	}
	if !l.Since.IsZero() {
		words += " for " + strings.Replace(text.Age(h.opt.Now, l.Since), "now", "less than 1m", 1)
	}
	if l.Where != "" {
		words += " (" + l.Where + ")"
	}
	h.sentence(sign, words, role)
}

// place says where the session belongs.
func (h *header) place(s session.Session) {
	state := text.Line(nil)
	switch st := s.Place.State; st {
	case "", worktree.Unknown:
	case worktree.Missing, worktree.Prunable, worktree.Moved, worktree.Ghost, worktree.Gone:
		state = text.Line{{Text: " " + string(st), Role: text.Warn}}
	default:
		if !s.Place.Exists {
			state = text.Line{{Text: " missing", Role: text.Warn}}
		}
	}
	room := h.opt.Width - nameWidth - state.Width()
	h.fact("in", text.TruncateLeft(text.Clean(h.tilde(s.Dir)), room), state...)
	if branch := s.Summary.Branch; branch == "HEAD" {
		h.fact("branch", "(detached)")
	} else {
		h.fact("branch", branch)
	}
	if w := s.Summary.Worktree; w != nil {
		h.fact("made", orElse(w.Name, w.Path), text.Foreign(" worktree on "+orElse(w.Branch, "no branch"), text.Dim))
	}
	for _, dir := range s.Summary.AddedDirs {
		h.fact("also", text.TruncateLeft(text.Clean(h.tilde(dir)), h.opt.Width-nameWidth))
	}
}

// tilde shortens a path under the home directory.
func (h *header) tilde(path string) string {
	if rest, ok := strings.CutPrefix(path, h.opt.Home+"/"); ok && h.opt.Home != "" {
		return "~/" + rest
	}
	return path
}

// counts says how much there is and what it was made with.
func (h *header) counts(s session.Session) {
	sum := s.Summary
	h.fact("model", strings.Join(nonEmpty(sum.Model, sum.PermissionMode, sum.Agent, sum.Kind, sum.Tag), " · "))
	words := []string{text.Plural(sum.Messages, "message"), text.Bytes(sum.Size)}
	if age := text.Age(h.opt.Now, s.Updated); age == "now" {
		words = append(words, "just now")
	} else if !s.Updated.IsZero() {
		words = append(words, age+" ago")
	}
	if !sum.Complete {
		words = append(words, "not all read yet")
	}
	h.fact("size", strings.Join(words, " · "))
}

// links says what the session is linked to.
func (h *header) links(s session.Session) {
	if pr := s.Summary.PR; pr != nil {
		h.fact("PR", strings.TrimSpace("#"+strconv.Itoa(pr.Number)+" "+pr.Repository))
	}
	if from := orElse(s.Parent, s.Summary.ForkedFrom); from != "" {
		h.fact("fork", "of "+text.Truncate(from, shortID))
	}
	for i, c := range s.Copies {
		if i == 0 {
			if len(s.Copies) > 1 {
				h.fact("copies", text.Plural(len(s.Copies)-1, "more file")+" with this id")
			}
			continue
		}
		h.fact("", orElse(h.tilde(c.Dir), c.Path), text.Span{Text: " " + text.Age(h.opt.Now, c.Updated), Role: text.Dim})
	}
}

// shortID is how much of an id names a session on the command line, and the sign
// that there is more of it.
const shortID = 8 + 1

// trouble says in words what is wrong or unusual.
func (h *header) trouble(s session.Session) {
	if s.Problem != "" {
		h.sentence("✗", "could not be read: "+s.Problem, text.Bad)
	}
	if n := s.Summary.DamageCount; n > 0 {
		h.sentence("✗", Damage(s.Summary), text.Bad)
	}
	if s.NotReady != "" {
		h.sentence("!", "cannot be resumed: "+s.NotReady, text.Warn)
	}
	if s.Summary.Interrupted && s.Live == nil {
		h.sentence("!", "ended in the middle of a tool call", text.Warn)
	}
	if s.Hidden != "" {
		h.sentence("·", "hidden by default: "+s.Hidden, text.Dim)
	}
}

// Damage says in words what is damaged in a transcript: "2 unreadable lines:
// line 41 is cut off, line 97 holds NUL bytes". It is "" when nothing is.
func Damage(s transcript.Summary) string {
	if s.DamageCount == 0 {
		return ""
	}
	words := text.Plural(s.DamageCount, "unreadable line")
	const named = 3
	for i, d := range s.Damage[:min(len(s.Damage), named)] {
		sep := ", "
		if i == 0 {
			sep = ": "
		}
		where := "a line near the end"
		if d.Line > 0 {
			where = "line " + text.Count(d.Line)
		}
		words += sep + where + " " + damageWords(d.Kind)
	}
	if s.DamageCount > named {
		words += ", …"
	}
	return words
}

// damageWords says what is wrong with a line.
func damageWords(kind transcript.DamageKind) string {
	switch kind {
	case transcript.DamageTorn:
		return "is cut off"
	case transcript.DamageNUL:
		return "holds NUL bytes"
	case transcript.DamageGlued:
		return "holds more than one record"
	case transcript.DamageGarbage:
		return "is no record"
	}
	return "is damaged"
}

// nonEmpty returns the words that are not empty.
func nonEmpty(words ...string) []string {
	var out []string
	for _, w := range words {
		if w != "" {
			out = append(out, w)
		}
	}
	return out
}

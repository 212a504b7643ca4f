package ui

import (
	"strconv"
	"time"

	"coppice/session"
	"coppice/ui/preview"
	"coppice/ui/text"
	"coppice/worktree"
)

// rowMark is the mark of a session: what an agent does with it, or that it is
// damaged.
func rowMark(s session.Session) (string, text.Role) {
	if s.Live != nil {
		return liveMark(s.Live.State)
	}
	if preview.Damaged(s) {
		return "✗", text.Bad
	}
	return " ", text.Default
}

// detailCell tells how much there is, and what is unusual. Where there is no
// room for both, the unusual comes first.
func (m *model) detailCell(f *frame, r *row, w int, now time.Time) text.Line {
	note, role := rowNote(f, r.Session, now)
	if m.isLost(r) {
		note, role = "lost", text.Bad
	}
	if text.Width(note) > w-2 { // a blank at either side
		note = shortNote(r.Session, note, w)
	}
	amount := text.Line{{Text: text.PadLeft(text.Count(r.Summary.Messages), 5) + " msg", Role: text.Dim}}
	if w >= 17 {
		amount = append(amount, text.Span{Text: " " + text.PadLeft(text.Bytes(r.Summary.Size), 7), Role: text.Dim})
	}
	room := w - amount.Width() - 2
	if note != "" {
		room -= text.Width(note) + 2
	}
	if used := contextShare(r.Context); used != "" && text.Width(used) < room {
		amount = append(amount, text.Span{Text: "  " + used, Role: text.Dim})
	}
	switch {
	case note == "":
		return amount.Pad(w)
	case amount.Width()+2+text.Width(note) < w:
		return append(amount, text.Span{Text: "  "}, text.Foreign(note, role)).Pad(w)
	}
	return text.Line{text.Foreign(" "+note, role)}.Pad(w)
}

// rowNote says what is unusual about a session, "" when nothing is.
func rowNote(f *frame, s session.Session, now time.Time) (string, text.Role) {
	switch {
	case s.Live != nil:
		return liveNote(f, s.Live, now)
	case s.Problem != "":
		return s.Problem, text.Bad
	case s.Hidden != "":
		return s.Hidden, text.Dim
	case s.Summary.DamageCount > 0:
		return text.Plural(s.Summary.DamageCount, "unreadable line"), text.Bad
	case s.NotReady != "":
		return s.NotReady, text.Warn
	}
	if note := placeNote(s.Place); note != "" {
		return note, text.Warn
	}
	if n := len(s.Copies); n > 1 {
		return text.Count(n) + " copies", text.Dim
	}
	return "", text.Default
}

// shortNote says in one word what note says in more, where w cells hold no more
// than that.
func shortNote(s session.Session, note string, w int) string {
	const few = 15
	switch {
	case s.Live != nil && s.Live.State == session.StateWaiting && s.Live.Need != "":
		return string(s.Live.Need) // the mark says that it waits
	case s.Live != nil && s.Live.State == session.StateWaiting && s.Live.Reason != "":
		return s.Live.Reason
	case w > few:
		return note
	case s.Live != nil:
		return stateWords(s.Live.Status)
	case preview.Damaged(s):
		return "damaged"
	case s.Hidden != "":
		return "hidden"
	case s.NotReady != "":
		return "not ready"
	case placeNote(s.Place) != "":
		return string(s.Place.State)
	}
	return note
}

// liveNote says what the agent does and since when: "waiting: permission".
func liveNote(f *frame, l *session.Live, now time.Time) (string, text.Role) {
	role := text.Good
	if l.State == session.StateWaiting || l.State == session.StateUnknown {
		role = text.Warn
	}
	if l.State == session.StateEnded {
		role = text.Bad
	}
	note := stateWords(l.Status)
	if l.State == session.StateWaiting && l.Need == "" && l.Reason != "" {
		return note + ": " + l.Reason, role
	}
	if !l.Since.IsZero() {
		note += " " + f.age(now, l.Since)
	}
	return note, role
}

// placeNote says that a session's directory is not what it was.
func placeNote(p worktree.Place) string {
	switch p.State {
	case worktree.Present, worktree.Plain, worktree.Bare, worktree.Unknown, "":
		if p.State != "" && p.State != worktree.Unknown && !p.Exists && p.Dir != "" {
			return "directory missing"
		}
		return ""
	case worktree.Missing, worktree.Prunable, worktree.Moved, worktree.Ghost, worktree.Gone:
	}
	return "worktree " + string(p.State)
}

// contextShare is how much of the model's context a conversation fills, "" where
// that is not known.
func contextShare(of float64) string {
	if of <= 0 {
		return ""
	}
	return text.PadLeft(strconv.Itoa(int(of*100+0.5)), 2) + " %"
}
